"""The profile of a database's schemas: every column judged, columns that belong together alike."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.masking.exemptions import column_key
from oracle_refresh.oracle.session import rows
from oracle_refresh.oracle.spread import Connect, spread
from oracle_refresh.profiler import statements
from oracle_refresh.profiler.judge import in_table, judge, judge_table
from oracle_refresh.profiler.model import Classification, ColumnFacts
from oracle_refresh.profiler.relations import Key, Prints, holding_alike, judged_alike, named_alike
from oracle_refresh.profiler.sampling import Bounds, TableSample, sample_table

if TYPE_CHECKING:
    import oracledb

Report = Callable[[int, int, str], None]
"""Told after each table: tables done, tables in all, the table's key."""


@dataclass(frozen=True)
class Profile:
    """What the profiler found. `unread` maps tables and columns that could not be sampled to the reason."""

    classifications: tuple[Classification, ...]
    tables: int
    columns: int
    sampled_rows: int
    unread: dict[str, str]
    seconds: float
    values: Mapping[Key, Collection[Any]] = field(default_factory=dict, repr=False, compare=False)
    """The different sampled values of the columns with a classification, where they were kept."""


def profile(
    connection: oracledb.Connection,
    catalogue: Catalogue,
    bounds: Bounds,
    today: date,
    report: Report | None = None,
    sessions: int = 1,
    connect: Connect | None = None,
    *,
    keep_values: bool = False,
) -> Profile:
    """Judge every stored column of the catalogue's tables. Reads only: one query per table, one for comments.

    Needs SELECT_CATALOG_ROLE and, unless `bounds.rows` is 0, SELECT on the tables.

    :param today: ages are counted from here.
    :param sessions: tables that are sampled at a time, each in a session that `connect` opens.
    :param keep_values: whether the sampled values of classified columns are part of what is returned, so that
        rules can be tried on them.
    :raises MaskingError: for what may pass, such as a lost connection.
    """
    start = time.monotonic()
    comments = read_comments(connection, catalogue.schemas)
    samples, told = dict[str, TableSample](), threading.Lock()

    def read(session: oracledb.Connection, table: Table) -> None:
        sample = sample_table(session, table, bounds, today)
        judged = judge_table(column_facts(table, comments, sample)) if keep_values else []
        kept = {one.column: sample.values[one.column] for one in judged if one.column in sample.values}
        with told:
            samples[table.key] = replace(sample, values=kept)
            if report is not None:
                report(len(samples), len(catalogue.tables), table.key)

    spread(connection, catalogue.tables if bounds.rows else (), read, sessions, connect)
    facts, prints = dict[Key, ColumnFacts](), dict[Key, Prints]()
    values = dict[Key, Collection[Any]]()
    for table in catalogue.tables:
        if table.temporary:  # its rows belong to sessions and are in no copy
            continue
        sample = samples.get(table.key, TableSample())
        facts |= {
            (table.owner, table.name, one.column): one
            for one in in_table(column_facts(table, comments, sample))
        }
        prints |= {(table.owner, table.name, column): of for column, of in sample.prints.items()}
        values |= {(table.owner, table.name, column): of for column, of in sample.values.items()}
    classifications = [found for one in facts.values() if (found := judge(one))]
    classifications = holding_alike(named_alike(classifications, facts), prints)
    return Profile(
        classifications=tuple(judged_alike(classifications, catalogue)),
        tables=len(catalogue.tables),
        columns=sum(not column.virtual for table in catalogue.tables for column in table.columns),
        sampled_rows=sum(sample.rows for sample in samples.values()),
        unread=_unread(catalogue, samples),
        seconds=round(time.monotonic() - start, 3),
        values=values,
    )


def _unread(catalogue: Catalogue, samples: Mapping[str, TableSample]) -> dict[str, str]:
    unread: dict[str, str] = {}
    for table in catalogue.tables:
        sample = samples.get(table.key, TableSample())
        if sample.problem:
            unread[table.key] = sample.problem
        unread |= {column_key(table.owner, table.name, name): why for name, why in sample.unread.items()}
    return unread


def column_facts(
    table: Table, comments: dict[tuple[str, str, str], str], sample: TableSample
) -> list[ColumnFacts]:
    """The facts of a table's stored columns; virtual ones follow from those."""
    evidence = sample.evidence or {}
    return [
        ColumnFacts(
            table.owner,
            table.name,
            column.name,
            column.data_type,
            column.char_length if column.is_character and column.char_length else column.length,
            column.precision,
            column.scale,
            comments.get((table.owner, table.name, column.name)),
            evidence=evidence.get(column.name),
        )
        for column in table.columns
        if not column.virtual
    ]


def read_comments(
    connection: oracledb.Connection, schemas: tuple[str, ...]
) -> dict[tuple[str, str, str], str]:
    """The comments on columns, by owner, table and column."""
    if not schemas:
        return {}
    comments = rows(connection, statements.COMMENTS, names=schemas)
    return {(owner, table, column): text for owner, table, column, text in comments}
