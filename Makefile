# Everything installs itself into .venv from pinned constraints; nothing but Python 3.11+ and make is needed.
PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
SCALE  ?= 1
SCHEMAS ?= 16
ROWS   ?= 1000
SECONDS ?= 600
EXAMPLES ?= 2000
ENVIRONMENT ?= $(VENV)
BILL   ?= .local/sbom.json
SBOM   := .local/tools/sbom
READY  := $(VENV)/.ready
TESTS  := $(VENV)/.ready-tests
DEV    := $(VENV)/.ready-dev
PYTEST := $(RUN) -m pytest --numprocesses 2 --dist loadfile --durations 25
PAGES  := $(RUN) -m sphinx -q -n -W --keep-going -d .local/doctrees docs .local/docs

.DEFAULT_GOAL := help
# Hundreds of short processes import the same modules: wherever it is set, they would compile them each time.
unexport PYTHONDONTWRITEBYTECODE
# For this run of pytest, not for those that its tests start.
unexport PYTEST_ARGUMENTS
.PHONY: help refresh load calibrate up down test test-all chaos fuzz grammar strangers lint bench docs sbom release clean

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# uv where it can be had, from wherever pip is told to look; pip itself where it cannot, and where uv fails.
# Metadata beside an editable package is on the path as well: Airflow would register the plugin twice.
# $(call install,PYTHON,PACKAGES)
PIP    := -m pip --quiet --disable-pip-version-check
define install
	@if $(RUN) $(PIP) install --constraint constraints.txt uv 2> /dev/null && $(RUN) -m uv pip install --quiet \
	  --compile-bytecode --python $(1) --constraint constraints.txt $(2); then :; \
	  else $(RUN) $(PIP) --python $(1) install --constraint constraints.txt $(2); fi
	@rm -rf provider/*.egg-info
	@touch $@
endef
PROJECT = --editable '.[$(1)]' --editable dev

$(READY): pyproject.toml dev/pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 to 3.13 is needed, this is " + sys.version.split()[0]) if not (3, 11) <= sys.version_info[:2] <= (3, 13) else None'
	@echo "installing into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	$(call install,$(RUN),$(call PROJECT,local))

$(TESTS): $(READY)
	$(call install,$(RUN),$(call PROJECT,test))

$(DEV): $(TESTS)
	$(call install,$(RUN),$(call PROJECT,dev))

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

test: $(TESTS) ## run the tests that show in minutes whether a change is good
	$(PYTEST) -m "not slow" $(PYTEST_ARGUMENTS) tests/unit tests/database tests/system/whole_refresh/test_a_whole_refresh.py

test-all: $(TESTS) ## run all tests, those of `make test` included
	$(PYTEST) $(PYTEST_ARGUMENTS) --thorough $(if $(CI),--budget --last-start 4500) tests

chaos: $(TESTS) ## strike refresh after refresh with random faults (SECONDS=1800 SEED=n FIRST=n)
	PYTHONPATH=tests $(RUN) -m support.chaos --seconds $(SECONDS) $(SEED:%=--seed %) $(FIRST:%=--first %)

fuzz: $(TESTS) ## write statements for generated catalogues and judge them (EXAMPLES=2000 SEED=n)
	$(PYTEST) --examples $(EXAMPLES) $(SEED:%=--seed %) tests/system/generated_catalogues -k every_statement

grammar: $(TESTS) ## after `make test-all`: keep the shapes of statements that the PL/SQL grammar accepted
	$(RUN) tests/support/grammar.py .pytest_cache/d

strangers: $(READY) ## run others' tests of their Oracle clients against the stand-in, or one suite (NAME=alembic_tests)
	$(RUN) -m strangers $(NAME)

lint: $(DEV) ## style, types, layers, known vulnerabilities, documentation
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/mypy .ci/audit.py .ci/release.py .ci/rerun.py
	$(RUN) .ci/audit.py constraints.txt
	$(VENV)/bin/lint-imports --no-cache
	$(VENV)/bin/mypy dev/strangers/*.py dev/strangers/suites
	$(PAGES)

bench: $(TESTS) ## run the benchmarks, or one: make bench NAME=refresh (SIZE=smallest: hardly any data)
	$(RUN) -m benchmarks $(NAME)

docs: $(DEV) ## write the generated pages, build the documentation to .local/docs
	$(RUN) docs/generate.py
	$(PAGES)

# In a separate environment: rfc3987_syntax, a dependency of cyclonedx-bom, doubles the time of `import airflow`.
$(SBOM)/.ready: $(READY)
	@$(PYTHON) -m venv --without-pip $(SBOM)
	$(call install,$(SBOM)/bin/python,cyclonedx-bom)

sbom: $(SBOM)/.ready ## write a bill of materials of .venv, or of another ENVIRONMENT, to .local/sbom.json
	@mkdir -p $(dir $(BILL))
	$(SBOM)/bin/cyclonedx-py environment --output-reproducible --output-file $(BILL) $(ENVIRONMENT)

release: $(TESTS) ## build both packages of the commit that is checked out into dist/, and check them; nothing is signed or uploaded
	rm -rf dist
	$(RUN) .ci/release.py dist

clean: ## remove the environment and all local databases
	-$(RUN) -m stack down
	rm -rf $(VENV) .local
