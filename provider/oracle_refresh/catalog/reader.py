"""Reads the catalogue with a dozen set-based statements, however many tables there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import left_out, statements
from oracle_refresh.catalog.attributes import attributes
from oracle_refresh.catalog.model import (
    LOB_TYPES,
    Catalogue,
    Column,
    Constraint,
    Index,
    IndexColumn,
    Lob,
    ReferencedKey,
    Skipped,
    Table,
    Trigger,
    View,
)
from oracle_refresh.catalog.model import Sequence as OracleSequence
from oracle_refresh.catalog.segments import Partitions, Segments, Size

if TYPE_CHECKING:
    import oracledb

Key = tuple[str, str]
ARRAY_SIZE = 1000


def read_catalogue(
    connection: oracledb.Connection, schemas: Sequence[str], exclude: Iterable[Key] = ()
) -> Catalogue:
    """Read the tables, sequences, views and triggers of schemas.

    Needs SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY.

    :param schemas: stored names; a schema that does not exist gives no tables.
    :param exclude: (owner, name) of tables to leave out; they appear among `skipped`.
    """
    read = _Reader(connection, tuple(schemas))
    parts = _Parts(read)
    excluded = frozenset(exclude)
    reasons = left_out.reasons(read, excluded)
    of_queue_table = left_out.of_queue_tables(reasons)
    tables, skipped = [], list(left_out.object_tables(read, excluded))
    rows = read(statements.TABLES)
    parts.add_overflow(rows)
    for row in rows:
        key: Key = (row[0], row[1])
        reason = reasons.get(key) or left_out.unsupported(*row[4:10])
        if reason is None and of_queue_table(key):
            reason = left_out.OF_A_QUEUE_TABLE
        if reason:
            skipped.append(Skipped(*key, reason))
        else:
            tables.append(parts.table(row))
    return Catalogue(
        schemas=tuple(schemas),
        tables=tuple(tables),
        sequences=tuple(
            OracleSequence(owner, name, int(step), int(last), int(low), int(high), cycles == "Y")
            for owner, name, step, last, low, high, cycles in read(statements.SEQUENCES)
        ),
        views=tuple(View(owner, name) for owner, name in read(statements.VIEWS)),
        triggers=tuple(trigger for of_table in parts.triggers.values() for trigger in of_table),
        skipped=tuple(skipped),
    )


#: Index types that come with their table: nobody builds them by a statement of their own.
_NOT_BUILT = frozenset({"LOB", "IOT - TOP", "IOT - NESTED", "CLUSTER"})


@dataclass(frozen=True)
class _Reader:
    connection: oracledb.Connection
    schemas: tuple[str, ...]

    def __call__(self, statement: str) -> list[tuple[Any, ...]]:
        binds = {f"s{number}": schema for number, schema in enumerate(self.schemas)}
        names = ", ".join(f":{name}" for name in binds)
        with self.connection.cursor() as cursor:
            cursor.arraysize = cursor.prefetchrows = ARRAY_SIZE
            cursor.execute(statement.format(schemas=names), binds if "{schemas}" in statement else {})
            return list(cursor)


class _Parts:
    """All that depends on tables, by owner and name of the table."""

    def __init__(self, read: _Reader) -> None:
        constraint_rows = read(statements.CONSTRAINTS)
        self.segments = Segments(read)
        self.columns = _columns(read)
        self.lobs = _lobs(read, self.segments)
        self.constraints = _constraints(read, constraint_rows)
        self.indexes = _indexes(read, constraint_rows)
        self.nested = {(owner, name) for owner, name in read(statements.NESTED_PARENTS)}
        self.triggers: dict[Key, list[Trigger]] = defaultdict(list)
        for owner, name, table_owner, table, status in read(statements.TRIGGERS):
            trigger = Trigger(owner, name, table_owner, table, status == "ENABLED")
            self.triggers[table_owner, table].append(trigger)
        self.overflow: dict[Key, Size] = defaultdict(Size)
        self.partitions = Partitions(read, self.segments)
        self.partitioning: dict[Key, tuple[str, bool]] = {
            (owner, table): (kind, interval is not None or auto == "YES")
            for owner, table, kind, interval, auto in read(statements.PARTITIONED_TABLES)
        }
        self.attributes = {
            (owner, table): attributes(tuple(said))
            for owner, table, *said in read(statements.TABLE_ATTRIBUTES)
        }
        self.unchangeable = {
            (owner, table)
            for (view,) in read(statements.UNCHANGEABLE_VIEWS)
            for owner, table in read(statements.UNCHANGEABLE_TABLES.format(view=view))
        }
        self.policies: dict[Key, list[str]] = defaultdict(list)
        for owner, table, policy in read(statements.POLICIES):
            self.policies[owner, table].append(policy)
        self.partition_columns: dict[Key, list[str]] = defaultdict(list)
        for owner, table, column in read(statements.PARTITION_COLUMNS):
            self.partition_columns[owner, table].append(column)
        self.endless = {(owner, table) for owner, table in read(statements.ENDLESS_PARTITIONING)}

    def add_overflow(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Long rows of an index-organized table lie in a table of their own, which names it in IOT_NAME."""
        for row in rows:
            if row[4] == "IOT_OVERFLOW":
                self.overflow[row[0], row[11]] += self.segments.table((row[0], row[1]))

    def table(self, row: tuple[Any, ...]) -> Table:
        """The table of one row of `statements.TABLES`."""
        key: Key = (row[0], row[1])
        iot = row[4] == "IOT"
        indexes = self.indexes[key]
        tops = [index for index in indexes if iot and index.type == "IOT - TOP"]
        size = self.segments.index(tops[0].owner, tops[0].name) if tops else self.segments.table(key)
        size += self.overflow[key]
        partitioning, grows = self.partitioning.get(key, (None, False))
        columns = tuple(self.columns[key])
        types = {column.name: column.data_type for column in columns}
        lobs = [
            Lob(name, segment, types.get(name, "HIDDEN"), *rest) for name, segment, *rest in self.lobs[key]
        ]
        return Table(
            owner=key[0],
            name=key[1],
            rows=_integer(row[2]),
            bytes=size.bytes,
            blocks=size.blocks,
            columns=columns,
            lobs=tuple(lob for lob in lobs if lob.data_type in LOB_TYPES),
            # A column of an object type has LOBs of its own under names that are no columns.
            hidden_lobs=tuple(lob for lob in lobs if lob.data_type not in LOB_TYPES),
            constraints=tuple(self.constraints[key]),
            indexes=tuple(index for index in indexes if index.type not in _NOT_BUILT),
            triggers=tuple(self.triggers.get(key, ())),
            partitions=self.partitions.of(key, [(top.owner, top.name) for top in tops]),
            partitioning=partitioning,
            grows=grows,
            iot=iot,
            temporary=row[5] == "Y",
            clustered=row[10] is not None,
            bigfile_tablespace=size.bigfile,
            filterable=key not in self.nested and all(index.type != "DOMAIN" for index in indexes),
            attributes=self.attributes.get(key, ()),
            unchangeable=key in self.unchangeable,
            policies=tuple(self.policies.get(key, ())),
            partition_columns=tuple(self.partition_columns.get(key, ())),
            may_change_partition=row[12] == "ENABLED" and key in self.endless,
        )


