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
    for make in (statements.capture, statements.reader, statements.coordinator, statements.servers)
}
CALLS = {
    name: text for name, text in vars(calls).items() if isinstance(text, str) and text.startswith("BEGIN")
}


def test_there_is_something_to_check() -> None:
    assert len(TEXTS) > 10
    assert len(OF_FAMILIES) == 12
    assert len(CALLS) > 10


@pytest.mark.parametrize("text", [*TEXTS.values(), *OF_FAMILIES.values()], ids=[*TEXTS, *OF_FAMILIES])
def test_views_and_columns_are_documented(text: str) -> None:
    code = re.sub(r"'[^']*'|:\w+", "", text)
    view = re.search(r"FROM ([A-Z_$]+)", code)
    assert view is not None
    columns = set(views()[view[1]])
    words = set(re.findall(r"\b[A-Z][A-Z_$#]+\b", code.replace(view[1], "")))
    spoken = {"SELECT", "FROM", "WHERE", "AND", "ORDER", "BY", "DESC", "IN", "SYSDATE"}
    assert words - spoken - {"TO_NUMBER", "SYS_CONTEXT"} <= columns


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_calls_are_documented(text: str) -> None:
    found = re.search(r"(DBMS_\w+)\.(\w+)\(", text)
    assert found is not None
    arguments = set(re.findall(r"(\w+) =>", text))
    overloads = documented(found[1])[found[2]]
    assert any(arguments <= {one.name for one in overload.parameters} for overload in overloads)
