"""What names in a schema's statements may mean: temporary tables, packages, hidden columns, remote synonyms.

All of a database are known to its server, which looks again after DDL that may have changed them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.sql.schema_facts import TableFacts

if TYPE_CHECKING:
    from localoracle.server.database import Database
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement


class TemporaryTables:
    """Global temporary tables, by owner and name.

    A statement that names one is translated to the session's own table (bootstrap/32_temporary_tables.sql),
    which is made before it runs.
    """

    _CHANGING = ("CREATE TABLE", "ALTER TABLE", "DROP TABLE", "RENAME")

    def __init__(self) -> None:
        self._tables: frozenset[tuple[str, str]] = frozenset()

    async def read(self, database: Database) -> None:
        rows = await database.system("SELECT owner, name FROM ora.temporary_tables")
        self._tables = frozenset((str(owner), str(name)) for owner, name in rows)

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have made or dropped one."""
        if statement.temporary or (self._tables and statement.verb in self._CHANGING):
            await self.read(database)

    def seen_from(self, schema: str) -> tuple[tuple[str, str], ...]:
        """How statements in a schema write the tables, quoted, and what holds the session's rows of each."""
        written = {}
        for owner, name in sorted(self._tables):
            own = f"pg_temp.{quote(f'{owner}.{name}')}"
            written[f"{quote(owner)}.{quote(name)}"] = own
            if owner == schema:
                written[quote(name)] = own
        return tuple(written.items())

    def named_in(self, statement: Statement, schema: str) -> list[tuple[str, str]]:
        """The temporary tables among those that a statement names."""
        return [
            (owner, name)
            for owner, name in self._tables
            if f"{quote(owner)}.{quote(name)}" in statement.tables
            or (owner == schema and quote(name) in statement.tables)
        ]


async def open_tables(session: Session, statement: Statement) -> None:
    """Make the session's tables for what a query or DML names."""
    named = session.database.temporary_tables.named_in(statement, session.current_schema)
    if not named:
        return
    async with session.transaction.statement(writes=session.backend.in_transaction):
        for owner, name in named:
            arguments = f"{literal(owner)}, {literal(name)}, current_user"
            await session.backend.script(f"SELECT ora.open_temporary({arguments})")


class UserPackages:
    """Packages of users, by owner and name: PACKAGE.FUNCTION( ) is no function of a schema then."""

    def __init__(self) -> None:
        self._packages: frozenset[tuple[str, str]] = frozenset()

    async def read(self, database: Database) -> None:
        rows = await database.system("SELECT owner, name FROM localoracle.routines WHERE type = 'PACKAGE'")
        self._packages = frozenset((str(owner), str(name)) for owner, name in rows)

    def seen_from(self, schema: str) -> frozenset[str]:
        """PACKAGE of the schema itself, OWNER.PACKAGE of all."""
        own = {name for owner, name in self._packages if owner == schema}
        return frozenset(own | {f"{owner}.{name}" for owner, name in self._packages})


