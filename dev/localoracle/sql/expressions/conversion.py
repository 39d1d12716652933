"""Bringing translated values to one type: strings where strings are wanted, one type for alternatives."""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.sql.context import NULL, Sql

_GROUPS = {"S": "CHAR", "N": "NUMBER", "F": "NUMBER", "D": "DATE", "T": "DATE", "Z": "DATE", "R": "BINARY"}
"""Families whose values are no alternatives of each other unless they are of one group."""
FROM_STRING = {"N": "ora.text_to_number", "D": "ora.to_date", "T": "ora.to_timestamp", "R": "ora.hextoraw"}


COMPUTED_INTERVAL = (9, 9)
"""The digits of the leading field and of the seconds' fraction of an interval that is computed."""


def as_string(value: Sql) -> str:
    """The text form of a translated value."""
    if value.family in ("S", "X") or value is NULL:
        return "NULL::text" if value is NULL else value.text
    if value.family == "I":
        leading, fraction = value.precision or COMPUTED_INTERVAL
        return f"ora.interval_text({value.text}, {leading}, {fraction})"
    if value.computed and value.family in ("", "N"):
        return f"ora.computed_str({value.text})"
    return f"ora.str({value.text})"


def as_literal(value: Sql) -> str:
    """A value beside one whose type only the database knows: a text literal takes it as Oracle does."""
    if value.bare is None or not value.bare.startswith("'"):
        return value.untyped
    return f"{value.bare}::ora.literal"


def as_number(value: Sql) -> str:
    """Strings in arithmetic are numbers."""
    return f"ora.text_to_number({value.text})" if value.family == "S" else value.text


def is_text_literal(value: Sql) -> bool:
    """Whether it is a text literal, which is a CHAR value."""
    return value.family == "S" and (value.bare or "").startswith("'")


def alternatives(values: list[Sql]) -> list[Sql]:
    """The results of CASE and COALESCE, which are of one group of types ("CASE Expressions"): ORA-00932."""
    groups = {_GROUPS[value.family]: None for value in values if value.family in _GROUPS}
    if len(groups) > 1:
        raise OracleError(932, f"inconsistent datatypes: expected {' got '.join(list(groups)[:2])}")
    return values


def like_first(values: list[Sql]) -> list[Sql]:
    """The results of NVL, NVL2, DECODE, GREATEST and LEAST: the later ones become what the first one is."""
    first = values[0]
    if first is NULL:
        return values
    return [first, *(_converted(value, first) for value in values[1:])]


def _converted(value: Sql, first: Sql) -> Sql:
    if value is NULL or (first.family and value.family == first.family):
        return value
    if first.family == "S":
        return Sql(as_string(value), "S")
    if value.family == "S" and first.family in FROM_STRING:
        return Sql(f"{FROM_STRING[first.family]}({value.text})", first.family)
    if (first.family == "" and value.family in "SND") or (first.family in ("N", "D") and value.family == ""):
        return Sql(f"ora.like_first({first.text}, {value.text})", first.family)
    return value


def common_family(values: list[Sql]) -> str:
    families = {value.family for value in values if value is not NULL}
    return families.pop() if len(families) == 1 else ""
