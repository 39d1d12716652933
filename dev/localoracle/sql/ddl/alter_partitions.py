"""ALTER TABLE ... ADD, DROP and TRUNCATE PARTITION, SET INTERVAL."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.alteration import Alteration
from localoracle.sql.ddl.partitions import Partition, interval_clause, read_values
from localoracle.sql.ddl.physical_attributes import physical_attribute
from localoracle.sql.parsing.lexer import Cursor, quote_qualified, split_commas
from localoracle.sql.query.sources import partition_name

_GLOBAL_INDEXES = ("UPDATE INDEXES", "UPDATE GLOBAL INDEXES", "INVALIDATE GLOBAL INDEXES")


def add(change: Alteration) -> None:
    cursor = change.cursor
    partition = Partition(cursor.name())
    if not cursor.at("VALUES"):
        raise not_supported("ADD PARTITION to a table partitioned by hash")
    is_range = bool(cursor.at("VALUES LESS THAN"))
    width = _bound_width(cursor) if is_range else 1
    read_values(cursor, partition, "RANGE" if is_range else "LIST", width)
    change.call("ora.check_new_partition", partition.name, is_range, width, partition.catch_all)
    child = quote_qualified(change.schema, partition_name(change.name, partition.name))
    if is_range:
        bound = ", ".join(["MAXVALUE"] * width if partition.catch_all else partition.values)
        change.call("ora.add_range_partition", partition.name, bound, partition.source)
    else:
        change.run(f"CREATE TABLE {child} PARTITION OF {change.table} {partition.list_bound}")
        change.call("ora.note_partition", partition.name, None, partition.source)
    while physical_attribute(cursor, partition.attributes):
        pass
    cursor.take(*_GLOBAL_INDEXES[:2])
    change.statements += calls.checked_attributes(child, partition.attributes)
    change.call("ora.hold_rows")
    _end(cursor)


def drop(change: Alteration) -> None:
    partition = change.cursor.name()
    updated = change.cursor.take(*_GLOBAL_INDEXES) in _GLOBAL_INDEXES[:2]
    change.check_writable()
    change.call("ora.drop_partition", partition, updated)
    _end(change.cursor)


def truncate(change: Alteration) -> None:
    partition = change.cursor.name()
    change.cursor.take("DROP STORAGE", "REUSE STORAGE", "DROP ALL STORAGE")
    updated = change.cursor.take(*_GLOBAL_INDEXES) in _GLOBAL_INDEXES[:2]
    change.check_writable()
    change.call("ora.truncate_partition", partition, updated)


def set_interval(change: Alteration) -> None:
    change.run(interval_clause(change.cursor).set(change.table))


def _end(cursor: Cursor) -> None:
    """Nothing else stands beside a change of partitions."""
    if not cursor.done:
        raise OracleError(
            14048, "a partition maintenance operation may not be combined with other operations"
        )


def _bound_width(cursor: Cursor) -> int:
    """How many values the bound has."""
    ahead = Cursor(cursor.tokens[cursor.index + 1 :], cursor.sql)
    ahead.take("LESS THAN")
    return len(split_commas(ahead.inside()))
