"""The statements that sum up a table on either side, each one pass. Pure.

A row is hashed over one canonical text of its columns, in formats that no session setting changes; the
checksum of a table is the sum of the rows' hashes, so the order of the rows does not matter. SHA-256 comes
as two slices of 60 bits: their sums over 10^20 rows stay exact in NUMBER. A LOB's hash is bound to its row's
primary key, so that LOBs swapped between rows do not go unnoticed. BINARY_FLOAT and BINARY_DOUBLE are
compared by their bytes: with a format model TO_CHAR returns pound signs for NaN and both infinities.

Sources: SQL Language Reference 19c, STANDARD_HASH, TO_CHAR, Number Format Models, Floating-Point Numbers (-0
and every NaN are coerced to one value each), flashback_query_clause; PL/SQL Packages 19c, DBMS_CRYPTO
(HASH_SH256 is 4), DBMS_LOB.GETLENGTH: bytes of a BLOB, characters of a CLOB; UTL_RAW (big_endian is 1).
NO_MERGE keeps the inner expressions from being computed once per use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from weakref import WeakSet

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute
from oracle_refresh.target.objects.statements import WAIT_FOR_LOCKS

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Column, Table

#: Formats depend on nothing else: numbers are written with a point.
SESSION = "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'"

#: Bytes of concatenated text that stay below the 4000 of VARCHAR2 in SQL.
GROUP_BYTES = 3800
#: Hashes, of 64 digits each, that are concatenated to one text at most.
_HASHES = GROUP_BYTES // 64
_SLICE = 15
_DATE = "SYYYY-MM-DD HH24:MI:SS"
_WIDTHS = {"NUMBER": 70, "FLOAT": 70, "DATE": 24, "BINARY_FLOAT": 8, "BINARY_DOUBLE": 16, "ROWID": 24}


_prepared: WeakSet[oracledb.Connection] = WeakSet()


def prepare(connection: oracledb.Connection) -> None:
    """Let a session write canonical texts. It is told once: a unit may have a thousand small tables."""
    if connection not in _prepared:
        execute(connection, SESSION)
        _prepared.add(connection)


def wait_for_locks(connection: oracledb.Connection) -> None:
    """The session of a killed task may be at its last statement still, and hold a table that is dropped."""
    execute(connection, WAIT_FOR_LOCKS)


def comparable(table: Table) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """The columns that enter the row's checksum, and the names of those that no canonical text exists for.

    LOBs are in neither: they have checksums of their own. Virtual columns follow from others.
    """
    plain = [column for column in table.columns if not column.is_lob and not column.virtual]
    good = tuple(column for column in plain if canonical(column) is not None)
    return good, tuple(column.name for column in plain if canonical(column) is None)


def canonical(column: Column) -> str | None:
    """The column's value as text that depends on the value alone; None for types without one (LONG,
    objects)."""
    name = f"T.{Identifier(column.name).sql}"
    kind = column.data_type
    if kind in ("VARCHAR2", "CHAR"):
        return name
    if kind in ("NVARCHAR2", "NCHAR", "ROWID", "UROWID") or kind.startswith("INTERVAL"):
        return f"TO_CHAR({name})"
    if kind in ("NUMBER", "FLOAT"):
        return f"TO_CHAR({name}, 'TM9')"
    if kind in ("BINARY_FLOAT", "BINARY_DOUBLE"):
        return f"RAWTOHEX(UTL_RAW.CAST_FROM_{kind}({name}, 1))"
    if kind == "DATE":
        return f"TO_CHAR({name}, '{_DATE}')"
    if kind == "RAW":
        return f"RAWTOHEX({name})"
    if kind.startswith("TIMESTAMP"):
        if "LOCAL" in kind:
            return f"TO_CHAR(SYS_EXTRACT_UTC({name}), '{_DATE}.FF9')"
        zone = " TZH:TZM" if "TIME ZONE" in kind else ""
        return f"TO_CHAR({name}, '{_DATE}.FF9{zone}')"
    return None


def row_hash(columns: tuple[Column, ...], *, salted: bool = False) -> str:
    """SQL: the SHA-256 of a row over the given columns, a RAW; one constant where there are none.

    :param salted: under the key :salt, of 32 digits.
    """
    salt = [":salt"] if salted else []
    hashes: list[str] = []
    group: list[str] = []
    used = 0
    for column in columns:
        text, wide = canonical(column), width(column)
        if wide > GROUP_BYTES:  # too long to take a flag and a separator: hashed by itself
            # A national text of so many characters is hashed as it is: as VARCHAR2 it may not fit.
            own = _name(column) if column.is_national else str(text)
            hashes.append(f"NVL2({_name(column)}, RAWTOHEX({_hashed([own])}), '0')")
            continue
        if used + wide > GROUP_BYTES:
            hashes.append(f"RAWTOHEX({_hashed(group)})")
            group, used = [], 0
        group.append(f"NVL2({_name(column)}, '1' || {text}, '0') || CHR(31)")
        used += wide
    if not hashes:
        return _hashed([*salt, *(group or ["'0'"])])
    if group:
        hashes.append(f"RAWTOHEX({_hashed(group)})")
    while len(hashes) > _HASHES:  # too long for one text (ORA-01489): hashes of hashes
        starts = range(0, len(hashes), _HASHES)
        hashes = [f"RAWTOHEX({_hashed(hashes[start : start + _HASHES])})" for start in starts]
    return _hashed([*salt, *hashes])


def key_text(table: Table, masked: frozenset[str] = frozenset()) -> str | None:
    """SQL: what tells a row from all others on both sides: its primary or a unique key without masked
    columns.

    None where the table has no such key.
    """
    columns = [column_of(table, name) for name in key_columns(table, masked)]
    return " || CHR(31) || ".join(canonical(column) or "" for column in columns) or None


def key_columns(table: Table, masked: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The columns of that key; none where there is no such key."""
    keys = sorted(
        (c for c in table.constraints if c.type in ("P", "U")), key=lambda c: (c.type != "P", c.name)
    )
    for constraint in keys:
        columns = [table.column(name) for name in constraint.columns]
        known = [column for column in columns if column is not None and canonical(column) is not None]
        nullable = any(column.nullable and constraint.type == "U" for column in known)
        if len(known) < len(constraint.columns) or masked & set(constraint.columns) or nullable:
            continue
        if sum(map(width, known)) <= GROUP_BYTES:
            return constraint.columns
    return ()


