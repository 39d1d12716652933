"""Whether the databases can write files under the paths of the DIRECTORYs of dump and log files.

Oracle does not check the path of a DIRECTORY when that is created (SQL Language Reference 19c, CREATE
DIRECTORY). So a file of one line is created and removed, as an export or a load would do (PL/SQL Packages and
Types Reference 19c, UTL_FILE).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace

from oracle_refresh.dbfs.store import is_mounted
from oracle_refresh.oracle.errors import oracle_codes, remedy_of
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.remedies import DIRECTORY, HOST_PATH
from oracle_refresh.oracle.session import execute, rows, short_call
from oracle_refresh.preflight import statements
from oracle_refresh.preflight.databases import Database, Databases

#: Beginning of the file names; the rest is random.
PREFIX = "refresh_probe_"
_ALL_HOSTS = "on RAC the path has to be there on every host, or on storage that they share"


def check_directories(both: Databases) -> Iterator[Finding]:
    """A finding per DIRECTORY that its database cannot write to. Over a database link only the target's is
    used. Where a DBFS store may be used, the target's is probed once the store is there, and a failure is a
    warning: the host can still mount it before the jobs start."""
    definition = both.refresh
    if not definition.datapump.over_link:
        yield from _probe(both.source, definition.staging.source_directory, required=True)
    stored = definition.uses_store
    if not stored or is_mounted(both.target.connection, definition):
        yield from _probe(both.target, definition.staging.target_directory, required=not stored)


def _probe(database: Database, directory: str, *, required: bool) -> Iterator[Finding]:
    name = f"{PREFIX}{secrets.token_hex(8)}.txt"
    try:
        with short_call(database.connection):  # a lost NFS mount does not answer
            execute(database.connection, statements.PROBE_DIRECTORY, directory=directory, name=name)
    except Exception as problem:
        codes = oracle_codes(problem)
        if not any(code.startswith("ORA-292") or code == "DPY-4024" for code in codes):
            raise
        listed = rows(database.connection, statements.DIRECTORIES, names=[directory])
        path = f" (path {listed[0][1]})" if listed else ""
        found = error(
            "DIRECTORY_NOT_WRITABLE",
            f"the {database.end} cannot create and remove a file in its DIRECTORY"
            f" {Identifier(directory).written}{path}: {str(problem).splitlines()[0]}",
            f"{HOST_PATH}; {_ALL_HOSTS}" if "ORA-29283" in codes else remedy_of(codes) or DIRECTORY,
        )
        yield found if required else replace(found, severity="warning")
