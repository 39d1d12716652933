"""A trigger's body as plpgsql: :NEW and :OLD, the predicates, what the function returns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_body import BodyCompiler
from localoracle.plsql.compiled_unit import CompiledUnit
from localoracle.plsql.embedded import tables_named
from localoracle.plsql.errors import line_and_column
from localoracle.plsql.expressions import ExpressionParser
from localoracle.plsql.lexer import Token, tokenize
from localoracle.plsql.routine_body import check_routine
from localoracle.plsql.scope import Scope
from localoracle.sql.parsing.lexer import literal
from localoracle.values import DataType

if TYPE_CHECKING:
    from localoracle.plsql.triggers import Trigger
    from localoracle.session.session import Session


_UNKNOWN_COLUMN = re.compile(r"PLS-00049: bad bind variable '([^'.]+)\.([^']+)'")
_TRANSACTION_CONTROL = ("COMMIT", "ROLLBACK", "SAVEPOINT")


async def _reads(session: Session, tables: Iterable[tuple[str | None, str]], trigger: Trigger) -> bool:
    """Whether one of the tables is the trigger's, or a view over it."""
    names = [(schema or trigger.owner, name) for schema, name in tables]
    rows = await session.pg_system(
        "SELECT EXISTS (SELECT FROM unnest(%s::text[], %s::text[]) AS named(schema, name)"
        " WHERE ora.reads_relation(to_regclass(format('%%I.%%I', named.schema, named.name)),"
        " to_regclass(format('%%I.%%I', %s::text, %s::text))))",
        ([schema for schema, _ in names], [name for _, name in names], trigger.table_owner, trigger.table),
    )
    return bool(rows[0][0])


