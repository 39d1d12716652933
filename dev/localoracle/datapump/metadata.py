"""Metadata of an export as Oracle DDL, and its execution by an import with remaps."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from localoracle.datapump.definition import Definition
from localoracle.datapump.errors import stack
from localoracle.datapump.master import Row
from localoracle.datapump.selection import Connection, Report, Table, named, path
from localoracle.errors import OracleError

# What depends on a table: type, and the query for the names with owner and table as parameters. The index
# of a primary key or unique constraint comes with the constraint.
_DEPENDENTS = (
    (
        "INDEX",
        "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
        " WHERE i.indrelid = format('%%I.%%I', %s::text, %s::text)::regclass AND NOT EXISTS"
        " (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))"
        " ORDER BY 1",
    ),
    (
        "CONSTRAINT",
        "SELECT constraint_name FROM dictionary.constraints WHERE owner = %s AND table_name = %s"
        " AND native_type <> 'n' AND constraint_type <> 'R' ORDER BY constraint_type = 'C', 1",
    ),
    (
        "REF_CONSTRAINT",
        "SELECT constraint_name FROM dictionary.constraints WHERE owner = %s AND table_name = %s"
        " AND constraint_type = 'R' ORDER BY 1",
    ),
    (
        "TRIGGER",
        "SELECT trigger_name FROM dictionary.triggers WHERE table_owner = %s AND table_name = %s ORDER BY 1",
    ),
)
# Constraints of the table itself: EXCLUDE=CONSTRAINT leaves them (Oracle Database Utilities).
_NOT_NULLS = (
    "SELECT constraint_name FROM dictionary.constraints WHERE owner = %s AND table_name = %s"
    " AND native_type = 'n' ORDER BY column_numbers[1]"
)
_GRANTS = {"VIEW_GRANT": "OBJECT_GRANT"}
_WITH_SEGMENTS = ("TABLE", "INDEX", "CONSTRAINT")
_TABLESPACE = re.compile(r'(?i)(TABLESPACE\s+)"((?:[^"]|"")*)"')
_STORAGE = re.compile(r"(?i)\s+STORAGE\s*\([^()]*\)")
_ATTRIBUTES = re.compile(r"(?i)\s+(?:(?:PCTFREE|PCTUSED|INITRANS|MAXTRANS)\s+\d+|(?:NO)?LOGGING)\b")
_CREATION = re.compile(r"(?i)\s+SEGMENT CREATION (?:IMMEDIATE|DEFERRED)\b")
_LOB_STORAGE = re.compile(r"(?i)\bSTORE AS (?:SECUREFILE|BASICFILE)\b")
# Properties of a LOB that a BasicFile cannot have.
_SECUREFILE_ONLY = re.compile(
    r"(?i)\s+(?:KEEP_DUPLICATES|DEDUPLICATE|NOCOMPRESS|COMPRESS (?:LOW|MEDIUM|HIGH))\b"
)
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")


async def collect(
    connection: Connection,
    definition: Definition,
    schemas: list[str],
    tables: list[Table],
    paths: set[str],
    report: Report,
) -> list[Row]:
    """The metadata rows of an export in import order; `order` is still to be given.

    What DBMS_METADATA cannot describe is reported and left out.
    """
    rows: list[Row] = []

    async def add(kind: str, name: str, schema: str, base: str | None) -> None:
        try:
            ddl = await _ddl(connection, "CONSTRAINT" if kind == "NOT_NULL" else kind, name, schema)
        except OracleError as error:
            report(error)
            return
        rows.extend(
            Row(0, path(definition, kind), kind, schema, name, base, ddl=text)
            for text in statements_of(kind, ddl)
        )

    await connection.execute("SELECT set_config('search_path', '\"SYS\", ora', false)")
    wanted = {
        kind: path(definition, kind) in paths
        for kind in ("SEQUENCE", "TABLE", "OBJECT_GRANT", "COMMENT", "VIEW", "VIEW_GRANT")
    }
    for schema in schemas if wanted["SEQUENCE"] else []:
        for name in await _relations(connection, definition, schema, "S", "SEQUENCE", report):
            await add("SEQUENCE", name, schema, None)
    if wanted["TABLE"]:
        for table in tables:
            await add("TABLE", table.name, table.schema, table.name)
        for table in tables:
            arguments = [table.schema, table.name]
            for (name,) in await (await connection.execute(_NOT_NULLS, arguments)).fetchall():
                await add("NOT_NULL", name, table.schema, table.name)
    for kind in ("OBJECT_GRANT", "COMMENT"):
        for table in tables if wanted[kind] else []:
            rows += await _statements(connection, definition, kind, table.schema, table.name)
    for kind, query in _DEPENDENTS:
        for table in tables if path(definition, kind) in paths else []:
            dependents = await (await connection.execute(query, [table.schema, table.name])).fetchall()
            names = [row[0] for row in dependents]
            left = await named(connection, definition, names, path(definition, kind), lambda _: None)
            for name in names:
                if name in left:
                    await add(kind, name, table.schema, table.name)
    for schema in schemas if wanted["VIEW"] else []:
        for name in await _relations(connection, definition, schema, "v", "VIEW", report):
            await add("VIEW", name, schema, None)
            if wanted["VIEW_GRANT"]:
                rows += await _statements(connection, definition, "VIEW_GRANT", schema, name)
    return rows


def statements_of(kind: str, ddl: str) -> list[str]:
    """The statements of what GET_DDL gives for one object."""
    if kind != "TRIGGER":
        return [ddl]
    # Enabling or disabling it is a statement of its own, needed only for the latter.
    body, words, state = ddl.rpartition("\nALTER TRIGGER ")
    return [body] + ([words.strip() + " " + state] if state.endswith("DISABLE") else [])


async def _relations(
    connection: Connection, definition: Definition, schema: str, relkind: str, kind: str, report: Report
) -> list[str]:
    rows = await (
        await connection.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE "
            "n.nspname = %s AND c.relkind = %s"
            " AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('i', 'a')"
            " AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0) ORDER BY c.oid",
            [schema, relkind],
        )
    ).fetchall()
    names = [row[0] for row in rows]
    wanted = await named(connection, definition, names, path(definition, kind), report, schema)
    return [name for name in names if name in wanted]


async def _ddl(connection: Connection, kind: str, name: str, schema: str) -> str:
    """What DBMS_METADATA.GET_DDL gives, without COMPUTE STATISTICS; tables without constraints, which are
    objects of their own."""
    async with connection.transaction():
        for parameter in ("statistics", *(("constraints", "ref_constraints") if kind == "TABLE" else ())):
            await connection.execute(
                "SELECT set_config(%s, 'false', true)", [f"localoracle.transform_{parameter}"]
            )
        row = await (
            await connection.execute("SELECT localoracle.ddl(%s, %s, %s)", [kind, name, schema])
        ).fetchone()
    if row is None or row[0] is None:
        raise stack((31603, name, kind, schema))
    return str(row[0]).strip()


async def _statements(
    connection: Connection, definition: Definition, kind: str, schema: str, name: str
) -> list[Row]:
    """Grants and comments, one statement each."""
    rows = await (
        await connection.execute(
            "SELECT localoracle.dependent_ddl(%s, %s, %s)", [_GRANTS.get(kind, kind), name, schema]
        )
    ).fetchall()
    return [Row(0, path(definition, kind), kind, schema, name, name, ddl=row[0].strip()) for row in rows]


def remapped(definition: Definition, row: Row) -> str:
    """The DDL of a row with REMAP_SCHEMA, REMAP_TABLE, REMAP_TABLESPACE and transforms applied."""
    ddl = transformed(definition, row) if row.kind in _WITH_SEGMENTS else row.ddl
    if not definition.remaps:
        return ddl
    names = {f'"{item.old}"': f'"{item.new}"' for item in definition.remaps if item.name == "REMAP_SCHEMA"}
    base = row.base or (row.name if row.kind == "TABLE" else None)
    old_table, new_table = f'"{base}"', f'"{definition.new_table(row.schema, base)}"' if base else ""
    out: list[str] = []
    position = 0
    for match in _QUOTED.finditer(ddl):
        token, after, before = (
            match.group(),
            ddl[match.end() : match.end() + 1],
            ddl[match.start() - 1 : match.start()],
        )
        if token in names and after == ".":
            token = names[token]
        elif (
            base
            and token == old_table
            and before == "."
            and ddl[: match.start() - 1].endswith(f'"{row.schema}"')
        ):
            token = new_table
        out += [ddl[position : match.start()], token]
        position = match.end()
    return "".join(out) + ddl[position:]


def transformed(definition: Definition, row: Row) -> str:
    """The DDL of something with segments after METADATA_TRANSFORM and REMAP_TABLESPACE."""
    ddl = row.ddl
    if definition.transform("SEGMENT_ATTRIBUTES", row.kind) == 0:
        ddl = _TABLESPACE.sub("", ddl)
        ddl = _outside_quotes(_STORAGE, "", ddl)
        ddl = _outside_quotes(_ATTRIBUTES, "", ddl)
    if definition.transform("STORAGE", row.kind) == 0:
        ddl = _outside_quotes(_STORAGE, "", ddl)
    if definition.transform("SEGMENT_CREATION", row.kind) == 0:
        ddl = _outside_quotes(_CREATION, "", ddl)
    lobs = definition.transform("LOB_STORAGE", row.kind)
    if lobs not in (None, "NO_CHANGE"):
        stored = "STORE AS" if lobs == "DEFAULT" else f"STORE AS {lobs}"
        ddl = _outside_quotes(_LOB_STORAGE, stored, ddl)
        if lobs == "BASICFILE":
            ddl = _outside_quotes(_SECUREFILE_ONLY, "", ddl)
    return _TABLESPACE.sub(
        lambda match: f'{match.group(1)}"{definition.new_tablespace(match.group(2))}"', ddl
    )


def _outside_quotes(pattern: re.Pattern[str], replacement: str, ddl: str) -> str:
    """Replace what stands neither in a name nor in a text."""
    out: list[str] = []
    position = 0
    for match in _QUOTED.finditer(ddl):
        out += [pattern.sub(replacement, ddl[position : match.start()]), match.group()]
        position = match.end()
    return "".join(out) + pattern.sub(replacement, ddl[position:])


class Ddl:
    """Runs the DDL of an import through a session of its own, as a privileged user."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self._session: Any = None
        self._revalidating = asyncio.Lock()

    async def run(self, ddl: str, schema: str) -> None:
        """Execute one Oracle statement; names without a schema are in `schema`. Raises OracleError."""
        await self._open()
        if self._session.current_schema != schema:
            await self._session.set_current_schema(schema)
        await self._session.run(ddl)

    async def revalidated(self, error: OracleError) -> bool:
        """Whether rows met an invalid trigger that is valid now. Called by several workers at a time."""
        async with self._revalidating:
            await self._open()
            valid: bool = await self._session.revalidate(error)
            return valid

    async def _open(self) -> None:
        if self._session is None:
            self._session = await self._database.open_session("SYS")

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
