from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.identifiers import (
    Identifier,
    InvalidIdentifier,
    ObjectName,
    TableName,
)

names = st.text(st.characters(exclude_characters='"\0', codec="utf-8"), min_size=1, max_size=30)


@given(names)
def test_a_name_keeps_its_case_and_what_is_written_is_read_back(name: str) -> None:
    identifier = Identifier(name)
    assert identifier.sql == f'"{name}"'
    assert Identifier.parse(identifier.written) == identifier


@given(names, names)
def test_a_table_key_is_read_back(owner: str, name: str) -> None:
    table = TableName(owner, name)
    assert TableName.parse(table.key) == table
    assert isinstance(TableName.parse(table.key), TableName)
    assert table.sql == f'"{owner}"."{name}"'


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("app", "APP"),
        ("App_1$#", "APP_1$#"),
        ('"app"', "app"),
        ('"My Table"', "My Table"),
        ("übung", "ÜBUNG"),
    ],
)
def test_names_are_read_as_oracle_reads_them(text: str, name: str) -> None:
    assert Identifier.parse(text).name == name


@pytest.mark.parametrize(
    "text",
    [
        '"; DROP TABLE x --',
        "; DROP TABLE x --",
        "",
        '""',
        '"',
        "a b",
        "1abc",
        "_x",
        "a.b",
        "a-b",
        'a"b',
        '"a"b"',
        "x" * 129,
    ],
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(InvalidIdentifier, match="invalid identifier") as caught:
        Identifier.parse(text)
    assert isinstance(caught.value, RefreshError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("name", ["", 'a"b', "a\0b", "x" * 129, "ü" * 65])
def test_no_object_can_have_this_name(name: str) -> None:
    with pytest.raises(InvalidIdentifier):
        Identifier(name)


@pytest.mark.parametrize("text", ["APP", "A.B.C", ".B", "A.", 'A."B', '"A.B', "A. B"])
def test_owner_and_name_are_both_needed(text: str) -> None:
    with pytest.raises(InvalidIdentifier):
        ObjectName.parse(text)


def test_in_statements_names_are_quoted() -> None:
    assert ObjectName("APP", "it's").sql == '"APP"."it\'s"'
    assert Identifier("it's").literal == "'it''s'"
    assert TableName("APP", "x.y").key == 'APP."x.y"'
    with pytest.raises(InvalidIdentifier):
        _ = ObjectName("APP", '" WHERE 1=1 --').sql
