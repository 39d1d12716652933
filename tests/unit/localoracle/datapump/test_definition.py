from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from localoracle.datapump import logfile
from localoracle.datapump.definition import Definition, File, file_size
from localoracle.datapump.master import Row
from localoracle.datapump.metadata import remapped
from localoracle.errors import OracleError


def definition(operation="EXPORT", mode="TABLE", **more):
    return Definition(operation, mode, "APP", "JOB", "APP", **more)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONTENT", "DATA_ONLY"),  # expdp's, not the API's
        ("FLASHBACK_SCN", "123"),  # the VARCHAR2 overload of a number parameter
        ("COMPRESSION", "SOME"),
        ("COMPRESSION", 1),
        ("INCLUDE_METADATA", 2),
        ("TABLE_EXISTS_ACTION", "APPEND"),  # of an import only
        ("KEEP_MASTER", None),
        (None, "x"),
    ],
)
def test_wrong_parameters(name, value):
    with pytest.raises(OracleError, match="ORA-39001"):
        definition().set_parameter(name, value)


@pytest.mark.parametrize("name", ["FLASHBACK_TIME", "SOURCE_EDITION"])
def test_documented_but_not_implemented(name):
    with pytest.raises(OracleError, match=f"ORA-03001.*{name}"):
        definition().set_parameter(name, "x")


@pytest.mark.parametrize(
    ("name", "value", "object_type", "code"),
    [
        ("PCTSPACE", 50, None, 3001),
        ("OID", 1, None, 3001),
        ("STORAGE", 0, "TYPE", 3001),
        ("LOB_STORAGE", "OTHER", None, 39001),
        ("SEGMENT_ATTRIBUTES", 2, None, 39001),
        ("NO_TRANSFORM", 1, None, 39001),
    ],
)
def test_transforms_without_effect_are_refused(name, value, object_type, code):
    with pytest.raises(OracleError, match=f"ORA-{code:05d}"):
        definition("IMPORT").add_transform(name, value, object_type)


LOB_TABLE = """CREATE TABLE "A"."T" ("C" VARCHAR2(9) DEFAULT 'PCTFREE 10' , "B" BLOB)
 SEGMENT CREATION DEFERRED PCTFREE 10 INITRANS 1 NOCOMPRESS LOGGING
 STORAGE(INITIAL 65536 NEXT 1048576) TABLESPACE "USERS"
 LOB ("B") STORE AS SECUREFILE (TABLESPACE "USERS" CHUNK 8192 KEEP_DUPLICATES STORAGE(INITIAL 65536))"""


@pytest.mark.parametrize(
    ("name", "value", "object_type", "gone", "kept"),
    [
        ("STORAGE", 0, None, ["INITIAL"], ["TABLESPACE", "INITRANS", "SECUREFILE"]),
        ("STORAGE", 0, "TABLE", ["INITIAL"], ["TABLESPACE", "INITRANS"]),
        ("STORAGE", 0, "INDEX", [], ["INITIAL"]),
        (
            "SEGMENT_ATTRIBUTES",
            0,
            None,
            ["INITIAL", "TABLESPACE", "INITRANS", "LOGGING"],
            ["'PCTFREE 10'", "CHUNK 8192", "SECUREFILE", "SEGMENT CREATION"],
        ),
        ("SEGMENT_CREATION", 0, None, ["SEGMENT CREATION"], ["INITIAL"]),
        ("LOB_STORAGE", "BASICFILE", None, ["SECUREFILE", "KEEP_DUPLICATES"], ["STORE AS BASICFILE ("]),
        ("LOB_STORAGE", "DEFAULT", None, ["SECUREFILE"], ["STORE AS ("]),
        ("LOB_STORAGE", "NO_CHANGE", None, [], ["STORE AS SECUREFILE"]),
        ("DISABLE_ARCHIVE_LOGGING", 1, None, [], ["INITIAL", "LOGGING"]),
    ],
)
def test_transforms(name, value, object_type, gone, kept):
    job = definition("IMPORT", "SCHEMA", privileged=True)
    job.add_transform(name, value, object_type)
    job = Definition.from_json(job.to_json())
    ddl = remapped(job, Row(0, "", "TABLE", "A", "T", "T", ddl=LOB_TABLE))
    assert not [word for word in gone if word in ddl]
    assert not [word for word in kept if word not in ddl]


