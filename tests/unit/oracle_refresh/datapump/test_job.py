"""Job descriptions, their calls held against the documentation, and the parameter file."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from typing import Any

import pytest

from localoracle.dictionary.views import views
from localoracle.supplied.overloads import Argument, NoMatch, resolve
from oracle_refresh.datapump import job, statements
from oracle_refresh.datapump.calls import calls, expression, opening, password_call
from oracle_refresh.datapump.files import log_name, numbered
from oracle_refresh.datapump.jobspec import JobSpec, Transform
from oracle_refresh.datapump.parfile import render
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.oracle.identifiers import InvalidIdentifier, TableName

EXPORT = JobSpec(
    operation="EXPORT",
    job_name="RF_DEMO_S001",
    directory="REFRESH_DUMPS",
    dump_files=("rf_demo_s001_%L.dmp",),
    log_file="rf_demo_s001_1.log",
    tables=(TableName("TEST", "TESTTABLE"),),
    scn=2**60,
    subqueries=((TableName("TEST", "TESTTABLE"), "WHERE MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID), 8) = 3"),),
    parallel=2,
)
IMPORT = JobSpec(
    operation="IMPORT",
    job_name="RF_DEMO_B001",
    directory="REFRESH_STAGE",
    dump_files=("b_01.dmp", "b_02.dmp"),
    log_file="b_load_1.log",
    tables=(TableName("APP", "A"), TableName("APP", "B's")),
)
SEVERAL = JobSpec(
    operation="EXPORT",
    job_name="RF_DEMO_B001",
    directory="REFRESH_DUMPS",
    dump_files=("b_%L.dmp",),
    log_file="b_1.log",
    tables=(TableName("APP", "A"), TableName("DOCS", "B")),
    scn=7,
    without_rows=(TableName("DOCS", "A"),),
)

# Every option that an export and an import can have.
FULL_EXPORT = JobSpec(
    operation="EXPORT",
    job_name="EVERYTHING",
    directory="REFRESH_DUMPS",
    dump_files=("all_%L.dmp",),
    log_file="all_1.log",
    schemas=("APP", "Mixed"),
    content="ALL",
    exclude=("STATISTICS", "TABLE/INDEX"),
    scn=7,
    parallel=3,
    compression="ALL",
    compression_algorithm="MEDIUM",
    encryption="DATA_ONLY",
    encryption_algorithm="AES192",
    file_size="4G",
    logtime="ALL",
    metrics=False,
    keep_master=True,
)
FULL_IMPORT = JobSpec(
    operation="IMPORT",
    job_name="EVERYTHING",
    directory="REFRESH_STAGE",
    dump_files=("all_01.dmp",),
    log_file="all_load_1.log",
    tables=(TableName("APP", "T"),),
    content="ALL",
    include=("TABLE", "INDEX"),
    remap_schema=(("APP", "APP_TEST"),),
    remap_tablespace=(("USERS", "TEST_DATA"),),
    remap_table=((TableName("APP", "T"), "T2"),),
    transforms=(
        Transform("SEGMENT_ATTRIBUTES", 0),
        Transform("STORAGE", 0, "TABLE"),
        Transform("LOB_STORAGE", "SECUREFILE"),
        Transform("DISABLE_ARCHIVE_LOGGING", 1, "INDEX"),
        Transform("PCTSPACE", 10),
        Transform("TABLE_COMPRESSION_CLAUSE", "ROW STORE COMPRESS BASIC"),
    ),
    encryption="ALL",
    table_exists_action="REPLACE",
    disable_append_hint=False,
)
OVER_LINK = JobSpec(
    operation="IMPORT",
    job_name="LINKED",
    directory="REFRESH_STAGE",
    dump_files=(),
    log_file="linked_1.log",
    tables=(TableName("APP", "T"),),
    scn=99,
    subqueries=((TableName("APP", "T"), "WHERE ID < 5"),),
    partitions=((TableName("APP", "T"), ("P1",)),),
    remote_link="SOURCE.WORLD",
    logtime="STATUS",
)
STRUCTURE = replace(FULL_EXPORT, content="METADATA_ONLY", schemas=(), tables=(TableName("APP", "T"),))
EVERY_SPEC = [EXPORT, IMPORT, SEVERAL, FULL_EXPORT, FULL_IMPORT, OVER_LINK, STRUCTURE]


def fits(call_name: str, positional: list[Any], keywords: dict[str, Any]) -> bool:
    """Whether a documented overload takes these arguments: form, names, number, and types."""
    package, name = call_name.split(".")
    values = [(None, value) for value in positional] + list(keywords.items())
    arguments = [
        Argument(None, "" if value is None else "NUMBER" if isinstance(value, int) else "VARCHAR2", key, True)
        for key, value in values
    ]
    try:
        resolve(package, name, arguments, ["function" if name in ("OPEN", "ATTACH") else "procedure"])
    except NoMatch:
        return False
    return True


@pytest.mark.parametrize("spec", EVERY_SPEC)
def test_every_call_fits_a_documented_signature(spec: JobSpec) -> None:
    assert fits(statements.OPEN, list(opening(spec)), {})
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


def made(spec: JobSpec) -> list[tuple[Any, ...]]:
    return [(call.name.split(".")[1], *call.arguments) for call in calls(spec)]


def test_every_option_of_an_export_reaches_the_api_and_the_client() -> None:
    for call in (
        ("ADD_FILE", "all_%L.dmp", "REFRESH_DUMPS", "4G", 1, 1),
        ("METADATA_FILTER", "SCHEMA_EXPR", "IN ('APP','Mixed')"),
        ("METADATA_FILTER", "EXCLUDE_PATH_EXPR", "IN ('STATISTICS','TABLE/INDEX')"),
        ("SET_PARAMETER", "METRICS", 0),
        ("SET_PARAMETER", "KEEP_MASTER", 1),
        ("SET_PARAMETER", "LOGTIME", "ALL"),
        ("SET_PARAMETER", "FLASHBACK_SCN", 7),
        ("SET_PARAMETER", "COMPRESSION", "ALL"),
        ("SET_PARAMETER", "COMPRESSION_ALGORITHM", "MEDIUM"),
        ("SET_PARAMETER", "ENCRYPTION", "DATA_ONLY"),
        ("SET_PARAMETER", "ENCRYPTION_MODE", "PASSWORD"),
        ("SET_PARAMETER", "ENCRYPTION_ALGORITHM", "AES192"),
    ):
        assert call in made(FULL_EXPORT)
    assert not [call for call in made(FULL_EXPORT) if "INCLUDE_METADATA" in call or "NAME_EXPR" in call]
    assert render(replace(FULL_EXPORT, trace="480300"), "scott@db").splitlines() == [
        "userid=scott@db",
        "job_name=EVERYTHING",
        "directory=REFRESH_DUMPS",
        "dumpfile=all_%L.dmp",
        "logfile=all_1.log",
        "content=ALL",
        "metrics=NO",
        "keep_master=YES",
        "logtime=ALL",
        "trace=480300",
        "cluster=NO",
        "parallel=3",
        "flashback_scn=7",
        'schemas=APP,"Mixed"',
        "exclude=STATISTICS,TABLE/INDEX",
        "compression=ALL",
        "compression_algorithm=MEDIUM",
        "encryption=DATA_ONLY",
        "encryption_mode=PASSWORD",
        "encryption_algorithm=AES192",
        "encryption_pwd_prompt=YES",
        "filesize=4GB",
        "reuse_dumpfiles=YES",
    ]


def test_every_option_of_an_import_reaches_the_api_and_the_client() -> None:
    for call in (
        ("METADATA_FILTER", "INCLUDE_PATH_EXPR", "IN ('TABLE','INDEX')"),
        ("METADATA_REMAP", "REMAP_SCHEMA", "APP", "APP_TEST"),
        ("METADATA_REMAP", "REMAP_TABLESPACE", "USERS", "TEST_DATA"),
        ("METADATA_REMAP", "REMAP_TABLE", "T", "T2"),
        ("METADATA_TRANSFORM", "SEGMENT_ATTRIBUTES", 0),
        ("METADATA_TRANSFORM", "STORAGE", 0, "TABLE"),
        ("METADATA_TRANSFORM", "LOB_STORAGE", "SECUREFILE"),
        ("METADATA_TRANSFORM", "DISABLE_ARCHIVE_LOGGING", 1, "INDEX"),
        ("METADATA_TRANSFORM", "PCTSPACE", 10),
        ("METADATA_TRANSFORM", "TABLE_COMPRESSION_CLAUSE", "ROW STORE COMPRESS BASIC"),
        ("SET_PARAMETER", "TABLE_EXISTS_ACTION", "REPLACE"),
    ):
        assert call in made(FULL_IMPORT)
    assert not [
        call for call in made(FULL_IMPORT) if {"DATA_OPTIONS", "ENCRYPTION_MODE", "KEEP_MASTER"} & set(call)
    ]
    assert render(FULL_IMPORT).splitlines()[1:] == [
        "job_name=EVERYTHING",
        "directory=REFRESH_STAGE",
        "dumpfile=all_01.dmp",
        "logfile=all_load_1.log",
        "content=ALL",
        "metrics=YES",
        "cluster=NO",
        'tables="APP"."T"',
        "include=TABLE,INDEX",
        "encryption_pwd_prompt=YES",
        "table_exists_action=REPLACE",
        "remap_schema=APP:APP_TEST",
        "remap_tablespace=USERS:TEST_DATA",
        "remap_table=APP.T:T2",
        "transform=SEGMENT_ATTRIBUTES:N",
        "transform=STORAGE:N:TABLE",
        "transform=LOB_STORAGE:SECUREFILE",
        "transform=DISABLE_ARCHIVE_LOGGING:Y:INDEX",
        "transform=PCTSPACE:10",
        'transform=TABLE_COMPRESSION_CLAUSE:"ROW STORE COMPRESS BASIC"',
    ]


def test_an_import_over_a_link_has_no_dump_files() -> None:
    assert opening(OVER_LINK) == ("IMPORT", "TABLE", "SOURCE.WORLD", "LINKED")
    assert [call for call in made(OVER_LINK) if call[0] == "ADD_FILE"] == [
        ("ADD_FILE", "linked_1.log", "REFRESH_STAGE", None, 3)
    ]
    assert ("SET_PARAMETER", "FLASHBACK_SCN", 99) in made(OVER_LINK)
    assert ("DATA_FILTER", "SUBQUERY", "WHERE ID < 5", "T", "APP") in made(OVER_LINK)
    text = render(OVER_LINK)
    assert "network_link=SOURCE.WORLD\n" in text
    assert "flashback_scn=99\n" in text
    assert "dumpfile" not in text


def test_definitions_without_rows() -> None:
    assert ("DATA_FILTER", "INCLUDE_ROWS", 0) in made(STRUCTURE)
    assert "content=METADATA_ONLY\n" in render(STRUCTURE)


@pytest.mark.parametrize(
    ("spec", "changes", "complaint"),
    [
        (EXPORT, {"tables": ()}, "either tables or schemas"),
        (EXPORT, {"schemas": ("A",)}, "either tables or schemas"),
        (EXPORT, {"dump_files": ()}, "dump files or a database link"),
        (EXPORT, {"remote_link": "L"}, "only imports"),
        (OVER_LINK, {"dump_files": ("a.dmp",)}, "has no dump files"),
        (OVER_LINK, {"encryption": "ALL"}, "has no dump files"),
        (IMPORT, {"scn": 5}, "have their SCN already"),
        (EXPORT, {"remap_schema": (("A", "B"),)}, "belong to the import"),
        (IMPORT, {"compression": "ALL"}, "only an export"),
        (FULL_EXPORT, {"include": ("TABLE",)}, "from 21c on"),
        (EXPORT, {"exclude": ("INDEX",)}, "do not go with rows alone"),
        (STRUCTURE, {"partitions": ((TableName("APP", "T"), ("P",)),)}, "needs rows"),
        (FULL_IMPORT, {"remap_table": ((("A", "T"), "X"), (("B", "T"), "Y"))}, "in one schema only"),
        (IMPORT, {"table_exists_action": "REPLACE"}, "needs the definitions"),
        (FULL_EXPORT, {"exclude": ("INDEX'",)}, "no object path"),
    ],
)
def test_what_no_job_can_be_is_refused(spec: JobSpec, changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(DataPumpError, match=complaint):
        replace(spec, **changes)


@pytest.mark.parametrize(
    "arguments", [("SEGMENTS", 0), ("STORAGE", "N"), ("LOB_STORAGE", 1), ("OID", True), ("OID", 0, "A B")]
)
def test_transforms_are_of_a_known_kind(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(DataPumpError):
        Transform(*arguments)


def test_a_password_is_asked_for_before_anything_is_opened() -> None:
    with pytest.raises(DataPumpError, match="no password is given"):
        job.start(None, FULL_EXPORT)  # type: ignore[arg-type]
    with pytest.raises(DataPumpError, match="no documented parameter TRACE"):
        job.start(None, replace(EXPORT, trace="1"))  # type: ignore[arg-type]
    assert fits(statements.SET_PARAMETER, [1, *password_call("secret").arguments], {})


def test_only_documented_views_are_read() -> None:
    known = views().keys() | {"DUAL"}
    for name, text in inspect.getmembers(statements, lambda value: isinstance(value, str)):
        for view in re.findall(r"(?:FROM|JOIN) ([A-Z$_]+)", text):
            assert view in known, f"{name} reads {view}"


def test_file_names() -> None:
    assert numbered("job_%L.dmp", 7) == "job_07.dmp"
    assert numbered("job_%u.dmp", 100) == "job_100.dmp"
    assert numbered("job.dmp", 3) == "job.dmp"
    assert log_name("job_load", 2) == "job_load_2.log"
