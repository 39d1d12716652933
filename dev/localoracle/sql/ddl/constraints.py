"""Constraints of CREATE TABLE and ALTER TABLE, and their states (SQL Language Reference, constraint)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.expressions import check_condition, condition, source_text
from localoracle.sql.ddl.physical_attributes import COMPUTED, physical_attribute
from localoracle.sql.parsing.lexer import Cursor, quote, quote_qualified
from localoracle.sql.parsing.names import column_list, read_name, read_qualified

MOST_KEY_COLUMNS = 32


@dataclass
class ConstraintState:
    """constraint_state: deferral, ENABLE or DISABLE, VALIDATE or NOVALIDATE, the index to use.

    `given` are its words as they were written.
    """

    given: tuple[str, ...] = ()
    deferral: str = ""
    disabled: bool = False
    validated: bool = True
    rely: bool = False
    uses_index: bool = False
    index: str | None = None
    create_index: list[Token] = field(default_factory=list)
    index_attributes: dict[str, str] = field(default_factory=dict)


# The parts of constraint_state in their order; those of the first stand in any.
_STATE = (
    ("NOT DEFERRABLE", "DEFERRABLE", "INITIALLY IMMEDIATE", "INITIALLY DEFERRED"),
    ("RELY", "NORELY"),
    ("USING INDEX",),
    ("ENABLE", "DISABLE"),
    ("VALIDATE", "NOVALIDATE"),
    ("EXCEPTIONS",),
)
# The same words begin clauses of ALTER TABLE.
_OTHER_CLAUSES = tuple(
    f"{word} {what}"
    for word in ("ENABLE", "DISABLE")
    for what in ("CONSTRAINT", "PRIMARY KEY", "UNIQUE (", "ROW MOVEMENT", "ALL TRIGGERS", "TABLE LOCK")
)


def constraint_state(cursor: Cursor) -> ConstraintState:
    """Read the states that follow a constraint: in their order and each once, or ORA-00922.

    SQL Language Reference, constraint, constraint_state.
    """
    state = ConstraintState()
    given: list[str] = []
    reached = 0
    while not cursor.done and not cursor.at(*_OTHER_CLAUSES):
        position = cursor.position
        place, word = next(
            ((place, word) for place, words in enumerate(_STATE) if (word := cursor.take(*words))), (0, None)
        )
        if word is None:
            break
        if place < reached or any(_same_state(word, other) for other in given):
            raise OracleError(922, "missing or invalid option", position)
        reached = place
        given.append(word)
        if word == "USING INDEX":
            using_index(cursor, state)
        elif word == "EXCEPTIONS":
            raise not_supported("EXCEPTIONS on a constraint")
    state.given = tuple(given)
    state.rely = "RELY" in given
    state.disabled = "DISABLE" in given
    # Without a word what is enabled is validated, what is disabled is not.
    state.validated = "VALIDATE" in given or not (state.disabled or "NOVALIDATE" in given)
    if "NOT DEFERRABLE" in given and "INITIALLY DEFERRED" in given:
        raise OracleError(2447, "cannot defer a constraint that is not deferrable")
    if "DEFERRABLE" in given or "INITIALLY DEFERRED" in given:
        state.deferral = " DEFERRABLE" + (" INITIALLY DEFERRED" if "INITIALLY DEFERRED" in given else "")
    return state


def _same_state(word: str, other: str) -> bool:
    """Whether two words say the same part of constraint_state."""
    if "INITIALLY" in word or "INITIALLY" in other:
        return "INITIALLY" in word and "INITIALLY" in other
    return any(word in words and other in words for words in _STATE)


def using_index(cursor: Cursor, state: ConstraintState) -> None:
    """What follows USING INDEX (constraint, using_index_clause)."""
    state.uses_index = True
    if cursor.at("("):
        state.create_index = cursor.parenthesised()
        return
    if cursor.at("PARALLEL", "NOPARALLEL"):
        raise _parallel_key(cursor)
    if physical_attribute(cursor, state.index_attributes, index=True):
        while physical_attribute(cursor, state.index_attributes, index=True):
            pass
        if "degree" in state.index_attributes:
            raise _parallel_key(cursor)
        if "partitions" in state.index_attributes:
            raise not_supported("USING INDEX LOCAL with a list of partitions")
        return
    if not cursor.done and not cursor.at(
        "ENABLE", "DISABLE", "VALIDATE", "NOVALIDATE", ",", ")", "NOT", "DEFERRABLE", "INITIALLY", "RELY"
    ):
        _, state.index = cursor.qualified()


def _parallel_key(cursor: Cursor) -> OracleError:
    """SQL Language Reference, constraint, "Restrictions on the using_index_clause"."""
    return OracleError(2158, "invalid CREATE INDEX option", cursor.position)


@dataclass
class Constraint:
    """One constraint. `kind`: PRIMARY KEY, UNIQUE, CHECK, FOREIGN KEY or NOT NULL."""

    kind: str
    name: str | None
    columns: tuple[str, ...] = ()
    body: str = ""
    source: str = ""
    state: ConstraintState = field(default_factory=ConstraintState)

    @property
    def definition(self) -> str:
        """PostgreSQL's text without the name."""
        listed = ", ".join(quote(column) for column in self.columns)
        text = {
            "PRIMARY KEY": f"PRIMARY KEY ({listed})",
            "UNIQUE": f"UNIQUE ({listed})",
            "CHECK": f"CHECK ({self.body})",
            "FOREIGN KEY": f"FOREIGN KEY ({listed}) {self.body}",
            "NOT NULL": f"NOT NULL {listed}",
        }[self.kind]
        return text + self.state.deferral

    @property
    def named(self) -> str:
        return (f"CONSTRAINT {quote(self.name)} " if self.name else "") + self.definition

    @property
    def is_key(self) -> bool:
        return self.kind in ("PRIMARY KEY", "UNIQUE")

    def named_by(self, relation: str) -> str:
        """An argument of calls for its name; of a key also where the database has given it."""
        if self.name is not None or not self.is_key:
            return self.name or ""
        return calls.key_name(relation, self.kind[0].lower(), self.columns, "drop")

    @property
    def uses_given_index(self) -> bool:
        """Keys that use an index of their own statement come when that index is there."""
        return bool(self.state.index or self.state.create_index)

    @property
    def made_at_once(self) -> bool:
        """Whether PostgreSQL's own clause makes it: no call for a given index, or for a name."""
        return not self.uses_given_index and (self.kind != "CHECK" or self.name is not None)


