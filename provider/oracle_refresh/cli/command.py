"""What all commands share: the definition, sessions of both databases, JSON, and how they end."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import oracledb

from oracle_refresh.definition import (
    RefreshDefinition,
    TargetDefinition,
    load_target_definition,
    require_refresh,
)
from oracle_refresh.hooks.oracle import OracleRefreshHook, Role
from oracle_refresh.integration import settings
from oracle_refresh.oracle.errors import RefreshError

Command = Callable[[argparse.Namespace], int]
ACTION = "command line"
PROCESS_CONTEXT = "_AIRFLOW_PROCESS_CONTEXT"


def command(run: Command) -> Callable[[argparse.Namespace], None]:
    """Ends with the command's exit code: 0 done; 1 refused, or something is left to do."""

    @wraps(run)
    def ended(options: argparse.Namespace) -> None:
        try:
            with _every_connection():
                code = run(options)
        except (RefreshError, oracledb.Error) as error:
            print(error, file=sys.stderr)
            code = 1
        sys.exit(code)

    return ended


@contextmanager
def _every_connection() -> Iterator[None]:
    """Connections of Airflow's metadata database are found, as they are by Airflow's own commands. Its SDK
    looks there only in processes that are marked as the server's: `ensure_secrets_backend_loaded` of
    airflow.sdk.execution_time.supervisor, Airflow 3.3."""
    former = os.environ.get(PROCESS_CONTEXT)
    os.environ[PROCESS_CONTEXT] = "server"
    try:
        yield
    finally:
        if former is None:
            del os.environ[PROCESS_CONTEXT]
        else:
            os.environ[PROCESS_CONTEXT] = former


def read_definition(name: str, degree: int | None = None) -> TargetDefinition:
    """Of a refresh, or of a clone that is masked where it is."""
    return load_target_definition(settings.definition_path(name), {"degree": degree})


def read_refresh(name: str) -> RefreshDefinition:
    """Of a refresh.

    :raises PreflightError: where it is that of a clone.
    """
    return require_refresh(read_definition(name))


@dataclass(frozen=True)
class Connections:
    """The Airflow connections of a refresh; of a clone both are the same."""

    source: OracleRefreshHook
    target: OracleRefreshHook

    @classmethod
    def named(cls, source: str, target: str) -> Connections:
        return cls(OracleRefreshHook(oracle_conn_id=source), OracleRefreshHook(oracle_conn_id=target))

    @classmethod
    def of(cls, definition: TargetDefinition) -> Connections:
        return cls.named(definition.origin.conn_id, definition.target.conn_id)

    @property
    def roles(self) -> tuple[str | None, str | None]:
        """The `refresh_role` of each, as it is marked."""
        return self.source.refresh_role, self.target.refresh_role

    @contextmanager
    def both(self) -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        with self.source_session() as source, self.target_session() as target:
            yield source, target

    @contextmanager
    def whatever_roles(self) -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        """For commands that read only, and say themselves what is wrong with the roles."""
        with self.source_session(None) as source, self.target_session(None) as target:
            yield source, target

    def source_session(self, role: Role | None = "source") -> AbstractContextManager[oracledb.Connection]:
        return self.source.session(role, ACTION)

    def target_session(self, role: Role | None = "target") -> AbstractContextManager[oracledb.Connection]:
        return self.target.session(role, ACTION)


def print_json(document: Any) -> None:
    print(json.dumps(document, indent=2, ensure_ascii=False))
