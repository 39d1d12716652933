"""The trigger form: what it changes of a definition, and what is refused before anything has started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.definition.form import RefreshForm, definition_by_form, read_form
from oracle_refresh.definition.load import load_definition
from oracle_refresh.oracle.errors import PreflightError

FILE = """\
name: small
source: {conn_id: one}
target: {conn_id: other}
schemas: [APP, '"Docs"']
exclude_tables: [APP.LOGS]
degree: 4
staging: {source_directory: D, store: FS, mount: /M, target_directory: T}
masking: {ruleset: rules.yaml, key_conn_id: key, degree: 2}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(FILE)
    return file


def form(**fields: Any) -> RefreshForm:
    return read_form(json.dumps({"definition": "small", **fields}))


def test_an_empty_form_changes_nothing(path: Path) -> None:
    cleared = dict.fromkeys(RefreshForm.model_fields.keys() - {"definition"})
    assert form(**cleared) == form(reason="") == form()
    assert form().changes == {}
    assert definition_by_form(path, form()) == load_definition(path)


def test_what_is_filled_in_replaces_the_definitions(path: Path) -> None:
    filled = form(
        exclude_tables=["app.invoices"],
        prepare="truncate",
        degree=9,
        index_sessions=2,
        masking_degree=8,
        staging_transport="shared",
        reason=" why ",
    )
    found, written = definition_by_form(path, filled), load_definition(path)
    assert found.exclude_tables == (("APP", "LOGS"), ("APP", "INVOICES"))
    assert (found.prepare, found.degree, found.index_sessions) == ("truncate", 9, 2)
    assert found.masking == written.masking.model_copy(update={"degree": 8})
    assert found.staging == written.staging.model_copy(update={"transport": "shared"})
    assert (found.source, found.target) == (written.source, written.target)
    assert filled.reason == "why"
    assert set(filled.changes) == {
        *("exclude_tables", "prepare", "degree", "index_sessions", "masking_degree"),
        "staging_transport",
    }


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"dry_run": True, "approve_publish": True, "reason": "r"}, "nothing|anything to approve"),
        ({"approve_target": True}, "fill in Reason"),
        ({"approve_publish": True, "reason": "  "}, "fill in Reason"),
        ({"dryrun": True}, "dryrun: Extra inputs"),
        ({"degree": 0}, "degree: .*greater than or equal to 1"),
        ({"definition": ""}, "definition: .*at least 1 character"),
        ({"exclude_tables": "APP.T"}, "exclude_tables: .*tuple"),
    ],
)
def test_what_does_not_fit_together_is_refused(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(PreflightError, match=complaint) as refused:
        form(**fields)
    assert "trigger form" in str(refused.value)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"exclude_tables": ["HR.T"]}, "outside the schemas"),
        ({"exclude_tables": ["LOGS"]}, "form field exclude_tables"),
        ({"exclude_tables": ["app.logs"]}, "more than once: "),
        ({"prepare": "burn"}, "form field prepare"),
        ({"staging_transport": "mounted"}, "transport mounted needs a mounted_path"),
    ],
)
def test_what_does_not_fit_the_definition_is_refused(
    path: Path, fields: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(PreflightError, match=complaint):
        definition_by_form(path, form(**fields))


def test_a_transport_of_files_is_refused_where_there_are_none(path: Path) -> None:
    path.write_text(FILE + "datapump: {transport: network_link, database_link: L}\n")
    with pytest.raises(PreflightError, match="has no dump files to stage"):
        definition_by_form(path, form(staging_transport="shared"))


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_what_is_no_form_is_refused(text: str) -> None:
    with pytest.raises(PreflightError, match="trigger form"):
        read_form(text)