class TriggerUnit(CompiledUnit):
    """One trigger; `columns` are those of its table."""

    kind = "trigger"

    def __init__(self, session: Session, text: str, trigger: Trigger, columns: dict[str, DataType]) -> None:
        super().__init__(session, text, trigger.owner)
        self.trigger = trigger
        self.columns = columns
        self.body = BodyCompiler(self)

    async def has_routine(self, owner: str, name: str, kind: str) -> bool:
        return await check_routine(self.session, owner, name, kind)

    async def compile(self) -> str:
        """The body of the plpgsql function."""
        assert self.trigger.body is not None
        scope = Scope()
        if not self.trigger.each_row or self.trigger.timing == "AFTER":
            pass
        elif set(self.trigger.events) == {"DELETE"}:
            self.returns = "RETURN OLD;"
        elif "DELETE" in self.trigger.events:
            self.returns = "IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW;"
        else:
            self.returns = "RETURN NEW;"
        lines = ["#variable_conflict use_variable", "BEGIN"]
        if self.trigger.when is not None:
            condition = await self._condition_of_when(scope)
            lines.append(f"IF ({condition}) IS NOT TRUE THEN {self.returns} END IF;")
        lines += await self.body.block(self.trigger.body, scope)
        lines += [self.returns, "END"]
        return "\n".join(lines)

    async def _condition_of_when(self, scope: Scope) -> str:
        """WHEN is a condition of SQL: a column that is not there is ORA-00904."""
        try:
            return await self.body.expressions.condition(self._when(), scope)
        except OracleError as error:
            unknown = _UNKNOWN_COLUMN.search(error.text)
            if unknown is None:
                raise
            raise OracleError(904, f'"{unknown[1]}"."{unknown[2]}": invalid identifier') from error

    def _when(self) -> tree.Expression:
        """The WHEN condition, in which NEW and OLD have no colon. ORA-25000, ORA-02251."""
        assert self.trigger.when is not None
        names = {self.trigger.new, self.trigger.old}
        marked: list[str] = []
        last = 0
        tokens = tokenize(self.trigger.when)
        if any(token.kind == "bind" for token in tokens):
            raise OracleError(25000, "invalid use of bind variable in trigger WHEN clause")
        if any(token.kind == "word" and token.value == "SELECT" for token in tokens):
            raise OracleError(2251, "subquery not allowed here")
        for token, following in zip(tokens, (*tokens[1:], tokens[-1]), strict=True):
            if token.kind == "word" and token.value in names and following.value == ".":
                marked.append(self.trigger.when[last : token.start] + ":")
                last = token.start
        parser = ExpressionParser("".join(marked) + self.trigger.when[last:])
        parser.correlations = (self.trigger.new, self.trigger.old)
        return parser.expression()

    def statement(self, statement: tree.Statement) -> list[str] | None:
        if not isinstance(statement, tree.SqlStatement) or statement.verb not in _TRANSACTION_CONTROL:
            return None
        text = f"ORA-04092: cannot {statement.verb} in a trigger"
        return [f"PERFORM ora.raise({literal(text)} || E'{self._stack_text(statement.place)}');"]

    async def around_sql(self, statement: tree.SqlStatement, lines: list[str], scope: Scope) -> list[str]:
        if not self.trigger.each_row or self.trigger.timing == "INSTEAD OF":
            return lines
        tables = tables_named(self.text, statement.sql, scope)
        if not await _reads(self.session, tables, self.trigger):
            return lines
        table = f"{self.trigger.table_owner}.{self.trigger.table}"
        text = f"ORA-04091: table {table} is mutating, trigger/function may not see it"
        stack = self._stack_text(statement.place)
        refused = f"PERFORM ora.raise({literal(text)} || E'{stack}');"
        return [f"IF ora.is_mutating(TG_RELID, TG_WHEN, TG_OP) THEN {refused} END IF;", *lines]

    def _stack_text(self, place: int) -> str:
        return self.stack(place).replace("'", "''")

    def stack(self, place: int) -> str:
        # Oracle counts a trigger's lines from its DECLARE or BEGIN.
        assert self.trigger.body is not None
        line = (
            line_and_column(self.text, place)[0] - line_and_column(self.text, self.trigger.body.place)[0] + 1
        )
        name = f"{self.trigger.owner}.{self.trigger.name}"
        return (
            f'\\nORA-06512: at "{name}", line {line}'
            f"\\nORA-04088: error during execution of trigger '{name}'"
        )

    def correlated(self, text: str, values: dict[str, tuple[str, DataType]], place: int) -> str:
        """Replace :NEW.COLUMN and :OLD.COLUMN in a piece of SQL by binds."""
        result: list[str] = []
        last = 0
        tokens: tuple[Token, ...] = tokenize(text)
        for index, token in enumerate(tokens):
            if token.kind != "bind":
                continue
            row = self.row(token.value, place)
            if tokens[index + 1].value != ".":
                raise self.refuse(f"bind variable :{token.value}", place)
            column = tokens[index + 2]
            result.append(
                text[last : token.start]
                + self.body.expressions.bind(*self.column(row, column.value, place), values)
            )
            last = column.end
        return "".join(result) + text[last:]

    def row(self, name: str, place: int) -> str:
        if not self.trigger.each_row:
            raise OracleError(4082, "NEW or OLD references not allowed in table level triggers")
        if name == self.trigger.new:
            return "NEW"
        if name == self.trigger.old:
            return "OLD"
        raise self.wrong(place, "PLS-00049", name)

    def column(self, row: str, column: str, place: int) -> tuple[str, DataType]:
        if column not in self.columns:
            raise self.wrong(place, "PLS-00049", f"{row}.{column}")
        return f'{row}."{column}"', self.columns[column]

    def correlated_target(self, target: tree.Reference) -> str:
        row = self.row(target.parts[0].name[1:], target.place)
        if row == "OLD":
            raise OracleError(4085, "cannot change the value of an OLD reference variable")
        if self.trigger.timing == "AFTER":
            raise OracleError(4084, "cannot change NEW values for this trigger type")
        return self.column(row, target.parts[1].name, target.place)[0]
