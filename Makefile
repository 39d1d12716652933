# Everything installs itself into .venv from pinned constraints; nothing but Python 3.11+ and make is needed.
PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
SCALE  ?= 1
SCHEMAS ?= 16
ROWS   ?= 1000
READY  := $(VENV)/.ready
PAGES  := $(RUN) -m sphinx -q -n -W --keep-going -d .local/doctrees docs .local/docs

.DEFAULT_GOAL := help
# Hundreds of short processes import the same modules: wherever it is set, they would compile them each time.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help refresh load calibrate up down test lint bench docs clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 to 3.13 is needed, this is " + sys.version.split()[0]) if not (3, 11) <= sys.version_info[:2] <= (3, 13) else None'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

refresh: $(READY) ## refresh a masked test database end to end (SCALE=1 is about 330 MB)
	$(RUN) -m stack refresh --scale $(SCALE)

load: $(READY) ## load schemas with test data and find out how fast that is (SCHEMAS=16 ROWS=1000)
	$(RUN) -m stack load --schemas $(SCHEMAS) --rows $(ROWS)

calibrate: $(READY) ## measure the DBFS store and find out how to stage into it
	$(RUN) -m stack calibrate

up: $(READY) ## start two databases and Airflow on http://127.0.0.1:8080 and leave them running
	$(RUN) -m stack up --scale $(SCALE)

down: $(READY) ## stop what `make up` started
	$(RUN) -m stack down

test: $(READY) ## run the tests
	$(RUN) -m pytest --numprocesses 2 --dist loadfile --durations 25

lint: $(READY) ## style, types, documentation
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(PAGES)

bench: $(READY) ## run the benchmarks, or one: make bench NAME=refresh
	$(RUN) -m benchmarks $(NAME)

docs: $(READY) ## write the generated pages, build the documentation to .local/docs
	$(RUN) docs/generate.py
	$(PAGES)

clean: ## remove the environment and all local databases
	-$(RUN) -m stack down
	rm -rf $(VENV) .local
