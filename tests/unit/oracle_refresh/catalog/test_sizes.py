"""What the stand-in does not have: overflow of index-organized tables, LOBs behind other types,
subpartitions, join indexes."""

from __future__ import annotations

from typing import Any

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.reader import read_catalogue

TABLE = ("N", "NO", "N", "NO", "NO", None)
ROWS: dict[str, list[tuple[Any, ...]]] = {
    statements.TABLES: [
        ("APP", "DOCS", 10, None, "IOT", *TABLE, None, "DISABLED"),
        ("APP", "SYS_IOT_OVER_7", 10, 3, "IOT_OVERFLOW", *TABLE, "DOCS", "DISABLED"),
        ("APP", "XML", 10, 4, None, *TABLE, None, "DISABLED"),
    ],
    statements.SEGMENTS: [
        ("APP", "DOCS_PK", "INDEX", None, 1000, 1, "NO"),
        ("APP", "SYS_IOT_OVER_7", "TABLE", None, 9000, 3, "NO"),
        ("APP", "XML", "TABLE", None, 4000, 4, "NO"),
        ("APP", "SYS_LOB_1", "LOBSEGMENT", None, 70000, 9, "NO"),
    ],
    statements.INDEXES: [
        ("APP", "DOCS_PK", "APP", "DOCS", "IOT - TOP", "UNIQUE", "NO", "NO"),
        ("APP", "XML_BJX", "APP", "XML", "BITMAP", "NONUNIQUE", "NO", "YES"),
    ],
    statements.PARTITIONS: [
        ("APP", "XML", "P1", 1, "YES", "NO"),
        ("APP", "XML", "P2", 2, "YES", "YES"),
        ("APP", "DOCS", "P1", 1, "NO", "YES"),
    ],
    statements.READ_ONLY_SUBPARTITIONS: [("APP", "XML", "P1")],
    statements.COLUMNS: [
        ("APP", "XML", "DOC", "XMLTYPE", 2000, 0, None, None, None, "Y", "NO", "NO", "SYS"),
    ],
    statements.LOBS: [("APP", "XML", "SYS_NC00002$", "SYS_LOB_1", "NO", "YES", 8192, 10, None)],
}


class Cursor:
    """Answers each statement with its rows."""

    arraysize = prefetchrows = 1

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def execute(self, text: str, _: Any, **__: Any) -> None:
        self.rows = next(
            (rows for statement, rows in ROWS.items() if statement.replace("{names}", ":name_0") == text), []
        )

    def __iter__(self) -> Any:
        return iter(self.rows)


class Connection:
    cursor = Cursor


def test_overflow_and_hidden_lobs_count() -> None:
    catalogue = read_catalogue(Connection(), ["APP"])  # type: ignore[arg-type]
    docs, xml = catalogue.tables
    assert (docs.name, docs.iot, docs.bytes, docs.blocks) == ("DOCS", True, 10_000, 4)
    assert [skipped.reason for skipped in catalogue.skipped] == ["part of an index-organized table"]
    assert xml.lobs == ()
    assert [lob.bytes for lob in xml.hidden_lobs] == [70_000]
    assert xml.total_bytes == 74_000


def test_a_composite_partition_takes_no_rows_where_a_subpartition_does_not() -> None:
    """What it says itself is what further subpartitions would be (DBA_TAB_PARTITIONS, READ_ONLY)."""
    docs, xml = read_catalogue(Connection(), ["APP"]).tables  # type: ignore[arg-type]
    assert [(each.name, each.read_only) for each in xml.partitions] == [("P1", True), ("P2", False)]
    assert [each.read_only for each in docs.partitions] == [True]


def test_join_indexes_are_known() -> None:
    _, xml = read_catalogue(Connection(), ["APP"]).tables  # type: ignore[arg-type]
    assert [each.joins for each in xml.indexes] == [True]
