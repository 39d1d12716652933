"""Whether each process of a run can open the sessions that it needs."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.hooks.parameters import IGNORED
from oracle_refresh.oracle.errors import (
    PreflightError,
    RefreshError,
    from_oracle,
    oracle_codes,
    overall_disposition,
)
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.session import close

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import TargetDefinition

Kind = Literal["task", "thread", "trigger"]
CODES: dict[Kind, str] = {
    "task": "NO_TASK_SESSION",
    "thread": "NO_THREAD_SESSION",
    "trigger": "NO_TRIGGER_SESSION",
}


def connections_of(definition: TargetDefinition) -> list[str]:
    """Return the ids of a definition's Oracle connections: source and target, of a clone its only one."""
    return list(dict.fromkeys((definition.origin.conn_id, definition.target.conn_id)))


def check_sessions(conn_ids: Iterable[str]) -> list[Finding]:
    """Open a session of a task, and at the same time one of a thread, on each connection.

    :raises RefreshError: if a session could not be opened for a reason that may pass by itself.
    """
    hooks = {conn_id: OracleRefreshHook(oracle_conn_id=conn_id) for conn_id in conn_ids}
    findings = [
        warning(
            "FETCH_DEFAULTS_IGNORED",
            f"connection {conn_id!r} sets {name}, which would change every session of the process",
            f"remove {name} from the extra; a refresh ignores it",
        )
        for conn_id, hook in hooks.items()
        for name in IGNORED
        if name in hook.get_connection(conn_id).extra_dejson
    ]
    modes = {conn_id: hook.client for conn_id, hook in hooks.items()}
    if len(set(modes.values())) > 1:
        listed = ", ".join(f"{conn_id}: {client or 'thin'}" for conn_id, client in modes.items())
        remedy = "give all of them the same thick_mode, thick_mode_lib_dir and thick_mode_config_dir"
        message = f"a process can use one mode and one set of client libraries, not several ({listed})"
        return [*findings, error("MIXED_DRIVER_MODES", message, remedy)]
    for conn_id, hook in hooks.items():
        findings += _opened(conn_id, hook)
    return findings


def _opened(conn_id: str, hook: OracleRefreshHook) -> list[Finding]:
    kind: Kind = "task"
    session: oracledb.Connection | None = None
    try:
        session, open_session = hook.get_conn(), hook.opener("preflight")
        kind = "thread"
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: close(open_session())).result()
    except Exception as problem:
        found = described(problem, hook.database or conn_id, kind)
        if overall_disposition(found.codes) != "fatal" or isinstance(problem.__cause__, TimeoutError):
            raise found from problem
        return [refused(found, kind)]
    finally:
        if session is not None:
            close(session)
    return []


def described(problem: Exception, database: str, kind: Kind) -> RefreshError:
    """Return the error for a session that could not be opened.

    :param database: role, connection and address, or the connection id if they are not known.
    """
    if isinstance(problem, RefreshError):
        return problem
    if not oracle_codes(problem):  # not the driver's: a wrong type in the extra, a missing Python package
        return PreflightError(
            f"{type(problem).__name__}: {problem}", object_name=database, step=f"open a {kind} session"
        )
    return from_oracle(problem, f"open a {kind} session", database, PreflightError)


def refused(problem: RefreshError, kind: Kind) -> Finding:
    """Return the finding for a session that cannot be opened until the cause is removed."""
    remedy = problem.remedy or "correct the Airflow connection"
    return error(CODES[kind], f"{problem.object_name}: {problem.message}", remedy)
