"""What Airflow is told about the provider fits Airflow's own schema, and names what exists."""

from __future__ import annotations

import importlib
import json
from importlib.resources import files

import jsonschema
import pytest
from airflow.sdk import BaseOperator

from oracle_refresh import settings
from oracle_refresh.provider_info import OPERATOR_MODULES, OPTIONS, get_provider_info

INFO = get_provider_info()


def test_it_fits_the_schema_of_airflow() -> None:
    schema = json.loads((files("airflow") / "provider_info.schema.json").read_text())
    jsonschema.validate(INFO, schema)


@pytest.mark.parametrize("section", ["operators", "hooks", "triggers"])
def test_every_module_that_it_names_can_be_imported(section: str) -> None:
    integrations = {item["integration-name"] for item in INFO["integrations"]}
    for entry in INFO[section]:
        assert entry["integration-name"] in integrations
        for module in entry["python-modules"]:
            importlib.import_module(module)


def test_every_operator_is_documented_and_renders_its_definition() -> None:
    seen = []
    for name in OPERATOR_MODULES:
        for thing in vars(importlib.import_module(name)).values():
            if isinstance(thing, type) and issubclass(thing, BaseOperator) and thing.__module__ == name:
                assert thing.__doc__, thing
                wanted = "conn_id" if name.endswith(".datapump") else "definition"
                assert wanted in thing.template_fields
                seen.append(thing.__name__)
    assert len(seen) >= 18


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_has_a_reader_and_a_default(option: str) -> None:
    read = getattr(settings, option)
    assert f"`[oracle_refresh] {option}`" in read.__doc__
    assert read() is not None or option in ("schedule", "client_directory")