def at_constraint(cursor: Cursor) -> bool:
    return bool(cursor.at("CONSTRAINT", "PRIMARY KEY", "FOREIGN KEY", "CHECK (", "UNIQUE ("))


def inline_constraint(
    cursor: Cursor, name: str | None, column: str, others: Sequence[Constraint]
) -> Constraint:
    """A constraint beside a column, behind its name."""
    if kind := cursor.take("NOT NULL", "PRIMARY KEY", "UNIQUE"):
        return Constraint(kind, name, (column,), state=state_of(cursor, kind))
    if cursor.at("REFERENCES"):
        if any(other.kind == "FOREIGN KEY" for other in others):
            raise cursor.error(2274, "duplicate referential constraint specifications")
        body = _references(cursor)
        return Constraint("FOREIGN KEY", name, (column,), body, state=state_of(cursor, "FOREIGN KEY"))
    if cursor.at("CHECK"):
        return _check(cursor, name, column)
    raise cursor.error(907, "missing right parenthesis")


def table_constraint(cursor: Cursor) -> Constraint:
    """An out-of-line constraint."""
    name = read_name(cursor, "constraint") if cursor.take("CONSTRAINT") else None
    kind = cursor.take("PRIMARY KEY", "UNIQUE", "FOREIGN KEY")
    if kind is not None:
        columns = _key_columns(cursor)
        body = _references(cursor) if kind == "FOREIGN KEY" else ""
        return Constraint(kind, name, columns, body, state=state_of(cursor, kind))
    if cursor.at("CHECK"):
        return _check(cursor, name)
    raise cursor.error(2253, "constraint specification not allowed here")


