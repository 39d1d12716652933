"""The statements of the Data Pump, DBFS, transport and objects rooms against the documentation."""

from __future__ import annotations

import re

import pytest

from localoracle.dictionary.views import views as dictionary_views
from localoracle.supplied.signatures import documented
from oracle_refresh.datapump import statements as datapump
from oracle_refresh.dbfs import statements as dbfs
from oracle_refresh.target.objects import statements as objects
from oracle_refresh.transport import statements as transport

KEYWORDS = frozenset(
    {"SELECT", "FROM", "WHERE", "AND", "OR", "IN", "NOT", "NULL", "IS", "LIKE", "ORDER", "BY", "JOIN", "ON"}
    | {
        "ALL",
        "UNION",
        "DESC",
        "FETCH",
        "FIRST",
        "LEFT",
        "NVL",
        "SUM",
        "GROUP",
        "DECODE",
        "DISTINCT",
        "ROWS",
        "ONLY",
        "COUNT",
        "USER",
        "DUAL",
        "DBMS_LOB",
        "GETLENGTH",
        "BFILENAME",
        "CASE",
        "WHEN",
        "THEN",
        "ELSE",
        "END",
    }
)
# Behind the DBFS packages; the Reference does not describe them (rdbms/admin/catcapi.sql).
UNDESCRIBED = {
    "SYS.DBFS_SFS$_FS": ["STORE_OWNER", "STORE_NAME", "TABID", "VOLID", "SNAP#", "CREATED"],
    "SYS.DBFS_SFS$_TAB": [
        "TABID",
        "SCHEMA_NAME",
        "TABLE_NAME",
        "PTABLE_NAME",
        "VERSION#",
        "CREATED",
        "FORMATTED",
        "PROPERTIES",
    ],
    "SYS.DBFS$_MOUNTS": ["S_OWNER", "S_NAME", "S_MOUNT", "CREATED", "S_PROPS"],
    "SYS.DBFS$_STORES": ["S_OWNER", "S_NAME", "P_NAME", "P_PKG", "CREATED"],
}
TEXTS = [
    pytest.param(text, id=f"{module.__name__.split('.')[1]}.{name}")
    for module in (datapump, dbfs, transport, objects)
    for name, text in vars(module).items()
    if name.isupper() and isinstance(text, str)
]


@pytest.mark.parametrize("text", TEXTS)
def test_views_and_columns_are_documented(text: str) -> None:
    views = dictionary_views() | UNDESCRIBED
    text = text.replace("{names}", ":name_0")
    if not text.startswith("SELECT") or "{" in text or '"REFRESH$' in text:
        return
    code = re.sub(r"'[^']*'|:\w+", " ", text)
    named = set(re.findall(r"(?:FROM|JOIN) ([A-Z$_.]+)", code)) - {"DUAL"}
    assert named <= views.keys()
    for word in set(re.findall(r"[A-Z][A-Z_#$]+", re.sub(r"(?:FROM|JOIN) [A-Z$_.]+", " ", code))) - KEYWORDS:
        assert any(word in views[view] for view in named), f"{word} is a column of none of {named}"


@pytest.mark.parametrize(
    ("call", "formals"),
    [
        (objects.GET_DDL, ["object_type", "name", "schema"]),
        (objects.SET_TRANSFORM_PARAM, ["transform_handle", "name", "value"]),
        (objects.GATHER_TABLE_STATS, ["ownname", "tabname"]),
    ],
)
def test_positional_calls(call: str, formals: list[str]) -> None:
    package, name = call.split(".")
    listed = [[parameter.name for parameter in each.parameters] for each in documented(package)[name]]
    assert any(names[: len(formals)] == formals for names in listed)
