"""Checks what is to be loaded, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.identity import DatabaseIdentity
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.load import STEP
from oracle_refresh.labs.data_load.model import Work
from oracle_refresh.labs.data_load.profiles import PROFILES
from oracle_refresh.labs.data_load.statements import TABLESPACE
from oracle_refresh.oracle.errors import PlanError, PreflightError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import row
from oracle_refresh.tuning.refusals import identity_refusals

if TYPE_CHECKING:
    import oracledb

#: CUSTID holds as many.
MOST_ROWS = 10**10 - 1


@dataclass(frozen=True)
class Wanted:
    """What somebody wants to be loaded, as yet unchecked; see `Work`."""

    prefix: str
    schemas: int
    rows: int
    degree: int
    profile: str
    sparse: bool


def plan_work(definition: LoadDefinition, wanted: Wanted) -> Work:
    """What is to be loaded.

    :raises PlanError: if the numbers make no load, or there is no such profile.
    :raises InvalidIdentifier: if no schema can have such a name.
    """
    schemas = wanted.schemas
    if schemas < 1 or not 1 <= wanted.rows <= MOST_ROWS or wanted.degree < 0:
        raise PlanError(
            f"{schemas} schemas of {wanted.rows} rows, {wanted.degree} at the same time: no load",
            step=STEP,
            remedy="load one schema and one row at least; a degree of 0 is found by trial",
        )
    if wanted.profile not in PROFILES:
        raise PlanError(
            f"no profile {wanted.profile!r} of LOBs",
            step=STEP,
            remedy=f"possible are {', '.join(PROFILES)}",
        )
    work = Work(
        prefix=Identifier.parse(wanted.prefix).name,
        tablespace=definition.tablespace,
        schemas=schemas,
        rows=wanted.rows,
        degree=min(wanted.degree, schemas),
        profile=wanted.profile,
        sparse=wanted.sparse,
        trial_rows=definition.trials.rows,
        most_degree=min(definition.trials.most_degree, schemas),
    )
    for longest in (work.all_schemas[-1], work.trial_schemas[-1]):
        Identifier(longest)
    return work


def require_loadable(
    connection: oracledb.Connection, identity: DatabaseIdentity, definition: LoadDefinition
) -> int:
    """The bytes of a block of the tablespace.

    :raises PreflightError: if this database may not be loaded, or its tablespace cannot hold tables.
    """
    refused = identity_refusals(identity, definition.deny_list.databases)
    if refused:
        raise PreflightError(
            f"this database is not loaded: {'; '.join(refused)}",
            object_name=definition.target.conn_id,
            step=STEP,
            remedy="name the connection of a test database that is open for changes",
        )
    tablespace = row(connection, TABLESPACE, name=definition.tablespace)
    contents, status, block = tablespace or (None, None, 0)
    if contents != "PERMANENT" or status != "ONLINE":
        raise PreflightError(
            "there is no such permanent tablespace that may be written to"
            + (f": it is {contents} and {status}" if tablespace else ""),
            object_name=definition.tablespace,
            step=STEP,
            remedy="correct tablespace in the definition of the load, or make it READ WRITE",
        )
    return int(block)
