"""What a change is recorded with, by its change handler."""

from __future__ import annotations

import pytest

from localoracle.capture import handlers
from localoracle.capture.definitions import ApplyDefinition, Handler, Instantiation, parse
from localoracle.capture.messages import Change, SourceTable, Transaction, message_number, unpack
from localoracle.capture.parameters import APPLY_PARAMETERS, CAPTURE_PARAMETERS, checked
from localoracle.errors import OracleError

TABLE = SourceTable(3, "APP", "SRC", ("ID", "TEXT", "MORE"), (0,))
TRANSACTION = Transaction(12345, 100, 777, 0)
OLD, NEW = (b"1", b"old", None), (b"1", b"new", b"x")


def handler(operation: str = "DEFAULT", values: str = "*", table: str = "CHG") -> Handler:
    return Handler("APP", "SRC", operation, "APP", table, values)


def change(kind: str) -> Change:
    old = None if kind == "INSERT" else OLD
    new = None if kind == "DELETE" else NEW
    return Change(1, TRANSACTION, TABLE, kind, old, new)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("INSERT", "OLD", ["NEW"]),
        ("INSERT", "NEW", ["NEW"]),
        ("DELETE", "NEW", ["OLD"]),
        ("UPDATE", "OLD", ["OLD"]),
        ("UPDATE", "NEW", ["NEW"]),
        ("UPDATE", "*", ["OLD", "NEW"]),
    ],
)
def test_capture_values_are_about_updates(kind: str, values: str, expected: list[str]) -> None:
    target = handlers.target(handler(values=values), TABLE, ["ID"])
    assert [found for found, _ in target.rows(change(kind))] == expected


def test_values_and_facts_in_the_order_of_the_insert() -> None:
    columns = ["COMMAND_TYPE$", "MORE", "VALUE_TYPE$", "ID", "COMMIT_SCN$", "TRANSACTION_ID$"]
    target = handlers.target(handler(table='C"G'), TABLE, [*columns, "SOURCE_DATABASE_NAME$"])
    assert target.sql == (
        'INSERT INTO "APP"."C""G" ("MORE", "ID", "COMMAND_TYPE$", "VALUE_TYPE$", "COMMIT_SCN$", '
        '"TRANSACTION_ID$", "SOURCE_DATABASE_NAME$") VALUES ($1, $2, $3, $4, $5, $6, $7)'
    )
    assert target.values(NEW, TRANSACTION, "UPDATE", "NEW", "DB") == [
        b"x",
        b"1",
        b"UPDATE",
        b"NEW",
        b"777",
        b"6.25.12345",
        b"DB",
    ]


def test_change_tables_that_do_not_fit_are_refused() -> None:
    with pytest.raises(OracleError, match=r"ORA-03001.*WHAT"):
        handlers.target(handler(), TABLE, ["ID", "WHAT"])
    with pytest.raises(OracleError, match="ORA-26753"):
        handlers.target(handler(), TABLE, ["COMMAND_TYPE$"])


def test_the_handler_of_the_operation_comes_before_the_default() -> None:
    def definition(*found: Handler) -> ApplyDefinition:
        return ApplyDefinition("A", 1, "", (), frozenset(), found, ())

    both = definition(handler(table="ALL"), handler("UPDATE", table="UPDATES"))
    assert handlers.find(both, TABLE, "UPDATE").change_table == "UPDATES"
    assert handlers.find(both, TABLE, "INSERT").change_table == "ALL"
    with pytest.raises(OracleError, match=r"ORA-03001.*DELETE of APP\.SRC"):
        handlers.find(definition(handler("UPDATE")), TABLE, "DELETE")


def test_a_packed_change_comes_back() -> None:
    assert unpack(change("UPDATE").pack()) == (3, "UPDATE", OLD, NEW)


def test_keys_are_those_of_both_rows() -> None:
    moved = Change(1, TRANSACTION, TABLE, "UPDATE", OLD, (b"2", b"new", None))
    assert len(set(moved.keys())) == 2
    assert set(change("INSERT").keys()) < set(moved.keys())


@pytest.mark.parametrize(
    ("snapshot", "transaction", "scn", "covered"),
    [
        ("100:", 99, 10**12, True),
        ("100:", 100, 0, False),
        ("100:97,98", 98, 0, False),
        ("100:97,98", 96, 10**12, True),
        (None, 5, 50, True),
        (None, 5, 51, False),
    ],
)
def test_what_an_instantiated_table_has(
    snapshot: str | None, transaction: int, scn: int, covered: bool
) -> None:
    assert Instantiation("APP", "SRC", 50, snapshot).covers(transaction, scn) is covered


def test_message_numbers_count_as_scns_do() -> None:
    twenty_years = 20 * 365 * 86_400 + 5 * 86_400
    assert message_number(twenty_years * 1_000_000) == 0
    assert message_number((twenty_years + 1) * 1_000_000) == 1000


def test_every_default_is_permitted() -> None:
    for rules in (APPLY_PARAMETERS, CAPTURE_PARAMETERS):
        for name, rule in rules.items():
            assert checked(rules, name.upper(), rule.default.lower()) == (name, rule.default)
            assert checked(rules, name, None) == (name, rule.default)


def test_equal_dictionaries_are_equal_definitions() -> None:
    text = """[{"number": 1, "owner": "O", "name": "Q", "apply": null, "capture": {"name": "C", "number": 2,
      "slot": "s", "publication": "p", "started": "now", "parameters": {"b": "2", "a": "1"}}}]"""
    assert parse(text) == parse(text.replace('"b": "2", "a": "1"', '"a": "1", "b": "2"'))
    assert not parse(text)[0].runs
