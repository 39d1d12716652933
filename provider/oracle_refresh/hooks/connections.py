"""Airflow connections by their id, and what to do where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.integration.compat import AirflowNotFoundException, BaseHook
from oracle_refresh.masking.keys import MasterKey
from oracle_refresh.oracle.errors import PreflightError

if TYPE_CHECKING:
    from airflow.sdk import Connection

    from oracle_refresh.definition.model import Masking

ORACLE = (
    '{"conn_type": "oracle", "host": "HOST", "port": 1521, "login": "USER", "password": "PASSWORD",'
    ' "extra": {"service_name": "SERVICE", "refresh_role": "source or target"}}'
)
PASSWORD = '{"conn_type": "generic", "password": "PASSWORD"}'
KEY = '{"conn_type": "generic", "password": "64 digits of: openssl rand -hex 32"}'


def require_connection(conn_id: str, fields: str = ORACLE) -> Connection:
    """:param fields: of such a connection, as `airflow connections import` takes them.
    :raises PreflightError: if there is none of this id.
    """
    try:
        return BaseHook.get_connection(conn_id)
    except AirflowNotFoundException as error:
        raise missing_connection(conn_id, fields) from error


def missing_connection(conn_id: str, fields: str = ORACLE) -> PreflightError:
    """The error for a connection that Airflow does not have."""
    return PreflightError(
        "there is no Airflow connection of this id",
        object_name=conn_id,
        step="connect",
        remedy="correct its id in the definition, or make it, in the UI, in your secrets backend, or from a"
        f' file that only you can read, by `airflow connections import`: {{"{conn_id}": {fields}}}',
    )


def read_key(conn_id: str) -> MasterKey:
    """The master key: the password of an Airflow connection, as its UTF-8 bytes.

    :raises PreflightError: if there is no such connection.
    :raises MaskingError: if the key is too short.
    """
    return MasterKey((require_connection(conn_id, KEY).password or "").encode())


def run_key(masking: Masking, refresh: str, run_id: str) -> MasterKey:
    """The key that a run masks with: the master key, or the run's own (`masking.key_per_run`).

    :raises PreflightError: if there is no connection for it.
    :raises MaskingError: if the master key is too short.
    """
    master = read_key(masking.key_conn_id)
    return master.of_run(refresh, run_id) if masking.key_per_run else master


def statistics_salt(masking: Masking, refresh: str, run_id: str) -> str:
    """What the ends of ranges in statistics are hashed with in a run, in whichever of its tasks.

    Raises as `run_key`.
    """
    return run_key(masking, refresh, run_id).of_hashes(refresh, run_id, "statistics")


def read_password(conn_id: str) -> str:
    """The password that encrypts the dump files.

    :raises PreflightError: if there is no such connection, or it has none.
    """
    password = require_connection(conn_id, PASSWORD).password
    if not password:
        raise PreflightError(
            "the connection has no password",
            object_name=conn_id,
            step="connect",
            remedy="set the password that encrypts the dump files as its password",
        )
    return str(password)