def _columns(read: _Reader) -> dict[Key, list[Column]]:
    columns: dict[Key, list[Column]] = defaultdict(list)
    always = set(read(statements.ALWAYS_GENERATED))
    for owner, table, name, data_type, length, chars, used, precision, scale, *flags in read(
        statements.COLUMNS
    ):
        nullable, virtual, identity, type_owner = flags
        columns[owner, table].append(
            Column(
                name=name,
                data_type=data_type,
                length=int(length),
                char_length=_integer(chars) or 0,
                char_used=used,
                precision=_integer(precision),
                scale=_integer(scale),
                nullable=nullable == "Y",
                virtual=virtual == "YES",
                identity=identity == "YES",
                always_generated=(owner, table, name) in always,
                type_owner=type_owner,
            )
        )
    return columns


def _lobs(read: _Reader, segments: Segments) -> dict[Key, list[tuple[Any, ...]]]:
    """Per table: column, segment, securefile, in_row, chunk, bytes, pctversion, retention."""
    lobs: dict[Key, list[tuple[Any, ...]]] = defaultdict(list)
    for owner, table, column, segment, securefile, in_row, chunk, *versions in read(statements.LOBS):
        size = segments.lob_bytes(owner, segment)
        stored = (securefile == "YES", in_row == "YES", _integer(chunk) or 0, size)
        lobs[owner, table].append((column, segment, *stored, *map(_integer, versions)))
    return lobs


