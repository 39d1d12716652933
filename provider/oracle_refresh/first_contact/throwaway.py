"""The throwaway schema of the ladder: made, known again after a killed run, dropped with all that was in it.

It is recognised as benchmarks recognise theirs (`own_schemas`): by an intent that was kept before it was
made, by its age and by its USER_ID, never by its name alone. The refresh's own tables that the ladder needs
are dropped as well where it has made them itself; of those that were there, its rows are removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.dbfs.statements import DEFAULT_TABLESPACE
from oracle_refresh.first_contact.built import RUN
from oracle_refresh.first_contact.statements import OWN_TABLES, ROWS_OF_OWN_TABLE
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.control import drop_left, drop_shared
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.session import execute, rows, scalar
from oracle_refresh.run import documents as run_documents
from oracle_refresh.run import ledger
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.target.own_schemas import OwnSchemas, SchemaIntent

if TYPE_CHECKING:
    import oracledb

SCHEMA = "REFRESH$FIRST_CONTACT"
SCHEMAS = OwnSchemas(
    RUN,
    RUN,
    Kind("first contact schema", SchemaIntent),
    re.compile(r"(?:TABLE|INDEX|LOB|SEQUENCE|TYPE)(?: (?:SUB)?PARTITION)? .+"),
)
_TABLES = (ledger.TABLE, run_documents.TABLE)


@dataclass(frozen=True)
class MadeTables(Jsonable):
    """Which of the refresh's own tables the ladder has made."""

    tables: tuple[str, ...]


_MADE: Kind[MadeTables] = Kind("first contact made", MadeTables)


@contextmanager
def throwaway(target: oracledb.Connection) -> Iterator[str]:
    """The name of an empty schema, which is gone afterwards, also when what is done in it fails.

    What a killed run has left is dropped first.

    :raises PreflightError: if a schema of that name is not the ladder's own, or CREATE USER is not granted.
    """
    documents = Documents(target, RUN)
    made = _made_before(target, documents)
    documents.ensure()
    documents.put(_MADE, SCHEMA, MadeTables(tuple(sorted(made))))
    try:
        if SCHEMAS.require_own(documents, SCHEMA):
            _drop_control_tables(target)
    except PreflightError:  # nothing has been made, and the schema stays
        _forget(target, made)
        raise
    try:
        SCHEMAS.make(documents, SCHEMA, str(scalar(target, DEFAULT_TABLESPACE)))
        yield SCHEMA
    finally:
        target.rollback()
        _drop_control_tables(target)
        SCHEMAS.drop(documents, SCHEMA)
        _forget(target, made)


def _made_before(target: oracledb.Connection, documents: Documents) -> set[str]:
    """The own tables that are not there yet, or that a killed run has made."""
    there = _own_tables(target)
    kept = documents.find(_MADE, SCHEMA) if run_documents.TABLE in there else None
    return {name for name in _TABLES if name not in there} | set(kept.tables if kept else ())


def _drop_control_tables(target: oracledb.Connection) -> None:
    """Those of maskings in the schema: their names derive from its tables. A refresh's own stay."""
    for table in read_catalogue(target, (SCHEMA,)).tables:
        drop_left(target, RUN, table)
    drop_shared(target, RUN)


def _forget(target: oracledb.Connection, made: set[str]) -> None:
    there = _own_tables(target)
    if ledger.TABLE in there:
        execute(target, ledger.DELETE_RUN, run_id=RUN)
    execute(target, run_documents.DELETE_RUN, run_id=RUN)
    target.commit()
    for name in _TABLES:  # the run store last: it knows what was made
        # A refresh may have begun meanwhile.
        if name in made & there and not scalar(target, ROWS_OF_OWN_TABLE.format(table=f'"{name}"')):
            execute(target, f'DROP TABLE "{name}" PURGE')


def _own_tables(target: oracledb.Connection) -> set[str]:
    return {name for (name,) in rows(target, OWN_TABLES)}
