"""The recursive-descent parser of PL/SQL declarations, types and subprogram headings."""

from __future__ import annotations

from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import compilation_error, line_and_column
from localoracle.plsql.expressions import ExpressionParser
from localoracle.plsql.lexer import Token

_LONG_TYPES = (
    ("TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"),
    ("TIMESTAMP", "WITH", "TIME", "ZONE"),
    ("INTERVAL", "DAY", "TO", "SECOND"),
    ("INTERVAL", "YEAR", "TO", "MONTH"),
    ("DOUBLE", "PRECISION"),
    ("LONG", "RAW"),
)


class DeclarationParser(ExpressionParser):
    """Expressions and declarations; blocks and statements come with the subclass."""

    def _body(
        self, label: str | None, declarations: tuple[tree.Declaration, ...], place: int, named: int
    ) -> tree.Block:
        """BEGIN ... END of a subprogram whose name stands at `named`."""
        raise NotImplementedError

    def end_name(self, name: str | None, named: int) -> None:
        """The name that may stand behind END. PLS-00113 for another than that of the construct."""
        if self.token.kind not in ("word", "quoted") or self.is_op(";"):
            return
        written = self.advance()
        if name is not None and written.value != name:
            line, column = line_and_column(self.text, named)
            raise compilation_error(self.text, written.start, "PLS-00113", written.value, name, line, column)

    def declarations(self) -> tuple[tree.Declaration, ...]:
        declared: list[tree.Declaration] = []
        while not self.is_word("BEGIN", "END"):
            if self.token.kind == "end":
                self.fail("begin function pragma procedure subtype type <an identifier>")
            # Behind the first body of a subprogram stand cursors and subprograms only ("Block", item_list_2).
            if (
                any(
                    isinstance(each, tree.SubprogramDeclaration) and each.body is not None
                    for each in declared
                )
                and not self.is_word("FUNCTION", "PROCEDURE", "CURSOR", "PRAGMA")
                and not self.is_op("$")
            ):
                self.fail("begin function pragma procedure")
            declared.append(self._declaration())
        return tuple(declared)

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
        sizes, unit = self._sizes()
        for words in _LONG_TYPES:
            if parts == [words[0]] and all(
                self.is_word(word, ahead=ahead) for ahead, word in enumerate(words[1:])
            ):
                self.index += len(words) - 1
                parts = [" ".join(words)]
                if not sizes:
                    sizes, unit = self._sizes()
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
            sizes, unit = self._sizes()
        span = None
        if self.accept_word("RANGE"):
            low = self._sum()
            self.expect_op("..")
            span = (low, self._sum())
        if self.accept_word("CHARACTER"):
            self.expect_word("SET")
            self.advance()
            self.accept_op("%") and self.advance()
        return tree.TypeName(tuple(parts), sizes, attribute, place, span, unit)

    def _sizes(self) -> tuple[tuple[int, ...], str | None]:
        """The numbers in parentheses, and BYTE or CHAR behind one."""
        if not self.is_op("("):
            return (), None
        self.advance()
        sizes: list[int] = []
        unit = None
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
            if self.is_word("CHAR", "BYTE"):
                unit = self.advance().value
            self.accept_op(",")
        return tuple(sizes), unit

    def _unconstrained_type(self) -> tree.TypeName:
        """The type of a parameter or result has neither length nor precision ("Formal Parameter")."""
        first = self.index
        kind = self.type_name()
        if kind.sizes:
            while not self.is_op("("):
                self.index -= 1
            assert self.index > first
            self.fail(":= . ) , @ % default character")
        return kind

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
            kind = self._unconstrained_type()
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
        named = self.token.start
        name = self.name()
        while self.accept_op("."):
            named = self.token.start
            name = self.name()
        formals = self.formals()
        returns = None
        if kind == "FUNCTION":
            self.expect_word("RETURN")
            returns = self._unconstrained_type()
        pipelined = invokers_rights = deterministic = False
        while self.is_word("DETERMINISTIC", "PARALLEL_ENABLE", "RESULT_CACHE", "AUTHID", "PIPELINED"):
            clause = self.advance().value
            if clause == "AUTHID":
                invokers_rights = self.expect_word("DEFINER", "CURRENT_USER").value == "CURRENT_USER"
            pipelined = pipelined or clause == "PIPELINED"
            deterministic = deterministic or clause == "DETERMINISTIC"
        if pipelined and self.is_word("USING", "ROW", "TABLE"):
            raise self.refuse(f"PIPELINED {self.token.value}")
        if self.accept_op(";"):
            return tree.SubprogramDeclaration(kind, name, formals, returns, None, place, pipelined)
        self.expect_word("IS", "AS")
        if self.is_word("LANGUAGE", "EXTERNAL"):
            raise self.refuse("call specification")
        self.accept_word("DECLARE")
        declarations = self.declarations()
        body = self._body(name, declarations, place, named)
        self.accept_op(";")
        return tree.SubprogramDeclaration(
            kind, name, formals, returns, body, place, pipelined, invokers_rights, deterministic
        )

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
