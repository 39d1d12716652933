"""The catalogue of the schemas to refresh. Names are as the dictionary stores them, sizes are bytes.

Source: Database Reference 19c; each class names the view it is read from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import ObjectName, TableName

ConstraintType = Literal["P", "U", "R", "C"]
LOB_TYPES = frozenset({"BLOB", "CLOB", "NCLOB"})


class _SchemaObject:
    """What has an owner and a name."""

    owner: str
    name: str

    @property
    def full_name(self) -> ObjectName:
        return ObjectName(self.owner, self.name)

    @property
    def key(self) -> str:
        """`OWNER.NAME`, the key of the object in plans, ledger and reports."""
        return self.full_name.key

    @property
    def sql(self) -> str:
        """`"OWNER"."NAME"` for a statement."""
        return self.full_name.sql


@dataclass(frozen=True)
class Column(Jsonable):
    """One column (DBA_TAB_COLS), in the order of COLUMN_ID, INVISIBLE ones and other hidden data
    (`statements.holds_data`) last.

    `length` is DATA_LENGTH in bytes; `char_length` counts characters where `char_used` is C, else bytes.
    """

    name: str
    data_type: str
    length: int
    char_length: int
    char_used: str | None
    precision: int | None
    scale: int | None
    nullable: bool
    virtual: bool = False
    identity: bool = False
    always_generated: bool = False
    """GENERATED ALWAYS AS IDENTITY: no statement may change its values (ORA-32796)."""
    encrypted: bool = False
    """By TDE, as a column (DBA_ENCRYPTED_COLUMNS), and not with its tablespace."""
    type_owner: str | None = None
    """Of an object type or a collection; SYS or PUBLIC for XMLTYPE and its like."""

    @property
    def is_lob(self) -> bool:
        return self.data_type in LOB_TYPES

    @property
    def is_datetime(self) -> bool:
        """Whether it is a DATE or a TIMESTAMP of any kind, and no object type with such a name."""
        return self.type_owner is None and (
            self.data_type == "DATE" or self.data_type.startswith("TIMESTAMP")
        )

    @property
    def is_character(self) -> bool:
        return self.data_type in {"VARCHAR2", "NVARCHAR2", "CHAR", "NCHAR"}

    @property
    def text_bytes(self) -> int:
        """The most bytes that a value of a character column has as VARCHAR2: up to three in UTF-8 for the two
        of a character in UTF-16 (SQL Language Reference 19c, TO_CHAR (character))."""
        return max(self.length, 3 * self.char_length) if self.is_national else self.length

    @property
    def is_national(self) -> bool:
        """Whether it holds text in the national character set."""
        return self.data_type in {"NVARCHAR2", "NCHAR", "NCLOB"}


@dataclass(frozen=True)
class Lob(Jsonable):
    """The LOB segment of one column (DBA_LOBS, DBA_SEGMENTS). `bytes` counts what lies out of line."""

    column: str
    segment: str
    data_type: str
    securefile: bool
    in_row: bool
    chunk: int
    bytes: int
    pctversion: int | None = None
    """Share of the LOB's space that keeps old versions (BasicFile); None where it goes by time."""
    retention_seconds: int | None = None
    """For how long old versions are kept (BasicFile); they are not in undo."""


@dataclass(frozen=True)
class IndexColumn(Jsonable):
    """One key of an index; `expression` instead of a column's name where the index is function-based."""

    name: str
    expression: str | None
    descending: bool


@dataclass(frozen=True)
class Index(Jsonable, _SchemaObject):
    """One index of a table (DBA_INDEXES), without LOB indexes and those of IOTs."""

    owner: str
    name: str
    type: str
    unique: bool
    partitioned: bool
    columns: tuple[IndexColumn, ...]
    constraint: str | None
    """The primary or unique key that uses this index."""
    joins: bool = False
    """Whether it is a bitmap join index: it holds values of other tables."""


@dataclass(frozen=True)
class ReferencedKey(Jsonable):
    """The primary or unique key that a foreign key refers to, its columns in the order of the foreign key's.

    It is known by its table and columns: its name may be generated, and another database has then given that
    name to a key of another table.
    """

    owner: str
    table: str
    columns: tuple[str, ...]

    @property
    def parent(self) -> TableName:
        """The table of the key."""
        return TableName(self.owner, self.table)


@dataclass(frozen=True)
class Constraint(Jsonable):
    """One constraint (DBA_CONSTRAINTS). A NOT NULL appears as a generated check, as in the dictionary."""

    name: str
    type: ConstraintType
    columns: tuple[str, ...]
    references: ReferencedKey | None
    delete_rule: str | None
    enabled: bool
    validated: bool
    deferrable: bool
    search_condition: str | None
    generated: bool
    index_owner: str | None
    index_name: str | None
    deferred: bool = False
    """Whether it is checked at commit unless said otherwise (INITIALLY DEFERRED)."""
    rely: bool = False

    @property
    def not_null_column(self) -> str | None:
        """The column of a NOT NULL constraint, None for every other constraint."""
        if (
            self.type == "C"
            and len(self.columns) == 1
            and self.search_condition == f'"{self.columns[0]}" IS NOT NULL'
        ):
            return self.columns[0]
        return None


