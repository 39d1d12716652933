"""The control tables of a masking: made, filled, checked, dropped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking import statements
from oracle_refresh.masking.plan import Lookup, Map, MaskPlan, Proof
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.remedies import LOAD_AGAIN
from oracle_refresh.oracle.session import execute, execute_tolerating, named, row, rows, scalar

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey

STEP = "mask"


def stem(run_id: str, table_key: str) -> str:
    """Part of the names of all control tables of one table's masking in one run."""
    return hashlib.sha256(f"{run_id}\0{table_key}".encode()).hexdigest()[:12].upper()


def run_stem(run_id: str) -> str:
    """The end of the names of a run's maps of whole domains."""
    return hashlib.sha256(run_id.encode()).hexdigest()[:6].upper()


@contextmanager
def control_tables(connection: oracledb.Connection, plan: MaskPlan, key: MasterKey) -> Iterator[None]:
    """Create the control tables, and drop them whatever happens: the maps know the originals."""
    try:
        create(connection, plan, key)
        yield
    except BaseException:
        with suppress(Exception):  # the error to raise is the one that led here: the session may be lost
            connection.rollback()  # before the drops, which would commit
            drop(connection, plan)
        raise
    drop(connection, plan)


def create(connection: oracledb.Connection, plan: MaskPlan, key: MasterKey) -> None:
    """Create the control tables and fill the lookups; what a killed task left is dropped before."""
    drop(connection, plan)
    for shared in plan.shared:  # unless another table's masking was faster
        execute_tolerating(connection, {"ORA-00955"}, shared.create)
    for table in plan.control_tables:
        execute(connection, table.create)
    with connection.cursor() as cursor:
        for lookup in plan.lookups:
            _fill_lookup(cursor, lookup, key)


def extend_shared(connection: oracledb.Connection, plan: MaskPlan, key: MasterKey) -> None:
    """Add the table's values to the maps of whole domains, which stay locked until the transaction ends."""
    for shared in plan.shared:
        execute(connection, shared.lock)
        execute(connection, shared.extend.sql, **shared.extend.resolve(key))


def gather_statistics(connection: oracledb.Connection, name: str) -> None:
    """Tell the optimizer what a filled control table holds. Commits."""
    execute(connection, statements.GATHER_STATISTICS, name=name)


def describe_lookups(connection: oracledb.Connection, plan: MaskPlan) -> None:
    """Gather the statistics of those that the pass joins. Commits."""
    for lookup in plan.lookups:
        if any(f'"{lookup.name}"' in join for join in plan.joins):
            gather_statistics(connection, lookup.name)


def drop(connection: oracledb.Connection, plan: MaskPlan) -> None:
    """Drop what is there of the plan's control tables. DDL commits."""
    drop_tables(connection, tuple(f'"{table.name}"' for table in plan.control_tables))


def drop_left(connection: oracledb.Connection, run_id: str, table: Table) -> None:
    """Drop what a task has left that was killed after its last commit: maps know the originals."""
    own = stem(run_id, table.key)
    drop_control_tables(connection, lambda name: own in name)


def drop_shared(connection: oracledb.Connection, run_id: str) -> None:
    """Drop the maps of whole domains that a run has made. Another run's stay, and those that are kept."""
    end = f"_{run_stem(run_id)}"
    drop_control_tables(connection, lambda name: name.startswith("REFRESH$S_") and name.endswith(end))


def drop_control_tables(connection: oracledb.Connection, which: Callable[[str], bool]) -> tuple[str, ...]:
    """Drop those control tables of maskings, and name them."""
    names = tuple(str(name) for (name,) in rows(connection, statements.CONTROL_TABLES) if which(str(name)))
    drop_tables(connection, tuple(f'"{name}"' for name in names))
    return names


def drop_tables(connection: oracledb.Connection, tables: tuple[str, ...]) -> None:
    """Drop tables, as statements name them, and purge them; one that is not there is no error."""
    for table in tables:
        execute_tolerating(connection, {"ORA-00942"}, f"DROP TABLE {table} PURGE")


def _fill_lookup(cursor: oracledb.Cursor, lookup: Lookup, key: MasterKey) -> None:
    import oracledb

    rows = list(lookup.rows(key))
    lobs = {"BLOB": oracledb.DB_TYPE_BLOB, "CLOB": oracledb.DB_TYPE_CLOB}
    if any(data_type in lobs for _, data_type in lookup.columns):
        cursor.setinputsizes(*[lobs.get(data_type) for _, data_type in lookup.columns])
    if rows:
        cursor.executemany(lookup.insert, rows)


def require_promised(connection: oracledb.Connection, table: Table, table_map: Map) -> None:
    """Raise MaskingError unless every value of a map is masked as its rule's algorithm promises."""
    missing, same, values, different = row(connection, table_map.check) or (0, 0, 0, 0)
    problem = None
    if same and table_map.changes:
        problem = f"{same} of {values} distinct values would be masked as themselves"
    elif table_map.unique and values - missing != different:
        problem = f"{values - missing - different} of {values} distinct values would share a masked value"
    if problem:
        raise MaskingError(
            problem,
            object_name=f"{table.key}.{table_map.column}",
            step=STEP,
            remedy="choose another algorithm for this column",
        )


def require_unique(
    connection: oracledb.Connection,
    table: Table,
    proofs: tuple[Proof, ...],
    binds: Mapping[str, Any] | None = None,
    *,
    committed: bool = False,
) -> None:
    """Raise MaskingError when a key of several columns is not unique any more; the caller rolls back.

    :param binds: those that a statement names are given to it.
    :param committed: whether there is nothing to roll back: the masked rows were committed chunk by chunk.
    """
    for proof in proofs:
        repeated = scalar(connection, proof.statement, **named(proof.statement, binds or {}))
        if repeated:
            kept = "come more than once in the masked table, which stays in quarantine"
            remedy = "choose algorithms that are unique for the columns of this key"
            raise MaskingError(
                f"{repeated} values of the key {proof.constraint} "
                + (kept if committed else "would come more than once"),
                object_name=table.key,
                step=STEP,
                remedy=f"{remedy}, then {LOAD_AGAIN}" if committed else remedy,
            )
