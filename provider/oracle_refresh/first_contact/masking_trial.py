"""Every rule of a ruleset on values that were made up, against its Python reference.

Values are made by the reference itself: whatever it makes of a value that conforms, conforms as well. A rule
for which no first value is known is skipped by name; so are rules that look at whole columns, at LOBs or at
the masked values of other columns, which only a refresh shows.
"""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from time import monotonic
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import Catalogue, Column, Table
from oracle_refresh.errors import MaskingError, RefreshError
from oracle_refresh.first_contact.built import RUN
from oracle_refresh.first_contact.ladder import failure
from oracle_refresh.first_contact.model import Check, Outcome
from oracle_refresh.identifiers import Identifier, qualified
from oracle_refresh.ledger import Ledger
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.compiler import declared

if TYPE_CHECKING:
    import oracledb

VALUES = 1000
ID = "FIRST_CONTACT_ID"
#: Published test values, and texts without a meaning; each rule takes those that conform.
SEEDS = (
    "4111111111111111", "DE89370400440532013000", "+49 30 1234567", "123-45-6789", "86095742719",
    "12345678Z", "255081416802538", "111222333", "a.b@example.org", "Anna Adams", "Anna", "AB-1234",
    "AB-A1234", "AB123456", "AB1234567", "ORD-1234 of Anna Adams", "12345", "A1",
)  # fmt: skip
EPOCH = datetime(1980, 1, 1)


@dataclass(frozen=True)
class Trial:
    """One rule in a table of its own: an id, the column, and those that the rule reads."""

    rule: ColumnRule
    table: Table
    rows: tuple[tuple[Any, ...], ...]
    """Id, value, and the values of the columns that are read."""


def try_rules(
    target: oracledb.Connection, schema: str, catalogue: Catalogue, ruleset: Ruleset
) -> Iterator[Check]:
    """A check for each rule that differs from those before in more than its column's name."""
    import oracledb

    key = MasterKey(secrets.token_bytes(32))
    tried: list[object] = []
    for table in catalogue.tables:
        for rule in ruleset.rules(table.owner, table.name):
            column = table.column(rule.column)
            if column is None or (shape := (rule.settings, column.data_type)) in tried:
                continue
            tried.append(shape)
            name = f"masking: {rule.kind} of {table.key}.{rule.column}"
            trial = trial_of(schema, f"MASKED_{len(tried)}", table, rule, key)
            if isinstance(trial, str):
                remedy = "step 5 or the first refresh shows it"
                yield Check(name, "target", Outcome.SKIPPED, problem=trial, remedy=remedy)
                continue
            started = monotonic()
            try:
                wrong = _masked_otherwise(target, trial, key)
            except (RefreshError, oracledb.Error) as error:
                yield failure(name, error, monotonic() - started)
                continue
            name, outcome = f"{name}, {len(trial.rows)} values", Outcome.FAILED if wrong else Outcome.PASSED
            problem = f"{wrong} of {len(trial.rows)} values are masked otherwise than by the reference"
            yield Check(
                name,
                "target",
                outcome,
                monotonic() - started,
                problem if wrong else None,
                remedy="do not mask with this rule; attach the bundle to a bug report" if wrong else None,
            )


def trial_of(schema: str, name: str, table: Table, rule: ColumnRule, key: MasterKey) -> Trial | str:
    """The trial, or why there is none. Pure."""
    algorithm = rule.algorithm
    if algorithm.takes_masked or algorithm.mapped == "by_row" or rule.column in algorithm.reads:
        return "the rule looks at several columns at once, at masked ones or at a whole column"
    columns = [table.column(each) for each in (rule.column, *algorithm.reads)]
    known = [replace(column, nullable=True, virtual=False) for column in columns if column is not None]
    if any(values_of(column) is None for column in known):
        return "the rule's columns have types for which no values are made up"
    own = replace(rule, where=None, policy="fail")
    rows = rows_of(own, known, key)
    if not rows:
        return "no value is known that conforms to the rule, or its reference takes a whole column"
    number = Column(ID, "NUMBER", 22, 0, None, 9, 0, False)
    return Trial(own, Table(schema, name, len(rows), 1, 1, (number, *known)), tuple(rows))


def values_of(column: Column) -> Sequence[Any] | None:
    """First values of a column's type; None for types that have none here."""
    if column.data_type in ("VARCHAR2", "NVARCHAR2"):
        return [seed for seed in SEEDS if len(seed) <= (column.char_length or column.length)]
    if column.data_type == "NUMBER":
        digits = min((column.precision or 12) - (column.scale or 0), 12)
        return [Decimal(10 ** (digits - 1) + 7)] if digits > 0 else None
    if column.data_type == "DATE":
        return [EPOCH]
    return None


def rows_of(rule: ColumnRule, columns: Sequence[Column], key: MasterKey) -> list[tuple[Any, ...]]:
    """Up to `VALUES` rows whose values conform and differ, as long as the reference makes new ones."""
    first, *read = columns
    seen: dict[Any, None] = {}
    for seed in values_of(first) or ():
        value = seed
        while len(seen) < VALUES and value not in seen:
            others = [_read(column, len(seen)) for column in read]
            try:
                masked = reference(rule, first, key, value, others)
            except (MaskingError, NotImplementedError):
                break
            seen[value] = None
            if first.data_type == "DATE":
                value = EPOCH + timedelta(days=7 * len(seen), seconds=len(seen))
            elif masked is None or not isinstance(masked, type(value)):
                break
            else:
                value = masked
    return [(number, value, *(_read(column, number) for column in read)) for number, value in enumerate(seen)]


def reference(rule: ColumnRule, column: Column, key: MasterKey, value: Any, others: Sequence[Any]) -> Any:
    """What the Python reference makes of a value."""
    mask: Any = rule.algorithm.mask
    extra = {"column": column} if "column" in inspect.signature(mask).parameters else {}
    own: Any = key.domain(rule.domain) if rule.domain else None
    return mask(own, value, *(None if other is None else str(other) for other in others), **extra)


def _read(column: Column, number: int) -> Any:
    """What a column that is read holds in a row."""
    if column.data_type == "NUMBER":
        return Decimal(number % 1000)
    return f"K{number}"[: column.char_length or column.length] if column.data_type != "DATE" else EPOCH


def _masked_otherwise(target: oracledb.Connection, trial: Trial, key: MasterKey) -> int:
    """Mask the rows in the database; how many differ from the reference."""
    table, column = trial.table, trial.table.columns[1]
    listed = ", ".join(f"{Identifier(each.name).sql} {declared(each)}" for each in table.columns)
    places = ", ".join(f":{place}" for place in range(1, len(table.columns) + 1))
    with target.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {qualified(table.owner, table.name)} ({listed})")
        cursor.executemany(f"INSERT INTO {table.sql} VALUES ({places})", list(trial.rows))
    target.commit()
    ruleset = Ruleset(RUN, {(table.owner, table.name): (trial.rule,)}, RUN)
    mask_table(target, table, ruleset, key, RUN, Ledger(target))
    with target.cursor() as cursor:
        cursor.execute(f"SELECT {ID}, {Identifier(column.name).sql} FROM {table.sql}")
        found = dict(cursor.fetchall())
    expected = {
        number: reference(trial.rule, column, key, value, others) for number, value, *others in trial.rows
    }
    return sum(found.get(number) != value for number, value in expected.items())
