"""The survey: what it costs, and that what it finds balances shards of a skewed table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import oracledb
import pytest

from oracle_refresh.catalog import Table, TableSurvey, read_catalogue, read_survey
from oracle_refresh.catalog.lob_profile import largest_lobs, read_lob_profile
from oracle_refresh.plan.schemes import cutter
from support.demo import DemoDatabase

OWNER = "SKEWED"
ROWS, LONG = 900, 90


def carried(connection: oracledb.Connection, found: Table, condition: str = "1 = 1") -> int:
    """Bytes of the rows under a condition: LOBs, and a share of the table's own segment for each."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*), NVL(SUM(DBMS_LOB.GETLENGTH(BODY)), 0) FROM {OWNER}.T WHERE {condition}"
        )
        rows, size = cursor.fetchone() or (0, 0)
    return int(size) + int(rows) * found.bytes // ROWS


@pytest.fixture(scope="module")
def skewed(demo_source: DemoDatabase) -> Iterator[Table]:
    """Nearly all LOB bytes hang on a tenth of the rows, which lie together, as rows of one month do."""
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "survey_test"')
        cursor.execute(f"GRANT UNLIMITED TABLESPACE TO {OWNER}")
        cursor.execute(
            f"CREATE TABLE {OWNER}.T (ID NUMBER(9), PAD VARCHAR2(2000), BODY BLOB)"
            " LOB (BODY) STORE AS BASICFILE (ENABLE STORAGE IN ROW)"
        )
        rows = [
            (number, "p" * 1800, os.urandom(30_000) if 200 <= number < 200 + LONG else os.urandom(50))
            for number in range(ROWS)
        ]
        cursor.setinputsizes(None, None, oracledb.DB_TYPE_BLOB)
        cursor.executemany(f"INSERT INTO {OWNER}.T VALUES (:1, :2, :3)", rows)
        system.commit()
        yield read_catalogue(system, [OWNER]).tables[0]
        cursor.execute(f"DROP USER {OWNER} CASCADE")


def shares(connection: oracledb.Connection, found: Table, survey: TableSurvey | None) -> list[float]:
    """What each of six shards carries, over the mean."""
    one = cutter(found, survey, 6, over_link=False)
    assert one.scheme == "rowid_range"
    sizes = [carried(connection, found, piece.predicate or "1 = 1") for piece in one.cut(6)]
    assert sum(sizes) == carried(connection, found)
    return [size * len(sizes) / sum(sizes) for size in sizes]


def test_the_shards_of_a_skewed_table_carry_about_the_same(
    source: oracledb.Connection, skewed: Table
) -> None:
    survey = read_survey(source, [skewed]).of(skewed)
    assert survey is not None
    assert max(shares(source, skewed, survey)) < 1.2
    blind = shares(source, skewed, replace(survey, sample=None))
    assert max(blind) > 2, "without the sample one shard has most of it"


def test_a_sample_of_the_blocks_does_as_well(source: oracledb.Connection, skewed: Table) -> None:
    survey = read_survey(source, [skewed], sampled_blocks=100).of(skewed)
    assert survey is not None
    assert survey.sample is not None
    assert survey.sample.percent < 100
    assert max(shares(source, skewed, survey)) < 2
    again = read_survey(source, [skewed], sampled_blocks=100).of(skewed)
    assert again == survey, "a plan made again is the same"


