"""What masking one table takes: statements with placeholders for keys, control tables, and their checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking import statements
from oracle_refresh.masking.rules import Policy
from oracle_refresh.oracle.identifiers import Identifier, TableName

if TYPE_CHECKING:
    from oracle_refresh.masking.keys import KeyPart, MasterKey


@dataclass(frozen=True)
class KeyBind:
    """A bind that the run fills with what is made of the domain's subkey."""

    domain: str
    part: KeyPart


Bind = str | int | float | KeyBind


@dataclass(frozen=True)
class Statement:
    """One statement with its binds; the key's are placeholders until `resolve`."""

    sql: str
    binds: Mapping[str, Bind] = field(default_factory=dict)

    def resolve(self, key: MasterKey) -> dict[str, Any]:
        """The binds, with what is made of a key."""
        return {
            name: key.domain(value.domain).bound(value.part) if isinstance(value, KeyBind) else value
            for name, value in self.binds.items()
        }


@dataclass(frozen=True)
class Lookup:
    """A control table with the entries of one lookup, or whatever else an algorithm reads."""

    name: str
    create: str
    insert: str
    columns: tuple[tuple[str, str], ...]
    rows: Callable[[MasterKey], Iterable[tuple[Any, ...]]] = field(repr=False)


@dataclass(frozen=True)
class SharedMap:
    """The map of a domain whose masked values are handed out one by one. It outlives the table's masking: all
    tables of the run that share the domain extend it, one after the other."""

    name: str
    create: str
    lock: str
    extend: Statement


@dataclass(frozen=True)
class Map:
    """A control table with the distinct values of one column, or its rows, and their masked values."""

    name: str
    column: str
    create: str
    query: Statement
    """The values and their masked ones."""
    check: str
    patterns: str
    """The values without a masked one, as patterns: pattern, rows, values."""
    unique: bool
    """Whether no two values may share a masked one."""
    changes: bool
    """Whether no value may be masked as itself."""
    policy: Policy

    def fill(self, degree: int = 1) -> str:
        """SQL: computes the map by so many processes; it binds what `query` does."""
        return statements.fill_map(self.name, self.query.sql, degree)


@dataclass(frozen=True)
class Conformity:
    """The values of a column without a map that do not conform: pattern, rows, values."""

    column: str
    statement: Statement
    policy: Policy
    in_pass: bool = False
    """Whether no such value is allowed and the pass can tell: its masked value is NULL."""
    national: bool = False
    """Whether the column holds text in the national character set."""


@dataclass(frozen=True)
class Proof:
    """A key of which columns are masked: its groups of rows that are not unique after the pass."""

    constraint: str
    statement: str


@dataclass(frozen=True)
class MaskPlan:
    """All statements that mask one table, in the order of their running: lookups, maps, checks, the pass,
    proofs, drops."""

    owner: str
    name: str
    columns: tuple[str, ...]
    lookups: tuple[Lookup, ...]
    shared: tuple[SharedMap, ...]
    maps: tuple[Map, ...]
    conformity: tuple[Conformity, ...]
    lock: str
    apply: Statement
    proofs: tuple[Proof, ...]
    values: tuple[tuple[str, str], ...] = ()
    """The masked columns, quoted, and their expressions over the row T; what `apply` is made of."""
    joins: tuple[str, ...] = ()
    """The joins that these expressions need."""
    stem: str = ""
    """Part of the names of all control tables: of the run and the table."""

    @property
    def table(self) -> str:
        """The table as statements name it."""
        return TableName(self.owner, self.name).sql

    @property
    def control_tables(self) -> tuple[Lookup | Map, ...]:
        """The tables that exist while the masking runs."""
        return (*self.lookups, *self.maps)

    @property
    def copied_values(self) -> dict[str, str]:
        """`values` as they are written into a copy, which may be given up halfway: a value that does not
        conform is an error there, where the rule says so."""
        refused = {Identifier(each.column).sql: each.national for each in self.conformity if each.in_pass}
        return {
            name: statements.refusing(value, f"T.{name}", refused[name]) if name in refused else value
            for name, value in self.values
        }

    @property
    def rows_table(self) -> str:
        """The list of the table's rows and the chunks that they belong to."""
        return f"REFRESH$R_{self.stem}"

    @property
    def copy(self) -> TableName:
        return TableName(self.owner, f"REFRESH$W_{self.stem}")

    @property
    def former(self) -> TableName:
        """What the table is called when a copy has taken its name."""
        return TableName(self.owner, f"REFRESH$O_{self.stem}")

    @property
    def chunk_update(self) -> str:
        """The pass over one chunk of the list of rows."""
        names = [name for name, _ in self.values]
        return statements.chunk_update(self.table, self.values, self.joins, names, self.rows_table)

    def insert_chunk(self, columns: Iterable[str]) -> str:
        """The masked rows of one range of addresses, with these columns, into the copy."""
        listed = [Identifier(column).sql for column in columns]
        return statements.insert_chunk(self.table, self.copy.sql, self.copied_values, self.joins, listed)

    def repeated_after(self, key: Iterable[str]) -> str:
        """The number of values of a key that would come more than once after the pass."""
        values, names = dict(self.values), [Identifier(column).sql for column in key]
        masked = [values.get(name, f"T.{name}") for name in names]
        return statements.repeated_after(self.table, masked, self.joins)

    @property
    def drops(self) -> tuple[str, ...]:
        """The statements that remove the control tables."""
        return tuple(statements.drop(table.name) for table in self.control_tables)

    def explain(self) -> str:
        """Every statement, as text without keys."""
        parts = [table.create for table in (*self.shared, *self.control_tables)]
        parts += [self.lock, *(part for each in self.shared for part in (each.lock, each.extend.sql))]
        parts += [part for each in self.maps for part in (each.fill(), each.check)]
        parts += [each.statement.sql for each in self.conformity]
        parts += [self.apply.sql, *(proof.statement for proof in self.proofs), *self.drops]
        return ";\n\n".join(parts) + ";\n"
