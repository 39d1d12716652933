"""The recursive-descent parser of PL/SQL blocks and statements."""

from __future__ import annotations

from functools import lru_cache

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.declaration_parser import DeclarationParser
from localoracle.plsql.errors import statement_error
from localoracle.plsql.lexer import Token

_SQL_VERBS = (
    "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "COMMIT", "ROLLBACK", "SAVEPOINT", "LOCK", "SET",
)  # fmt: skip


class Parser(DeclarationParser):
    """One text, one tree. Every method starts at its first token and ends behind its last."""

    _labelled = 0
    """Where the last label stands."""

    def program(self) -> tree.Block:
        """A whole anonymous block or CALL statement."""
        if self.is_word("CALL"):
            return self._call_statement()
        label = self._label()
        block = self.block(label)
        self.expect_op(";")
        self.accept_op("/")
        if self.token.kind != "end":
            self.fail("end-of-file")
        return block

    def _call_statement(self) -> tree.Block:
        place = self.advance().start
        call = self.reference()
        if call.parts[-1].arguments is None:
            # Parentheses are required even without arguments (SQL Language Reference, "CALL").
            raise OracleError(6576, "not a valid function or procedure name")
        statement: tree.Statement = tree.CallStatement(call, place)
        if self.accept_word("INTO"):
            statement = tree.Assignment(self.target(), call, place)
        self.accept_op(";")
        if self.token.kind != "end":
            self.fail("end-of-file")
        return tree.Block(None, (), (statement,), (), place)

    def _label(self) -> str | None:
        label = None
        while self.accept_op("<<"):
            self._labelled = self.token.start
            label = self.name()
            self.expect_op(">>")
        return label

    def block(self, label: str | None = None) -> tree.Block:
        """[DECLARE ...] BEGIN ... [EXCEPTION ...] END, without the semicolon."""
        place, labelled = self.token.start, self._labelled
        declarations = self.declarations() if self.accept_word("DECLARE") else ()
        return self._body(label, declarations, place, labelled)

    def _body(
        self, label: str | None, declarations: tuple[tree.Declaration, ...], place: int, named: int
    ) -> tree.Block:
        self.expect_word("BEGIN")
        statements = self.statements("END", "EXCEPTION")
        handlers: list[tree.Handler] = []
        if self.accept_word("EXCEPTION"):
            while self.is_word("WHEN"):
                handlers.append(self._handler())
            if not handlers:
                self.fail("when")
        self.expect_word("END")
        self.end_name(label, named)
        return tree.Block(label, declarations, statements, tuple(handlers), place)

    def _handler(self) -> tree.Handler:
        place = self.expect_word("WHEN").start
        names: list[tuple[str, ...]] = []
        if not self.accept_word("OTHERS"):
            names.append(self._dotted())
            while self.accept_word("OR"):
                names.append(self._dotted())
        self.expect_word("THEN")
        return tree.Handler(tuple(names), self.statements("WHEN", "END"), place)

    def _dotted(self) -> tuple[str, ...]:
        parts = [self.name()]
        while self.accept_op("."):
            parts.append(self.name())
        return tuple(parts)

    # --- statements ---

    def statements(self, *closing: str) -> tuple[tree.Statement, ...]:
        parsed: list[tree.Statement] = []
        while not self.is_word(*closing):
            if self.token.kind == "end":
                self.fail(" ".join(closing).lower())
            parsed.append(self._statement())
        if not parsed:
            self.fail("<a statement>")
        return tuple(parsed)

    def _statement(self) -> tree.Statement:
        label = self._label()
        place = self.token.start
        token = self.token
        if token.kind == "word":
            method = _STATEMENTS.get(token.value)
            # DELETE, SET and the like are keywords only where no name can stand.
            if method is not None and not self.is_op(".", ":=", "%", ahead=1):
                return method(self, label)
            if token.value in ("BEGIN", "DECLARE"):
                block = self.block(label)
                self.expect_op(";")
                return block
            if token.value == "GOTO":
                raise self.refuse(token.value)
            if token.value == "PIPE" and self.is_word("ROW", ahead=1):
                return self._pipe_row()
            if token.value in _SQL_VERBS and not self.is_op(".", ":=", ahead=1):
                return self._sql_statement()
        if token.kind not in ("word", "quoted", "bind"):
            self.fail(
                "begin case declare exit for if loop null raise return select update while <an identifier> "
                "<a bind variable>"
            )
        target = self.target()
        if self.accept_op(":="):
            statement: tree.Statement = tree.Assignment(target, self.expression(), place)
        elif isinstance(target, tree.BindReference) or target.parts[0].name.startswith(":"):
            self.fail(":=")
        else:
            statement = tree.CallStatement(target, place)
        self.expect_op(";")
        return statement

    def _null(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        self.expect_op(";")
        return tree.Nothing(place)

    def _if(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        branches = [self._branch("ELSIF", "ELSE", "END")]
        while self.accept_word("ELSIF"):
            branches.append(self._branch("ELSIF", "ELSE", "END"))
        otherwise = self.statements("END") if self.accept_word("ELSE") else ()
        self.expect_word("END")
        self.expect_word("IF")
        self.expect_op(";")
        return tree.If(tuple(branches), otherwise, place)

    def _branch(self, *closing: str) -> tuple[tree.Expression, tuple[tree.Statement, ...]]:
        condition = self.expression()
        self.expect_word("THEN")
        return condition, self.statements(*closing)

    def _case_statement(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        operand = None if self.is_word("WHEN") else self.expression()
        branches = []
        while self.accept_word("WHEN"):
            branches.append(self._branch("WHEN", "ELSE", "END"))
        if not branches:
            self.fail("when")
        otherwise = self.statements("END") if self.accept_word("ELSE") else None
        self.expect_word("END")
        self.expect_word("CASE")
        if not self.is_op(";"):
            self.name()
        self.expect_op(";")
        return tree.CaseStatement(operand, tuple(branches), otherwise, place)

    def _loop_body(self, label: str | None) -> tuple[tree.Statement, ...]:
        labelled = self._labelled
        self.expect_word("LOOP")
        statements = self.statements("END")
        self.expect_word("END")
        self.expect_word("LOOP")
        self.end_name(label, labelled)
        self.expect_op(";")
        return statements

    def _loop(self, label: str | None) -> tree.Statement:
        place = self.token.start
        return tree.Loop(label, None, self._loop_body(label), place)

    def _while(self, label: str | None) -> tree.Statement:
        place = self.advance().start
        condition = self.expression()
        return tree.Loop(label, condition, self._loop_body(label), place)

    def _for(self, label: str | None) -> tree.Statement:
        place = self.advance().start
        variable = self.name()
        self.expect_word("IN")
        reverse = self.accept_word("REVERSE")
        if self.is_op("(") and self.is_word("SELECT", "WITH", ahead=1):
            last = self._closing(0)
            query = tree.SqlText(self.tokens[self.index + 1 : self.index + last], self.peek().start)
            self.index += last + 1
            return tree.CursorFor(label, variable, query, None, self._loop_body(label), place)
        start = self.index
        low = self.expression()
        if self.accept_op(".."):
            high = self.expression()
            return tree.NumericFor(label, variable, low, high, reverse, self._loop_body(label), place)
        if isinstance(low, tree.Reference):
            return tree.CursorFor(label, variable, None, low, self._loop_body(label), place)
        self.index = start
        self.fail("..")

    def _forall(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        variable = self.name()
        self.expect_word("IN")
        if self.is_word("INDICES", "VALUES") and self.is_word("OF", ahead=1):
            raise self.refuse(f"FORALL {self.token.value} OF")
        low = self.expression()
        self.expect_op("..")
        high = self.expression()
        if self.is_word("SAVE"):
            raise self.refuse("FORALL ... SAVE EXCEPTIONS")
        if not self.is_word("EXECUTE", "INSERT", "UPDATE", "DELETE", "MERGE"):
            self.fail("insert update delete execute merge")
        statement = self._execute(None) if self.is_word("EXECUTE") else self._sql_statement()
        assert isinstance(statement, tree.SqlStatement | tree.ExecuteImmediate)
        return tree.ForAll(variable, low, high, statement, place)

    def _exit(self, _: str | None) -> tree.Statement:
        token = self.advance()
        label = self.name() if not self.is_op(";") and not self.is_word("WHEN") else None
        condition = self.expression() if self.accept_word("WHEN") else None
        self.expect_op(";")
        return tree.ExitLoop(token.value, label, condition, token.start)

    def _return(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        value = None if self.is_op(";") else self.expression()
        self.expect_op(";")
        return tree.Return(value, place)

    def _pipe_row(self) -> tree.Statement:
        place = self.advance().start
        self.advance()
        self.expect_op("(")
        value = self.expression()
        self.expect_op(")")
        self.expect_op(";")
        return tree.PipeRow(value, place)

    def _raise(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        name = None if self.is_op(";") else self._dotted()
        self.expect_op(";")
        return tree.Raise(name, place)

    def _execute(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        self.expect_word("IMMEDIATE")
        text = self.expression()
        into: tuple[tree.Target, ...] = ()
        returning: tuple[tree.Target, ...] = ()
        bulk = self._bulk()
        if self.accept_word("INTO"):
            into = self.targets()
        using = self._using()
        if self.accept_word("RETURNING", "RETURN"):
            bulk = self._bulk() or bulk
            self.expect_word("INTO")
            returning = self.targets()
        self.expect_op(";")
        return tree.ExecuteImmediate(text, into, bulk, using, returning, place)

    def _bulk(self) -> bool:
        if self.is_word("BULK") and self.is_word("COLLECT", ahead=1):
            self.index += 2
            return True
        return False

    def _using(self) -> tuple[tuple[str, tree.Expression], ...]:
        if not self.accept_word("USING"):
            return ()
        arguments = []
        while True:
            mode = "IN"
            if self.accept_word("IN"):
                mode = "IN OUT" if self.accept_word("OUT") else "IN"
            elif self.accept_word("OUT"):
                mode = "OUT"
            arguments.append((mode, self.expression()))
            if not self.accept_op(","):
                return tuple(arguments)

    def _open(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        cursor = self.target()
        text = None
        using: tuple[tuple[str, tree.Expression], ...] = ()
        if self.accept_word("FOR"):
            if self.is_word("SELECT", "WITH"):
                return tree.OpenCursor(cursor, self._query_until_semicolon(), None, (), place)
            text = self.expression()
            using = self._using()
        self.expect_op(";")
        return tree.OpenCursor(cursor, None, text, using, place)

    def _fetch(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        cursor = self.target()
        bulk = self._bulk()
        self.expect_word("INTO")
        into = self.targets()
        limit = self.expression() if self.accept_word("LIMIT") else None
        self.expect_op(";")
        return tree.Fetch(cursor, into, bulk, limit, place)

    def _close(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        cursor = self.target()
        self.expect_op(";")
        return tree.CloseCursor(cursor, place)

    def _sql_statement(self) -> tree.SqlStatement:
        place = self.token.start
        verb = self.token.value
        tokens = self._until_semicolon()
        is_query = verb in ("SELECT", "WITH")
        into_at = None
        if is_query or verb in ("INSERT", "UPDATE", "DELETE", "MERGE"):
            into_at = _into(tokens, after=() if is_query else ("RETURNING", "RETURN"))
        if into_at is None:
            if is_query:
                raise statement_error(self.text, place, "PLS-00428")
            return tree.SqlStatement(verb, tree.SqlText(tokens, place), (), False, place)
        bulk = [token.value for token in tokens[max(into_at - 2, 0) : into_at]] == ["BULK", "COLLECT"]
        before, behind = tokens[: into_at - 2 if bulk else into_at], tokens[into_at + 1 :]
        inner = Parser(self.text, (*behind, Token("end", "", tokens[-1].end, tokens[-1].end)))
        into = inner.targets()
        return tree.SqlStatement(
            verb, tree.SqlText((*before, *behind[inner.index :]), place), into, bulk, place
        )


def _into(tokens: tuple[Token, ...], after: tuple[str, ...]) -> int | None:
    """The index of INTO outside parentheses, behind one of the words `after` if there are any."""
    depth = 0
    armed = not after
    for index, token in enumerate(tokens):
        if token.kind == "op" and token.value == "(":
            depth += 1
        elif token.kind == "op" and token.value == ")":
            depth -= 1
        elif depth == 0 and token.kind == "word":
            if armed and token.value == "INTO":
                return index
            armed = armed or token.value in after
    return None


_STATEMENTS = {
    "NULL": Parser._null,
    "IF": Parser._if,
    "CASE": Parser._case_statement,
    "LOOP": Parser._loop,
    "WHILE": Parser._while,
    "FOR": Parser._for,
    "FORALL": Parser._forall,
    "EXIT": Parser._exit,
    "CONTINUE": Parser._exit,
    "RETURN": Parser._return,
    "RAISE": Parser._raise,
    "EXECUTE": Parser._execute,
    "OPEN": Parser._open,
    "FETCH": Parser._fetch,
    "CLOSE": Parser._close,
}


@lru_cache(maxsize=500)
def parse_block(text: str) -> tree.Block:
    """The tree of an anonymous block or CALL. Raises ORA-06550 with PLS-00103 where it is not PL/SQL."""
    return Parser(text).program()
