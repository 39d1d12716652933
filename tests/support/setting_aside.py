"""Runs that set previous tables aside, and everything that a target has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import oracledb

from oracle_refresh.plan.storage import save_plan
from oracle_refresh.run.documents import Documents
from oracle_refresh.target.former.settle import Settled, settle
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.dependents import build_dependents
from support.demo import FEWER_TABLES
from support.index_builds import build_indexes
from support.transfer import Fuse, Killed, Mortal, Run

TESTED = '"TEST"."TESTTABLE"'


def begin(
    source: oracledb.Connection, target: oracledb.Connection, prepare: str = "beside", **fields: Any
) -> Run:
    run = Run.begin(source, target, prepare=prepare, **(fields or FEWER_TABLES))
    documents = Documents(target, run.run_id)
    documents.ensure()
    save_plan(documents, run.plan, run.catalogue)
    return run


def build(run: Run) -> None:
    build_tables(run.source, run.target, run.catalogue, run.definition, run.ledger)


def complete(run: Run) -> None:
    for table in run.catalogue.tables:
        build_indexes(run.source, run.target, table, run.definition)
    enable_constraints(run.target, run.catalogue)
    build_dependents(run.source, run.target, run.catalogue)


def identity(target: oracledb.Connection) -> dict[tuple[str, ...], object]:
    """Everything named in the schemas, with its OBJECT_ID unless it is made again by its DDL."""
    with target.cursor() as cursor:
        cursor.execute(
            "SELECT OWNER, OBJECT_TYPE, OBJECT_NAME, OBJECT_ID FROM DBA_OBJECTS"
            " WHERE OWNER IN ('APP', 'DOCS', 'TEST') AND GENERATED = 'N' AND SUBOBJECT_NAME IS NULL"
        )
        objects = {
            tuple(key): 0 if key[1] in ("SEQUENCE", "VIEW") else number for *key, number in cursor.fetchall()
        }
        cursor.execute(
            "SELECT OWNER, TABLE_NAME, CONSTRAINT_NAME, STATUS FROM DBA_CONSTRAINTS"
            " WHERE OWNER IN ('APP', 'DOCS', 'TEST')"
        )
        constraints = {tuple(key): status for *key, status in cursor.fetchall()}
        cursor.execute(
            "SELECT OWNER, TABLE_NAME, GRANTEE, PRIVILEGE FROM DBA_TAB_PRIVS"
            " WHERE OWNER IN ('APP', 'DOCS', 'TEST')"
        )
        grants = {tuple(row): True for row in cursor.fetchall()}
        cursor.execute("SELECT SEQUENCE_OWNER, SEQUENCE_NAME, LAST_NUMBER FROM DBA_SEQUENCES"
                       " WHERE SEQUENCE_OWNER = 'APP' AND SEQUENCE_NAME NOT LIKE 'ISEQ$$%'")  # fmt: skip
        numbers = {("number", *key): number for *key, number in cursor.fetchall()}
        return {**objects, **constraints, **grants, **numbers}


def in_pieces(run: Run, work: Callable[[Run], Any], first: int = 2, factor: float = 2.3) -> tuple[Any, int]:
    """Do it in tries that are killed after more and more database calls; the result, and how many were."""
    calls, killed = first, 0
    while True:
        fuse = Fuse(calls)
        mortal = run.over(run.source, Mortal(run.target, fuse))
        try:
            return work(mortal), killed
        except Killed:
            run.target.rollback()
            killed += 1
            calls = int(calls * factor) + 1


def settle_it(run: Run, *, proven: bool) -> Settled:
    return settle(run.target, run.definition, run.ledger, proven=proven)
