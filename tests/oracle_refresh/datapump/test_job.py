"""Job descriptions, their calls held against the documentation, and the parameter file."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from localoracle.errors import dictionary
from oracle_refresh.datapump import statements
from oracle_refresh.datapump.files import log_name, numbered
from oracle_refresh.datapump.job import JobSpec, calls, expression
from oracle_refresh.datapump.parfile import render
from oracle_refresh.identifiers import InvalidIdentifier

EXPORT = JobSpec(
    operation="EXPORT",
    job_name="RF_DEMO_S001",
    directory="REFRESH_DUMPS",
    dump_files=("rf_demo_s001_%L.dmp",),
    log_file="rf_demo_s001_1.log",
    tables=(("TEST", "TESTTABLE"),),
    scn=2**60,
    subqueries=((("TEST", "TESTTABLE"), "WHERE MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID), 8) = 3"),),
    parallel=2,
)
IMPORT = JobSpec(
    operation="IMPORT",
    job_name="RF_DEMO_B001",
    directory="REFRESH_STAGE",
    dump_files=("b_01.dmp", "b_02.dmp"),
    log_file="b_load_1.log",
    tables=(("APP", "A"), ("APP", "B's")),
)
SEVERAL = JobSpec(
    operation="EXPORT",
    job_name="RF_DEMO_B001",
    directory="REFRESH_DUMPS",
    dump_files=("b_%L.dmp",),
    log_file="b_1.log",
    tables=(("APP", "A"), ("DOCS", "B")),
    scn=7,
    without_rows=(("DOCS", "A"),),
)


def fits(call_name: str, positional: list[Any], keywords: dict[str, Any]) -> bool:
    """Whether a documented overload takes these arguments: names, number, and NUMBER against VARCHAR2."""
    package, name = call_name.split(".")
    for overload in dictionary()["packages"][package][name]:
        formals = overload["params"]
        by_name = {formal["name"].lower(): formal for formal in formals}
        given = list(zip(formals, positional, strict=False))
        given += [(by_name[key], value) for key, value in keywords.items() if key in by_name]
        named = {formal["name"] for formal, _ in given}
        complete = all(formal["name"] in named or formal.get("optional") for formal in formals)
        known = len(positional) <= len(formals) and all(key in by_name for key in keywords)
        typed = all(
            value is None or isinstance(value, int) == formal["type"].startswith(("NUMBER", "BINARY_INTEGER"))
            for formal, value in given
        )
        if complete and known and typed:
            return True
    return False


@pytest.mark.parametrize("spec", [EXPORT, IMPORT, SEVERAL])
def test_every_call_fits_a_documented_signature(spec: JobSpec) -> None:
    assert fits(statements.OPEN, [spec.operation, spec.mode, None, spec.job_name], {})
    for call in calls(spec):
        assert fits(call.name, [1, *call.arguments], dict(call.keywords)), call


@pytest.mark.parametrize(
    ("name", "positional", "keywords"),
    [
        (statements.ATTACH, ["JOB"], {}),
        (statements.START_JOB, [1], {"cluster_ok": 0}),
        (statements.STOP_JOB, [1], {"immediate": 1, "keep_master": 0, "delay": 0}),
        (statements.DETACH, [1], {}),
        (statements.FREMOVE, ["DIR", "file"], {}),
    ],
)
def test_calls_outside_the_description(name: str, positional: list[Any], keywords: dict[str, Any]) -> None:
    assert fits(name, positional, keywords)


def test_parameters_of_an_export() -> None:
    made = [(call.name.split(".")[1], call.arguments) for call in calls(EXPORT)]
    assert ("ADD_FILE", ("rf_demo_s001_%L.dmp", "REFRESH_DUMPS", None, 1, 1)) in made
    assert ("ADD_FILE", ("rf_demo_s001_1.log", "REFRESH_DUMPS", None, 3)) in made
    assert ("SET_PARAMETER", ("FLASHBACK_SCN", 2**60)) in made
    assert ("SET_PARAMETER", ("INCLUDE_METADATA", 0)) in made
    assert ("METADATA_FILTER", ("SCHEMA_EXPR", "IN ('TEST')")) in made
    assert made[-1] == ("SET_PARALLEL", (2,))
    assert EXPORT.mode == "TABLE"


def test_parameters_of_an_import() -> None:
    made = [call.arguments for call in calls(IMPORT)]
    assert ("TABLE_EXISTS_ACTION", "APPEND") in made
    assert ("DATA_OPTIONS", 8) in made
    assert ("NAME_EXPR", "IN ('A','B''s')") in made
    assert ("b_02.dmp", "REFRESH_STAGE", None, 1) in made


def test_several_schemas_take_schema_mode_and_leave_out_what_both_filters_catch() -> None:
    made = [call.arguments for call in calls(SEVERAL)]
    assert SEVERAL.mode == "SCHEMA"
    assert ("NAME_EXPR", "IN ('A','B')", "TABLE") in made
    assert ("INCLUDE_ROWS", 0, "A", "DOCS") in made


def test_names_are_checked_before_they_become_literals() -> None:
    with pytest.raises(InvalidIdentifier):
        expression(['A"; DROP TABLE x --'])
    assert expression(["O'Hara"]) == "IN ('O''Hara')"


def test_parameter_file() -> None:
    text = render(EXPORT)
    assert "flashback_scn=1152921504606846976\n" in text
    assert 'query="TEST"."TESTTABLE":"WHERE MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID), 8) = 3"\n' in text
    assert "table_exists_action=APPEND\ndata_options=DISABLE_APPEND_HINT\n" in render(IMPORT)


def test_only_documented_views_are_read() -> None:
    views = {name.split(".")[-1] for name in dictionary()["views"]} | {"DUAL"}
    for name, text in inspect.getmembers(statements, lambda value: isinstance(value, str)):
        for view in re.findall(r"(?:FROM|JOIN) ([A-Z$_]+)", text):
            assert view in views, f"{name} reads {view}"


def test_file_names() -> None:
    assert numbered("job_%L.dmp", 7) == "job_07.dmp"
    assert numbered("job_%u.dmp", 100) == "job_100.dmp"
    assert numbered("job.dmp", 3) == "job.dmp"
    assert log_name("job_load", 2) == "job_load_2.log"
