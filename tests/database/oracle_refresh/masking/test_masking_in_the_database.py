"""Masking in the database gives what the references give, exactly once."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.masking import (
    ColumnRule,
    MasterKey,
    Ruleset,
    control,
    drop_leftovers,
    mask_table,
    run,
    statements,
)
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.common_tables import CommonTables
from oracle_refresh.masking.algorithms.permutation import Secrets, permutation
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.keys import KeyPart
from oracle_refresh.masking.plan import MaskPlan
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.validation.control_table import control_table
from oracle_refresh.validation.rows import drop_hashes
from support.between import Between
from support.masked_people import KEY, NAMES, RULES, Database, expected, rows
from support.samples import number, text

SHAPES = "SELECT V, NULL AS HEAD, V AS MIDDLE, NULL AS TAIL FROM SHAPES"


@pytest.fixture
def database(schema: Any) -> Iterator[Database]:
    return Database(schema)


@pytest.mark.parametrize("maps", [True, False])
def test_every_value_is_the_references(
    database: Database, monkeypatch: pytest.MonkeyPatch, maps: bool
) -> None:
    """Both forms of the pass: repeated values through maps, and everything in place."""
    share = 0.0 if maps else 1.0
    monkeypatch.setattr(run, "distinct_shares", lambda *_: {"FIRST_NAME": share, "EMAIL": share})
    originals = rows()
    database.fill(originals)
    result = database.mask()
    assert (result.verdict, result.rows, len(result.columns)) == ("masked", len(originals), 9)
    assert database.read() == [expected(row) for row in originals]
    assert database.control_tables() == []


def test_only_in_place_rules_are_one_update(database: Database) -> None:
    originals = rows(30)
    database.fill(originals)
    database.mask(RULES[4], RULES[6])
    masked = database.read()
    assert [row[5] for row in masked] == [expected(row)[5] for row in originals]
    assert [row[1] for row in masked] == [row[1] for row in originals]


def test_no_value_stays(database: Database) -> None:
    originals = rows()
    database.fill(originals)
    database.mask()
    for before, after in zip(originals, database.read(), strict=True):
        for one, other in zip(before[1:10], after[1:10], strict=True):
            stripped = (value.strip() if isinstance(value, str) else value for value in (one, other))
            assert one is None or len(set(stripped)) == 2


def test_a_second_call_changes_nothing(database: Database) -> None:
    database.fill(rows(40))
    first = database.mask()
    masked = database.read()
    assert database.mask() == first
    assert database.read() == masked


def test_another_key_or_ruleset_is_refused(database: Database) -> None:
    database.fill(rows(40))
    database.mask()
    masked = database.read()
    with pytest.raises(MaskingError, match="masked the table already"):
        database.mask(master=MasterKey(b"another key of bytes"))
    with pytest.raises(MaskingError, match="masked the table already"):
        database.mask(RULES[1])
    assert database.read() == masked


def test_a_table_without_rules_is_left_alone(database: Database) -> None:
    ruleset = Ruleset("test", {}, "f")
    result = mask_table(database.table, ruleset, KEY, database.ledger)
    assert (result.verdict, result.columns) == ("nothing_to_mask", ())


def test_a_value_that_does_not_conform_stops_everything(database: Database) -> None:
    originals = [*rows(40), (40, "A", None, "---", None, None, None, None, None, None, None, None)]
    database.fill(originals)
    before = database.read()
    with pytest.raises(
        MaskingError, match=r"PHONE: 1 distinct values in 1 rows do not conform: --- \(1 rows\)"
    ):
        database.mask()
    assert database.read() == before
    assert database.ledger.state(run.STEP, database.table.key) is None
    assert database.control_tables() == []


def test_change_and_ledger_are_one_transaction(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The task dies after the change and before the commit."""
    database.fill(rows(40))
    before = database.read()

    def dies(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(database.ledger, "record", dies)
        with pytest.raises(KeyboardInterrupt):
            database.mask()
    assert database.read() == before
    assert database.ledger.state(run.STEP, database.table.key) is None
    assert database.control_tables() == []
    assert database.mask().rows == 40


def test_two_tasks_mask_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    originals = rows(60)
    database.fill(originals)
    ensure_ledger(database.connection)
    barrier = threading.Barrier(2, timeout=120)
    inner = run.TableMasking._refuse_triggers

    def together(masking: run.TableMasking) -> None:
        inner(masking)
        barrier.wait()  # both have found nothing in the ledger

    monkeypatch.setattr(run.TableMasking, "_refuse_triggers", together)
    # Control tables are named after run and table: two tasks of one run would share them.
    stems = iter(("one", "two"))
    compile_table = run.compile_table

    def apart(table: Table, rules: Any, run_id: str, distinct: Any) -> MaskPlan:
        return compile_table(table, rules, run_id + next(stems), distinct)

    monkeypatch.setattr(run, "compile_table", apart)
    ruleset = Ruleset("test", {(database.table.owner, database.table.name): RULES}, "f")
    results: list[run.MaskResult] = []

    def task() -> None:
        with database.schema.connect() as connection:
            results.append(mask_table(database.table, ruleset, KEY, Ledger(connection, "run")))

    threads = [threading.Thread(target=task) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
    assert [result.rows for result in results] == [60, 60]
    assert database.read() == [expected(row) for row in originals]


def test_enabled_triggers_are_refused(database: Database) -> None:
    database.fill(rows(5))
    with database.connection.cursor() as cursor:
        cursor.execute(
            "CREATE TRIGGER PEOPLE_SEEN BEFORE UPDATE ON PEOPLE FOR EACH ROW "
            "BEGIN :NEW.SEEN := SYSTIMESTAMP; END;"
        )
    with pytest.raises(MaskingError, match="PEOPLE_SEEN"):
        database.mask()
    with database.connection.cursor() as cursor:
        cursor.execute("ALTER TRIGGER PEOPLE_SEEN DISABLE")
    assert database.mask().rows == 5


def test_a_table_whose_changes_are_logged_is_refused(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in makes no materialized view logs: the dictionary is told to have one."""
    database.fill(rows(5))
    before = database.read()
    logs = """\
SELECT 'MLOG$_PEOPLE' AS LOG_TABLE, TABLE_NAME AS MASTER, OWNER AS LOG_OWNER FROM DBA_TABLES"""
    asked = run.statements.MATERIALIZED_VIEW_LOG
    with monkeypatch.context() as patch:
        there = asked.replace("DBA_MVIEW_LOGS", f"({logs})")
        patch.setattr(run.statements, "MATERIALIZED_VIEW_LOG", there)
        with pytest.raises(MaskingError, match=r"MLOG\$_PEOPLE") as caught:
            database.mask()
    assert "DROP MATERIALIZED VIEW LOG" in str(caught.value.remedy)
    assert database.read() == before
    assert database.mask().rows == 5


def test_the_same_person_in_two_tables(database: Database) -> None:
    with database.connection.cursor() as cursor:
        for name, value in (("ONE", "Peter"), ("OTHER", " PETER")):
            cursor.execute(f"CREATE TABLE {name} (ID NUMBER(12), WHO VARCHAR2(60))")
            cursor.execute(f"INSERT INTO {name} VALUES (1, :1)", [value])
    database.connection.commit()
    columns = (number("ID"), text("WHO", 60))
    rule = ColumnRule("WHO", "secure_lookup", "name", NAMES)
    for name in ("ONE", "OTHER"):
        table = Table(database.schema.name, name, 1, 1, 1, columns)
        ruleset = Ruleset("test", {(table.owner, name): (rule,)}, "f")
        mask_table(table, ruleset, KEY, database.ledger)
    assert database.read("SELECT WHO FROM ONE") == database.read("SELECT WHO FROM OTHER")


def test_a_missing_table_is_named(database: Database) -> None:
    with pytest.raises(MaskingError) as caught:
        database.mask(ColumnRule("REMARKS", "redaction", None, Redaction("x")))
    assert caught.value.codes[0] == "ORA-00942"
    assert database.table.key in str(caught.value)


def test_what_a_killed_task_leaves_is_dropped(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, key = database.table.owner, database.table.key
    own, others = control.stem("run", key), control.stem("other run", key)
    end, others_end = control.run_stem("run"), control.run_stem("other run")
    left = [f"REFRESH$M_{own}_1", f"REFRESH$L_{own}_12", f"REFRESH$S_0123456789AB_{end}", f"REFRESH$W_{own}"]
    kept = [
        f"REFRESH$M_{others}_1",
        f"REFRESH$S_0123456789AB_{others_end}",
        # Nobody's, or a user's who calls tables so.
        *("REFRESH$M_0123456789AB_1", f"REFRESH$M_{own}_OLD", "REFRESH$W_BACKUP", "REFRESHED"),
    ]
    with database.connection.cursor() as cursor:
        for name in (*left, *kept):
            cursor.execute(f'CREATE TABLE "{name}" (ORIGINAL VARCHAR2(9))')
    ensure_ledger(database.connection)
    dropped = drop_leftovers(database.connection, {("run", key)})
    assert set(dropped) == {*left[:3], f'"{owner}"."REFRESH$W_{own}"'}
    assert drop_leftovers(database.connection, {("run", key), ("run", "OTHER.TABLE")}) == ()
    found = database.read("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH%'")
    assert {name for (name,) in found} == {*kept, "REFRESH$LEDGER"}
    # What was listed may be gone when it is dropped: the session of a killed task drops as well.
    gone, hashes = f"REFRESH$M_{own}_2", control_table(key)
    lists = [hashes, f"{hashes}_1", f"{hashes}_12_3"]
    alike = [f"{hashes}_OLD", f"{hashes}A", f"{hashes}_1_2_3", "REFRESH$P_X"]  # a user who calls tables so
    listed = " UNION ".join(f"SELECT '{name}' FROM DUAL" for name in (*lists, *alike))
    monkeypatch.setattr(statements, "CONTROL_TABLES", f"SELECT '{gone}' FROM DUAL")
    monkeypatch.setattr("oracle_refresh.validation.rows.CONTROL_TABLES", listed)
    assert drop_leftovers(database.connection, {("run", key)}) == (gone,)
    assert sorted(drop_hashes(database.connection, {key})) == lists


def test_the_ledgers_connection_masks(database: Database) -> None:
    """So that every change and its ledger row are one transaction."""
    database.fill(rows(40))
    sent: list[str] = []
    with database.schema.connect() as other:
        database.ledger = Ledger(Between(other, sent.append), "run")
        assert database.mask().rows == 40
    assert any(re.match(r"MERGE (/\*.*?\*/ )?INTO", statement) for statement in sent)


def test_mapping_of_many_shapes(database: Database) -> None:
    """Random values with separators, letters and digits: SQL and reference agree on each."""
    some = random.Random(11)
    alphabet = "0123456789ABCXYZabcxyz -./()+·"
    values = {
        "".join(some.choice(alphabet) for _ in range(some.randint(1, 24))) + some.choice("0123AZaz")
        for _ in range(400)
    }
    values |= {"7" * 30, "Ab" * 8, "1" * 15 + "z" * 15, "DE89370400440532013000", "A", "z", "0"}
    values = {value for value in values if sum(map(str.isalpha, value)) <= 16}
    with database.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE SHAPES (V VARCHAR2(40))")
        cursor.executemany("INSERT INTO SHAPES VALUES (:1)", [(value,) for value in sorted(values)])
        domain = KEY.domain("shape")
        tables = CommonTables()
        context = SimpleNamespace(
            permutation=lambda: Secrets(lambda part: f":{part.value}"),
            table=tables.add,
            bind=lambda text: "'" + text.replace("'", "''") + "'",
        )
        query = tables.over(f"SELECT V, MAPPED FROM ({permutation(context, SHAPES, 40)})")
        parts = (KeyPart.PREFIX, KeyPart.LOW, KeyPart.HIGH)
        cursor.execute(query, {part.value: domain.bound(part) for part in parts})
        found = dict(cursor.fetchall())
    assert found == {value: CharacterMapping().mask(domain, value) for value in values}
