"""The statements of the Data Pump, DBFS and objects rooms against the documentation."""

from __future__ import annotations

import re
from typing import Any

import pytest

from localoracle.errors import dictionary
from oracle_refresh.datapump import statements as datapump
from oracle_refresh.dbfs import statements as dbfs
from oracle_refresh.objects import statements as objects

KEYWORDS = frozenset(
    {"SELECT", "FROM", "WHERE", "AND", "OR", "IN", "NOT", "NULL", "IS", "LIKE", "ORDER", "BY", "JOIN", "ON"}
    | {
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
# Views of Database Reference 19c that the dictionary's selection lacks.
FURTHER = {
    "DBA_TAB_COMMENTS": ["OWNER", "TABLE_NAME", "TABLE_TYPE", "COMMENTS"],
    "DBA_COL_COMMENTS": ["OWNER", "TABLE_NAME", "COLUMN_NAME", "COMMENTS"],
    "DBA_ROLES": ["ROLE"],
    "USER_USERS": ["USERNAME", "USER_ID", "DEFAULT_TABLESPACE", "TEMPORARY_TABLESPACE"],
}
TEXTS = [
    pytest.param(text, id=f"{module.__name__.split('.')[1]}.{name}")
    for module in (datapump, dbfs, objects)
    for name, text in vars(module).items()
    if name.isupper() and isinstance(text, str)
]


@pytest.mark.parametrize("text", TEXTS)
def test_views_and_columns_are_documented(text: str) -> None:
    views: dict[str, Any] = dictionary()["views"] | FURTHER
    text = text.replace("{schemas}", ":s0")
    if not text.startswith("SELECT") or "{" in text or '"REFRESH$' in text:
        return
    code = re.sub(r"'[^']*'|:\w+", " ", text)
    named = set(re.findall(r"(?:FROM|JOIN) ([A-Z$_.]+)", code)) - {"DUAL"}
    assert named <= views.keys()
    for word in set(re.findall(r"[A-Z][A-Z_#$]+", re.sub(r"(?:FROM|JOIN) [A-Z$_.]+", " ", code))) - KEYWORDS:
        assert any(word in views[view] for view in named), f"{word} is a column of none of {named}"


@pytest.mark.parametrize("text", TEXTS)
def test_named_arguments_of_package_calls_are_documented(text: str) -> None:
    packages = dictionary()["packages"]
    for package, name, arguments in re.findall(r"(DBMS_\w+|UTL_\w+)\.(\w+)\(([^;]*)\)", text):
        if package == "DBMS_FUSE":  # a package of the server that the documentation only mentions
            continue
        formals = [{formal["name"].lower() for formal in each["params"]} for each in packages[package][name]]
        named = set(re.findall(r"(\w+) =>", arguments))
        assert any(named <= overload for overload in formals), f"{package}.{name}({', '.join(sorted(named))})"


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
    overloads = dictionary()["packages"][package][name]
    documented = [[formal["name"].lower() for formal in each["params"]] for each in overloads]
    assert any(names[: len(formals)] == formals for names in documented)
