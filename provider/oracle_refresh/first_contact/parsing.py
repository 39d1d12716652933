"""The second step: every statement of every room is understood, and none is run.

Queries and DML are parsed by the driver's `Cursor.parse`, the call that DBMS_SQL.PARSE makes inside the
database: names, types and privileges are checked, no row is touched. DDL would be executed by it (PL/SQL
Packages and Types Reference 19c, DBMS_SQL.PARSE), so none is parsed. A PL/SQL block is compiled as a branch
that never runs. EXPLAIN PLAN is not used: it writes into PLAN_TABLE and checks no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.first_contact.absent_tables import inline_views, parseable
from oracle_refresh.first_contact.built import Built, build_statements
from oracle_refresh.first_contact.judging import check_of, ends_of, not_yet
from oracle_refresh.first_contact.model import Check, failed
from oracle_refresh.first_contact.rooms import Statement, own_tables, written_statements
from oracle_refresh.first_contact.statements import OWN_TABLES
from oracle_refresh.masking.fit import fit
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.errors import codes_in
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight import statements as preflight

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition

NEVER = "BEGIN\n  IF 1 = 0 THEN\n{block}\n  END IF;\nEND;"
_TEXTS = re.compile(r"'(?:[^']|'')*'")


def parse_statements(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition
) -> tuple[Check, ...]:
    """Parse everything that a refresh of this definition may send. Changes nothing at either end.

    :raises MaskingError: if the ruleset cannot be read.
    """
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    ruleset = load_ruleset(definition.masking.ruleset)
    inherited = fit(ruleset, catalogue, definition.exclude_tables).inherited
    built = build_statements(catalogue, ruleset.inheriting(inherited.items))
    present = {TableName(*row).key for row in rows(target, preflight.TABLES, names=definition.schemas)}
    own = {str(name) for (name,) in rows(target, OWN_TABLES)}
    absent = {
        name: view for name, view in inline_views((*own_tables(), *built.creates)).items() if name not in own
    }
    connections = {"source": source, "target": target}
    return (
        *_misfits(built),
        *_checks(connections, (*written_statements(), *built.statements), present, absent),
    )


def _misfits(built: Built) -> Iterator[Check]:
    remedy = "correct the ruleset: the preflight tells of rules that do not fit their columns"
    return (failed(f"masking of {table}", None, why, remedy) for table, why in built.misfits)


def _checks(
    connections: Mapping[str, oracledb.Connection],
    statements: tuple[Statement, ...],
    present: set[str],
    absent: Mapping[str, str],
) -> Iterator[Check]:
    for statement in statements:
        text = parseable(statement.text, absent)
        if text is None:
            yield not_yet(statement, "a table of the refresh")
            continue
        asked = replace(statement, text=text)
        ends = ends_of(asked, present)
        if not ends:
            yield not_yet(statement, "the copied table")
        for end in ends:
            yield _parse(connections[end], end, asked)


def _parse(connection: oracledb.Connection, end: str, statement: Statement) -> Check:
    import oracledb

    started, message = monotonic(), ""
    with connection.cursor() as cursor:
        try:
            if statement.is_block:
                block = NEVER.format(block=statement.text)
                cursor.execute(block, binds_of(cursor, block))
            else:
                cursor.parse(statement.text)
        except oracledb.Error as error:
            message = str(error).split("\nHelp: ")[0]
    return check_of(statement, end, monotonic() - started, codes_in(message), message)


def binds_of(cursor: oracledb.Cursor, block: str) -> dict[str, Any]:
    """A variable for each bind of a block. Text is converted to and from whatever a block assigns, but LOBs:
    PL/SQL Language Reference 19c, "Implicit Data Type Conversion"."""
    import oracledb

    own = {"content": oracledb.DB_TYPE_BLOB}
    names = dict.fromkeys(re.findall(r":([A-Za-z]\w*)", _TEXTS.sub("''", block)))
    return {name: cursor.var(own.get(name, oracledb.DB_TYPE_VARCHAR)) for name in names}
