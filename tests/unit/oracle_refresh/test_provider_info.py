"""What Airflow is told about the provider fits Airflow's own schema, and names what exists."""

from __future__ import annotations

import importlib
import json
from importlib.resources import files
from pathlib import Path
from pkgutil import iter_modules
from pydoc import locate
from typing import get_args
from urllib.parse import urlsplit

import jsonschema
import pytest
from airflow import plugins_manager
from airflow import settings as airflow_settings
from airflow.providers.openlineage.utils.utils import translate_airflow_asset
from airflow.providers_manager import ProvidersManager
from airflow.sdk import BaseOperator
from airflow.triggers.base import BaseTrigger

from oracle_refresh import operators, triggers
from oracle_refresh.hooks.limits import SessionLimits
from oracle_refresh.hooks.oracle import Role
from oracle_refresh.integration import settings
from oracle_refresh.integration.assets import refresh_asset, sanitize_uri
from oracle_refresh.monitor.page.app import STATIC, URL_PREFIX
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.provider_info import (
    LINKS,
    OPERATOR_MODULES,
    OPTIONS,
    TRIGGER_MODULES,
    get_provider_info,
)

ROOT = Path(__file__).parents[3]
INFO = get_provider_info()


def test_it_fits_the_schema_of_airflow() -> None:
    schema = json.loads((files("airflow") / "provider_info.schema.json").read_text())
    jsonschema.validate(INFO, schema)


@pytest.mark.parametrize("section", ["operators", "hooks", "sensors", "triggers"])
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


def test_no_module_of_operators_or_triggers_is_forgotten() -> None:
    for package, kind, listed, bases in (
        (operators, BaseOperator, OPERATOR_MODULES, {"base", "decorators", "jobs", "laboratory", "turns"}),
        (triggers, BaseTrigger, TRIGGER_MODULES, set()),
    ):
        named = [info.name for info in iter_modules(package.__path__) if info.name not in bases]
        modules = [importlib.import_module(f"{package.__name__}.{name}") for name in named]
        with_some = {
            module.__name__
            for module in modules
            for thing in vars(module).values()
            if isinstance(thing, type) and issubclass(thing, kind) and thing.__module__ == module.__name__
        }
        assert with_some == set(listed)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_has_a_reader_and_a_default(option: str) -> None:
    read = getattr(settings, option)
    assert f"`[oracle_refresh] {option}`" in read.__doc__
    assert read() is not None or option in ("schedule", "client_directory")


def test_everything_that_it_names_is_there() -> None:
    named = [
        *INFO["extra-links"],
        *INFO["notifications"],
        *INFO["cli"],
        *(item["hook-class-name"] for item in INFO["connection-types"]),
        *(item["class-name"] for item in INFO["task-decorators"]),
        *(
            item[kind]
            for item in INFO["asset-uris"]
            for kind in ("handler", "factory", "to_openlineage_converter")
        ),
    ]
    assert len(named) > 8
    for name in named:
        assert locate(name), name


def test_pages_and_logo_of_the_integration_exist() -> None:
    (integration,) = INFO["integrations"]
    assert [page for page in integration["how-to-guide"] if not (ROOT / page[1:]).exists()] == []
    served, _, logo = integration["logo"].partition("/static/")
    assert served == URL_PREFIX
    assert (STATIC / logo).exists()


def test_openlineage_names_the_asset_by_its_definition() -> None:
    dataset = translate_airflow_asset(refresh_asset("demo"), None)
    assert dataset is not None
    assert (dataset.namespace, dataset.name) == ("oracle-refresh", "demo")


def test_airflow_registers_it() -> None:
    manager = ProvidersManager()
    hook = manager.hooks["oracle_refresh"]
    assert hook is not None
    assert hook.hook_name == "Oracle for refreshes"
    assert {f"oracle_refresh.links.files.{name}" for name in LINKS} <= set(manager.extra_links_class_names)
    role = manager.connection_form_widgets["extra__oracle_refresh__refresh_role"]
    assert role.field_name == "refresh_role"


@pytest.mark.parametrize("lazy", [True, False])
def test_airflow_registers_the_plugin_once(lazy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(airflow_settings, "LAZY_LOAD_PROVIDERS", lazy)
    plugins, errors = plugins_manager._get_plugins.__wrapped__()
    assert [plugin.name for plugin in plugins].count("oracle_refresh") == 1
    assert [name for name in errors if "oracle" in name] == []


def test_the_roles_of_the_form_are_those_that_the_hook_knows() -> None:
    (kind,) = INFO["connection-types"]
    assert kind["conn-fields"]["refresh_role"]["schema"]["enum"] == list(get_args(Role))
    limits = {"expire_time", "connect_timeout", "call_timeout"}
    assert limits <= set(kind["conn-fields"])
    with pytest.raises(PreflightError, match="expire_time"):
        SessionLimits.of("target", dict.fromkeys(limits, "never"))


@pytest.mark.parametrize("wrong", ["", "demo/more", "demo?a=b"])
def test_an_asset_is_named_by_its_definition(wrong: str) -> None:
    assert refresh_asset("demo").uri == "oracle-refresh://demo"
    with pytest.raises(ValueError, match="oracle-refresh://NAME"):
        sanitize_uri(urlsplit(f"oracle-refresh://{wrong}"))
