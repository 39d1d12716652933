"""PARTITION BY RANGE, LIST, HASH: partitions are PostgreSQL partitions named TABLE$P$PARTITION."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.expressions import expression, source_text
from localoracle.sql.ddl.lob_storage import lob_storage
from localoracle.sql.ddl.physical_attributes import physical_attribute
from localoracle.sql.parsing.lexer import Cursor, check_identifier, quote, quote_qualified, split_commas
from localoracle.sql.parsing.names import column_list
from localoracle.sql.query.sources import partition_name


@dataclass
class Partition:
    """One partition: for RANGE its upper bounds, for LIST its values; `source` is Oracle's text of them."""

    name: str
    values: list[str] = field(default_factory=list)
    source: str = ""
    catch_all: bool = False
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def list_bound(self) -> str:
        """PostgreSQL's bound of a partition by its values."""
        return "DEFAULT" if self.catch_all else f"FOR VALUES IN ({', '.join(self.values)})"


@dataclass(frozen=True)
class Interval:
    """INTERVAL (expr) STORE IN (tablespaces). Without `value` the table has no intervals."""

    source: str | None = None
    value: str | None = None
    tablespaces: tuple[str, ...] = ()

    def set(self, table: str) -> str:
        listed = ",".join(self.tablespaces) or None
        return calls.call("ora.set_interval", calls.relation(table), self.source, self.value, listed)


@dataclass
class Partitioning:
    """The PARTITION BY clause of a table."""

    method: str
    columns: tuple[str, ...]
    source: str
    partitions: list[Partition] = field(default_factory=list)
    interval: Interval | None = None

    @property
    def clause(self) -> str:
        return f"PARTITION BY {self.method} ({', '.join(quote(column) for column in self.columns)})"

    def statements(self, schema: str | None, table: str) -> list[str]:
        """The statements that make the partitions and record them in the dictionary."""
        parent = quote_qualified(schema, table)
        result = [calls.attribute(parent, None, "partition_by", self.source)]
        lower = ", ".join(["MINVALUE"] * len(self.columns))
        for number, partition in enumerate(self.partitions, 1):
            child = quote_qualified(schema, check_identifier(partition_name(table, partition.name)))
            if partition.catch_all or self.method == "LIST":
                bound = partition.list_bound
            elif self.method == "RANGE":
                upper = ", ".join(partition.values)
                bound, lower = f"FOR VALUES FROM ({lower}) TO ({upper})", upper
            else:
                bound = f"FOR VALUES WITH (MODULUS {len(self.partitions)}, REMAINDER {number - 1})"
            result.append(f"CREATE TABLE {child} PARTITION OF {parent} {bound}")
            described = (partition.name, number, partition.source or None)
            result.append(calls.call("ora.note_partition", calls.relation(parent), *described))
            result += calls.checked_attributes(child, partition.attributes)
        if self.interval is not None:
            result.append(self.interval.set(parent))
        return result


def partitioning(cursor: Cursor) -> Partitioning:
    """Read PARTITION BY ... with all partitions."""
    cursor.expect("PARTITION BY")
    start = cursor.index
    method = cursor.take("RANGE", "LIST", "HASH")
    if method is None and cursor.at("REFERENCE", "SYSTEM", "CONSISTENT", "RANGESET"):
        raise not_supported(f"PARTITION BY {cursor.word()}")
    if method is None:
        raise cursor.error(14151, "invalid table partitioning method")
    columns = column_list(cursor)
    result = Partitioning(method, columns, source_text(cursor.tokens[start : cursor.index], cursor.sql))
    if method == "RANGE" and cursor.take("INTERVAL"):
        result.interval = interval_clause(cursor)
    if cursor.at("AUTOMATIC", "SUBPARTITION"):
        raise not_supported(f"PARTITION BY ... {cursor.word()}")
    if method == "HASH" and cursor.take("PARTITIONS"):
        count = cursor.number()
        if not 1 <= count <= 1024:
            raise cursor.error(14008, "missing or invalid number of partitions")
        result.partitions = [Partition(f"SYS_P{number}") for number in range(1, count + 1)]
        return result
    listed = cursor.parenthesised()
    if not listed:
        raise cursor.error(14004, "missing PARTITION keyword")
    for part in split_commas(cursor.over(listed)):
        result.partitions.append(_partition(cursor.over(part), method, len(columns)))
    names = [partition.name for partition in result.partitions]
    if len(set(names)) != len(names):
        raise OracleError(14013, "duplicate partition name")
    for partition in result.partitions[:-1]:
        if partition.catch_all and method == "RANGE":
            raise OracleError(14037, f'partition bound of partition "{partition.name}" is too high')
        if partition.catch_all:
            raise OracleError(14318, "DEFAULT partition must be last partition specified")
    return result


def interval_clause(cursor: Cursor) -> Interval:
    """`cursor` stands behind INTERVAL."""
    tokens = cursor.parenthesised()
    if not tokens:
        return Interval()
    tablespaces = column_list(cursor) if cursor.take("STORE IN") else ()
    return Interval(source_text(tokens, cursor.sql), expression(tokens, cursor.sql), tablespaces)


def _partition(cursor: Cursor, method: str, width: int) -> Partition:
    cursor.expect("PARTITION", 14004, "missing PARTITION keyword")
    partition = Partition(cursor.name())
    read_values(cursor, partition, method, width)
    while not cursor.done:
        if cursor.take("LOB"):
            lob_storage(cursor)
        elif cursor.at("(", "SUBPARTITION", "SUBPARTITIONS"):
            raise not_supported("subpartitions")
        elif not physical_attribute(cursor, partition.attributes):
            raise cursor.error(922, "missing or invalid option")
    return partition


def _is_name(part: Sequence[Token]) -> bool:
    """Whether a bound is one word that is no literal."""
    is_word = part[0].token_type in (TokenType.VAR, TokenType.IDENTIFIER)
    return len(part) == 1 and is_word and part[0].text.upper() != "MAXVALUE"


def read_values(cursor: Cursor, partition: Partition, method: str, width: int) -> None:
    """VALUES LESS THAN (...) or VALUES (...)."""
    if method == "HASH":
        return
    cursor.expect("VALUES", 14007, "missing LESS keyword")
    if method == "LIST" and cursor.at("LESS"):
        raise cursor.error(14310, "VALUES LESS THAN or AT clause cannot be used with List partitioned tables")
    if method == "RANGE":
        cursor.expect("LESS THAN", 14007, "missing LESS keyword")
    tokens = cursor.parenthesised()
    partition.source = source_text(tokens, cursor.sql)
    parts = split_commas(cursor.over(tokens))
    words = [part[0].text.upper() if len(part) == 1 else "" for part in parts]
    if method == "RANGE" and len(parts) != width:
        missing = len(parts) < width
        raise OracleError(
            14018 if missing else 14017,
            f"partition bound list contains too {'few' if missing else 'many'} elements",
        )
    if method == "RANGE" and any(
        word == "NULL" or _is_name(part) for part, word in zip(parts, words, strict=True)
    ):
        raise OracleError(
            14019,
            "partition bound element must be one of: string, datetime or interval literal, number,"
            " or MAXVALUE",
        )
    if method == "LIST" and "DEFAULT" in words and len(words) > 1:
        raise OracleError(14319, "DEFAULT cannot be specified with other values")
    if (method == "RANGE" and set(words) == {"MAXVALUE"}) or (method == "LIST" and words == ["DEFAULT"]):
        partition.catch_all = True
        return
    for part, word in zip(parts, words, strict=True):
        partition.values.append(word if word in ("MAXVALUE", "NULL") else expression(part, cursor.sql))