def _constraints(read: _Reader, rows: list[tuple[Any, ...]]) -> dict[Key, list[Constraint]]:
    columns: dict[Key, list[str]] = defaultdict(list)
    for owner, constraint, column in read(statements.CONSTRAINT_COLUMNS):
        columns[owner, constraint].append(column)
    keys = _referenced_keys(read)
    constraints: dict[Key, list[Constraint]] = defaultdict(list)
    for row in rows:
        owner, table, name, kind, ref_owner, ref_name, delete_rule = row[:7]
        status, validated, deferrable, condition, generated, index_owner, index_name = row[7:14]
        constraints[owner, table].append(
            Constraint(
                name=name,
                type=kind,
                columns=tuple(columns[owner, name]),
                references=keys.get((ref_owner, ref_name)),
                delete_rule=delete_rule,
                enabled=status == "ENABLED",
                validated=validated == "VALIDATED",
                deferrable=deferrable == "DEFERRABLE",
                search_condition=condition,
                generated=generated == "GENERATED NAME",
                index_owner=index_owner or (owner if index_name else None),
                index_name=index_name,
                deferred=row[14] == "DEFERRED",
                rely=row[15] == "RELY",
            )
        )
    return constraints


def _referenced_keys(read: _Reader) -> dict[Key, ReferencedKey]:
    """By owner and name of the key."""
    columns: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for owner, name, table, column in read(statements.REFERENCED_KEYS):
        columns[owner, name, table].append(column)
    return {
        (owner, name): ReferencedKey(owner, table, tuple(of_key))
        for (owner, name, table), of_key in columns.items()
    }


def _indexes(read: _Reader, rows: list[tuple[Any, ...]]) -> dict[Key, list[Index]]:
    keys: dict[Key, str] = {}  # which primary or unique key uses an index
    for row in rows:
        owner, name, kind, index_owner, index_name = row[0], row[2], row[3], row[12], row[13]
        if kind in ("P", "U") and index_name:
            keys[index_owner or owner, index_name] = name
    expressions = {
        (owner, name, int(position)): expression
        for owner, name, position, expression in read(statements.INDEX_EXPRESSIONS)
    }
    columns: dict[Key, list[IndexColumn]] = defaultdict(list)
    for owner, name, column, position, descend in read(statements.INDEX_COLUMNS):
        expression = expressions.get((owner, name, int(position)))
        columns[owner, name].append(IndexColumn(column, expression, descend == "DESC"))
    indexes: dict[Key, list[Index]] = defaultdict(list)
    for owner, name, table_owner, table, kind, uniqueness, partitioned, joins in read(statements.INDEXES):
        indexes[table_owner, table].append(
            Index(
                owner=owner,
                name=name,
                type=kind,
                unique=uniqueness == "UNIQUE",
                partitioned=partitioned == "YES",
                columns=tuple(columns[owner, name]),
                constraint=keys.get((owner, name)),
                joins=joins == "YES",
            )
        )
    return indexes


def _integer(value: Any) -> int | None:
    return None if value is None else int(value)
