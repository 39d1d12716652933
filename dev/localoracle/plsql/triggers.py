"""CREATE TRIGGER: a DML trigger becomes a plpgsql function and a PostgreSQL trigger of the same name.

The function runs with the rights of the trigger's owner and sees that schema's names first. Oracle's text is
kept for
DBA_TRIGGERS and DBMS_METADATA. Refused: compound triggers, triggers on SCHEMA and DATABASE, CALL bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.block_rules import BlockRules
from localoracle.plsql.check import Checker
from localoracle.plsql.compiled_expressions import PREDICATES
from localoracle.plsql.compiled_forms import dollar_quoted
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.parser import Parser
from localoracle.plsql.static_sql import check_tables
from localoracle.plsql.trigger_body import TriggerUnit
from localoracle.plsql.unit_checks import check_calls, require_execute
from localoracle.plsql.units import (
    Written,
    compilation_failure,
    failure_place,
    keep_trigger_references,
    references,
    refers_by_text,
)
from localoracle.postgres import privileges
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.values import DataType

if TYPE_CHECKING:
    from localoracle.session.session import Session


@dataclass(frozen=True)
class Trigger:
    """The parsed statement. `new` and `old` are the correlation names, `header` and `body` Oracle's own
    text.
    """

    owner: str
    name: str
    timing: str
    events: tuple[str, ...]
    columns: tuple[str, ...]
    table_owner: str
    table: str
    each_row: bool
    new: str
    old: str
    enabled: bool
    when: str | None
    header: str
    body_text: str
    body: tree.Block | None
    """None where it does not compile, for the reason in `failure`."""
    failure: OracleError | None


class TriggerParser(Parser):
    """`text` starts at the word TRIGGER."""

    def trigger(self, schema: str) -> Trigger:
        self.expect_word("TRIGGER")
        start = self.token.start
        owner, name = self._qualified(schema)
        timing = self._timing()
        events, columns = self._events()
        self.expect_word("ON")
        if self.is_word("SCHEMA", "DATABASE", "PLUGGABLE", "NESTED"):
            raise self.refuse(f"trigger ON {self.token.value}")
        table_owner, table = self._qualified(schema)
        new, old = self.correlations = self._referencing()
        each_row = timing == "INSTEAD OF"
        if self.accept_word("FOR"):
            self.expect_word("EACH")
            self.expect_word("ROW")
            each_row = True
        if self.is_word("FOLLOWS", "PRECEDES", "CROSSEDITION", "FORWARD", "REVERSE"):
            raise self.refuse(f"trigger {self.token.value}")
        enabled = not self.accept_word("DISABLE")
        self.accept_word("ENABLE")
        header_end = self.token.start
        when = self._when()
        if self.is_word("COMPOUND", "CALL"):
            raise self.refuse(f"{self.token.value} trigger")
        body_start = self.token.start
        body, failure = None, None
        try:
            body = self.block()
            body_end = self.token.end if self.is_op(";") else self.tokens[self.index - 1].end
            self.accept_op(";")
            self.accept_op("/")
            if self.token.kind != "end":
                self.fail("end-of-file")
            BlockRules(self.text).block(body)
        except OracleError as error:
            body, failure = None, compilation_failure(error)
            body_end = len(self.text.rstrip().rstrip("/"))
        return Trigger(
            owner,
            name,
            timing,
            events,
            columns,
            table_owner,
            table,
            each_row,
            new,
            old,
            enabled,
            when,
            self.text[start:header_end],
            self.text[body_start:body_end],
            body,
            failure,
        )

    def _qualified(self, schema: str) -> tuple[str, str]:
        first = self.name()
        return (first, self.name()) if self.accept_op(".") else (schema, first)

    def _timing(self) -> str:
        if self.accept_word("INSTEAD"):
            self.expect_word("OF")
            return "INSTEAD OF"
        if self.is_word("FOR"):
            raise self.refuse("COMPOUND trigger")
        return self.expect_word("BEFORE", "AFTER").value

    def _events(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        events: list[str] = []
        columns: list[str] = []
        while True:
            if not self.is_word("INSERT", "UPDATE", "DELETE"):
                raise self.refuse(f"trigger on {self.token.value}")
            events.append(self.advance().value)
            if events[-1] == "UPDATE" and self.accept_word("OF"):
                columns.append(self.name())
                while self.accept_op(","):
                    columns.append(self.name())
            if not self.accept_word("OR"):
                return tuple(events), tuple(columns)

    def _referencing(self) -> tuple[str, str]:
        names = {"NEW": "NEW", "OLD": "OLD"}
        if self.accept_word("REFERENCING"):
            while self.is_word("NEW", "OLD", "PARENT"):
                which = self.advance().value
                if which == "PARENT":
                    raise self.refuse("REFERENCING PARENT")
                self.accept_word("AS")
                names[which] = self.name()
        return names["NEW"], names["OLD"]

    def _when(self) -> str | None:
        if not self.accept_word("WHEN"):
            return None
        last = self._closing(0)
        start, end = self.token.end, self.peek(last).start
        self.index += last + 1
        return self.text[start:end].strip()


async def create_trigger(session: Session, text: str, *, replace: bool) -> str:
    """Create the trigger. `text` starts at TRIGGER. Raises ORA-04080 and others as Oracle, ORA-03001 with
    the line.
    """
    trigger = TriggerParser(text.rstrip()).trigger(session.current_schema)
    await _require(session, trigger)
    await _check_name(session, trigger, replace)
    await _check_kind(session, trigger)
    failure = await _make(session, trigger, text.rstrip(), "ENABLE" if trigger.enabled else "DISABLE")
    session.backend.compiled_with_errors = failure is not None
    return "CREATE TRIGGER"


async def compile_trigger(session: Session, owner: str, name: str) -> bool:
    """ALTER TRIGGER ... COMPILE; False when it is invalid. ORA-04080 when it is not there."""
    rows = await session.pg_system(
        "SELECT localoracle.source('trigger_header', 'pg_trigger', t.trigger_oid), t.when_clause,"
        " t.trigger_body FROM dictionary.triggers t WHERE (t.owner, t.trigger_name) = (%s, %s)",
        (owner, name),
    )
    if not rows:
        raise OracleError(4080, f"trigger '{name}' does not exist")
    header, when, body = rows[0]
    text = f"TRIGGER {header}{f'WHEN ({when}) ' if when else ''}{body}"
    trigger = TriggerParser(text).trigger(owner)
    return await _make(session, trigger, text) is None


async def compile_invalid_triggers(session: Session, name: str) -> None:
    """Compile again the invalid triggers that name a unit or table which has been made or changed."""
    rows = await session.pg_system(
        "SELECT t.owner, t.trigger_name FROM dictionary.triggers t"
        " WHERE localoracle.source('trigger_error', 'pg_trigger', t.trigger_oid) IS NOT NULL"
        " AND position(upper(%s) IN upper(t.trigger_body)) > 0",
        (name,),
    )
    for owner, trigger in rows:
        await compile_trigger(session, str(owner), str(trigger))


async def _make(
    session: Session, trigger: Trigger, text: str, state: str | None = None
) -> OracleError | None:
    """Make or replace it; returns why its body does not compile. An invalid one fails when it fires.

    state: ENABLE or DISABLE; without it the trigger is there and only its body is made again, for which
    nothing waits that others do with the table.
    """
    table = f"{quote(trigger.table_owner)}.{quote(trigger.table)}"
    result = await session.run(f"SELECT * FROM {table} WHERE 1 = 0")
    columns = {column.name: column.datatype for column in result.columns or ()}
    await result.close()
    for name in trigger.columns:
        if name not in columns:
            raise OracleError(904, f'"{name}": invalid identifier')
    function = f"{quote(trigger.owner)}.{quote('localoracle$' + trigger.name)}"
    failure = trigger.failure
    with references(trigger.owner) as found:
        if failure is None:
            try:
                body = await _compiled_body(session, trigger, text, columns)
            except OracleError as error:
                failure = compilation_failure(error)
    if failure is not None:
        unit = f"{trigger.owner}.{trigger.name}"
        message = f"ORA-04098: trigger '{unit}' is invalid and failed re-validation"
        body = f"BEGIN PERFORM ora.raise({literal(message)}); RETURN NULL; END"
    await session.pg_system(
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER"
        f' SET search_path = {quote(trigger.owner)}, "SYS", ora AS {dollar_quoted(body)}',
        write=True,
    )
    if state is not None:
        await _attach(session, trigger, f"{function}()", table, state)
    for kind, source in (
        ("trigger_header", trigger.header),
        ("trigger_when", trigger.when),
        ("trigger_body", trigger.body_text),
        ("trigger_error", _told(failure)),
        ("trigger_stale", None),
    ):
        await session.pg_system(
            "SELECT localoracle.set_source(%s, %s::regclass, %s, %s)",
            (kind, table, trigger.name, source),
            write=True,
        )
    await _keep_references(session, trigger, found)
    return failure


async def _attach(session: Session, trigger: Trigger, function: str, table: str, state: str) -> None:
    events = " OR ".join(
        event
        + (f" OF {', '.join(map(quote, trigger.columns))}" if event == "UPDATE" and trigger.columns else "")
        for event in trigger.events
    )
    await session.pg_system(
        f"CREATE OR REPLACE TRIGGER {quote(trigger.name)} {trigger.timing} {events} ON {table}"
        f" FOR EACH {'ROW' if trigger.each_row else 'STATEMENT'} EXECUTE FUNCTION {function}",
        write=True,
    )
    if trigger.timing != "INSTEAD OF":
        await session.pg_system(f"ALTER TABLE {table} {state} TRIGGER {quote(trigger.name)}", write=True)


async def _compiled_body(session: Session, trigger: Trigger, text: str, columns: dict[str, DataType]) -> str:
    """Raises ORA-06550 where the body does not compile."""
    refers_by_text(text)
    checker = Checker(text)
    assert trigger.body is not None
    checker.block(trigger.body, dict.fromkeys(PREDICATES, trigger))
    async with rights_of(session, trigger.owner):
        await require_execute(session, checker.result.packages, text)
        await check_calls(session, text, checker.result)
        await check_tables(session, text, trigger.owner, checker.result.statements)
        return await TriggerUnit(session, text, trigger, columns).compile()


async def _keep_references(session: Session, trigger: Trigger, found: set[Written]) -> None:
    table = trigger.table_owner, trigger.table
    rows = await session.pg_system(
        "SELECT oid FROM pg_trigger"
        " WHERE tgname = %s AND tgrelid = to_regclass(format('%%I.%%I', %s::text, %s::text))",
        (trigger.name, *table),
    )
    for (number,) in rows:
        await keep_trigger_references(session, number, trigger.owner, table, found)


def _told(failure: OracleError | None) -> str | None:
    """Line, column and message of the first error, one below the other."""
    place = failure_place(failure) if failure is not None else None
    return "\n".join(map(str, place)) if place is not None else None


async def _check_kind(session: Session, trigger: Trigger) -> None:
    """What the kind of trigger may be on, and whether it may have WHEN ("CREATE TRIGGER Statement")."""
    rows = await session.pg_system(
        "SELECT relkind = 'v' FROM pg_class WHERE oid = to_regclass(format('%%I.%%I', %s::text, %s::text))",
        (trigger.table_owner, trigger.table),
    )
    on_view = bool(rows) and rows[0][0]
    if rows and trigger.timing == "INSTEAD OF" and not on_view:
        raise OracleError(25002, "cannot create INSTEAD OF triggers on tables")
    if trigger.timing != "INSTEAD OF" and on_view:
        raise OracleError(25001, "cannot create this trigger type on this type of view")
    if trigger.when is not None and trigger.timing == "INSTEAD OF":
        raise OracleError(25004, "WHEN clause is not allowed in INSTEAD OF triggers")
    if trigger.when is not None and not trigger.each_row:
        raise OracleError(4077, "WHEN clause cannot be used with table level triggers")


async def _require(session: Session, trigger: Trigger) -> None:
    own = trigger.owner == session.user and trigger.table_owner == session.user
    if not await privileges.has(session, "CREATE TRIGGER" if own else "CREATE ANY TRIGGER"):
        raise OracleError(1031, "insufficient privileges")


async def _check_name(session: Session, trigger: Trigger, replace: bool) -> None:
    """A trigger's name is unique in its schema; PostgreSQL's only on its table. ORA-04081, ORA-04095."""
    rows = await session.pg_system(
        "SELECT c.relname, n.nspname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_proc p ON p.oid = g.tgfoid"
        " JOIN pg_namespace o ON o.oid = p.pronamespace"
        " WHERE g.tgname = %s AND o.nspname = %s AND NOT g.tgisinternal AND g.tgparentid = 0",
        (trigger.name, trigger.owner),
    )
    if rows and not replace:
        raise OracleError(4081, f"trigger '{trigger.name}' already exists")
    if rows and (str(rows[0][1]), str(rows[0][0])) != (trigger.table_owner, trigger.table):
        raise OracleError(
            4095, f"trigger '{trigger.name}' already exists on another table, cannot replace it"
        )