class InvisibleColumns:
    """Tables with INVISIBLE columns: what * and an INSERT without a column list mean for them.

    SQL Language Reference, CREATE TABLE, "VISIBLE | INVISIBLE". Those with row archival are among them: it
    hides its column, and rows (localoracle.sql.query.row_archival). Index-organized ones are here too,
    for their ROWIDs (localoracle.sql.expressions.rowids).
    """

    _CHANGING = (
        "CREATE TABLE",
        "CREATE VIEW",
        "CREATE MATERIALIZED VIEW",
        "CREATE SYNONYM",
        "CREATE PUBLIC SYNONYM",
        "ALTER TABLE",
        "DROP TABLE",
        "DROP SYNONYM",
        "DROP PUBLIC SYNONYM",
        "DROP VIEW",
        "RENAME",
    )

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], TableFacts] = {}
        """By owner and name."""
        self._public: dict[str, tuple[TableFacts, frozenset[str]]] = {}
        """By public synonym; with the schemas in which its name means something else."""

    async def read(self, database: Database) -> None:
        rows = await database.system(
            "SELECT owner, name, columns, archival, key, hidden_in FROM ora.shown_columns()"
        )
        self._tables, self._public = {}, {}
        for owner, name, columns, archival, key, hidden_in in rows:
            shown = tuple(columns) if columns is not None else None
            facts = TableFacts(quote(name), shown, archival, tuple(key))
            if owner == "PUBLIC":
                self._public[name] = facts, frozenset(hidden_in)
            else:
                self._tables[owner, name] = facts

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have changed what is shown."""
        if statement.visibility or (self._tables and statement.verb in self._CHANGING):
            await self.read(database)

    def seen_from(self, schema: str) -> tuple[TableFacts, ...]:
        """The tables by the names that statements in a schema have for them."""
        if not self._tables:
            return ()
        written = {
            facts.name: facts
            for _, (facts, hidden_in) in sorted(self._public.items())
            if schema not in hidden_in
        }
        for (owner, _), facts in sorted(self._tables.items()):
            qualified = f"{quote(owner)}.{facts.name}"
            written[qualified] = facts._replace(name=qualified)
            if owner == schema:
                written[facts.name] = facts
        return tuple(written.values())


class StaleViews:
    """Views and synonyms that are INVALID until they are used: what they stand on has changed.

    Development Guide, "Object Revalidation".
    """

    _CHANGING = (
        *("DROP TABLE", "ALTER TABLE", "RENAME", "DROP MATERIALIZED VIEW"),
        *("CREATE VIEW", "ALTER VIEW", "DROP VIEW"),
        *(f"{verb} {kind}" for verb in ("CREATE", "DROP") for kind in ("SYNONYM", "PUBLIC SYNONYM")),
        "ALTER SYNONYM",
    )

    def __init__(self) -> None:
        self._views: frozenset[tuple[str, str]] = frozenset()

    async def read(self, database: Database) -> None:
        rows = await database.system("SELECT view_schema, view_name FROM ora.view_texts WHERE stale")
        self._views = frozenset((str(owner), str(name)) for owner, name in rows)

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have made some invalid, or valid."""
        if statement.verb in self._CHANGING:
            await self.read(database)

    async def settle(self, session: Session, statement: Statement) -> None:
        """Those that a statement names are valid, with what they stand on."""
        if not self._views:
            return
        named = set()
        for table in statement.tables:
            owner, _, name = table.strip('"').rpartition('"."')
            named |= {(place, name) for place in ((owner,) if owner else (session.current_schema, "PUBLIC"))}
        for owner, name in named & self._views:
            settled = await session.database.system("SELECT * FROM ora.settle_view(%s, %s)", (owner, name))
            self._views -= {(str(of), str(view)) for of, view in settled}


@dataclass(frozen=True)
class RemoteObject:
    """An object at the other end of a link; without an owner it is in the schema of the link's user."""

    owner: str | None
    name: str
    link: str


class RemoteSynonyms:
    """Synonyms for objects behind database links, by owner and name."""

    _NAMING = ("CREATE TABLE", "CREATE VIEW", "CREATE MATERIALIZED VIEW", "CREATE SEQUENCE")
    _CHANGING = ("CREATE SYNONYM", "DROP SYNONYM", "CREATE PUBLIC SYNONYM", "DROP PUBLIC SYNONYM")

    def __init__(self) -> None:
        self._synonyms: dict[tuple[str, str], RemoteObject] = {}

    async def read(self, database: Database) -> None:
        rows = await database.system(
            "SELECT owner, synonym_name, table_owner, table_name, db_link FROM localoracle.synonyms"
            " WHERE db_link IS NOT NULL"
        )
        self._synonyms = {(owner, name): RemoteObject(*target) for owner, name, *target in rows}

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have made or dropped one."""
        if statement.verb in self._CHANGING:
            await self.read(database)

    def user_dropped(self, user: str) -> None:
        self._synonyms = {place: target for place, target in self._synonyms.items() if place[0] != user}

    def maybe_in(self, sql: str) -> bool:
        """Whether any of their names stands in a statement, be it as something else."""
        if not self._synonyms:
            return False
        upper = sql.upper()
        return any(name.upper() in upper for _, name in self._synonyms)

    def refuse_name(self, statement: Statement, schema: str) -> None:
        """Raises ORA-00955 where DDL makes an object with the name of a synonym."""
        if statement.verb.startswith(self._NAMING) and (
            (statement.schema or schema, statement.object_name) in self._synonyms
        ):
            raise OracleError(955, "name is already used by an existing object")

    async def find(self, session: Session, owner: str | None, name: str) -> RemoteObject | None:
        """What `owner.name` or `name` means, if it is such a synonym: an own one, a public one."""
        own = self._synonyms.get((owner or session.current_schema, name))
        public = self._synonyms.get(("PUBLIC", name)) if owner is None and own is None else None
        if public is None:
            return own
        hidden = await session.pg_system(
            "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm')",
            [session.current_schema, name],
        )
        return None if hidden else public
