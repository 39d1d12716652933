"""Which column a value did not fit into: Oracle names it, PostgreSQL does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError
from localoracle.instance.character_set import encoded

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

TOO_LARGE = 12899
_NAME = r'"(?:[^"]|"")+"'
_TARGET = re.compile(
    rf"(?:INSERT INTO|UPDATE|MERGE INTO)\s+(?:ONLY\s+)?(?P<table>{_NAME}(?:\.{_NAME})?)(?:\s+AS\s+{_NAME})?"
    rf"\s*(?P<columns>\((?:\s*{_NAME}\s*,?)+\))?"
)
_MAXIMUM = re.compile(r"\((?:actual: (\d+), )?maximum: (\d+)\)")
_VALUES = re.compile(r"\bVALUES\s*\((.*)\)", re.DOTALL)
_ASSIGNED = re.compile(rf"({_NAME})\s*=\s*(?:CAST\()?\$(\d+)")
_SIMPLE = re.compile(r"(?:CAST\()?\$(\d+)(?:::[\w.\"]+(?:\(\d+\))?| AS [\w. \"]+\))?")


async def name_column(
    session: Session, statement: Statement, row: Sequence[Any], error: OracleError
) -> OracleError:
    """ORA-12899 with the column's name if the statement and its binds identify it, otherwise unchanged.

    `row`: the bind values of the failing execution.
    """
    maximum = _MAXIMUM.search(error.text)
    target = _TARGET.match(statement.sql[0])
    if error.code != TOO_LARGE or maximum is None or target is None:
        return error
    limit = int(maximum[2])
    fitting = await session.pg_system(
        "SELECT n.nspname::text, c.relname::text, a.attname::text "
        "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE a.attrelid = to_regclass(%s) AND a.attnum > 0 "
        "AND NOT a.attisdropped AND ora.declared_length(a.atttypid, a.atttypmod) = %s",
        [target["table"], limit],
    )
    bound = _bound(statement, row, target["columns"])
    length = int(maximum[1]) if maximum[1] else None
    wide = [names for names in fitting if _is_too_wide(bound.get(names[2], ""), limit, length)]
    candidates = wide if len(wide) == 1 else fitting
    if len(candidates) != 1:
        return error
    schema, table, column = candidates[0]
    actual = maximum[1] or len(bound.get(column, ""))
    shown = f"actual: {actual}, maximum: {limit}" if actual else f"maximum: {limit}"
    return OracleError(TOO_LARGE, f'value too large for column "{schema}"."{table}"."{column}" ({shown})')


def _is_too_wide(value: str | bytes, limit: int, reported: int | None) -> bool:
    """Of a column that counts characters or bytes. `reported`: the value's length if the error has it."""
    lengths = {len(value), len(encoded(value)) if isinstance(value, str) else 0}
    return reported in lengths if reported is not None else max(lengths) > limit


def _bound(statement: Statement, row: Sequence[Any], columns: str | None) -> dict[str, str | bytes]:
    """The bound string by the column that it goes to, for plain assignments."""

    def bound(parameter: str) -> str | bytes:
        value = row[statement.parameters[int(parameter) - 1]]
        return value if isinstance(value, (str, bytes)) else ""

    sql = statement.sql[0]
    if not sql.startswith("INSERT"):
        return {_unquoted(name): bound(number) for name, number in _ASSIGNED.findall(sql)}
    values = _VALUES.search(sql)
    if values is None or columns is None:
        return {}
    names = re.findall(_NAME, columns)
    result = {}
    for name, expression in zip(names, _split(values[1]), strict=False):
        match = _SIMPLE.fullmatch(expression.strip())
        if match:
            result[_unquoted(name)] = bound(match[1])
    return result


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"')


def _split(text: str) -> list[str]:
    """The expressions of a list, cut at commas outside parentheses and strings."""
    parts = [""]
    depth = 0
    for token in re.findall(rf"'(?:[^']|'')*'|{_NAME}|.", text, re.DOTALL):
        if token == "," and not depth:
            parts.append("")
            continue
        depth += {"(": 1, ")": -1}.get(token, 0)
        parts[-1] += token
    return parts