def test_a_remap_of_one_object_type_is_refused():
    with pytest.raises(OracleError, match="ORA-03001"):
        definition("IMPORT").add_remap("REMAP_TABLESPACE", "A", "B", "TABLE")


def test_a_definition_survives_its_json():
    job = definition("IMPORT", degree=3)
    job.set_parameter("table_exists_action", "truncate")
    job.add_metadata_filter("NAME_EXPR", "IN ('T')", None)
    job.add_data_filter("PARTITION_LIST", "'P1'", "T", "APP")
    job.add_remap("REMAP_SCHEMA", "DOCS", "APP", None)
    job.files.append(File("D", "x.dmp", "/d/x.dmp"))
    assert Definition.from_json(job.to_json()) == job
    assert job.table_exists_action == "TRUNCATE"


def test_the_most_specific_data_filter_counts():
    job = definition()
    job.add_data_filter("SUBQUERY", "WHERE 1=1", None, None)
    job.add_data_filter("SUBQUERY", "WHERE 1=2", "T", None)
    assert job.data_filter("SUBQUERY", "APP", "T") == "WHERE 1=2"
    assert job.data_filter("SUBQUERY", "APP", "U") == "WHERE 1=1"
    with pytest.raises(OracleError, match="ORA-39005"):
        job.add_data_filter("SUBQUERY", "WHERE 1=3", "T", None)
    with pytest.raises(OracleError, match="ORA-31631"):
        job.add_data_filter("SUBQUERY", "WHERE 1=3", "T", "OTHER")


@pytest.mark.parametrize(
    ("text", "size"), [(None, 0), ("40K", 40960), ("4G", 4 << 30), ("65536", 65536), (" 2MB ", 2 << 20)]
)
def test_file_sizes(text, size):
    assert file_size(text) == size


@pytest.mark.parametrize("text", ["", "x", "39K", "-1M", "20T"])
def test_wrong_file_sizes(text):
    with pytest.raises(OracleError, match="ORA-39001"):
        file_size(text)


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (0, ("0", "KB")),
        (8767, ("8.562", "KB")),
        (13_435, ("13.12", "KB")),
        (4_545_577, ("4.335", "MB")),
        (4_654_670_807, ("4.335", "GB")),
        (185_493_094, ("176.9", "MB")),
    ],
)
def test_sizes_have_four_digits(amount, shown):
    assert logfile.size(amount) == shown


def test_log_lines_as_published():
    assert (
        logfile.moved("exported", '"SCOTT"."EMP"', 8767, 14)
        == '. . exported "SCOTT"."EMP"                               8.562 KB      14 rows'
    )
    assert logfile.moved("imported", '"A"."T"', 0, 8, rejected=2).endswith("8 out of 10 rows")
    at = datetime(2025, 4, 28, 13, 29, 29, 48000)
    assert (
        logfile.ending('"SCOTT"."J"', 0, at, timedelta(seconds=7))
        == 'Job "SCOTT"."J" successfully completed at Mon Apr 28 13:29:29 2025 elapsed 0 00:00:07'
    )
    assert "completed with 4 error(s) at" in logfile.ending("J", 4, at, timedelta(days=1, hours=2))
    assert logfile.ending("J", 4, at, timedelta(days=1, hours=2)).endswith("elapsed 1 02:00:00")
    assert logfile.stamp(at) == "28-APR-25 13:29:29.048: "


def test_remaps_change_names_but_no_literals():
    job = definition("IMPORT", "SCHEMA", privileged=True)
    job.add_remap("REMAP_SCHEMA", "APP", "NEW", None)
    job.add_remap("REMAP_TABLE", "T", "T2", None)
    job.add_remap("REMAP_TABLESPACE", "USERS", "DATA", None)
    ddl = """CREATE TABLE "APP"."T" ("T" VARCHAR2(9) DEFAULT '"APP"."T"') TABLESPACE "USERS" """
    assert (
        remapped(job, Row(0, "", "TABLE", "APP", "T", "T", ddl=ddl))
        == """CREATE TABLE "NEW"."T2" ("T" VARCHAR2(9) DEFAULT '"APP"."T"') TABLESPACE "DATA" """
    )
