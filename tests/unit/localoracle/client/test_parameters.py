"""Parameter files and command lines: what they say, and what is refused with which message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.client.errors import ClientError
from localoracle.client.grammar import identifier, parse, split
from localoracle.client.job import Call, describe
from localoracle.client.logon import parse as logon
from localoracle.client.parameters import read


def job(operation, *words, names=lambda owner, pattern: []):
    return describe(read(operation, list(words)), "ME", "", None, names)


def calls(operation, *words, **more):
    """The calls besides the files and the command."""
    made = job(operation, *words, **more).calls
    return [(call.name, *call.arguments) for call in made if call.name != "ADD_FILE"][1:]


def test_a_parameter_file():
    text = """
    # a comment
    directory = DUMPS          # behind a value
    DUMPFILE=(a_%U.dmp,
              OTHER:b_%L.dmp)
    tables=app.t, "APP"."Mixed",
       '"Quoted"'
    tables=app.p:p1
    query=app.t:"WHERE name = 'a, b' AND
      x > 1"   query=app.u:"WHERE \\"id\\" < 3"
    schemas=a,\\
            b
    metrics=y,logtime=all
    """
    found = [(item.name, [value.text for value in item.values]) for item in parse(text)]
    assert found == [
        ("DIRECTORY", ["DUMPS"]),
        ("DUMPFILE", ["a_%U.dmp", "OTHER:b_%L.dmp"]),
        ("TABLES", ["app.t", '"APP"."Mixed"', '"Quoted"']),
        ("TABLES", ["app.p:p1"]),
        ("QUERY", ["app.t:\"WHERE name = 'a, b' AND\n      x > 1\""]),
        ("QUERY", ['app.u:"WHERE \\"id\\" < 3"']),
        ("SCHEMAS", ["a", "b"]),
        ("METRICS", ["y"]),
        ("LOGTIME", ["all"]),
    ]


@given(
    st.dictionaries(
        st.from_regex(r"[A-Z]{1,8}", fullmatch=True),
        st.lists(
            st.text(st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters='"\\')),
            min_size=1,
        ),
    )
)
def test_quoted_values_come_back(settings):
    text = "\n".join(
        f"{name}=" + ",".join(f'"{value}"' for value in values) for name, values in settings.items()
    )
    assert {item.name: [value.text for value in item.values] for item in parse(text)} == settings


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense=1"], "LRM-00101: unknown parameter name 'nonsense'"),
        (["table_exists_action=append"], "LRM-00101"),  # of an import
        (["userid=a/b@c", "directory"], "LRM-00108: invalid positional parameter value 'directory'"),
        (["parallel=two"], "LRM-00104: 'two' is not a legal integer for 'parallel'"),
        (["metrics=perhaps"], "LRM-00105: 'perhaps' is not a legal boolean for 'metrics'"),
        (["directory=a,b"], "LRM-00112: multiple values not allowed for parameter 'directory'"),
        (['query="WHERE'], "LRM-00111: no closing quote"),
        (["tables=(a,b"], "LRM-00116"),
        (["content=everything"], "UDE-00014: invalid value for parameter, 'content'"),
        (["parfile=/nonexistent/x.par"], "LRM-00109: could not open parameter file '/nonexistent/x.par'"),
        (["trace=xyz"], "UDE-00014"),
        (["views_as_tables=v"], "ORA-03001.*expdp parameter VIEWS_AS_TABLES"),
    ],
)
def test_what_is_refused(words, message):
    with pytest.raises(ClientError, match=message):
        read("EXPORT", words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["schemas=a", "tables=b"], "UDE-00010: multiple job modes requested, schemas and tables."),
        (["flashback_scn=1", 'flashback_time="x"'], "UDE-00011: parameter flashback_scn is incompatible"),
        (["include=table", "exclude=index"], "UDE-00011"),
        (["tables=a.b.c"], "UDE-00014"),
        (["filesize=12Q", "tables=a"], "UDE-00014: invalid value for parameter, 'filesize'"),
        (
            ["tables=a", f"query=a:'WHERE X = {'1' * 4000}'"],
            "UDE-00014: invalid value for parameter, 'query'",
        ),
        (["exclude=index:\"'A'\""], "ORA-39071"),
        (["tables=a.t,b.t"], "ORA-03001: .*TABLES of several schemas"),
        (["data_options=grp_part_tab"], "ORA-03001: .*DATA_OPTIONS=GRP_PART_TAB"),
    ],
)
def test_what_does_not_fit_together(words, message):
    with pytest.raises(ClientError, match=message):
        job("EXPORT", *words)


def test_the_command_line_goes_over_the_file(tmp_path):
    (tmp_path / "a.par").write_text("parallel=2\ntables=t\nmetrics=n")
    given_ = read("EXPORT", ["me/pw@db", f"parfile={tmp_path}/a.par", "parallel=4"])
    assert (given_.number("PARALLEL"), given_.text("USERID"), given_.switch("METRICS")) == (
        4,
        "me/pw@db",
        False,
    )
    (tmp_path / "b.par").write_text("parallel=2\nnonsense=1")
    with pytest.raises(ClientError, match=r"(?s)LRM-00101.*LRM-00113: error when processing file '.*b\.par'"):
        read("EXPORT", [f"parfile={tmp_path}/b.par"])


def test_tables_partitions_and_queries():
    made = calls(
        "EXPORT", "tables=app.t:p1,app.t:p2", "tables=app.u", 'query=app.u:"WHERE a = 1"', "sample=app.t:10"
    )
    assert made == [
        ("METADATA_FILTER", "SCHEMA_EXPR", "IN ('APP')"),
        ("METADATA_FILTER", "NAME_EXPR", "IN ('T','U')"),
        ("DATA_FILTER", "PARTITION_LIST", "'P1','P2'", "T", "APP"),
        ("DATA_FILTER", "SUBQUERY", "WHERE a = 1", "U", "APP"),
        ("DATA_FILTER", "SAMPLE", 10.0, "T", "APP"),
    ]
    assert ("METADATA_FILTER", "NAME_EXPR", "IN ('E1','E2')") in calls(
        "EXPORT", "tables=e%", names=lambda owner, pattern: ["E1", "E2"]
    )
    assert ("METADATA_FILTER", "NAME_EXPR", "LIKE 'E%'") in calls("IMPORT", "tables=e%")


def test_rows_of_several_schemas_leave_out_what_nobody_named():
    made = job("EXPORT", "tables=a.x,b.y", "content=data_only")
    assert made.mode == "SCHEMA"
    assert Call("DATA_FILTER", ("INCLUDE_ROWS", 0, "Y", "A")) in made.calls
    assert Call("DATA_FILTER", ("INCLUDE_ROWS", 0, "X", "B")) in made.calls
    assert Call("METADATA_FILTER", ("NAME_EXPR", "IN ('X','Y')", "TABLE")) in made.calls


def test_metadata():
    assert calls("EXPORT", "schemas=a", "exclude=statistics,index:\"LIKE 'X%'\"")[1:] == [
        ("METADATA_FILTER", "EXCLUDE_PATH_EXPR", "IN ('STATISTICS')"),
        ("METADATA_FILTER", "EXCLUDE_NAME_EXPR", "LIKE 'X%'", "INDEX"),
    ]
    assert calls("EXPORT", "schemas=a", "include=table:\"IN ('X')\"", "include=view")[1:] == [
        ("METADATA_FILTER", "INCLUDE_PATH_EXPR", "IN ('TABLE','VIEW')"),
        ("METADATA_FILTER", "NAME_EXPR", "IN ('X')", "TABLE"),
    ]
    assert calls(
        "IMPORT",
        "remap_schema=a:b,c:d",
        "remap_table=a.t:u",
        "remap_tablespace=x:y",
        "transform=segment_attributes:n:table,pctspace:50,lob_storage:securefile",
        "data_options=skip_constraint_errors,disable_append_hint",
        "table_exists_action=append",
    ) == [
        ("SET_PARAMETER", "TABLE_EXISTS_ACTION", "APPEND"),
        ("SET_PARAMETER", "DATA_OPTIONS", 9),
        ("METADATA_REMAP", "REMAP_SCHEMA", "A", "B"),
        ("METADATA_REMAP", "REMAP_SCHEMA", "C", "D"),
        ("METADATA_REMAP", "REMAP_TABLESPACE", "X", "Y"),
        ("METADATA_REMAP", "REMAP_TABLE", "A.T", "U"),
        ("METADATA_TRANSFORM", "SEGMENT_ATTRIBUTES", 0, "TABLE"),
        ("METADATA_TRANSFORM", "PCTSPACE", 50),
        ("METADATA_TRANSFORM", "LOB_STORAGE", "securefile"),
    ]


def test_files_and_modes():
    made = job("EXPORT", "directory=d", "dumpfile=a.dmp,e:b_%U.dmp", "filesize=4gb", "reuse_dumpfiles=y")
    assert [call.arguments for call in made.calls if call.name == "ADD_FILE"] == [
        ("a.dmp", "D", "4G", 1, 1),
        ("b_%U.dmp", "E", "4G", 1, 1),
        ("export.log", "D", None, 3),
    ]
    assert (made.mode, made.operation, made.cluster) == ("SCHEMA", "EXPORT", True)
    made = job("IMPORT", "sqlfile=x.sql", "nologfile=y", "cluster=n", "job_name=j")
    assert (made.mode, made.operation, made.cluster, made.name) == ("FULL", "SQL_FILE", False, "J")
    made = job("IMPORT", "network_link=l", "tables=t")
    assert made.remote_link == "L"
    assert [call.arguments[2:] for call in made.calls if call.name == "ADD_FILE"] == [(None, 3)]


def test_passwords_are_nowhere_to_be_seen():
    made = job("EXPORT", "schemas=a", "encryption=all", "encryption_password=geheim")
    assert Call("SET_PARAMETER", ("ENCRYPTION_PASSWORD", "geheim"), secret=True) in made.calls
    assert "geheim" not in repr(made)
    account = logon('scott/"ti@ger"@//host:1521/svc AS sysdba')
    assert (account.user, account.password, account.dsn, account.role) == (
        "SCOTT", "ti@ger", "//host:1521/svc", "SYSDBA",
    )  # fmt: skip
    assert "ti@ger" not in repr(account) + account.shown
    assert logon("system@host:1521/svc").password is None


@pytest.mark.parametrize("text", ["user", "/", "/@db"])
def test_logons_that_lead_nowhere(text, monkeypatch):
    monkeypatch.delenv("TWO_TASK", raising=False)
    with pytest.raises(ClientError, match=r"ORA-12162|ORA-03001"):
        logon(text)


def test_names():
    assert [identifier(part) for part in split('app."a:b".x:y', ".")] == ["APP", "a:b", "X:Y"]
    assert split("\"a\":b:'c:d'") == ['"a"', "b", "'c:d'"]
