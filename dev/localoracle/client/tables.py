"""Names of tables in parameters: [owner.]name[:partition], with wildcards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from localoracle.client.errors import invalid
from localoracle.client.grammar import Value, identifier, split


@dataclass(frozen=True)
class Table:
    """A table, or one partition of it. `pattern`: the name holds wildcards of LIKE."""

    owner: str
    name: str
    partition: str | None = None
    pattern: bool = False


def named(values: list[Value], user: str, names: Callable[[str, str], Iterable[str]] | None) -> list[Table]:
    """The tables of TABLES; `names` looks patterns up, without it they stay.

    :raises ClientError: UDE-00014 for what is no name.
    """
    tables: list[Table] = []
    for value in values:
        parts = split(value.text)
        if len(parts) > 2:
            raise invalid("TABLES")
        owner, name = pair(parts[0], user)
        partition = identifier(parts[1]) if len(parts) == 2 else None
        if "%" not in name:
            tables.append(Table(owner, name, partition))
        elif names is None:
            tables.append(Table(owner, name, partition, pattern=True))
        else:
            # Data Pump itself says that a pattern finds nothing.
            tables += [Table(owner, each, partition) for each in names(owner, name)] or [Table(owner, name)]
    return tables


def pair(text: str, user: str) -> tuple[str, str]:
    """Owner and name of `[owner.]name`.

    :raises ClientError: UDE-00014 for more or less than that.
    """
    parts = [identifier(part) for part in split(text, ".")]
    if len(parts) > 2 or not all(parts):
        raise invalid("TABLES")
    return (parts[0], parts[1]) if len(parts) == 2 else (user, parts[0])
