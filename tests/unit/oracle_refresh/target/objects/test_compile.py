"""ALTER ... COMPILE of what is invalid: each kind's statement, the order, rounds, and what is told."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.oracle.identifiers import ObjectName
from oracle_refresh.target.objects import compile as compiling
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.compile import codes_of, compile_invalid, compile_statement, in_order
from oracle_refresh.target.objects.units import Unit


def unit(kind: str, name: str = "X") -> Unit:
    return kind, ObjectName("APP", name)


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        ("VIEW", 'ALTER VIEW "APP"."X" COMPILE'),
        ("SYNONYM", 'ALTER SYNONYM "APP"."X" COMPILE'),
        ("PROCEDURE", 'ALTER PROCEDURE "APP"."X" COMPILE REUSE SETTINGS'),
        ("FUNCTION", 'ALTER FUNCTION "APP"."X" COMPILE REUSE SETTINGS'),
        ("PACKAGE", 'ALTER PACKAGE "APP"."X" COMPILE SPECIFICATION REUSE SETTINGS'),
        ("PACKAGE BODY", 'ALTER PACKAGE "APP"."X" COMPILE BODY REUSE SETTINGS'),
        ("TYPE", 'ALTER TYPE "APP"."X" COMPILE SPECIFICATION REUSE SETTINGS'),
        ("TYPE BODY", 'ALTER TYPE "APP"."X" COMPILE BODY REUSE SETTINGS'),
        ("TRIGGER", 'ALTER TRIGGER "APP"."X" COMPILE REUSE SETTINGS'),
    ],
)
def test_each_kind_has_its_statement_and_is_looked_for(kind: str, statement: str) -> None:
    assert compile_statement(unit(kind)) == statement
    assert f"'{kind}'" in statements.INVALID_OBJECTS
    assert kind in statements.COMPILE


def test_what_others_stand_on_comes_first() -> None:
    units = [unit("TRIGGER"), unit("PACKAGE BODY"), unit("VIEW", "B"), unit("VIEW", "A"), unit("TYPE")]
    assert in_order(units) == [units[4], units[3], units[2], units[1], units[0]]


def test_codes_are_taken_out_of_messages_without_their_names() -> None:
    assert codes_of("PL/SQL: ORA-00942: table or view does not exist") == ["ORA-00942"]
    assert codes_of("PLS-00201: identifier 'APP.SECRET' must be declared") == ["PLS-00201"]
    assert codes_of("PL/SQL: Statement ignored") == []


class Target:
    """A dictionary in which an object becomes valid as soon as the round of its number compiles it."""

    def __init__(self, rounds: dict[Unit, int]) -> None:
        self.rounds = rounds
        self.sent: list[str] = []
        self.refused: frozenset[str] = frozenset()
        self.errors: list[tuple[str, ...]] = []

    def rows(self, _: object, statement: str, *, names: Any) -> Any:
        if statement == statements.COMPILATION_ERRORS:
            return self.errors
        return [(name.owner, name.name, kind) for (kind, name), left in self.rounds.items() if left > 0]

    def run(self, _: object, sql: str, key: str, tolerated: frozenset[str]) -> frozenset[str]:
        self.sent.append(sql)
        for each in self.rounds:
            if compile_statement(each) == sql:
                self.rounds[each] -= 1
        assert self.refused <= tolerated
        return self.refused


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> Target:
    target = Target({})
    monkeypatch.setattr(compiling, "rows", target.rows)
    monkeypatch.setattr(compiling, "run", target.run)
    return target


def test_nothing_is_sent_where_nothing_is_invalid(target: Target) -> None:
    assert compile_invalid(target, ["APP"]) == compiling.CompileResult((), ())  # type: ignore[arg-type]
    assert target.sent == []


def test_what_one_round_leaves_another_may_make_valid(target: Target) -> None:
    target.rounds = {unit("VIEW"): 1, unit("FUNCTION"): 1, unit("PACKAGE BODY", "P"): 2}
    made = compile_invalid(target, ["APP"])  # type: ignore[arg-type]
    assert made == compiling.CompileResult(("view APP.X", "function APP.X", "package body APP.P"), ())
    assert len(target.sent) == 4


def test_rounds_end_when_one_changes_nothing(target: Target) -> None:
    target.rounds = {unit("VIEW"): 9}
    target.refused = frozenset({"ORA-04063"})
    result = compile_invalid(target, ["APP"])  # type: ignore[arg-type]
    assert len(target.sent) == 1
    assert result == compiling.CompileResult((), ("view APP.X: ORA-04063",))


def test_the_codes_of_the_dictionary_are_told_before_those_of_the_statement(target: Target) -> None:
    target.rounds = {unit("PROCEDURE"): 9}
    target.refused = frozenset({"ORA-01031"})
    target.errors = [
        ("APP", "X", "PROCEDURE", "PLS-00201: identifier 'A.B' must be declared"),
        ("APP", "X", "PROCEDURE", "PL/SQL: Statement ignored"),
        ("APP", "X", "PROCEDURE", "PLS-00201: identifier 'C' must be declared"),
        ("APP", "X", "PROCEDURE", "PL/SQL: ORA-00942: table or view does not exist"),
    ]
    told = compile_invalid(target, ["APP"]).invalid  # type: ignore[arg-type]
    assert told == ("procedure APP.X: PLS-00201, ORA-00942",)
