"""What the wire tells of a statement's text must agree with the driver's own parser."""

from __future__ import annotations

import pytest

from localoracle.sql.dispatch import Kind, classify, first_words
from localoracle.wire.statements import parse


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("select :a, :B, :a from dual", ("A", "B", "A")),
        ("begin p(:a, :b, :a); end;", ("A", "B")),
        ("select ':x', \":y\", q'[:z ']' /* :c */ from dual -- :d", ()),
        ('insert into t values (:"Case", :1)', ("Case", "1")),
        ("create trigger x before insert on t begin :new.a := 1; end;", ()),
    ],
)
def test_bind_names(sql: str, names: tuple[str, ...]) -> None:
    assert parse(sql).names == names


def test_return_binds() -> None:
    text = parse("update t set a = :a where b = :b returning a, b into :x, :y")
    assert text.return_binds == {2, 3}
    assert not parse("insert into t select :1 from dual").return_binds


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("  /* hint */ -- more\n begin null; end;", Kind.BLOCK),
        ("call p(1)", Kind.BLOCK),
        ("create or replace editionable trigger t before insert on x begin null; end;", Kind.UNIT),
        ("commit", Kind.TRANSACTION),
        ("set transaction read only", Kind.TRANSACTION),
        ("alter session set nls_date_format = 'YYYY'", Kind.ADMIN),
        ("create user x identified by y", Kind.ADMIN),
        ("select 1 from dual", Kind.SQL),
        ("create table t (a number)", Kind.SQL),
        ("", Kind.SQL),
    ],
)
def test_classify(sql: str, kind: Kind) -> None:
    assert classify(sql) is kind


def test_first_words_skip_fillers() -> None:
    assert first_words("create or replace force view v as select", 3) == ["CREATE", "VIEW", "V"]
