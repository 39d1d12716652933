"""The trigger forms, the places of approvals and dry runs in the DAG, and the DAGs to copy from."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk import DAG
from airflow.sdk.exceptions import ParamValidationError
from airflow.serialization.serialized_objects import DagSerialization

from oracle_refresh import example_dags
from oracle_refresh.definition import Prepare
from oracle_refresh.definition.form import RefreshForm
from oracle_refresh.integration import compat
from oracle_refresh.integration.forms import refresh_params
from oracle_refresh.integration.settings import definition_names
from oracle_refresh.provider_info import OPERATOR_MODULES

ROOT = Path(__file__).parents[3]
EXAMPLES = Path(example_dags.__file__).parent


def dags(folder: Path) -> dict[str, DAG]:
    found = DagBag(str(folder), bundle_path=folder, bundle_name="refresh")
    assert found.import_errors == {}
    return dict(found.dags)


@pytest.fixture(scope="module")
def bundle() -> dict[str, DAG]:
    return dags(ROOT / "dags")


@pytest.fixture(scope="module")
def examples() -> dict[str, DAG]:
    return dags(EXAMPLES)


@pytest.fixture(scope="module")
def refresh(bundle: dict[str, DAG]) -> DAG:
    return bundle["test_data_refresh"]


def upstream(dag: DAG, task_id: str) -> set[str]:
    return {task.task_id for task in dag.get_task(task_id).get_flat_relatives(upstream=True)}


def test_the_form_has_the_fields_that_are_read(refresh: DAG) -> None:
    refresh.params.validate()
    assert list(refresh.params) == list(RefreshForm.model_fields)
    form = RefreshForm.model_validate(refresh.params.dump())
    assert form.changes == {}
    assert True not in (form.dry_run, form.approve_target, form.approve_publish)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("definition", name)
            for name in ("", "../outside", "/etc/outside", "..", "a/b", "a\\b", ".a", "a\x00")
        ),
        ("exclude_tables", ["LOGS"]),
        ("exclude_tables", ["1APP.LOGS"]),
        ("exclude_tables", ['"App.LOGS']),
        ("exclude_tables", ["APP.LOGS; DROP TABLE T"]),
        ("prepare", "burn"),
        ("degree", 257),
        ("masking_degree", 65),
        ("index_sessions", 0),
        ("staging_transport", "pigeon"),
        ("dry_run", "yes"),
        ("reason", "x" * 2001),
    ],
)
def test_wrong_fields_are_refused_when_the_form_is_sent(refresh: DAG, name: str, value: Any) -> None:
    with pytest.raises(ParamValidationError):
        refresh.params.get_param(name).resolve(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("definition", "CRM (test).v2"), ("exclude_tables", ['APP."Old Logs"'])],
)
def test_right_fields_pass(refresh: DAG, name: str, value: Any) -> None:
    assert refresh.params.get_param(name).resolve(value) == value


def test_cleared_optional_fields_are_accepted(bundle: dict[str, DAG], examples: dict[str, DAG]) -> None:
    refresh = bundle["test_data_refresh"].params
    cleared = [refresh.get_param(name) for name in refresh if name != "definition"]
    for dag in (*bundle.values(), *examples.values()):
        params = [dag.params.get_param(name) for name in dag.params]
        cleared += [param for param in params if param.value in (None, [], "")]
    assert len(cleared) > len(RefreshForm.model_fields)
    assert [param.resolve(None) for param in cleared] == [None] * len(cleared)


def test_choices_are_proposed_as_texts_where_no_choice_may_be_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat, "HAS_NULL_CHOICES", False)
    params = refresh_params()
    assert [name for name, param in params.items() if None in param.schema.get("enum", ())] == []
    assert params["prepare"].schema["examples"] == [*Prepare]
    assert params["prepare"].resolve(None) is None
    assert params["prepare"].resolve("beside") == "beside"


def test_definitions_are_proposed_by_name(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "notes.txt"):
        (tmp_path / name).touch()
    assert definition_names(tmp_path) == ["a", "b"]
    assert definition_names(tmp_path / "nowhere") == []


def test_nothing_is_unloaded_or_touched_before_the_plan_is_explained_and_approved(refresh: DAG) -> None:
    before = {"preflight", "profile", "freeze", "plan", "explain"}
    assert upstream(refresh, "approve_target") == before
    others = set(refresh.task_ids) - before - {"approve_target"}
    for task_id in others:
        assert "approve_target" in upstream(refresh, task_id), task_id


def test_the_accounts_are_opened_after_the_approval_of_what_is_proven(refresh: DAG) -> None:
    assert "expectations" in upstream(refresh, "approve_publish")
    assert "approve_publish" in upstream(refresh, "release_target")
    # An answer that takes its time keeps neither the instance tuned nor dump files with originals.
    assert "approve_publish" not in upstream(refresh, "restore_target") | upstream(refresh, "drop_dumps")


def test_every_module_of_operators_has_a_dag_to_copy_from(
    bundle: dict[str, DAG], examples: dict[str, DAG]
) -> None:
    used = {
        kind.__module__
        for dag in (*bundle.values(), *examples.values())
        for task in dag.tasks
        for kind in getattr(task, "operator_class", type(task)).__mro__
    }
    assert set(OPERATOR_MODULES) - used == set()


def test_every_param_can_be_named_in_a_template(bundle: dict[str, DAG], examples: dict[str, DAG]) -> None:
    """`params.copy` is what mappings can do, not the param of that name."""
    for dag in (*bundle.values(), *examples.values()):
        assert [name for name in dag.params if hasattr(dict, name)] == [], dag.dag_id


def test_examples_explain_themselves_and_survive_serialization(examples: dict[str, DAG]) -> None:
    assert {path.stem for path in EXAMPLES.glob("example_*.py")} == set(examples)
    for dag in examples.values():
        again = DagSerialization.from_dict(DagSerialization.to_dict(dag))
        assert set(again.task_ids) == set(dag.task_ids)
        module = importlib.import_module(f"oracle_refresh.example_dags.{dag.dag_id}")
        assert dag.doc_md == module.__doc__
        assert dag.description
        for name in dag.params:
            param = dag.params.get_param(name)
            assert param.description, name
            assert {"title", "section"} <= set(param.schema), name