def summary(
    table: Table,
    *,
    at_scn: bool,
    condition: str | None = None,
    partition: str | None = None,
) -> str:
    """One pass over a table, or over some of its rows.

    Result columns: rows, two sums over the rows' hashes; per LOB column: values, length, two sums.

    :param at_scn: read AS OF SCN :scn.
    :param condition: of the rows that are read; `partition`: the only one that is.
    """
    columns, _ = comparable(table)
    key = key_text(table)
    inner, outer = [f"{row_hash(columns)} AS R"], ["COUNT(*)", *sums("R")]
    for number, name in enumerate(lob_columns(table), 1):
        inner += lob_parts(table, name, number)
        some = f"{_name(column_of(table, name))} IS NOT NULL"
        content = lob_content(table, name)
        hashed = content if key is None else _hashed([key, "CHR(31)", f"RAWTOHEX({content})"])
        inner.append(f"CASE WHEN {some} THEN {hashed} END AS H{number}")
        outer += lob_sums(number, f"H{number}")
    listed = ",\n  ".join(inner)
    rows = origin(table, at_scn=at_scn, condition=condition, partition=partition)
    return f"SELECT {', '.join(outer)}\nFROM (SELECT /*+ NO_MERGE */\n  {listed}\nFROM {rows})"


def lob_columns(table: Table, masked: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The LOB columns whose content is compared."""
    return tuple(column.name for column in table.columns if column.is_lob and column.name not in masked)


def totals(table: Table, column: str, group: str | None, masked: frozenset[str], *, at_scn: bool) -> str:
    """The groups of more than one value of a numeric column, and two sums over the hashes of their totals.

    :param group: the column that makes the groups; its values count only where they are not masked.
    """
    value = _name(column_of(table, column))
    scn = " AS OF SCN :scn" if at_scn else ""
    label, grouped = "'.'", ""
    if group is not None:
        by = column_of(table, group)
        grouped = f"GROUP BY {_name(by)} "
        if group not in masked:
            label = canonical(by) or label
            if width(by) > GROUP_BYTES:  # too long to take a separator and a total
                label = f"RAWTOHEX({_hashed([label])})"
    rows = (
        f"SELECT {label} || CHR(31) || TO_CHAR(SUM({value}), 'TM9') AS G FROM {table.sql}{scn} T "
        f"{grouped}HAVING COUNT({value}) > 1"
    )
    hashed = f"SELECT {_hashed(['G'])} AS H FROM ({rows})"
    return f"SELECT COUNT(*), {', '.join(sums('H'))} FROM ({hashed})"


def years(table: Table, columns: Mapping[str, tuple[int, int]]) -> str:
    """The years of the first and the last date of columns AS OF SCN :scn, moved by the least and the most
    days of each; dates at the ends of the calendar do not leave it."""
    ends = []
    for name, (least, most) in columns.items():
        value, widest = f"CAST({_name(column_of(table, name))} AS DATE)", max(abs(least), abs(most))
        early, late = f"DATE '0001-01-01' + {widest}", f"DATE '9999-12-31' - {widest}"
        ends.append(f"MIN(CASE WHEN {value} > {early} THEN {value} + ({least}) ELSE {value} END)")
        ends.append(f"MAX(CASE WHEN {value} < {late} THEN {value} + ({most}) ELSE {value} END)")
    listed = ", ".join(f"TO_NUMBER(TO_CHAR({end}, 'YYYY'))" for end in ends)
    return f"SELECT {listed} FROM {table.sql} AS OF SCN :scn T"


def lob_parts(table: Table, name: str, number: int) -> list[str]:
    """SQL: whether a LOB is there (P), and its length (N)."""
    reference = _name(column_of(table, name))
    return [
        f"CASE WHEN {reference} IS NOT NULL THEN 1 END AS P{number}",
        f"DBMS_LOB.GETLENGTH({reference}) AS N{number}",
    ]


def lob_content(table: Table, name: str) -> str:
    """SQL: the hash of a LOB's content; NULL of an empty one, which DBMS_CRYPTO refuses."""
    column = column_of(table, name)
    reference = _name(column)
    value = f"TO_CLOB({reference})" if column.data_type == "NCLOB" else reference
    return f"CASE WHEN DBMS_LOB.GETLENGTH({reference}) > 0 THEN DBMS_CRYPTO.HASH({value}, 4) END"


def lob_sums(number: int, hashed: str) -> list[str]:
    """SQL over `lob_parts`: values, length, two sums over hashes."""
    return [f"COUNT(P{number})", f"NVL(SUM(N{number}), 0)", *sums(hashed)]


def origin(table: Table, *, at_scn: bool, condition: str | None = None, partition: str | None = None) -> str:
    """SQL that follows FROM: the rows of a table as T."""
    part = f" PARTITION ({Identifier(partition).sql})" if partition else ""
    scn = " AS OF SCN :scn" if at_scn else ""
    where = f"\nWHERE {condition}" if condition else ""
    return f"{table.sql}{part}{scn} T{where}"


def count(table: Table) -> str:
    """The rows of a table AS OF SCN :scn."""
    return f"SELECT COUNT(*) FROM {origin(table, at_scn=True)}"


def sums(hashed: str) -> list[str]:
    """SQL: the sums over two slices of hashes, which are RAW."""
    pattern = "X" * _SLICE
    return [
        f"NVL(SUM(TO_NUMBER(SUBSTR(RAWTOHEX({hashed}), {start}, {_SLICE}), '{pattern}')), 0)"
        for start in (1, 1 + _SLICE)
    ]


def _hashed(parts: list[str]) -> str:
    return f"STANDARD_HASH({' || '.join(parts)}, 'SHA256')"


def _name(column: Column) -> str:
    return f"T.{Identifier(column.name).sql}"


def width(column: Column) -> int:
    """The most bytes a column's canonical text, its flag and its separator can have."""
    kind = column.data_type.partition("(")[0]
    if column.is_character:
        return column.text_bytes + 2
    if kind == "RAW":
        return 2 * column.length + 2
    return _WIDTHS.get(kind, 64) + 2


def column_of(table: Table, name: str) -> Column:
    """The column; ValidationError when there is none."""
    column = table.column(name)
    if column is None:
        raise ValidationError(f"there is no column {name}", object_name=table.key, step="validation")
    return column