@dataclass(frozen=True)
class Trigger(Jsonable, _SchemaObject):
    """One trigger on a table or view (DBA_TRIGGERS)."""

    owner: str
    name: str
    table_owner: str
    table_name: str
    enabled: bool

    @property
    def on(self) -> TableName:
        """The table or view that it is on."""
        return TableName(self.table_owner, self.table_name)


@dataclass(frozen=True)
class Partition(Jsonable):
    """One partition of a table (DBA_TAB_PARTITIONS), in the order of PARTITION_POSITION."""

    name: str
    position: int
    composite: bool = False
    """Whether it has subpartitions; these hold the rows, and the sizes are then 0."""
    bytes: int = 0
    lob_bytes: int = 0
    read_only: bool = False

    @property
    def total_bytes(self) -> int:
        return self.bytes + self.lob_bytes


@dataclass(frozen=True)
class Table(Jsonable, _SchemaObject):
    """One table with all that depends on it."""

    owner: str
    name: str
    rows: int | None
    """NUM_ROWS of the statistics; None where there are none."""
    bytes: int
    """Of the table's own segments; for an IOT those of its index."""
    blocks: int
    columns: tuple[Column, ...]
    lobs: tuple[Lob, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    indexes: tuple[Index, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    partitions: tuple[Partition, ...] = ()
    partitioning: str | None = None
    """PARTITIONING_TYPE (DBA_PART_TABLES): RANGE, REFERENCE; None where it has no partitions."""
    grows: bool = False
    """Whether it makes partitions by itself, as rows come: INTERVAL or AUTOMATIC."""
    iot: bool = False
    temporary: bool = False
    clustered: bool = False
    bigfile_tablespace: bool = False
    filterable: bool = True
    """False where Data Pump takes no data filter: nested tables or domain indexes on the table."""
    hidden_lobs: tuple[Lob, ...] = ()
    """LOBs that columns of other types are stored in: XMLTYPE, object types, collections."""
    attributes: tuple[str, ...] = ()
    """Clauses of its storage that a refresh leaves out: `PCTFREE 20` (`attributes.py`)."""
    unchangeable: bool = False
    """Whether it is a blockchain table or an immutable one: neither dropped nor updated for a while."""
    policies: tuple[str, ...] = ()
    """Enabled row-level security policies on SELECT (DBA_POLICIES)."""
    partition_columns: tuple[str, ...] = ()
    """Which decide the partition of a row, those of subpartitions included."""
    may_change_partition: bool = False
    """Whether any change of them finds a partition: ENABLE ROW MOVEMENT, and one for every value."""

    @property
    def full_name(self) -> TableName:
        return TableName(self.owner, self.name)

    @property
    def stored_lobs(self) -> tuple[Lob, ...]:
        """All LOBs that the rows are stored in, whatever the types of their columns."""
        return (*self.lobs, *self.hidden_lobs)

    @property
    def lob_bytes(self) -> int:
        return sum(lob.bytes for lob in self.stored_lobs)

    @property
    def total_bytes(self) -> int:
        return self.bytes + self.lob_bytes

    @property
    def has_long(self) -> bool:
        """Whether a LONG or LONG RAW stands in the way of external tables, and so of a query filter."""
        return any(column.data_type in ("LONG", "LONG RAW") for column in self.columns)

    @property
    def encrypted_columns(self) -> bool:
        return any(column.encrypted for column in self.columns)

    def column(self, name: str) -> Column | None:
        return next((column for column in self.columns if column.name == name), None)

    @property
    def primary_key(self) -> Constraint | None:
        return next((constraint for constraint in self.constraints if constraint.type == "P"), None)


@dataclass(frozen=True)
class Sequence(Jsonable, _SchemaObject):
    """One sequence (DBA_SEQUENCES). `last_number` is the next value that is not cached."""

    owner: str
    name: str
    increment_by: int
    last_number: int
    minimum: int | None = None
    maximum: int | None = None
    cycles: bool = False

    @property
    def at_its_end(self) -> bool:
        """Whether no sequence could begin where this one stands: behind its bounds (ORA-04008)."""
        return self.start != self.last_number

    @property
    def start(self) -> int:
        """Where a copy begins: as the source goes on, or within its bounds, restarted where it cycles."""
        rises = self.increment_by > 0
        bound, other = (self.maximum, self.minimum) if rises else (self.minimum, self.maximum)
        if bound is None or (self.last_number <= bound if rises else self.last_number >= bound):
            return self.last_number
        return other if self.cycles and other is not None else bound


@dataclass(frozen=True)
class View(Jsonable, _SchemaObject):
    """One view (DBA_OBJECTS)."""

    owner: str
    name: str


@dataclass(frozen=True)
class Skipped(Jsonable, _SchemaObject):
    """A table that a refresh does not copy, and why."""

    owner: str
    name: str
    reason: str


@dataclass(frozen=True)
class Catalogue(Jsonable):
    """The schemas of one database at the moment of reading."""

    schemas: tuple[str, ...]
    tables: tuple[Table, ...]
    sequences: tuple[Sequence, ...] = ()
    views: tuple[View, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    def table(self, owner: str, name: str) -> Table | None:
        return self._by_name.get((owner, name))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Table]:
        return {table.full_name: table for table in self.tables}

    def foreign_keys(self) -> Iterator[tuple[Table, Constraint]]:
        """Every foreign key with the table it stands on."""
        for table in self.tables:
            for constraint in table.constraints:
                if constraint.type == "R":
                    yield table, constraint
