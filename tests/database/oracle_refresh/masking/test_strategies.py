"""Tables masked by chunks and by rewriting: each row once, whoever is killed when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.masking import MasterKey, chunked
from oracle_refresh.masking.compiler import compile_table
from oracle_refresh.masking.run import Options
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.objects.statistics import lock_statistics, statistics_locked
from support.chunked_masking import COUNT, Case, Killed, case, database, kill_after, killed_at_a_chunk
from support.masked_people import RULES, Database, rows
from support.samples import key

__all__ = ["case", "database"]


def _begin(case: Case) -> None:
    """Mask some chunks, and be killed."""
    with case.patch.context() as patch:
        whole, case.patch = case.patch, patch
        kill_after(case, chunked.ChunkedMasking, "_chunk", 2)
        with pytest.raises(Killed):
            case.mask()
        case.patch = whole


@pytest.mark.parametrize("degree", [2, 8])
def test_every_value_is_the_references(case: Case, degree: int) -> None:
    result = case.mask(degree)
    assert (result.rows, result.chunks, len(result.columns)) == (COUNT, 4, 9)
    case.require_masked()
    assert case.mask() == result
    case.require_masked()


def test_masking_killed_before_the_commit_of_a_chunk_masks_each_row_once(case: Case) -> None:
    killed_at_a_chunk(case, 2, inside=True)


@pytest.mark.slow
def test_a_begun_masking_tells_another_key_and_ruleset_apart(case: Case) -> None:
    _begin(case)
    with pytest.raises(MaskingError, match=r"has begun to mask the table already, with key \S+; now it is"):
        case.mask(key=MasterKey(b"another key of bytes"))
    with pytest.raises(MaskingError, match=r"has begun to mask the table already, with ruleset f9 and"):
        case.mask(rules=RULES[:3])
    assert case.mask().rows == COUNT
    case.require_masked()


@pytest.mark.slow
def test_another_run_does_not_mask_masked_rows(case: Case) -> None:
    case.mask()
    with pytest.raises(MaskingError, match="has masked the table with the same key and ruleset"):
        case.mask(run_id="next")
    with pytest.raises(MaskingError, match="with another key"):
        case.mask(run_id="next", key=MasterKey(b"another key of bytes"))
    case.require_masked()
    Ledger(case.database.connection, "next").record("build_table", case.database.table.key, "done")
    assert case.mask(run_id="next").rows == COUNT


@pytest.mark.slow
def test_another_run_does_not_go_on_where_one_was_given_up(case: Case) -> None:
    """Some chunks are masked, and only the run that was given up knows which."""
    _begin(case)
    before = case.database.read()
    with pytest.raises(MaskingError, match="has begun to mask the table and nothing says that it was loaded"):
        case.mask(run_id="next")
    assert case.database.read() == before
    assert case.mask().rows == COUNT
    case.require_masked()


@pytest.mark.slow
def test_a_key_of_several_columns_is_proven_before_anything_is_committed(case: Case) -> None:
    """A lookup gives several people one name: their key would come more than once."""
    table = case.database.table
    two = key("U", "PEOPLE_UK", "FIRST_NAME", "RATING")
    case.database.table = replace(table, constraints=(*table.constraints, two))
    with case.database.connection.cursor() as cursor:
        cursor.execute("UPDATE PEOPLE SET RATING = 1, FIRST_NAME = FIRST_NAME || ID")
    case.database.connection.commit()
    before = case.database.read()
    with pytest.raises(MaskingError, match=r"values of the key PEOPLE_UK would come more than once"):
        case.mask()
    assert case.database.read() == before


@pytest.mark.slow
def test_a_copy_keeps_comments_grants_defaults_storage(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(database, "rewrite", monkeypatch)
    questions = (
        "SELECT COMMENTS FROM USER_TAB_COMMENTS WHERE TABLE_NAME = 'PEOPLE'",
        "SELECT COLUMN_NAME, COMMENTS FROM USER_COL_COMMENTS WHERE TABLE_NAME = 'PEOPLE' ORDER BY 1",
        "SELECT GRANTEE, PRIVILEGE, GRANTABLE FROM USER_TAB_PRIVS WHERE TABLE_NAME = 'PEOPLE' ORDER BY 1, 2",
        "SELECT COLUMN_NAME, PRIVILEGE FROM USER_COL_PRIVS WHERE TABLE_NAME = 'PEOPLE' ORDER BY 1, 2",
        "SELECT COLUMN_NAME, DATA_TYPE, DATA_LENGTH, CHAR_USED, DATA_DEFAULT FROM USER_TAB_COLUMNS "
        "WHERE TABLE_NAME = 'PEOPLE' ORDER BY COLUMN_ID",
        "SELECT PCT_FREE, BUFFER_POOL FROM USER_TABLES WHERE TABLE_NAME = 'PEOPLE'",
    )
    with database.connection.cursor() as cursor:
        for statement in (
            "ALTER TABLE PEOPLE PCTFREE 30 STORAGE (BUFFER_POOL KEEP)",
            "ALTER TABLE PEOPLE MODIFY (EMAIL DEFAULT 'nobody@example.test')",
            "COMMENT ON TABLE PEOPLE IS 'who''s who'",
            "COMMENT ON COLUMN PEOPLE.EMAIL IS 'address'",
            "GRANT SELECT, INSERT ON PEOPLE TO PUBLIC",
            "GRANT UPDATE (EMAIL) ON PEOPLE TO SYSTEM WITH GRANT OPTION",
        ):
            cursor.execute(statement)
    before = [database.read(question) for question in questions]
    case.mask()
    assert [database.read(question) for question in questions] == before
    case.require_masked()


@pytest.mark.slow
@pytest.mark.parametrize("locked", [True, False])
def test_a_copy_has_the_lock_of_statistics_that_the_table_has(
    locked: bool, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(database, "rewrite", monkeypatch)
    if locked:
        lock_statistics(database.connection, [database.table.full_name])
    case.mask()
    case.require_masked()
    assert statistics_locked(database.connection, database.table.full_name) is locked


@pytest.mark.slow
def test_a_changed_table_is_not_swapped(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(database, "rewrite", monkeypatch)
    inner = chunked.ChunkedMasking.work

    def work(job: chunked.ChunkedMasking) -> None:
        inner(job)
        with database.schema.connect() as other:
            other.cursor().execute("INSERT INTO PEOPLE (ID, FIRST_NAME) VALUES (99999, 'New')")
            other.commit()

    monkeypatch.setattr(chunked.ChunkedMasking, "work", work)
    with pytest.raises(MaskingError, match="300 rows were copied, the table has 301"):
        case.mask()


@pytest.mark.slow
def test_what_hangs_on_a_table_forbids_a_copy(database: Database) -> None:
    from oracle_refresh.masking.facts import obstacles

    database.fill(rows(3))
    found = obstacles(database.connection, database.table)
    assert any(each.startswith("constraint ") for each in found)
    assert any(each.startswith("index ") for each in found)
    assert not any(each.startswith("view ") for each in found)
    with database.connection.cursor() as cursor:
        cursor.execute("CREATE VIEW NAMES AS SELECT ID FROM PEOPLE")
        assert "view NAMES" in obstacles(database.connection, database.table)
        cursor.execute("DROP VIEW NAMES")
    with database.schema.server.connect() as system:  # who masks the tables of others may hold grants on them
        assert not any(each.startswith("grant") for each in obstacles(system, database.table))
        with database.connection.cursor() as cursor:
            cursor.execute("GRANT SELECT, UPDATE (EMAIL) ON PEOPLE TO SYSTEM")
        assert "grant to SYSTEM" in obstacles(system, database.table), "ORA-01749"
    other = replace(database.table, name="PARTS")
    with database.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE PARTS (ID NUMBER) PARTITION BY HASH (ID) PARTITIONS 2")
    assert "partitioned" in obstacles(database.connection, other)


def test_what_hangs_on_a_small_table_is_looked_for_where_a_copy_is_asked_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it decides nothing, and of a thousand small tables each question counts."""
    from oracle_refresh.masking import facts

    database.fill(rows(3))
    asked: list[Table] = []

    def obstacles(_: Any, table: Table) -> tuple[str, ...]:
        asked.append(table)
        return ()

    monkeypatch.setattr(facts, "obstacles", obstacles)
    plan = compile_table(database.table, tuple(RULES), "run", {})

    def read(options: Options) -> None:
        facts.read_facts(database.connection, database.table, tuple(RULES), plan, options)

    read(Options())
    assert asked == []
    read(Options(strategy="rewrite"))
    monkeypatch.setattr(facts, "SMALL_ROWS", 3)
    read(Options())
    assert asked == [database.table] * 2


@pytest.mark.slow
def test_rowids_are_those_of_the_targets_own_kind_of_tablespace(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The catalogue is the source's: there the table is in a bigfile tablespace."""
    case, asked = Case(database, "rewrite", monkeypatch), []
    inner = chunked.statements.ranges
    monkeypatch.setattr(
        chunked.statements, "ranges", lambda table, bigfile: asked.append(bigfile) or inner(table, bigfile)
    )
    with database.connection.cursor() as cursor:
        cursor.execute(
            "SELECT S.BIGFILE FROM USER_TABLES T JOIN USER_TABLESPACES S"
            " ON S.TABLESPACE_NAME = T.TABLESPACE_NAME WHERE T.TABLE_NAME = 'PEOPLE'"
        )
        (kind,) = cursor.fetchone() or ("",)
    other = replace(database.table, bigfile_tablespace=kind == "NO")
    database.table = other
    case.mask()
    assert asked == [kind == "YES"]
    case.require_masked()
