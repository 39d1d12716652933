"""ALTER TABLE ... ADD, MODIFY, DROP, ENABLE and DISABLE of constraints."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.alteration import Alteration
from localoracle.sql.ddl.constraints import (
    Constraint,
    ConstraintState,
    after_constraints,
    constraint_state,
    key_attributes,
    table_constraint,
    using_index,
)
from localoracle.sql.ddl.indexes import add_key
from localoracle.sql.ddl.physical_attributes import COMPUTED
from localoracle.sql.parsing.lexer import Cursor, literal
from localoracle.sql.parsing.names import column_list

#: How a clause names a constraint that is there.
KEYS = ("CONSTRAINT", "PRIMARY KEY", "UNIQUE (")


def add(change: Alteration, cursor: Cursor) -> None:
    add_constraint(change, table_constraint(cursor))


def add_constraint(change: Alteration, constraint: Constraint) -> None:
    state = constraint.state
    if state.index_attributes.get("locality") == "LOCAL":
        change.call("ora.check_indexed", calls.texts(constraint.columns), True, True)
    if state.index_attributes:
        change.call("ora.check_index_options", True)
    if COMPUTED in state.index_attributes:
        change.call("ora.check_computed")
    if state.disabled:
        _add_disabled(change, constraint)
    elif constraint.uses_given_index:
        change.statements += add_key(change.table, constraint, change.cursor.sql)
    elif constraint.is_key:
        key = (constraint.name, constraint.kind, calls.texts(constraint.columns), state.deferral)
        change.call("ora.add_plain_key", *key)
    elif constraint.kind != "CHECK" or constraint.name:
        unchecked = " NOT VALID" if not state.validated else ""
        change.run(f"ALTER TABLE {change.table} ADD {constraint.named}{unchecked}")
    if not state.disabled:
        change.statements += after_constraints(change.table, [constraint])
    change.call("ora.check_constraints")
    change.note_change()


def _add_disabled(change: Alteration, constraint: Constraint) -> None:
    """A constraint that is made disabled is not tested."""
    described = (constraint.kind, calls.texts(constraint.columns), constraint.definition)
    change.call("ora.add_disabled", constraint.name, *described, constraint.source or None)
    if constraint.name is None and (constraint.state.rely or constraint.state.validated):
        raise not_supported("RELY or DISABLE VALIDATE of a constraint without a name")
    if constraint.state.validated:
        change.call("ora.disable_validated", constraint.name, None)
    if constraint.state.rely:
        change.run(calls.attribute(change.table, None, f"rely${constraint.name}", "YES"))


def modify(change: Alteration) -> None:
    """MODIFY CONSTRAINT: what is not said stays as it is (ALTER TABLE, constraint_clauses)."""
    cursor = change.cursor
    key = _named(change, "drop")
    change.call("ora.check_modified_constraint", key)
    position = cursor.position
    state = constraint_state(cursor)
    given = set(state.given)
    if not given:
        raise OracleError(922, "missing or invalid option", position)
    if given & {"DEFERRABLE", "NOT DEFERRABLE"}:
        raise OracleError(933, "SQL command not properly ended", position)
    if state.uses_index and state.disabled:
        raise OracleError(922, "missing or invalid option", position)
    if given & {"INITIALLY DEFERRED", "INITIALLY IMMEDIATE"}:
        change.call("ora.set_initially", key, "INITIALLY DEFERRED" in given)
    if given & {"RELY", "NORELY"}:
        change.call("ora.set_rely", key, state.rely)
    if state.disabled:
        _disable(change, key, None, cascade=bool(cursor.take("CASCADE")), validated=state.validated)
    elif given & {"ENABLE", "USING INDEX"}:
        _enable(change, key, state)
    elif given & {"VALIDATE", "NOVALIDATE"}:
        change.call("ora.set_validated", key, state.validated)


def drop(change: Alteration) -> None:
    key = _named(change, "drop")
    cascade, index = _consequences(change.cursor)
    change.call("ora.check_key_of_index_organized", key)
    change.call("ora.drop_constraint", key, cascade, index)


def enable(change: Alteration) -> None:
    key, word = _switched(change, "enable")
    state = ConstraintState(validated=word != "NOVALIDATE")
    if change.cursor.take("USING INDEX"):
        using_index(change.cursor, state)
    if change.cursor.at("EXCEPTIONS"):
        raise not_supported("EXCEPTIONS on a constraint")
    _enable(change, key, state)


def _enable(change: Alteration, key: calls.Verbatim, state: ConstraintState) -> None:
    """A key takes the index that is named, or one that is there on its columns; else it makes its own, which
    comes back as it was."""
    if state.create_index:
        raise not_supported("ENABLE of a key USING INDEX (CREATE INDEX)")
    if COMPUTED in state.index_attributes:
        change.call("ora.check_computed")
    if state.uses_index:
        change.call("ora.check_is_key", key)
    change.call("localoracle.enable_constraint", key, state.validated, state.index)
    change.statements += key_attributes(change.relation, key, state)


def disable(change: Alteration) -> None:
    key, word = _switched(change, "disable")
    cascade, index = _consequences(change.cursor)
    _disable(change, key, index, cascade=cascade, validated=word == "VALIDATE")


def _disable(
    change: Alteration, key: calls.Verbatim, index: str | None, *, cascade: bool, validated: bool
) -> None:
    change.call("ora.check_key_of_index_organized", key)
    if cascade:
        change.call("ora.disable_references", key)
    change.call("ora.disable_validated" if validated else "localoracle.disable_constraint", key, index)


def _consequences(cursor: Cursor) -> tuple[bool, str | None]:
    """CASCADE, and what becomes of the index of a key."""
    return bool(cursor.take("CASCADE")), cursor.take("KEEP INDEX", "DROP INDEX")


def _switched(change: Alteration, purpose: str) -> tuple[calls.Verbatim, str | None]:
    """The constraint behind ENABLE or DISABLE, and the word VALIDATE or NOVALIDATE before it
    (enable_disable_clause of CREATE TABLE)."""
    cursor = change.cursor
    word = cursor.take("VALIDATE", "NOVALIDATE")
    if not cursor.at(*KEYS):
        raise OracleError(1735, "invalid ALTER TABLE option", cursor.position)
    return _named(change, purpose), word


def _named(change: Alteration, purpose: str) -> calls.Verbatim:
    """An expression for the name of the constraint that is meant; `purpose`: drop, enable or disable."""
    cursor = change.cursor
    if cursor.take("CONSTRAINT"):
        return calls.Verbatim(literal(cursor.name()))
    if cursor.take("PRIMARY KEY"):
        return calls.key_name(change.relation, "p", None, purpose)
    cursor.expect("UNIQUE", 2253, "constraint specification not allowed here")
    return calls.key_name(change.relation, "u", column_list(cursor), purpose)