def test_what_is_stored_in_the_row_is_no_lob_byte(source: oracledb.Connection, skewed: Table) -> None:
    survey = read_survey(source, [skewed]).of(skewed)
    assert survey is not None
    assert survey.sample is not None
    chunk = skewed.lobs[0].chunk
    chunks = -(-30_000 // chunk) * chunk if chunk else 30_000
    assert sum(size for _, _, size in survey.sample.blocks) == LONG * chunks


def test_all_of_a_small_table_is_read_and_lies_in_its_extents(
    source: oracledb.Connection, skewed: Table
) -> None:
    survey = read_survey(source, [skewed]).of(skewed)
    assert survey is not None
    assert survey.sample is not None
    assert survey.sample.percent == 100
    places = {(fno, block) for fno, block, _ in survey.sample.blocks}
    covered = {
        (extent.relative_fno, extent.block_id + offset)
        for extent in survey.extents
        for offset in range(extent.blocks)
    }
    assert places
    assert places <= covered


def test_a_table_without_lobs_is_not_sampled(source: oracledb.Connection) -> None:
    catalogue = read_catalogue(source, ["APP"])
    plain = next(one for one in catalogue.tables if not one.lobs and not one.iot and not one.partitions)
    survey = read_survey(source, [plain]).of(plain)
    assert survey is not None
    assert survey.extents
    assert survey.sample is None
    assert read_survey(source, []).of(plain) is None


def test_the_profile_of_a_column_counts_what_the_study_asked_for(
    source: oracledb.Connection, skewed: Table
) -> None:
    (lob,) = skewed.lobs
    profile = read_lob_profile(source, *largest_lobs([skewed])[0])
    chunks = -(-30_000 // lob.chunk) if lob.chunk else 1
    assert (profile.name, profile.securefile, profile.in_row) == (f"{OWNER}.T.BODY", False, True)
    assert (profile.percent, profile.rows, profile.not_null) == (100, ROWS, ROWS)
    assert profile.histogram == (ROWS - LONG, 0, LONG, 0, 0, 0, 0)
    assert (profile.out_of_row, profile.chunks, profile.longest) == (LONG, LONG * chunks, 30_000)
    assert profile.bytes == (ROWS - LONG) * 50 + LONG * 30_000
    assert profile.inline_share == pytest.approx(0.9)
    assert profile.segment_bytes == lob.bytes > LONG * 30_000
    with source.cursor() as cursor:
        cursor.execute(
            "SELECT SUM(CASE SEGMENT_NAME WHEN 'T' THEN 1 ELSE 0 END), COUNT(*) FROM DBA_EXTENTS"
            " WHERE OWNER = :owner AND SEGMENT_NAME IN ('T', :segment)",
            owner=OWNER,
            segment=lob.segment,
        )
        ((of_table, of_both),) = cursor.fetchall()
    assert (profile.table_extents, profile.segment_extents) == (of_table, of_both - of_table)
    assert largest_lobs([replace(skewed, iot=True)]) == []


def test_profiles_of_text_and_of_nothing(demo_source: DemoDatabase) -> None:
    """Lengths of text count two bytes for each character; a column of NULLs has no shares."""
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute('CREATE USER LENGTHS IDENTIFIED BY "lengths_test"')
        cursor.execute("GRANT UNLIMITED TABLESPACE TO LENGTHS")
        cursor.execute("CREATE TABLE LENGTHS.T (ID NUMBER(9), SHORT_TEXT CLOB, EMPTY_ONES BLOB)")
        cursor.execute("INSERT INTO LENGTHS.T SELECT LEVEL, 'abc', NULL FROM DUAL CONNECT BY LEVEL <= 3")
        cursor.setinputsizes(oracledb.DB_TYPE_CLOB)
        cursor.execute("INSERT INTO LENGTHS.T VALUES (4, :1, NULL)", ["x" * 5000])
        system.commit()
        try:
            (found,) = read_catalogue(system, ["LENGTHS"]).tables
            stored = replace(found, lobs=tuple(replace(lob, bytes=8192) for lob in found.lobs))
            profiles = [read_lob_profile(system, *each) for each in largest_lobs([stored])]
            text, empty = sorted(profiles, key=lambda one: -one.not_null)
        finally:
            cursor.execute("DROP USER LENGTHS CASCADE")
    assert (text.column, text.not_null, text.longest, text.out_of_row) == ("SHORT_TEXT", 4, 10_000, 1)
    assert text.histogram == (3, 0, 1, 0, 0, 0, 0)
    assert (empty.not_null, empty.inline_share, empty.chunks_per_lob) == (0, None, None)
    assert empty.histogram == (0,) * 7
