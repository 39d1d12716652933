"""What an algorithm is to everything else: one frozen class per module, registered by its kind.

A new algorithm is a module in this package with a frozen dataclass that derives from `Algorithm` and is
decorated with `register`; the package imports it by itself. Its fields are the parameters of the rule in
the YAML file, validated by pydantic. Compiler, ruleset, proofs, trials and documentation know no algorithm by
name: all that belongs to one is declared in its module, and the import fails where something is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

from oracle_refresh.catalog import Column
from oracle_refresh.masking.algorithms.base import Pads, require_hashable, require_type, text_sql
from oracle_refresh.masking.keys import DomainKey, MasterKey
from oracle_refresh.oracle.errors import MaskingError

if TYPE_CHECKING:
    from oracle_refresh.masking.algorithms.permutation import Secrets
    from oracle_refresh.masking.algorithms.proofs import Proof, Scope
    from oracle_refresh.masking.algorithms.samples import Sample

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Build",
    "Column",
    "DomainKey",
    "Guarantees",
    "LookupTable",
    "MasterKey",
    "Source",
    "SqlContext",
    "Unique",
    "entries_table",
    "nonconforming",
    "register",
]

#: always: a bijection; practically: a hash whose collisions nobody will see; checked: proven in the map of
#: the column's values before anything is changed; no: values meet.
Unique = Literal["always", "practically", "checked", "no"]
#: When the distinct values of a column are masked once in a table that is joined to the rows.
Mapped = Literal["always", "when_repeated", "never", "by_row"]
Source = Literal["entries", "records", "documents"]
Build = Callable[[str, dict[str, Any]], "Algorithm"]


@dataclass(frozen=True)
class Guarantees:
    """What holds for every value that conforms. NULL stays NULL for all algorithms but those that say so."""

    unique: Unique = "no"
    reversible: Literal["no", "with the key", "with the kept map", "by one known date"] = "no"
    format_kept: bool = False
    changes: bool = True
    """Whether no value is masked as itself."""


@dataclass(frozen=True)
class LookupTable:
    """A control table that an algorithm reads. Tables with an equal `key` are one within a statement."""

    key: str
    columns: tuple[tuple[str, str], ...]
    """Name and type, as DDL writes them."""
    rows: Callable[[MasterKey], Iterable[tuple[Any, ...]]] = field(repr=False, compare=False)


class SqlContext(Protocol):
    """What an expression can ask the statement that it becomes a part of."""

    @property
    def domain(self) -> str:
        """The rule's domain."""

    def pads(self, part: str = "") -> Pads:
        """The key binds of the rule's domain, or of the domain `<domain>.<part>`."""

    def pads_of(self, domain: str) -> Pads:
        """The key binds of a domain that the rule names itself."""

    def permutation(self) -> Secrets:
        """The key binds of the permutation in the rule's domain."""

    def bind(self, value: str | int | float) -> str:
        """The placeholder of a value."""

    def lookup(self, table: LookupTable) -> str:
        """The quoted name of a control table."""

    def table(self, name: str, query: str) -> str:
        """Add a common table expression to the statement and return its name: `name`, or one made of it."""

    def join(self, table: str, condition: str) -> str:
        """Add LEFT JOIN `table` and return its alias; `condition` names it `{alias}`.

        At most one row of the table may meet the condition.
        """

    def part(self, domain: str) -> PartContext:
        """The context of a part of the value: its own domain and joins, all else the whole's."""

    def other(self, column: str) -> str:
        """Another column of the row, as canonical text."""

    def masked(self, column: str) -> str:
        """The masked value of another column of the row."""


class PartContext(SqlContext, Protocol):
    """That of a part of a value, which is a statement within the statement."""

    joins: list[str]


