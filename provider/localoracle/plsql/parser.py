"""The recursive-descent parser of PL/SQL blocks, declarations and statements."""

from __future__ import annotations

from functools import lru_cache

from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import compilation_error
from localoracle.plsql.expressions import ExpressionParser
from localoracle.plsql.lexer import Token, bind_names

_SQL_VERBS = (
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "WITH",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT",
    "LOCK",
    "SET",
)
_LONG_TYPES = (
    ("TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"),
    ("TIMESTAMP", "WITH", "TIME", "ZONE"),
    ("INTERVAL", "DAY", "TO", "SECOND"),
    ("INTERVAL", "YEAR", "TO", "MONTH"),
    ("DOUBLE", "PRECISION"),
    ("LONG", "RAW"),
)


class Parser(ExpressionParser):
    """One text, one tree. Every method starts at its first token and ends behind its last."""

    def program(self) -> tree.Block:
        """A whole anonymous block or CALL statement."""
        if self.is_word("CALL"):
            return self._call_statement()
        label = self._label()
        block = self.block(label)
        self.accept_op(";")
        self.accept_op("/")
        if self.token.kind != "end":
            self.fail("end-of-file")
        return block

    def _call_statement(self) -> tree.Block:
        place = self.advance().start
        call = self.reference()
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
            label = self.name()
            self.expect_op(">>")
        return label

    # --- blocks and declarations ---

    def block(self, label: str | None = None) -> tree.Block:
        """[DECLARE ...] BEGIN ... [EXCEPTION ...] END, without the semicolon."""
        place = self.token.start
        declarations = self.declarations() if self.accept_word("DECLARE") else ()
        return self._body(label, declarations, place)

    def _body(self, label: str | None, declarations: tuple[tree.Declaration, ...], place: int) -> tree.Block:
        self.expect_word("BEGIN")
        statements = self.statements("END", "EXCEPTION")
        handlers: list[tree.Handler] = []
        if self.accept_word("EXCEPTION"):
            while self.is_word("WHEN"):
                handlers.append(self._handler())
            if not handlers:
                self.fail("when")
        self.expect_word("END")
        if not self.is_op(";") and self.token.kind in ("word", "quoted"):
            self.advance()  # END label
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

    def declarations(self) -> tuple[tree.Declaration, ...]:
        found: list[tree.Declaration] = []
        while not self.is_word("BEGIN", "END"):
            if self.token.kind == "end":
                self.fail("begin function pragma procedure subtype type <an identifier>")
            found.append(self._declaration())
        return tuple(found)

    def _declaration(self) -> tree.Declaration:
        place = self.token.start
        if self.is_word("PROCEDURE", "FUNCTION"):
            return self.subprogram()
        if self.is_word("CURSOR") and self.peek().kind in ("word", "quoted"):
            return self._cursor()
        if self.is_word("TYPE", "SUBTYPE") and self.is_word("IS", ahead=2):
            return self._type()
        if self.accept_word("PRAGMA"):
            return self._pragma(place)
        name = self.name()
        if self.accept_word("EXCEPTION"):
            self.expect_op(";")
            return tree.ExceptionDeclaration(name, place)
        constant = self.accept_word("CONSTANT")
        kind = self.type_name()
        not_null = self._not_null()
        default = self.expression() if self.accept_op(":=") or self.accept_word("DEFAULT") else None
        self.expect_op(";")
        return tree.VariableDeclaration(name, kind, constant, not_null, default, place)

    def _not_null(self) -> bool:
        if self.accept_word("NOT"):
            self.expect_word("NULL")
            return True
        return False

    def _pragma(self, place: int) -> tree.Declaration:
        pragma = self.name()
        if pragma != "EXCEPTION_INIT":
            raise self.refuse(f"PRAGMA {pragma}", place)
        self.expect_op("(")
        name = self.name()
        self.expect_op(",")
        negative = self.accept_op("-")
        token = self.advance()
        if token.kind != "number" or not token.value.isdigit():
            self.fail("<a number>")
        self.expect_op(")")
        self.expect_op(";")
        return tree.ExceptionNumber(name, -int(token.value) if negative else int(token.value), place)

    def _cursor(self) -> tree.CursorDeclaration:
        place = self.advance().start
        name = self.name()
        formals = self.formals()
        self.expect_word("IS")
        query = self._query_until_semicolon()
        return tree.CursorDeclaration(name, formals, query, place)

    def _type(self) -> tree.TypeDeclaration:
        place = self.token.start
        word = self.advance().value
        name = self.name()
        self.expect_word("IS")
        if word == "SUBTYPE":
            base = self.type_name()
            self._not_null()
            self.expect_op(";")
            return tree.TypeDeclaration(name, "SUBTYPE", (), base, None, None, place)
        if self.accept_word("RECORD"):
            fields = self._record_fields()
            self.expect_op(";")
            return tree.TypeDeclaration(name, "RECORD", fields, None, None, None, place)
        if self.accept_word("REF"):
            self.expect_word("CURSOR")
            if self.accept_word("RETURN"):
                self.type_name()
            self.expect_op(";")
            return tree.TypeDeclaration(name, "REF CURSOR", (), None, None, None, place)
        limit = None
        kind = "NESTED"
        if self.accept_word("VARRAY") or (
            self.is_word("VARYING") and self.accept_word("VARYING") and self.accept_word("ARRAY")
        ):
            kind = "VARRAY"
            self.expect_op("(")
            limit = int(self.advance().value)
            self.expect_op(")")
        else:
            self.expect_word("TABLE")
        self.expect_word("OF")
        element = self.type_name()
        self._not_null()
        index = None
        if self.accept_word("INDEX"):
            self.expect_word("BY")
            kind = "ASSOCIATIVE"
            index = self.type_name()
        self.expect_op(";")
        return tree.TypeDeclaration(name, kind, (), element, index, limit, place)

    def _record_fields(self) -> tuple[tuple[str, tree.TypeName, tree.Expression | None], ...]:
        fields = []
        self.expect_op("(")
        while True:
            name = self.name()
            kind = self.type_name()
            self._not_null()
            default = self.expression() if self.accept_op(":=") or self.accept_word("DEFAULT") else None
            fields.append((name, kind, default))
            if not self.accept_op(","):
                break
        self.expect_op(")")
        return tuple(fields)

    def type_name(self) -> tree.TypeName:
        """NUMBER(10,2), VARCHAR2(30 CHAR), t.c%TYPE, PKG.TYPE, TIMESTAMP(3) WITH TIME ZONE ..."""
        place = self.token.start
        if self.is_word("REF"):
            raise self.refuse("REF types")
        parts = [
            self.advance().value if self.is_word("LONG", "INTERVAL", "DATE", "TIMESTAMP") else self.name()
        ]
        sizes = self._sizes()
        for words in _LONG_TYPES:
            if parts == [words[0]] and all(
                self.is_word(word, ahead=ahead) for ahead, word in enumerate(words[1:])
            ):
                self.index += len(words) - 1
                parts = [" ".join(words)]
                sizes = sizes or self._sizes()
                break
            # INTERVAL DAY(3) TO SECOND(6): the precisions do not matter to a value held by Python.
        if parts == ["INTERVAL"]:
            raise self.refuse("INTERVAL with precisions")
        while self.accept_op("."):
            parts.append(self.advance().value)
        attribute = None
        if self.accept_op("%"):
            attribute = self.expect_word("TYPE", "ROWTYPE").value
        if not sizes:
            sizes = self._sizes()
        span = None
        if self.accept_word("RANGE"):
            low = self._sum()
            self.expect_op("..")
            span = (low, self._sum())
        if self.accept_word("CHARACTER"):
            self.expect_word("SET")
            self.advance()
            self.accept_op("%") and self.advance()
        return tree.TypeName(tuple(parts), sizes, attribute, place, span)

    def _sizes(self) -> tuple[int, ...]:
        if not self.is_op("("):
            return ()
        self.advance()
        sizes: list[int] = []
        while not self.accept_op(")"):
            negative = self.accept_op("-")
            token = self.advance()
            if token.kind == "op" and token.value == "*":
                sizes.append(38)
            elif token.kind == "number" and token.value.isdigit():
                sizes.append(-int(token.value) if negative else int(token.value))
            else:
                self.index -= 1
                self.fail("<a number>")
            self.accept_word("CHAR", "BYTE")
            self.accept_op(",")
        return tuple(sizes)

    def formals(self) -> tuple[tree.Formal, ...]:
        if not self.accept_op("("):
            return ()
        formals = []
        while True:
            place = self.token.start
            name = self.name()
            mode = "IN"
            if self.accept_word("IN"):
                mode = "IN OUT" if self.accept_word("OUT") else "IN"
            elif self.accept_word("OUT"):
                mode = "OUT"
            self.accept_word("NOCOPY")
            kind = self.type_name()
            default = self.expression() if self.accept_op(":=") or self.accept_word("DEFAULT") else None
            formals.append(tree.Formal(name, mode, kind, default, place))
            if not self.accept_op(","):
                break
        self.expect_op(")")
        return tuple(formals)

    def subprogram(self) -> tree.SubprogramDeclaration:
        """PROCEDURE | FUNCTION name ... ; or its body."""
        place = self.token.start
        kind = self.advance().value
        name = self.name()
        while self.accept_op("."):
            name = self.name()
        formals = self.formals()
        returns = None
        if kind == "FUNCTION":
            self.expect_word("RETURN")
            returns = self.type_name()
        while self.is_word("DETERMINISTIC", "PARALLEL_ENABLE", "RESULT_CACHE", "AUTHID"):
            if self.advance().value == "AUTHID":
                self.advance()
        if self.accept_op(";"):
            return tree.SubprogramDeclaration(kind, name, formals, returns, None, place)
        if self.is_word("PIPELINED"):
            raise self.refuse("PIPELINED")
        self.expect_word("IS", "AS")
        if self.is_word("LANGUAGE", "EXTERNAL"):
            raise self.refuse("call specification")
        self.accept_word("DECLARE")
        declarations = self.declarations()
        body = self._body(name, declarations, place)
        self.accept_op(";")
        return tree.SubprogramDeclaration(kind, name, formals, returns, body, place)

    # --- statements ---

    def statements(self, *ends: str) -> tuple[tree.Statement, ...]:
        found: list[tree.Statement] = []
        while not self.is_word(*ends):
            if self.token.kind == "end":
                self.fail(" ".join(ends).lower())
            found.append(self._statement())
        if not found:
            self.fail("<a statement>")
        return tuple(found)

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
            if token.value in ("GOTO", "PIPE"):
                raise self.refuse(token.value)
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

    def _branch(self, *ends: str) -> tuple[tree.Expression, tuple[tree.Statement, ...]]:
        condition = self.expression()
        self.expect_word("THEN")
        return condition, self.statements(*ends)

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
        self._end_label()
        return tree.CaseStatement(operand, tuple(branches), otherwise, place)

    def _loop_body(self) -> tuple[tree.Statement, ...]:
        self.expect_word("LOOP")
        statements = self.statements("END")
        self.expect_word("END")
        self.expect_word("LOOP")
        self._end_label()
        return statements

    def _end_label(self) -> None:
        if not self.is_op(";"):
            self.name()
        self.expect_op(";")

    def _loop(self, label: str | None) -> tree.Statement:
        place = self.token.start
        return tree.Loop(label, None, self._loop_body(), place)

    def _while(self, label: str | None) -> tree.Statement:
        place = self.advance().start
        condition = self.expression()
        return tree.Loop(label, condition, self._loop_body(), place)

    def _for(self, label: str | None) -> tree.Statement:
        place = self.advance().start
        variable = self.name()
        self.expect_word("IN")
        reverse = self.accept_word("REVERSE")
        if self.is_op("(") and self.is_word("SELECT", "WITH", ahead=1):
            last = self._closing(0)
            query = tree.SqlText(self.tokens[self.index + 1 : self.index + last], self.peek().start)
            self.index += last + 1
            return tree.CursorFor(label, variable, query, None, self._loop_body(), place)
        start = self.index
        low = self.expression()
        if self.accept_op(".."):
            high = self.expression()
            return tree.NumericFor(label, variable, low, high, reverse, self._loop_body(), place)
        if isinstance(low, tree.Reference):
            return tree.CursorFor(label, variable, None, low, self._loop_body(), place)
        self.index = start
        self.fail("..")

    def _forall(self, _: str | None) -> tree.Statement:
        place = self.advance().start
        variable = self.name()
        self.expect_word("IN")
        low = high = indices = None
        if self.accept_word("INDICES"):
            self.expect_word("OF")
            indices = self.reference()
        elif self.is_word("VALUES"):
            raise self.refuse("FORALL VALUES OF")
        else:
            low = self.expression()
            self.expect_op("..")
            high = self.expression()
        save = self.accept_word("SAVE")
        if save:
            self.expect_word("EXCEPTIONS")
        statement = self._execute(None) if self.is_word("EXECUTE") else self._sql_statement()
        assert isinstance(statement, tree.SqlStatement | tree.ExecuteImmediate)
        return tree.ForAll(variable, low, high, indices, save, statement, place)

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
        query = text = None
        using: tuple[tuple[str, tree.Expression], ...] = ()
        if self.accept_word("FOR"):
            if self.is_word("SELECT", "WITH"):
                return tree.OpenCursor(cursor, self._query_until_semicolon(), None, (), place)
            text = self.expression()
            using = self._using()
        self.expect_op(";")
        return tree.OpenCursor(cursor, query, text, using, place)

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

    # --- embedded SQL ---

    def _until_semicolon(self) -> tuple[Token, ...]:
        start = self.index
        depth = 0
        while not (depth == 0 and self.is_op(";")):
            if self.token.kind == "end":
                self.fail(";")
            if self.is_op("("):
                depth += 1
            elif self.is_op(")"):
                depth -= 1
            self.index += 1
        tokens = self.tokens[start : self.index]
        self.index += 1
        return tokens

    def _query_until_semicolon(self) -> tree.SqlText:
        tokens = self._until_semicolon()
        return tree.SqlText(tokens, tokens[0].start if tokens else self.token.start)

    def _sql_statement(self) -> tree.SqlStatement:
        place = self.token.start
        verb = self.token.value
        tokens = self._until_semicolon()
        is_query = verb in ("SELECT", "WITH")
        if verb == "WITH" or (verb == "SELECT"):
            found = _clause(tokens, "INTO", after=None)
        elif verb in ("INSERT", "UPDATE", "DELETE", "MERGE"):
            found = _clause(tokens, "INTO", after=("RETURNING", "RETURN"))
        else:
            found = None
        if found is None:
            if is_query:
                raise compilation_error(
                    self.text,
                    place,
                    "PLS-00428",
                    "an INTO clause is expected in this SELECT statement",
                    statement=True,
                )
            return tree.SqlStatement(verb, tree.SqlText(tokens, place), (), False, place)
        first = found
        bulk = found >= 2 and tokens[found - 1].value == "COLLECT" and tokens[found - 2].value == "BULK"
        if bulk:
            first -= 2
        inner = Parser(self.text, (*tokens[found + 1 :], Token("end", "", tokens[-1].end, tokens[-1].end)))
        into = inner.targets()
        rest = tokens[found + 1 + inner.index :]
        kept = (*tokens[:first], *rest)
        return tree.SqlStatement(verb, tree.SqlText(kept, place), into, bulk, place)


def _clause(tokens: tuple[Token, ...], word: str, after: tuple[str, ...] | None) -> int | None:
    """The index of `word` outside parentheses, behind one of the words `after` when given."""
    depth = 0
    armed = after is None
    for index, token in enumerate(tokens):
        if token.kind == "op" and token.value == "(":
            depth += 1
        elif token.kind == "op" and token.value == ")":
            depth -= 1
        elif depth == 0 and token.kind == "word":
            if armed and token.value == word:
                return index
            if after is not None and token.value in after:
                armed = True
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
def parse_block(text: str) -> tree.Program:
    """The tree of an anonymous block or CALL. Raises ORA-06550 with PLS-00103 where it is not PL/SQL."""
    return tree.Program(text, Parser(text).program(), tuple(bind_names(text)))
