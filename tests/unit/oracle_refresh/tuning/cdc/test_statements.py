"""Only documented views, columns, packages and arguments are used, in all three families of names."""

from __future__ import annotations

import re

import pytest

from localoracle.dictionary.views import views
from localoracle.supplied.signatures import documented
from oracle_refresh.labs.change_capture import objects
from oracle_refresh.tuning.cdc import calls, statements
from oracle_refresh.tuning.cdc.statements import FAMILIES

TEXTS = {
    name: text
    for module in (statements, objects)
    for name, text in vars(module).items()
    if name.isupper() and isinstance(text, str) and re.search(r"FROM (V\$|DBA_)", text)
}
OF_FAMILIES = {
    f"{family.name} {make.__name__}": make(family)
    for family in FAMILIES
    for make in (
        statements.capture,
        statements.reader,
        statements.coordinator,
        statements.servers,
        statements.unsupported,
        statements.not_unique,
    )
}
TRANSACTIONS = {
    family.transaction: statements.transactions(family.transaction)
    for family in FAMILIES
    if family.transaction
}
WAITS = {
    f"waits {view}": statements.session_waits(view, name, *columns)
    for family in FAMILIES
    for view, name, *columns in (
        (family.capture, "CAPTURE_NAME"),
        *((view, "APPLY_NAME") for view in family.views),
        ("V$XSTREAM_OUTBOUND_SERVER", "SERVER_NAME"),
    )
} | {
    "waits Extract": statements.session_waits(
        "V$GOLDENGATE_CAPTURE", "CAPTURE_NAME", "SERVER_SID", "SERVER_SERIAL#"
    )
}
CALLS = {
    name: text for name, text in vars(calls).items() if isinstance(text, str) and text.startswith("BEGIN")
}


def test_there_is_something_to_check() -> None:
    assert len(TEXTS) > 10
    assert len(OF_FAMILIES) == 18
    assert len(WAITS) == 14
    assert len(TRANSACTIONS) == 2
    assert len(CALLS) > 10


SPOKEN = {
    "SELECT",
    "FROM",
    "WHERE",
    "AND",
    "ORDER",
    "BY",
    "DESC",
    "IN",
    "SYSDATE",
    "TO_NUMBER",
    "SYS_CONTEXT",
}
SPOKEN |= {"LEFT", "JOIN", "ON", "IS", "NOT", "NULL"}


@pytest.mark.parametrize(
    "text",
    [*TEXTS.values(), *OF_FAMILIES.values(), *TRANSACTIONS.values(), *WAITS.values()],
    ids=[*TEXTS, *OF_FAMILIES, *TRANSACTIONS, *WAITS],
)
def test_views_and_columns_are_documented(text: str) -> None:
    code = re.sub(r"'[^']*'|:\w+", "", text)
    read = re.findall(r"(?:FROM|JOIN) ([A-Z_$]+)", code)
    assert read
    columns = {column for view in read for column in views()[view]}
    words = set(re.findall(r"\b[A-Z][A-Z_$]+\b#?", re.sub(r"(?:FROM|JOIN) [A-Z_$]+", "", code)))
    assert words - SPOKEN <= columns


@pytest.mark.parametrize("text", WAITS.values(), ids=WAITS)
def test_each_column_of_a_join_is_of_the_view_that_it_is_taken_from(text: str) -> None:
    aliases = {
        alias: views()[view] for view, alias in re.findall(r"(?:FROM|JOIN) ([A-Z_$]+) ([A-Z])\b", text)
    }
    assert set(aliases) == set("PSE")
    used = re.findall(r"\b([A-Z])\.([A-Z_]+#?)", text)
    assert len(used) > 10
    assert all(column in aliases[alias] for alias, column in used)


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_calls_are_documented(text: str) -> None:
    found = re.search(r"(DBMS_\w+)\.(\w+)\(", text)
    assert found is not None
    arguments = set(re.findall(r"(\w+) =>", text))
    overloads = documented(found[1])[found[2]]
    assert any(arguments <= {one.name for one in overload.parameters} for overload in overloads)