class Algorithm:
    """Base of all algorithms. Subclasses are frozen dataclasses; their fields are their parameters.

    Python reference and SQL must agree on every value: the tests hold one against the other.
    """

    kind: ClassVar[str]
    #: The column types that it may mask, without their lengths; `base.EVERY_TYPE`: all.
    types: ClassVar[tuple[str, ...]]
    #: What is kept of a value, in words, for the documentation.
    keeps: ClassVar[str]
    #: Whether it masks at all.
    masks: ClassVar[bool] = True
    #: Part of the ruleset's fingerprint: raise it when equal input would give other output.
    version: ClassVar[int] = 1
    #: Whether a rule has to name a domain.
    keyed: ClassVar[bool] = True
    mapped: ClassVar[Mapped] = "never"
    #: Whether the masked value of a row depends on other rows: then only `mask_column` tells it.
    whole_column: ClassVar[bool] = False
    #: Whether the column's width decides: then `mask` takes it as `column`.
    by_width: ClassVar[bool] = False
    #: Whether `expression` is NULL for a value that does not conform.
    tells_misfits: ClassVar[bool] = False
    #: Fields that the YAML file gives as the name of a lookup: name in YAML -> (field, what is read).
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {}
    #: Fields that name other columns of the row. They do not count when rules of one domain are compared.
    column_fields: ClassVar[tuple[str, ...]] = ()
    #: Further fields in which rules of one domain may differ.
    own_fields: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def prepare(cls, given: dict[str, Any], build: Build) -> dict[str, Any]:
        """The parameters as YAML gives them, made ready to be validated; `build` makes inner algorithms."""
        return given

    @property
    def guarantees(self) -> Guarantees:
        return Guarantees()

    @property
    def reads(self) -> tuple[str, ...]:
        """The other columns of the row that decide the masked value."""
        columns: list[str] = []
        for name in self.column_fields:
            value = getattr(self, name)
            columns += [value] if isinstance(value, str) else list(value or ())
        return tuple(columns)

    @property
    def takes_masked(self) -> bool:
        """Whether the masked values of `reads` decide, so that these columns need rules themselves."""
        return False

    @property
    def distinct_within(self) -> tuple[str, ...] | None:
        """The columns of which equal values keep different values different; None if values meet anyway."""
        return None if self.guarantees.unique == "no" else ()

    @property
    def empties(self) -> bool:
        """Whether every value becomes NULL."""
        return False

    def check(self, column: Column) -> None:
        """Raise MaskingError unless the algorithm masks every value that the column can hold."""
        require_type(column, self.types, self.kind)

    def check_reads(self, columns: Mapping[str, Column]) -> None:
        """Raise MaskingError unless the columns that are read can be, and their texts hashed."""
        for name in self.reads:
            text_sql(columns[name], name)
            if not self.takes_masked:
                require_hashable(columns[name], self.kind)

    def mask(self, key: DomainKey, value: Any, *others: Any) -> Any:
        """The reference. `others` are the values of `reads`; raises MaskingError for a misfit."""
        raise NotImplementedError

    def proof(self, column: Column, scope: Scope) -> Proof:
        """What is promised of the masked values of a column, written without what masks them."""
        raise NotImplementedError

    @classmethod
    def samples(cls) -> tuple[Sample, ...]:
        """The settings and columns that it is tried with, whether or not a ruleset uses it."""
        raise NotImplementedError

    def originals(self, column: Column) -> Iterator[Any]:
        """Made-up values of its own form, for a column of texts or documents; none where any will do."""
        return iter(())

    def outputs(self) -> tuple[Any, ...]:
        """All values that it may give; none where they are not listed."""
        return ()

    def conforms(self, context: SqlContext, column: Column, reference: str) -> tuple[str, str] | None:
        """For algorithms without a map: SQL that is true for a value that conforms, and SQL for the pattern
        that stands for one that does not; None where every value conforms."""
        return None

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        """SQL: the masked value of a column reference that is not NULL."""
        raise NotImplementedError

    def shared_map(self, context: SqlContext, values: str, name: str) -> str | None:
        """For algorithms whose masked values are handed out one by one: SQL that adds the values that are not
        yet in the map of the whole domain, a table with ORIGINAL and MASKED."""
        return None

    def mask_column(
        self, key: DomainKey, rows: Sequence[tuple[Any, ...]], column: Column | None = None
    ) -> list[Any]:
        """The reference for a whole column: the masked values, row by row; a row is the value and the values
        of `reads`.

        :param column: for algorithms that look at its width or scale.
        """
        width: dict[str, Any] = {"column": column} if self.by_width else {}
        return [self.mask(key, *row, **width) for row in rows]

    def query(self, context: SqlContext, column: Column, values: str) -> str:
        """SQL: a query with the columns V and MASKED over `values`, a query with distinct values as V.

        MASKED is NULL for a value that does not conform. An algorithm that is mapped `by_row` gets each row's
        ROWID as RID, its value as V and the columns that it reads as O1, O2, ..., and returns the ROWID as V.
        The query has no WITH clause: its common tables are those of `context.table`.
        """
        raise NotImplementedError


A = TypeVar("A", bound=type[Algorithm])
ALGORITHMS: dict[str, type[Algorithm]] = {}


def register(algorithm: A) -> A:
    """Class decorator: make the algorithm known by its kind.

    :raises TypeError: naming what its module does not declare.
    """
    missing = _undeclared(algorithm)
    if missing:
        raise TypeError(f"the algorithm {algorithm.__name__} does not declare {', '.join(missing)}")
    if algorithm.kind in ALGORITHMS:
        raise ValueError(f"there are two algorithms of kind {algorithm.kind}")
    ALGORITHMS[algorithm.kind] = algorithm
    return algorithm


def _undeclared(algorithm: type[Algorithm]) -> list[str]:
    """What the class and its bases below `Algorithm` leave out."""

    def declared(name: str) -> bool:
        return any(
            name in vars(each)
            for each in algorithm.__mro__
            if issubclass(each, Algorithm) and each is not Algorithm
        )

    missing = [name for name in ("kind", "types", "keeps", "proof", "samples") if not declared(name)]
    if not (declared("mask") or declared("mask_column")):
        missing.append("mask")
    sql = "query" if algorithm.mapped in ("always", "by_row") else "expression"
    if not (declared(sql) or declared("shared_map")):
        missing.append(sql)
    if not is_dataclass(algorithm):
        missing.append("its parameters, as a dataclass")
    if not sys.modules[algorithm.__module__].__doc__:
        missing.append("what it does, as its module's docstring")
    return missing


def nonconforming(kind: str) -> MaskingError:
    """The error of a reference; it never holds the value."""
    return MaskingError(f"a value does not conform to {kind}", step="masking")


def entries_table(
    key: str, columns: Sequence[tuple[str, str]], rows: Sequence[tuple[Any, ...]]
) -> LookupTable:
    """A control table whose rows do not depend on the key."""
    return LookupTable(key, tuple(columns), lambda _: rows)
