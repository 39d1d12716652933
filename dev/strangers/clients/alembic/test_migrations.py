"""Alembic as a project uses it: what autogenerate finds, upgrades and downgrades of it, on Oracle."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata, produce_migrations
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.operations.ops import DowngradeOps, UpgradeOps


@pytest.fixture(scope="module")
def engine() -> Iterator[sa.Engine]:
    made = sa.create_engine(os.environ["DATABASE_URL"])
    yield made
    made.dispose()


@pytest.fixture
def connection(engine: sa.Engine) -> Iterator[sa.Connection]:
    with engine.connect() as opened:
        yield opened
        opened.rollback()
        _reflected(opened).drop_all(opened)
        opened.commit()


def _reflected(connection: sa.Connection) -> sa.MetaData:
    metadata = sa.MetaData()
    metadata.reflect(connection)
    return metadata


def _context(connection: sa.Connection) -> MigrationContext:
    return MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})


def _first() -> sa.MetaData:
    metadata = sa.MetaData()
    sa.Table(
        "customers",
        metadata,
        sa.Column("id", sa.Integer, sa.Identity(always=True, start=10, increment=5), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, comment="As on the bill"),
        sa.Column("credit", sa.Numeric(10, 2), server_default="0"),
        sa.UniqueConstraint("name", name="customers_name"),
    )
    return metadata


def _second() -> sa.MetaData:
    metadata = sa.MetaData()
    sa.Table(
        "customers",
        metadata,
        sa.Column("id", sa.Integer, sa.Identity(always=True, start=10, increment=5), primary_key=True),
        sa.Column("name", sa.String(120), nullable=True, comment="As on the bill"),
        sa.Column("credit", sa.Numeric(10, 2), server_default="0"),
        sa.Column("since", sa.DateTime),
        sa.UniqueConstraint("name", name="customers_name"),
    )
    sa.Table(
        "orders",
        metadata,
        sa.Column(
            "id",
            sa.Integer,
            sa.Identity(always=False, start=1, cache=50, oracle_on_null=True),
            primary_key=True,
        ),
        sa.Column(
            "customer_id", sa.ForeignKey("customers.id", name="orders_customer"), nullable=False, index=True
        ),
        sa.Column("note", sa.Text),
        sa.CheckConstraint("customer_id > 0", name="orders_customer_positive"),
    )
    return metadata


def _apply(connection: sa.Connection, operations: UpgradeOps | DowngradeOps) -> None:
    apply = Operations(_context(connection))

    def walk(one: Any) -> None:
        if hasattr(one, "ops"):
            for inner in one.ops:
                walk(inner)
        else:
            apply.invoke(one)

    walk(operations)


def _migrate(connection: sa.Connection, metadata: sa.MetaData) -> DowngradeOps:
    """To that metadata; returns the way back."""
    script = produce_migrations(_context(connection), metadata)
    assert script.upgrade_ops is not None
    assert script.downgrade_ops is not None
    _apply(connection, script.upgrade_ops)
    return script.downgrade_ops


def test_nothing_is_left_to_do_after_an_upgrade(connection: sa.Connection) -> None:
    for metadata in (_first(), _second()):
        _migrate(connection, metadata)
        assert compare_metadata(_context(connection), metadata) == []


def test_a_downgrade_leads_back(connection: sa.Connection) -> None:
    _migrate(connection, _first())
    back = _migrate(connection, _second())
    _apply(connection, back)
    assert compare_metadata(_context(connection), _first()) == []


def test_identities_are_reflected(connection: sa.Connection) -> None:
    _migrate(connection, _second())
    columns = {
        table: {column["name"]: column for column in sa.inspect(connection).get_columns(table)}
        for table in ("customers", "orders")
    }
    customers, orders = columns["customers"]["id"]["identity"], columns["orders"]["id"]["identity"]
    assert (customers["always"], customers["start"], customers["increment"]) == (True, 10, 5)
    assert (orders["always"], orders["oracle_on_null"], orders["cache"]) == (False, True, 50)


def test_identities_number_rows(connection: sa.Connection) -> None:
    metadata = _second()
    _migrate(connection, metadata)
    customers, orders = metadata.tables["customers"], metadata.tables["orders"]
    keys = [connection.execute(customers.insert().values(name=name)).inserted_primary_key[0] for name in "ab"]
    assert keys == [10, 15]
    connection.execute(orders.insert().values(id=None, customer_id=10))
    connection.execute(orders.insert().values(id=7, customer_id=15))
    assert connection.execute(sa.select(orders.c.id).order_by(orders.c.customer_id)).scalars().all() == [1, 7]


@pytest.mark.parametrize("change", ["type", "nullable", "comment", "default", "rename"])
def test_a_column_is_altered(connection: sa.Connection, change: str) -> None:
    _migrate(connection, _first())
    operations = Operations(_context(connection))
    changes: dict[str, dict[str, Any]] = {
        "type": {"type_": sa.String(200), "existing_type": sa.String(60)},
        "nullable": {"nullable": True, "existing_type": sa.String(60)},
        "comment": {"comment": "Another", "existing_type": sa.String(60)},
        "default": {"server_default": "nobody", "existing_type": sa.String(60)},
        "rename": {"new_column_name": "called", "existing_type": sa.String(60)},
    }
    operations.alter_column("customers", "name", **changes[change])
    columns = {column["name"]: column for column in sa.inspect(connection).get_columns("customers")}
    found = columns["called" if change == "rename" else "name"]
    told = {
        "type": found["type"].length,
        "nullable": found["nullable"],
        "comment": found["comment"],
        "default": found["default"],
        "rename": found["name"],
    }
    expected = {
        "type": 200,
        "nullable": True,
        "comment": "Another",
        "default": "'nobody'",
        "rename": "called",
    }
    assert told[change] == expected[change]


def test_the_version_table_is_kept(connection: sa.Connection) -> None:
    context = _context(connection)
    assert context.get_current_revision() is None
    context._ensure_version_table()
    connection.execute(context._version.insert().values(version_num="abc"))
    assert _context(connection).get_current_revision() == "abc"
