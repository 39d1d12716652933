"""Every algorithm, and every rule of a ruleset, on made-up values, against the Python references."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import Catalogue
from oracle_refresh.first_contact.built import RUN
from oracle_refresh.first_contact.ladder import failure
from oracle_refresh.first_contact.model import REPORT, Check, failed, passed, skipped
from oracle_refresh.first_contact.samples import SAMPLES, Sample
from oracle_refresh.first_contact.trials import ID, Trial, of_table, stored, trial_of
from oracle_refresh.masking import MasterKey, Ruleset, mask_table
from oracle_refresh.masking.control import drop_shared
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.run.ledger import Ledger

if TYPE_CHECKING:
    import oracledb

#: For the rules of a ruleset together: a large one shows the rest in a refresh.
LONGEST_SECONDS = 300.0
LATER = "step 5 or the first refresh shows it"


def try_algorithms(target: oracledb.Connection, schema: str) -> Iterator[Check]:
    """A check for each sample, whatever the ruleset uses."""
    key = MasterKey(secrets.token_bytes(32))
    for number, sample in enumerate(SAMPLES, 1):
        yield _tried(target, schema, f"SAMPLE_{number}", sample, key, f"algorithm: {sample.name}")


def try_rules(
    target: oracledb.Connection,
    schema: str,
    catalogue: Catalogue,
    ruleset: Ruleset,
    clock: Callable[[], float] = monotonic,
) -> Iterator[Check]:
    """A check for the rules of each table that look at each other's columns, if they differ from those before
    in more than the names of their columns."""
    key = MasterKey(secrets.token_bytes(32))
    began = clock()
    for number, sample in enumerate(_different(catalogue, ruleset), 1):
        name = f"masking: {sample.name}"
        if clock() - began > LONGEST_SECONDS:
            problem = f"the trials of the rules before it have taken {LONGEST_SECONDS:.0f} s"
            yield skipped(name, "target", problem, LATER)
        else:
            yield _tried(target, schema, f"MASKED_{number}", sample, key, name)


def _different(catalogue: Catalogue, ruleset: Ruleset) -> Iterator[Sample]:
    tried: list[object] = []
    for table in catalogue.tables:
        for sample in of_table(table, ruleset.rules(table.owner, table.name)):
            shape = (
                [rule.settings for rule in sample.rules],
                [column.data_type for column in sample.columns],
            )
            if shape not in tried:
                tried.append(shape)
                yield sample


def _tried(
    target: oracledb.Connection, schema: str, table: str, sample: Sample, key: MasterKey, name: str
) -> Check:
    import oracledb

    trial = trial_of(schema, table, sample, key)
    if isinstance(trial, str):
        return skipped(name, "target", trial, LATER)
    started = monotonic()
    try:
        wrong = _masked_otherwise(target, trial, key)
    except (RefreshError, oracledb.Error) as error:
        return failure(name, error, monotonic() - started)
    finally:
        target.rollback()
        drop_shared(target, RUN)  # the next trial of the domain begins without its values
    name, seconds = f"{name}, {len(trial.rows)} values", monotonic() - started
    if not wrong:
        return passed(name, "target", seconds)
    problem = f"{wrong} of {len(trial.rows)} rows are masked otherwise than by the reference"
    return failed(name, "target", problem, f"do not mask with this rule; {REPORT}", seconds)


def _masked_otherwise(target: oracledb.Connection, trial: Trial, key: MasterKey) -> int:
    """Mask the rows in the database; how many differ from the references."""
    table = trial.table
    with target.cursor() as cursor:
        _make(cursor, trial)
    target.commit()
    ruleset = Ruleset(RUN, {table.full_name: trial.rules}, RUN)
    mask_table(table, ruleset, key, Ledger(target, RUN))
    expected = trial.expected(key)
    columns = [column for column in table.columns if column.name in expected]
    listed = ", ".join(Identifier(column.name).sql for column in (ID, *columns))
    with target.cursor() as cursor:
        cursor.execute(f"SELECT {listed} FROM {table.sql}", fetch_lobs=False, fetch_decimals=True)
        found = {int(number): tuple(map(stored, columns, values)) for number, *values in cursor}
    wanted = zip(*(expected[column.name] for column in columns), strict=True)
    return sum(found.get(number) != row for number, row in enumerate(wanted))


def _make(cursor: oracledb.Cursor, trial: Trial) -> None:
    """The trial's table with its rows."""
    import oracledb

    cursor.execute(trial.create)
    lobs: dict[str, Any] = {
        "BLOB": oracledb.DB_TYPE_BLOB,
        "CLOB": oracledb.DB_TYPE_CLOB,
        "NCLOB": oracledb.DB_TYPE_NCLOB,
    }
    types: Iterable[Any] = [lobs.get(column.data_type) for column in trial.table.columns]
    places = ", ".join(f":{place}" for place in range(1, len(trial.table.columns) + 1))
    if any(types):
        cursor.setinputsizes(*types)
    cursor.executemany(f"INSERT INTO {trial.table.sql} VALUES ({places})", list(trial.rows))
