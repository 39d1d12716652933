"""Further sessions of the target for DDL.

DDL on different objects, and validation of different constraints, go on at the same time in Oracle, each in a
session of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.metadata import run as run_ddl

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.oracle.spread import Connect


def waiting_for_locks(connect: Connect | None) -> Connect | None:
    """Sessions whose DDL waits for locks that another one holds (ORA-00054)."""
    if connect is None:
        return None

    @contextmanager
    def opened() -> Iterator[oracledb.Connection]:
        with connect() as session:
            run_ddl(session, statements.WAIT_FOR_LOCKS, "session")
            yield session

    return opened


@contextmanager
def parallel_ddl(session: oracledb.Connection, degree: int) -> Iterator[None]:
    """DDL of the session runs by so many processes where no clause can say it: USING INDEX takes no PARALLEL.

    Source: ALTER SESSION in SQL Language Reference 19c, "FORCE".
    """
    if degree < 2:
        yield
        return
    run_ddl(session, statements.FORCE_PARALLEL_DDL.format(degree=degree), "session")
    try:
        yield
    finally:
        run_ddl(session, statements.USUAL_PARALLEL_DDL, "session")
