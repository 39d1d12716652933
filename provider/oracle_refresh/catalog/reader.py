"""Reads the catalogue with a dozen set-based statements, however many tables there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import partial
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
from oracle_refresh.catalog.rows import Read, Rows, grouped, table_names, whole
from oracle_refresh.catalog.segments import Partitions, Segments, Size
from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.oracle.session import rows as read_rows

if TYPE_CHECKING:
    import oracledb

#: Index types that come with their table: nobody builds them by a statement of their own.
_NOT_BUILT = frozenset({"LOB", "IOT - TOP", "IOT - NESTED", "CLUSTER"})


def read_catalogue(
    connection: oracledb.Connection, schemas: Sequence[str], exclude: Collection[TableName] = ()
) -> Catalogue:
    """Read the tables, sequences, views and triggers of schemas.

    Needs SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY.

    :param schemas: stored names; a schema that does not exist gives no tables.
    :param exclude: tables to leave out; they appear among `skipped`.
    """
    read: Read = partial(read_rows, connection, names=schemas)
    unchangeable = {
        table
        for (view,) in read_rows(connection, statements.UNCHANGEABLE_VIEWS)
        for table in table_names(read(statements.UNCHANGEABLE_TABLES.format(view=view)))
    }
    parts = _Parts(read, unchangeable)
    reasons = left_out.reasons(read, exclude)
    of_queue_table = left_out.of_queue_tables(reasons)
    tables, skipped = [], list(left_out.object_tables(read, exclude))
    rows = read(statements.TABLES)
    parts.add_overflow(rows)
    for row in rows:
        table = TableName(row[0], row[1])
        reason = reasons.get(table) or left_out.unsupported(*row[4:10])
        if reason is None and of_queue_table(table):
            reason = left_out.OF_A_QUEUE_TABLE
        if reason:
            skipped.append(Skipped(*table, reason))
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


class _Parts:
    """All that depends on tables, by table."""

    def __init__(self, read: Read, unchangeable: Collection[TableName]) -> None:
        constraint_rows = read(statements.CONSTRAINTS)
        self.unchangeable = unchangeable
        self.segments = Segments(read)
        self.columns = _columns(read)
        self.lobs = _lobs(read, self.segments)
        self.constraints = _constraints(read, constraint_rows)
        self.indexes = _indexes(read, constraint_rows)
        self.nested = set(table_names(read(statements.NESTED_PARENTS)))
        self.triggers: dict[TableName, list[Trigger]] = defaultdict(list)
        for owner, name, table_owner, table, status in read(statements.TRIGGERS):
            trigger = Trigger(owner, name, table_owner, table, status == "ENABLED")
            self.triggers[trigger.on].append(trigger)
        self.overflow: dict[TableName, Size] = defaultdict(Size)
        self.partitions = Partitions(read, self.segments)
        self.partitioning = {
            TableName(owner, table): (kind, interval is not None or auto == "YES")
            for owner, table, kind, interval, auto in read(statements.PARTITIONED_TABLES)
        }
        self.attributes = {
            TableName(owner, table): attributes(tuple(storage))
            for owner, table, *storage in read(statements.TABLE_ATTRIBUTES)
        }
        self.policies = grouped(TableName, read(statements.POLICIES))
        self.partition_columns = grouped(TableName, read(statements.PARTITION_COLUMNS))
        self.endless = set(table_names(read(statements.ENDLESS_PARTITIONING)))

    def add_overflow(self, rows: Rows) -> None:
        """Long rows of an index-organized table lie in a table of their own, which names it in IOT_NAME."""
        for row in rows:
            if row[4] == "IOT_OVERFLOW":
                self.overflow[TableName(row[0], row[11])] += self.segments.table(TableName(row[0], row[1]))

    def table(self, row: tuple[Any, ...]) -> Table:
        """The table of one row of `statements.TABLES`."""
        table = TableName(row[0], row[1])
        iot = row[4] == "IOT"
        indexes = self.indexes[table]
        tops = [index.full_name for index in indexes if iot and index.type == "IOT - TOP"]
        size = self.segments.index(tops[0]) if tops else self.segments.table(table)
        size += self.overflow[table]
        partitioning, grows = self.partitioning.get(table, (None, False))
        columns = tuple(self.columns[table])
        types = {column.name: column.data_type for column in columns}
        lobs = [
            Lob(name, segment, types.get(name, "HIDDEN"), *rest) for name, segment, *rest in self.lobs[table]
        ]
        return Table(
            owner=table.owner,
            name=table.name,
            rows=whole(row[2]),
            bytes=size.bytes,
            blocks=size.blocks,
            columns=columns,
            lobs=tuple(lob for lob in lobs if lob.data_type in LOB_TYPES),
            # A column of an object type has LOBs of its own under names that are no columns.
            hidden_lobs=tuple(lob for lob in lobs if lob.data_type not in LOB_TYPES),
            constraints=tuple(self.constraints[table]),
            indexes=tuple(index for index in indexes if index.type not in _NOT_BUILT),
            triggers=tuple(self.triggers.get(table, ())),
            partitions=self.partitions.of(table, tops),
            partitioning=partitioning,
            grows=grows,
            iot=iot,
            temporary=row[5] == "Y",
            clustered=row[10] is not None,
            bigfile_tablespace=size.bigfile,
            filterable=table not in self.nested and all(index.type != "DOMAIN" for index in indexes),
            attributes=self.attributes.get(table, ()),
            unchangeable=table in self.unchangeable,
            policies=tuple(policy for (policy,) in self.policies[table]),
            partition_columns=tuple(column for (column,) in self.partition_columns[table]),
            may_change_partition=row[12] == "ENABLED" and table in self.endless,
        )


def _columns(read: Read) -> dict[TableName, list[Column]]:
    columns: dict[TableName, list[Column]] = defaultdict(list)
    always = set(read(statements.ALWAYS_GENERATED))
    encrypted = set(read(statements.ENCRYPTED_COLUMNS))
    for owner, table, name, data_type, length, chars, used, precision, scale, *flags in read(
        statements.COLUMNS
    ):
        nullable, virtual, identity, type_owner = flags
        columns[TableName(owner, table)].append(
            Column(
                name=name,
                data_type=data_type,
                length=int(length),
                char_length=whole(chars) or 0,
                char_used=used,
                precision=whole(precision),
                scale=whole(scale),
                nullable=nullable == "Y",
                virtual=virtual == "YES",
                identity=identity == "YES",
                always_generated=(owner, table, name) in always,
                encrypted=(owner, table, name) in encrypted,
                type_owner=type_owner,
            )
        )
    return columns


def _lobs(read: Read, segments: Segments) -> dict[TableName, Rows]:
    """Per table: column, segment, securefile, in_row, chunk, bytes, pctversion, retention."""
    lobs: dict[TableName, Rows] = defaultdict(list)
    for owner, table, column, segment, securefile, in_row, chunk, *versions in read(statements.LOBS):
        size = segments.lob_bytes(owner, segment)
        stored = (securefile == "YES", in_row == "YES", whole(chunk) or 0, size)
        lobs[TableName(owner, table)].append((column, segment, *stored, *map(whole, versions)))
    return lobs


def _constraints(read: Read, rows: Rows) -> dict[TableName, list[Constraint]]:
    columns = grouped(ObjectName, read(statements.CONSTRAINT_COLUMNS))
    keys = _referenced_keys(read)
    constraints: dict[TableName, list[Constraint]] = defaultdict(list)
    for row in rows:
        owner, table, name, kind, ref_owner, ref_name, delete_rule = row[:7]
        status, validated, deferrable, condition, generated, index_owner, index_name = row[7:14]
        constraints[TableName(owner, table)].append(
            Constraint(
                name=name,
                type=kind,
                columns=tuple(column for (column,) in columns[ObjectName(owner, name)]),
                references=keys.get(ObjectName(ref_owner, ref_name)),
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


def _referenced_keys(read: Read) -> dict[ObjectName, ReferencedKey]:
    """By owner and name of the key, which is one of one table."""
    keys = grouped(ObjectName, read(statements.REFERENCED_KEYS))
    return {
        key: ReferencedKey(key.owner, columns[0][0], tuple(column for _, column in columns))
        for key, columns in keys.items()
    }


def _indexes(read: Read, rows: Rows) -> dict[TableName, list[Index]]:
    keys: dict[ObjectName, str] = {}  # which primary or unique key uses an index
    for row in rows:
        owner, name, kind, index_owner, index_name = row[0], row[2], row[3], row[12], row[13]
        if kind in ("P", "U") and index_name:
            keys[ObjectName(index_owner or owner, index_name)] = name
    expressions = {
        (owner, name, int(position)): expression
        for owner, name, position, expression in read(statements.INDEX_EXPRESSIONS)
    }
    columns: dict[ObjectName, list[IndexColumn]] = defaultdict(list)
    for owner, name, column, position, descend in read(statements.INDEX_COLUMNS):
        expression = expressions.get((owner, name, int(position)))
        columns[ObjectName(owner, name)].append(IndexColumn(column, expression, descend == "DESC"))
    indexes: dict[TableName, list[Index]] = defaultdict(list)
    for owner, name, table_owner, table, kind, uniqueness, partitioned, joins in read(statements.INDEXES):
        full_name = ObjectName(owner, name)
        indexes[TableName(table_owner, table)].append(
            Index(
                owner=owner,
                name=name,
                type=kind,
                unique=uniqueness == "UNIQUE",
                partitioned=partitioned == "YES",
                columns=tuple(columns[full_name]),
                constraint=keys.get(full_name),
                joins=joins == "YES",
            )
        )
    return indexes
