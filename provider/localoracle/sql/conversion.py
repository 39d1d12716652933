"""Bringing translated values to one type: strings where strings are wanted, one type for alternatives."""

from __future__ import annotations

from localoracle.sql.context import NULL, Sql


def as_string(value: Sql) -> str:
    """The text form of a translated value."""
    if value.family in ("S", "X") or value is NULL:
        return "NULL::text" if value is NULL else value.text
    return f"ora.str({value.text})"


def unify(values: list[Sql]) -> list[Sql]:
    """Bring the results of CASE, DECODE, NVL to one type, that of the first ("CASE Expressions")."""
    families = [value.family for value in values if value is not NULL]
    if not families or len(set(families)) == 1:
        return values
    if "" in families:
        # A column decides; constants take its type.
        return [Sql(value.untyped, value.family) if value.family == "S" else value for value in values]
    first = families[0]
    result = []
    for value in values:
        if value is NULL or value.family == first:
            result.append(value)
        elif first == "S":
            result.append(Sql(as_string(value), "S"))
        elif first == "N" and value.family == "S":
            result.append(Sql(f"ora.text_to_number({value.text})", "N"))
        else:
            result.append(value)
    return result


def common_family(values: list[Sql]) -> str:
    families = {value.family for value in values if value is not NULL}
    return families.pop() if len(families) == 1 else ""
