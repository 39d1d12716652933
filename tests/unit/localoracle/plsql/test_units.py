"""What a unit's text refers to: sequences, tables of %TYPE and %ROWTYPE, functions in its SQL."""

from __future__ import annotations

import pytest

from localoracle.plsql.lexer import tokenize
from localoracle.plsql.units import Written, names_before, references, refers_by_text, refers_to


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("n := q.NEXTVAL;", {(None, "Q")}),
        ('INSERT INTO t VALUES (app."q".currval)', {("APP", "q")}),
        ("r t%ROWTYPE; s app.t%rowtype;", {(None, "T"), ("APP", "T")}),
        ("a t.a%TYPE; b app.t.a%type;", {(None, "T"), ("APP", "T")}),
        ("a b%TYPE", set()),
        ("EXECUTE IMMEDIATE 'SELECT q.NEXTVAL FROM dual'", set()),
        ("IF c%FOUND THEN nextval := 1; -- q.NEXTVAL", set()),
        ("NEXTVAL", set()),
        ("", set()),
    ],
)
def test_what_a_text_refers_to_by_its_words(text: str, found: set[Written]) -> None:
    with references("APP") as written:
        refers_by_text(text)
    assert written == found


def test_names_end_in_front_of_a_token() -> None:
    tokens = tokenize("a.b.c(d)")
    assert names_before(tokens, 5) == ["A", "B", "C"]
    assert names_before(tokens, 7) == ["D"]


def test_a_compilation_inside_another_has_references_of_its_own() -> None:
    refers_to(None, "NOBODY_COMPILES")
    with references("APP") as outer:
        refers_to(None, "A")
        with references("APP") as inner:
            refers_to("APP", "B")
        refers_to(None, "C")
    assert outer == {(None, "A"), (None, "C")}
    assert inner == {("APP", "B")}
