"""Airflow's official OracleHook, unmodified, and the generic SQL operators on top of it."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
import sqlalchemy as sa
from airflow.providers.oracle.hooks.oracle import OracleHook

from support.stand_in import Schema


@pytest.fixture
def hook(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> OracleHook:
    instance = schema.server.instance
    monkeypatch.setenv(
        "AIRFLOW_CONN_STAND_IN",
        json.dumps(
            {
                "conn_type": "oracle",
                "host": "127.0.0.1",
                "port": instance.port,
                "login": schema.name,
                "password": schema.password,
                "extra": {"service_name": instance.service_name},
            }
        ),
    )
    hook = OracleHook(oracle_conn_id="stand_in")
    hook.run("CREATE TABLE PEOPLE (ID NUMBER(9) PRIMARY KEY, NAME VARCHAR2(40), AT DATE, NOTE CLOB)")
    return hook


def test_connection(hook: OracleHook) -> None:
    assert hook.test_connection() == (True, "Connection successfully tested")


def test_rows_in_and_out(hook: OracleHook) -> None:
    hook.insert_rows("PEOPLE", [(1, "O'Hara", datetime(2024, 5, 6, 7, 8, 9), None), (2, None, None, "text")])
    hook.bulk_insert_rows(
        "PEOPLE",
        [(3, "bulk", None, None), (4, "more", None, None)],
        target_fields=["ID", "NAME", "AT", "NOTE"],
    )
    assert hook.get_first("SELECT NAME, AT FROM PEOPLE WHERE ID = :id", parameters={"id": 1}) == (
        "O'Hara",
        datetime(2024, 5, 6, 7, 8, 9),
    )
    assert hook.get_records("SELECT ID, NAME FROM PEOPLE WHERE ID > 1 ORDER BY ID") == [
        (2, None),
        (3, "bulk"),
        (4, "more"),
    ]
    assert hook.get_records("SELECT NOTE FROM PEOPLE WHERE ID = :1", parameters=[2])[0][0] == "text"


def test_run_several_statements(hook: OracleHook) -> None:
    counts = hook.run(
        [
            "INSERT INTO PEOPLE (ID) VALUES (10)",
            "UPDATE PEOPLE SET NAME = 'x'",
            "SELECT COUNT(*) FROM PEOPLE",
        ],
        handler=lambda cursor: cursor.fetchall() if cursor.description else cursor.rowcount,
        autocommit=True,
    )
    assert counts == [1, 1, [(1,)]]
    assert hook.get_first("SELECT COUNT(*) FROM PEOPLE") == (1,)


def test_an_error_rolls_back(hook: OracleHook) -> None:
    with pytest.raises(Exception, match="ORA-00942"):
        hook.run(["INSERT INTO PEOPLE (ID) VALUES (1)", "DELETE FROM NOT_THERE"], autocommit=False)
    assert hook.get_first("SELECT COUNT(*) FROM PEOPLE") == (0,)


def test_callproc(hook: OracleHook) -> None:
    result = hook.callproc(
        "DBMS_UTILITY.DB_VERSION", autocommit=True, parameters={"version": str, "compatibility": str}
    )
    assert result["version"].startswith("19.")
    hook.callproc(
        "DBMS_STATS.GATHER_SCHEMA_STATS",
        autocommit=True,
        parameters=[hook.get_first("SELECT USER FROM DUAL")[0]],
    )
    assert hook.get_first("SELECT NUM_ROWS FROM USER_TABLES WHERE TABLE_NAME = 'PEOPLE'") == (0,)


def test_sqlalchemy_engine_and_frames(hook: OracleHook) -> None:
    hook.insert_rows("PEOPLE", [(1, "a"), (2, "b")], target_fields=["ID", "NAME"])
    engine = hook.get_sqlalchemy_engine()
    with engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT COUNT(*) FROM PEOPLE")) == 2
    assert sa.inspect(engine).get_table_names() == ["people"]
    engine.dispose()
    pandas = pytest.importorskip("pandas")
    frame = hook.get_df("SELECT ID, NAME FROM PEOPLE ORDER BY ID", df_type="pandas")
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.iloc[:, 1]) == ["a", "b"]


def test_wrong_password_is_told(hook: OracleHook, schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = schema.server.instance
    monkeypatch.setenv(
        "AIRFLOW_CONN_STAND_IN",
        f"oracle://{schema.name}:wrong@127.0.0.1:{instance.port}/?service_name={instance.service_name}",
    )
    worked, message = OracleHook(oracle_conn_id="stand_in").test_connection()
    assert not worked
    assert "ORA-01017" in message
