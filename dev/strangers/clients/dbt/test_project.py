"""A dbt project: seed, run, test, snapshot, run again, documentation; each step one test, in this order."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import oracledb
import pytest
from dbt.cli.main import dbtRunner


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("dbt") / "project"
    shutil.copytree(Path(__file__).parent / "project", copied)
    return copied


@pytest.fixture(scope="module")
def cursor() -> Iterator[oracledb.Cursor]:
    dsn = f"127.0.0.1:{os.environ['DATABASE_PORT']}/{os.environ['DATABASE_SERVICE']}"
    with oracledb.connect(user="dbt", password="dbt", dsn=dsn) as connection, connection.cursor() as opened:
        yield opened


def _dbt(project: Path, *words: str) -> dict[str, str]:
    """Every node by its name, with its status."""
    folders = ("--project-dir", str(project), "--profiles-dir", str(project))
    done = dbtRunner().invoke([*words, *folders])
    results: Any = getattr(done.result, "results", None) or []
    wrong = {one.node.name: one.message for one in results if one.status in ("error", "fail")}
    assert not wrong, wrong
    assert done.success, done.exception
    return {one.node.name: str(one.status) for one in results}


def _rows(cursor: oracledb.Cursor, query: str) -> list[tuple[Any, ...]]:
    return cursor.execute(query).fetchall()


def test_debug(project: Path) -> None:
    _dbt(project, "debug")


def test_seed(project: Path, cursor: oracledb.Cursor) -> None:
    assert set(_dbt(project, "seed")) == {"customers", "orders"}
    assert _rows(cursor, "select count(*), count(credit), sum(credit) from customers") == [(3, 2, 100.5)]


def test_seed_again(project: Path, cursor: oracledb.Cursor) -> None:
    _dbt(project, "seed")
    assert _rows(cursor, "select count(*) from orders") == [(4,)]


def test_run(project: Path, cursor: oracledb.Cursor) -> None:
    _dbt(project, "run")
    totals = _rows(cursor, "select name, total from customer_totals order by id")
    assert totals == [("Ada", 50.25), ("Grace", 7.5), ("O'Neil, Kim", 1)]
    assert len(_rows(cursor, "select * from good_customers")) == 2
    assert _rows(cursor, "select id from order_history order by id") == [(10,), (11,)]
    assert _rows(cursor, "select * from small_order_count") == [(2,)]


def test_run_again(project: Path, cursor: oracledb.Cursor) -> None:
    """Tables and views are replaced, incremental models take what is new."""
    _dbt(project, "run")
    for model in ("order_history", "placed_orders"):
        assert _rows(cursor, f"select id from {model} order by id") == [(10,), (11,), (12,), (13,)]


def test_full_refresh(project: Path, cursor: oracledb.Cursor) -> None:
    _dbt(project, "run", "--full-refresh")
    assert _rows(cursor, "select id from order_history order by id") == [(10,), (11,)]


def test_tests(project: Path) -> None:
    assert set(_dbt(project, "test").values()) == {"pass"}


def test_a_failing_test_is_told(project: Path, cursor: oracledb.Cursor) -> None:
    cursor.execute("update customer_totals set name = null where id = 1")
    cursor.connection.commit()
    with pytest.raises(AssertionError, match="not_null_customer_totals_name"):
        _dbt(project, "test")


def test_snapshot(project: Path, cursor: oracledb.Cursor) -> None:
    _dbt(project, "snapshot")
    cursor.execute("update customers set credit = 7 where id = 2")
    cursor.connection.commit()
    _dbt(project, "snapshot")
    kept = _rows(
        cursor, "select credit, dbt_valid_to from customers_snapshot where id = 2 order by dbt_valid_from"
    )
    assert [credit for credit, _ in kept] == [None, 7]
    assert kept[0][1] is not None
    assert kept[1][1] is None
    assert len(_rows(cursor, "select * from customers_snapshot")) == 4


def test_descriptions_and_grants(cursor: oracledb.Cursor) -> None:
    assert _rows(
        cursor,
        "select comments from user_col_comments where table_name = 'CUSTOMER_TOTALS' and column_name = 'ID'",
    ) == [("That of the customer",)]
    granted = "select grantee, privilege from user_tab_privs_made where table_name = 'CUSTOMER_TOTALS'"
    assert _rows(cursor, granted) == [("READER", "SELECT")]


def test_docs(project: Path) -> None:
    _dbt(project, "docs", "generate")
    catalog = (project / "target" / "catalog.json").read_text()
    assert "model.shop.customer_totals" in catalog
