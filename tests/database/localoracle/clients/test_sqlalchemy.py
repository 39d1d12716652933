"""SQLAlchemy's oracle+oracledb dialect: reflection and round trips, unmodified."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import oracle as dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from support.stand_in import Schema


@pytest.fixture
def engine(schema: Schema) -> Iterator[sa.Engine]:
    instance = schema.server.instance
    url = f"oracle+oracledb://{schema.name}:{schema.password}@127.0.0.1:{instance.port}/?service_name={instance.service_name}"
    engine = sa.create_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture
def tables(engine: sa.Engine) -> sa.MetaData:
    metadata = sa.MetaData()
    sa.Table(
        "parent",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, comment="what it is called"),
        sa.Column("amount", sa.Numeric(12, 2), server_default=sa.text("0")),
        sa.Column("born", sa.DateTime),
        sa.Column("ratio", dialect.BINARY_DOUBLE),
        sa.Column("notes", sa.Text),
        sa.Column("photo", sa.LargeBinary),
        sa.UniqueConstraint("name", name="parent_name_uk"),
        sa.CheckConstraint("amount >= 0", name="parent_amount_ck"),
        comment="a table of parents",
    )
    child = sa.Table(
        "child",
        metadata,
        sa.Column("id", sa.Integer, sa.Identity(start=10), primary_key=True),
        sa.Column(
            "parent_id", sa.Integer, sa.ForeignKey("parent.id", name="child_parent_fk", ondelete="CASCADE")
        ),
        sa.Column("label", sa.String(20)),
    )
    sa.Index("child_label_ix", sa.func.lower(child.c.label))
    sa.Index("child_parent_ix", child.c.parent_id)
    metadata.create_all(engine)
    return metadata


def test_versions_and_names(engine: sa.Engine, schema: Schema) -> None:
    with engine.connect() as connection:
        assert connection.dialect.server_version_info is not None
        assert connection.dialect.server_version_info[0] == 19
        assert connection.dialect.default_schema_name == schema.name.lower()
        assert connection.default_isolation_level == "READ COMMITTED"


def test_isolation_levels(engine: sa.Engine, tables: sa.MetaData, schema: Schema) -> None:
    with schema.server.sys() as system:
        system.cursor().execute(f"GRANT SELECT ON SYS.V_$TRANSACTION TO {schema.name}")
    with engine.connect().execution_options(isolation_level="SERIALIZABLE") as connection:
        assert connection.get_isolation_level() == "SERIALIZABLE"
    with engine.connect() as connection:
        assert connection.get_isolation_level() == "READ COMMITTED"


def test_reflection(engine: sa.Engine, tables: sa.MetaData) -> None:
    with engine.connect() as connection:
        connection.execute(sa.text("CREATE VIEW names AS SELECT name FROM parent"))
    inspector = sa.inspect(engine)
    assert sorted(inspector.get_table_names()) == ["child", "parent"]
    assert inspector.get_view_names() == ["names"]
    assert "SELECT name FROM parent" in inspector.get_view_definition("names")
    assert inspector.has_table("parent")
    assert not inspector.has_table("nobody")
    columns = {column["name"]: column for column in inspector.get_columns("parent")}
    assert isinstance(columns["id"]["type"], sa.INTEGER)
    assert not columns["id"]["nullable"]
    assert isinstance(columns["name"]["type"], sa.VARCHAR)
    assert columns["name"]["type"].length == 40
    assert isinstance(columns["amount"]["type"], dialect.NUMBER)
    assert (columns["amount"]["type"].precision, columns["amount"]["type"].scale) == (12, 2)
    assert str(columns["amount"]["default"]).strip() == "0"
    assert isinstance(columns["born"]["type"], sa.DATE | dialect.DATE)
    assert isinstance(columns["ratio"]["type"], dialect.BINARY_DOUBLE)
    assert isinstance(columns["notes"]["type"], sa.CLOB)
    assert isinstance(columns["photo"]["type"], sa.BLOB)
    assert columns["name"]["comment"] == "what it is called"
    assert inspector.get_table_comment("parent") == {"text": "a table of parents"}
    assert inspector.get_pk_constraint("parent")["constrained_columns"] == ["id"]
    assert inspector.get_unique_constraints("parent")[0]["column_names"] == ["name"]
    assert inspector.get_check_constraints("parent") == [
        {"name": "parent_amount_ck", "sqltext": "amount >= 0"}
    ]
    assert inspector.get_foreign_keys("child") == [
        {
            "name": "child_parent_fk",
            "constrained_columns": ["parent_id"],
            "referred_schema": None,
            "referred_table": "parent",
            "referred_columns": ["id"],
            "options": {"ondelete": "CASCADE"},
        }
    ]
    indexes = {index["name"]: index for index in inspector.get_indexes("child")}
    assert indexes["child_parent_ix"]["column_names"] == ["parent_id"]
    assert "lower" in indexes["child_label_ix"]["expressions"][0].lower()
    identity = inspector.get_columns("child")[0]["identity"]
    assert identity["start"] == 10
    assert identity["increment"] == 1


def test_reflected_metadata_can_be_used(engine: sa.Engine, tables: sa.MetaData) -> None:
    reflected = sa.MetaData()
    reflected.reflect(engine)
    assert set(reflected.tables) == {"parent", "child"}
    with engine.begin() as connection:
        connection.execute(sa.insert(reflected.tables["parent"]).values(id=1, name="x"))
        assert connection.scalar(sa.select(reflected.tables["parent"].c.amount)) == 0


def test_round_trip_of_types(engine: sa.Engine, tables: sa.MetaData) -> None:
    parent = tables.tables["parent"]
    rows = [
        {"id": i, "name": f"näme {i}", "amount": Decimal("1234.56"), "born": datetime(2020, 2, 29, 12, 30, i),
         "ratio": i / 7, "notes": "text " * 10_000, "photo": bytes(range(256)) * 200}
        for i in range(3)
    ]  # fmt: skip
    with engine.begin() as connection:
        connection.execute(sa.insert(parent), rows)
    with engine.connect() as connection:
        found = connection.execute(sa.select(parent).order_by(parent.c.id)).mappings().all()
        assert [dict(row) for row in found] == rows
        page = (
            connection.execute(sa.select(parent.c.id).order_by(parent.c.id).limit(1).offset(1))
            .scalars()
            .all()
        )
        assert page == [1]
        grouped = sa.select(sa.func.count(), sa.func.max(parent.c.amount)).where(parent.c.name.like("n%"))
        assert connection.execute(grouped).one() == (3, Decimal("1234.56"))


class Base(DeclarativeBase):
    pass


class Note(Base):
    __tablename__ = "note"
    id: Mapped[int] = mapped_column(sa.Identity(), primary_key=True)
    title: Mapped[str] = mapped_column(sa.String(100))
    at: Mapped[datetime] = mapped_column(server_default=sa.func.sysdate())


def test_orm_with_generated_keys(engine: sa.Engine) -> None:
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        note = Note(title="first")
        session.add_all([note, Note(title="second")])
        session.commit()
        assert note.id == 1
        assert note.at.year >= 2024
        note.title = "changed"
        session.flush()
        session.rollback()
        assert [one.title for one in session.scalars(sa.select(Note).order_by(Note.id))] == [
            "first",
            "second",
        ]
        session.delete(note)
        session.commit()
        assert session.scalar(sa.select(sa.func.count()).select_from(Note)) == 1
    Base.metadata.drop_all(engine)
    assert not sa.inspect(engine).has_table("note")


def test_sequences_and_errors(engine: sa.Engine, tables: sa.MetaData) -> None:
    sequence = sa.Sequence("numbers", start=7)
    with engine.connect() as connection:
        sequence.create(connection)
        assert connection.scalar(sequence.next_value()) == 7
        assert "numbers" in sa.inspect(connection).get_sequence_names()
        parent = tables.tables["parent"]
        connection.execute(sa.insert(parent).values(id=1, name="x"))
        with pytest.raises(sa.exc.IntegrityError, match="ORA-00001"):
            connection.execute(sa.insert(parent).values(id=2, name="x"))
        assert connection.scalar(sa.select(sa.func.count()).select_from(parent)) == 1
        connection.rollback()
    with engine.connect() as connection, pytest.raises(sa.exc.DatabaseError, match="ORA-00942"):
        connection.execute(sa.text("SELECT * FROM nobody"))
