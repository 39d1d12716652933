"""What the preflight says of rules and of the tables that they are for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from oracle_refresh.catalog import Catalogue, Partition, Skipped, Table
from oracle_refresh.definition import Prepare, load_definition
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.preflight import contents, statements
from oracle_refresh.preflight.rules import check_characters, check_partitions, check_rules
from oracle_refresh.preflight.surroundings import Surroundings
from support.samples import people, text

DEMO = load_definition(Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml")
END = Surroundings(
    version="19.0.0.0.0",
    edition="EE",
    character_set="AL32UTF8",
    national_character_set="AL16UTF16",
    time_zone_file=44,
    settings={},
    options={},
    left={},
    broken_components=(),
    dbfs=True,
)
KEYED = Ruleset("r", {TableName("APP", "PEOPLE"): (ColumnRule("PHONE", "phone", "phone", Phone()),)}, "f")
UNKEYED = Ruleset("r", {TableName("APP", "PEOPLE"): (ColumnRule("PHONE", "null", None, Null()),)}, "f")
PLAIN = Catalogue(("APP",), (people(),))
NATIONAL = Catalogue(
    ("APP",), (replace(people(), columns=(*people().columns, text("N", 9, data_type="NVARCHAR2"))),)
)


@pytest.mark.parametrize(
    ("ruleset", "catalogue", "source", "target", "expected"),
    [
        (KEYED, NATIONAL, END, END, []),
        (KEYED, PLAIN, END, replace(END, character_set="WE8MSWIN1252"), ["MASKING_CHARACTER_SET"]),
        (KEYED, PLAIN, replace(END, character_set="WE8MSWIN1252"), END, []),
        (UNKEYED, PLAIN, END, replace(END, character_set="WE8MSWIN1252"), []),
        (KEYED, NATIONAL, replace(END, national_character_set="UTF8"), END, ["NATIONAL_CHARACTER_SET"]),
        (KEYED, PLAIN, replace(END, national_character_set="UTF8"), END, []),
    ],
)
def test_character_sets(
    ruleset: Ruleset, catalogue: Catalogue, source: Surroundings, target: Surroundings, expected: list[str]
) -> None:
    found = check_characters(ruleset, catalogue, source, target)
    assert [(each.code, each.severity) for each in found] == [(code, "error") for code in expected]


def test_partitions_that_take_no_rows() -> None:
    parts = (Partition("P1", 1, read_only=True), Partition("P2", 2))
    (found,) = check_partitions(Catalogue(("APP",), (replace(people(), partitions=parts),)))
    assert found.code == "READ_ONLY_PARTITIONS"
    assert found.sql == ('ALTER TABLE "APP"."PEOPLE" MODIFY PARTITION "P1" READ WRITE',)
    assert check_partitions(PLAIN) == []


def test_the_history_of_a_table_of_the_target_would_outlive_the_masking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contents, "rows", lambda *_, **__: [("APP", "PEOPLE"), ("APP", "OTHERS")])
    both = SimpleNamespace(
        target=SimpleNamespace(connection=None), definition=SimpleNamespace(schemas=("APP",)), catalogue=PLAIN
    )
    (found,) = contents.check_tracked(both)  # type: ignore[arg-type]
    assert found.code == "UNDER_FLASHBACK_ARCHIVE"
    assert found.sql == ('ALTER TABLE "APP"."PEOPLE" NO FLASHBACK ARCHIVE',)


@pytest.mark.parametrize(
    ("prepare", "ruleset", "named"),
    [
        (Prepare.TRUNCATE, KEYED, ['DROP MATERIALIZED VIEW LOG ON "APP"."PEOPLE"']),
        (Prepare.REPLACE_OBJECTS, KEYED, []),
        (Prepare.TRUNCATE, Ruleset("r", {}, "f"), []),
        (Prepare.TRUNCATE, None, []),
    ],
)
def test_a_log_that_stays_with_its_table_would_keep_what_is_masked(
    monkeypatch: pytest.MonkeyPatch, prepare: Prepare, ruleset: Ruleset | None, named: list[str]
) -> None:
    monkeypatch.setattr(contents, "rows", lambda *_, **__: [("APP", "PEOPLE"), ("APP", "OTHERS")])
    definition = SimpleNamespace(schemas=("APP",), prepare=prepare)
    both = SimpleNamespace(
        target=SimpleNamespace(connection=None),
        definition=definition,
        refresh=definition,
        catalogue=PLAIN,
        ruleset=ruleset,
    )
    found = contents.check_logged(both)  # type: ignore[arg-type]
    assert {(each.code, each.severity) for each in found} <= {("MATERIALIZED_VIEW_LOG", "error")}
    assert [statement for each in found for statement in each.sql] == named


def test_rules_for_tables_that_are_left_out() -> None:
    left_out = Catalogue(("APP",), (), skipped=(Skipped("APP", "PEOPLE", "external table"),))
    (found,) = check_rules(KEYED, left_out, DEMO)
    assert (found.code, found.severity) == ("UNKNOWN_MASKED_COLUMN", "error")
    assert "external table" in found.message


def encrypted(columns: list[tuple[str, ...]]) -> Catalogue:
    """A catalogue in which these columns are encrypted, each the one of its table."""
    tables = (
        Table(owner, name, 1, 1, 1, (replace(text(column, 9), encrypted=True),))
        for owner, name, column in columns
    )
    return Catalogue(("APP",), tuple(tables))


@pytest.mark.parametrize(
    ("fields", "columns", "segments", "named"),
    [
        ({}, [], [], None),
        ({}, [("APP", "PEOPLE", "PHONE")], [], "APP.PEOPLE;"),
        ({}, [("APP", "PEOPLE", "PHONE")], [("APP", "PEOPLE"), ("APP", "ORDERS")], "APP.ORDERS, APP.PEOPLE;"),
        ({}, [], [("APP", f"T{number}") for number in range(9)], "APP.T4 ...;"),
        ({"encryption_conn_id": "dump_key"}, [("APP", "PEOPLE", "PHONE")], [], None),
        ({"over_link": True}, [("APP", "PEOPLE", "PHONE")], [], None),
        ({"excluded": True}, [], [("APP", "PEOPLE")], None),
    ],
)
def test_rows_that_the_source_encrypts_and_the_dump_files_would_not(
    monkeypatch: pytest.MonkeyPatch,
    fields: dict[str, object],
    columns: list[tuple[str, ...]],
    segments: list[tuple[str, ...]],
    named: str | None,
) -> None:
    answers = {statements.ENCRYPTED_TABLESPACES: segments}
    monkeypatch.setattr(contents, "rows", lambda _, statement, **__: answers[statement])
    definition = SimpleNamespace(
        schemas=("APP",),
        exclude_tables=[TableName("APP", "PEOPLE")] if fields.get("excluded") else [],
        datapump=SimpleNamespace(
            encryption_conn_id=fields.get("encryption_conn_id"), over_link=fields.get("over_link", False)
        ),
    )
    both = SimpleNamespace(
        source=SimpleNamespace(connection=None),
        definition=definition,
        refresh=definition,
        catalogue=encrypted(columns),
    )
    found = contents.check_dumps(both, contents.read_encrypted(both))  # type: ignore[arg-type]
    assert [(each.code, each.severity) for each in found] == [("DUMPS_NOT_ENCRYPTED", "warning")] * bool(
        named
    )
    assert not named or named in found[0].message


@pytest.mark.parametrize(
    ("columns", "segments", "places", "states", "told"),
    [
        ([], [], [], ("NOT_AVAILABLE",), []),
        ([("APP", "PEOPLE", "PHONE")], [], [], ("OPEN",), []),
        ([("APP", "PEOPLE", "PHONE")], [], [], ("CLOSED",), ["the source's", "the target's"]),
        ([("APP", "PEOPLE", "PHONE")], [], [], ("CLOSED", "OPEN"), []),
        ([], [("APP", "ORDERS")], [], ("OPEN_NO_MASTER_KEY",), ["the source's"]),
        ([], [("APP", "OUT")], [], ("CLOSED",), []),
        ([], [], [("SAFE",)], (), ["the target's"]),
    ],
)
def test_a_keystore_that_is_not_open(
    monkeypatch: pytest.MonkeyPatch,
    columns: list[tuple[str, ...]],
    segments: list[tuple[str, ...]],
    places: list[tuple[str, ...]],
    states: tuple[str, ...],
    told: list[str],
) -> None:
    answers = {
        statements.ENCRYPTED_TABLESPACES: segments,
        statements.DEFAULT_TABLESPACES: [("APP", "SAFE")],
        statements.ENCRYPTED_PLACES: places,
        statements.KEYSTORE: [(state,) for state in states],
    }
    monkeypatch.setattr(contents, "rows", lambda _, statement, **__: answers[statement])
    definition = SimpleNamespace(
        schemas=("APP",),
        exclude_tables=[TableName("APP", "OUT")],
        storage=SimpleNamespace(tablespaces={}),
    )
    end = SimpleNamespace(connection=None)
    both = SimpleNamespace(
        source=end, target=end, definition=definition, refresh=definition, catalogue=encrypted(columns)
    )
    found = list(contents.check_keystores(both, contents.read_encrypted(both)))  # type: ignore[arg-type]
    assert [(each.code, each.severity) for each in found] == [("KEYSTORE_NOT_OPEN", "warning")] * len(told)
    for each, words in zip(found, told, strict=True):
        assert f"{words} keystore is {states[0] if states else 'not there'}:" in each.message
        assert "ADMINISTER KEY MANAGEMENT" in str(each.remedy)