def state_of(cursor: Cursor, kind: str) -> ConstraintState:
    """constraint_state, with what may not be said of this kind ("Restrictions" of constraint)."""
    position = cursor.position
    state = constraint_state(cursor)
    if state.uses_index and kind not in ("PRIMARY KEY", "UNIQUE"):
        raise OracleError(922, "missing or invalid option", position)
    if state.rely and kind == "NOT NULL" and not state.deferral:
        raise OracleError(25127, "RELY not allowed in NOT NULL constraint", position)
    return state


def _check(cursor: Cursor, name: str | None, column: str | None = None) -> Constraint:
    """`column`: the one beside which the condition stands."""
    cursor.expect("CHECK")
    tokens = cursor.parenthesised()
    check_condition(tokens, cursor.sql, column)
    body, source = condition(tokens, cursor.sql), source_text(tokens, cursor.sql)
    return Constraint("CHECK", name, (), body, source, state_of(cursor, "CHECK"))


def _references(cursor: Cursor) -> str:
    cursor.expect("REFERENCES")
    schema, table = read_qualified(cursor, "table")
    text = f"REFERENCES {quote_qualified(schema, table)}"
    if cursor.at("("):
        text += f" ({', '.join(quote(column) for column in column_list(cursor))})"
    if cursor.take("ON DELETE"):
        action = cursor.take("CASCADE", "SET NULL")
        if action is None:
            raise cursor.error(905, "missing keyword")
        text += f" ON DELETE {action}"
    return text


def _key_columns(cursor: Cursor) -> tuple[str, ...]:
    columns = column_list(cursor)
    if len(columns) > MOST_KEY_COLUMNS:
        raise cursor.error(2257, "maximum number of columns exceeded")
    return columns


def after_constraints(table: str, constraints: Sequence[Constraint]) -> list[str]:
    """What follows their creation: unnamed checks, Oracle's texts, states."""
    statements: list[str] = []
    relation = calls.relation(table)
    for constraint in constraints:
        if (constraint.name or constraint.is_key) and not (
            constraint.state.validated or constraint.state.disabled
        ):
            statements.append(calls.call("ora.set_validated", relation, constraint.named_by(relation), False))
        if constraint.is_key and not constraint.state.disabled:
            statements += key_attributes(relation, constraint.named_by(relation), constraint.state)
        if constraint.kind == "CHECK" and constraint.name is None:
            definition = constraint.definition + ("" if constraint.state.validated else " NOT VALID")
            statements.append(calls.call("ora.add_check", relation, definition, constraint.source))
        elif constraint.kind == "CHECK":
            statements.append(calls.source("check", table, constraint.name, constraint.source))
        if constraint.state.rely:
            name = _rely_attribute(constraint, relation)
            statements.append(calls.call("localoracle.set_attribute", relation, None, name, "YES"))
        if constraint.state.disabled:
            if constraint.name is None:
                raise not_supported("DISABLE of a constraint without a name")
            disabling = (
                "ora.disable_validated" if constraint.state.validated else "localoracle.disable_constraint"
            )
            statements.append(calls.call(disabling, relation, constraint.name, None))
    return statements


def key_attributes(relation: str, key: str, state: ConstraintState) -> list[str]:
    """The calls that keep what USING INDEX says of the index of an enabled key (an argument of calls)."""
    kept = {name: value for name, value in state.index_attributes.items() if name != COMPUTED}
    tablespace = kept.get("tablespace")
    statements = [] if tablespace is None else [calls.call("ora.check_tablespace", tablespace)]
    index = calls.Verbatim(f"({calls.call('ora.key_index', relation, key)})")
    return statements + [
        calls.call("localoracle.set_attribute", index, None, name, value) for name, value in kept.items()
    ]


def _rely_attribute(constraint: Constraint, relation: str) -> str:
    """The attribute that says RELY of a constraint; the constraint exists by then."""
    if constraint.name is not None:
        return f"rely${constraint.name}"
    if not constraint.is_key or constraint.state.disabled:
        raise not_supported("RELY on a constraint without a name, other than an enabled key")
    name = calls.key_name(relation, constraint.kind[0].lower(), constraint.columns, "drop")
    return calls.Verbatim(f"'rely$' || {name}")
