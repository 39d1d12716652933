"""The recursive-descent parser of PL/SQL expressions, and the token cursor that the statement parser
shares.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NoReturn

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.errors import compilation_error, line_and_column, statement_error
from localoracle.plsql.lexer import Token, tokenize

# Words that end an expression or start a clause: none of them can be a name without quotes.
RESERVED_WORDS = """
ALL ALTER AND ANY AS ASC AT BEGIN BETWEEN BY CASE CHECK CLUSTER COMPRESS CONNECT CREATE CURRENT DECLARE
DEFAULT DESC DISTINCT DROP ELSE ELSIF END EXCEPTION EXCLUSIVE FETCH FOR FROM FUNCTION GOTO GRANT GROUP
HAVING IF IN INDEX INSERT INTERSECT INTO IS LIKE LOCK LOOP MINUS MODE NOCOMPRESS NOT NOWAIT OF ON OPTION
OR ORDER OVERLAPS PROCEDURE PUBLIC RESOURCE REVOKE SELECT SET SHARE SIZE SQL START THEN TO UNION UNIQUE
UPDATE USING VALUES VIEW VIEWS WHEN WHERE WHILE WITH
"""
RESERVED = frozenset(RESERVED_WORDS.split())

# Language Reference, "Expression": operators between values that are not there.
NOT_KNOWN = frozenset({"MULTISET", "MEMBER", "SUBMULTISET", "LIKEC", "LIKE2", "LIKE4"})

CURSOR_ATTRIBUTES = ("FOUND", "NOTFOUND", "ROWCOUNT", "ISOPEN", "BULK_ROWCOUNT", "BULK_EXCEPTIONS")
COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")


class ExpressionParser:
    """A cursor over tokens with PL/SQL's expression grammar on it."""

    def __init__(self, text: str, tokens: tuple[Token, ...] | None = None) -> None:
        self.text = text
        self.tokens = tokens if tokens is not None else tokenize(text)
        self.index = 0
        self.correlations: tuple[str, ...] = ("NEW", "OLD")
        """What a trigger calls its rows."""

    # --- the cursor ---

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    def peek(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.index + ahead, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.index += 1
        return token

    def is_word(self, *words: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token.kind == "word" and token.value in words

    def is_op(self, *operators: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token.kind == "op" and token.value in operators

    def accept_word(self, *words: str) -> bool:
        if self.is_word(*words):
            self.index += 1
            return True
        return False

    def accept_op(self, *operators: str) -> bool:
        if self.is_op(*operators):
            self.index += 1
            return True
        return False

    def expect_word(self, *words: str) -> Token:
        if not self.is_word(*words):
            self.fail(" ".join(words).lower())
        return self.advance()

    def expect_op(self, *operators: str) -> Token:
        if not self.is_op(*operators):
            self.fail(" ".join(operators))
        return self.advance()

    def fail(self, expected: str) -> NoReturn:
        """Raise PLS-00103. What PL/SQL has and this parser has not is ORA-03001, naming it."""
        token = self.token
        if token.kind == "op" and token.value == "$":
            raise self.refuse("conditional compilation")
        if token.kind == "word" and token.value in NOT_KNOWN:
            raise self.refuse(token.value)
        symbol = "end-of-file" if token.kind == "end" else self.text[token.start : token.end].upper()
        raise compilation_error(
            self.text,
            token.start,
            "PLS-00103",
            f'Encountered the symbol "{symbol}" when expecting one of the following: {expected}',
        )

    def refuse(self, what: str, place: int | None = None) -> OracleError:
        line, _ = line_and_column(self.text, self.token.start if place is None else place)
        return OracleError(3001, f"unimplemented feature: PL/SQL {what} (line {line})")

    def name(self) -> str:
        token = self.token
        if token.kind == "quoted" or (token.kind == "word" and token.value not in RESERVED):
            return self.advance().value
        self.fail("<an identifier>")

    # --- expressions, weakest operator first ---

    def expression(self) -> tree.Expression:
        left = self._conjunction()
        while self.is_word("OR"):
            place = self.advance().start
            left = tree.Binary("OR", left, self._conjunction(), place)
        return left

    def _conjunction(self) -> tree.Expression:
        left = self._negation()
        while self.is_word("AND"):
            place = self.advance().start
            left = tree.Binary("AND", left, self._negation(), place)
        return left

    def _negation(self) -> tree.Expression:
        if self.is_word("NOT"):
            place = self.advance().start
            return tree.Unary("NOT", self._negation(), place)
        return self._comparison()

    def _comparison(self) -> tree.Expression:
        left = self._sum()
        place = self.token.start
        if self.is_op(*COMPARISONS):
            operator = self.advance().value
            return tree.Binary(operator, left, self._sum(), place)
        if self.accept_word("IS"):
            negated = self.accept_word("NOT")
            if not self.accept_word("NULL"):
                raise self.refuse(f"condition IS {self.token.value}")
            return tree.IsNull(left, negated, place)
        negated = (
            self.is_word("NOT") and self.is_word("BETWEEN", "IN", "LIKE", ahead=1) and self.accept_word("NOT")
        )
        if self.accept_word("BETWEEN"):
            low = self._sum()
            self.expect_word("AND")
            return tree.Between(left, low, self._sum(), negated, place)
        if self.accept_word("LIKE"):
            pattern = self._sum()
            escape = self._sum() if self.accept_word("ESCAPE") else None
            return tree.Like(left, pattern, escape, negated, place)
        if self.accept_word("IN"):
            self.expect_op("(")
            if self.is_word("SELECT"):
                raise statement_error(self.text, self.token.start, "PLS-00405")
            items = [self.expression()]
            while self.accept_op(","):
                items.append(self.expression())
            self.expect_op(")")
            return tree.InList(left, tuple(items), negated, place)
        return left

    def _sum(self) -> tree.Expression:
        left = self._product()
        while self.is_op("+", "-", "||"):
            token = self.advance()
            left = tree.Binary(token.value, left, self._product(), token.start)
        return left

    def _product(self) -> tree.Expression:
        left = self._sign()
        while self.is_op("*", "/") or self.is_word("MOD", "REM"):
            token = self.advance()
            left = tree.Binary(token.value, left, self._sign(), token.start)
        return left

    def _sign(self) -> tree.Expression:
        if self.is_op("-", "+"):
            token = self.advance()
            return tree.Unary(token.value, self._sign(), token.start)
        return self._power()

    def _power(self) -> tree.Expression:
        base = self._primary()
        if self.is_op("**"):
            place = self.advance().start
            return tree.Binary("**", base, self._sign(), place)
        return base

    def _primary(self) -> tree.Expression:
        token = self.token
        if token.kind == "string":
            self.advance()
            return tree.Literal(token.value or None, "VARCHAR2", token.start)
        if token.kind == "number":
            self.advance()
            return number(token)
        if token.kind == "bind":
            return self._bind()
        if self.accept_op("("):
            if self.is_word("SELECT"):
                raise statement_error(self.text, token.start, "PLS-00405")
            inner = self.expression()
            self.expect_op(")")
            return inner
        if token.kind == "word":
            special = self._special(token)
            if special is not None:
                return special
        if token.kind == "quoted" or (token.kind == "word" and token.value not in RESERVED):
            return self._cursor_attribute(self.reference())
        self.fail("( - + case not null <an identifier> <a bind variable> <a literal>")

    def _special(self, token: Token) -> tree.Expression | None:
        following = self.peek()
        if token.value == "NULL":
            self.advance()
            return tree.Literal(None, "", token.start)
        if token.value in ("TRUE", "FALSE"):
            self.advance()
            return tree.Literal(token.value == "TRUE", "BOOLEAN", token.start)
        if token.value == "CASE":
            return self._case()
        if token.value == "SQL" and self.is_op("%", ahead=1):
            self.advance()
            return self._cursor_attribute(None)
        if token.value in ("DATE", "TIMESTAMP") and following.kind == "string":
            return self._sql_expression(2)
        if token.value == "INTERVAL" and following.kind == "string":
            return self._interval()
        if following.kind == "op" and following.value == "(":
            words = self._words_in_call()
            if token.value in ("CAST", "EXTRACT") or (
                token.value in ("TRIM", "TRANSLATE")
                and words & {"LEADING", "TRAILING", "BOTH", "FROM", "USING"}
            ):
                return self._sql_expression(self._closing(1) + 1)
        return None

    def _closing(self, ahead: int) -> int:
        """How many tokens ahead the parenthesis closes that opens `ahead` tokens from here."""
        depth = 0
        while True:
            token = self.peek(ahead)
            if token.kind == "end":
                self.index = len(self.tokens) - 1
                self.fail(")")
            if token.kind == "op" and token.value == "(":
                depth += 1
            elif token.kind == "op" and token.value == ")":
                depth -= 1
                if depth == 0:
                    return ahead
            ahead += 1

    def _words_in_call(self) -> set[str]:
        last = self._closing(1)
        return {self.peek(ahead).value for ahead in range(2, last) if self.peek(ahead).kind == "word"}

    def _sql_expression(self, count: int) -> tree.SqlExpression:
        place = self.token.start
        tokens = self.tokens[self.index : self.index + count]
        self.index += count
        return tree.SqlExpression(tokens, place)

    def _interval(self) -> tree.SqlExpression:
        count = 2
        while self.is_word("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TO", ahead=count):
            count += 1
            if self.is_op("(", ahead=count):
                count = self._closing(count) + 1
        return self._sql_expression(count)

    def _case(self) -> tree.Case:
        place = self.expect_word("CASE").start
        operand = None if self.is_word("WHEN") else self.expression()
        branches = []
        while self.accept_word("WHEN"):
            condition = self.expression()
            self.expect_word("THEN")
            branches.append((condition, self.expression()))
        if not branches:
            self.fail("when")
        otherwise = self.expression() if self.accept_word("ELSE") else None
        self.expect_word("END")
        return tree.Case(operand, tuple(branches), otherwise, place)

    def _bind(self) -> tree.Expression:
        token = self.advance()
        if self.is_op(".") and token.value in self.correlations:
            self.advance()
            part = tree.Part(self.name(), None, token.start)
            return tree.Reference((tree.Part(":" + token.value, None, token.start), part), token.start)
        return self._cursor_attribute(tree.BindReference(token.value, token.start))

    def _cursor_attribute(self, base: tree.Reference | tree.BindReference | None) -> tree.Expression:
        if self.is_op("%") and self.is_word(*CURSOR_ATTRIBUTES, ahead=1):
            place = self.advance().start
            attribute = self.advance().value
            if attribute.startswith("BULK_"):
                raise self.refuse(f"SQL%{attribute}", place)
            return tree.CursorAttribute(base, attribute, place)
        if base is None:
            self.fail("%found %notfound %rowcount %isopen")
        return base

    # --- references ---

    def reference(self) -> tree.Reference:
        """A dotted name with calls and subscripts anywhere in it."""
        place = self.token.start
        first = tree.Part(self.name(), None, place)
        return tree.Reference(tuple(self._further_parts([first])), place)

    def _further_parts(self, parts: list[tree.Part]) -> list[tree.Part]:
        while True:
            if self.is_op("("):
                arguments = self._arguments()
                last = parts[-1]
                if last.arguments is None:
                    parts[-1] = tree.Part(last.name, arguments, last.place)
                else:
                    parts.append(tree.Part("", arguments, self.token.start))
            elif self.is_op(".") and self.peek().kind in ("word", "quoted"):
                self.advance()
                token = self.advance()  # after a dot even reserved words are names: list.DELETE, x.COUNT
                parts.append(tree.Part(token.value, None, token.start))
            elif self.is_op("@"):
                raise self.refuse("database link")
            else:
                return parts

    def _arguments(self) -> tuple[tree.NamedArgument, ...]:
        self.expect_op("(")
        arguments: list[tree.NamedArgument] = []
        if self.accept_op(")"):
            return ()
        while True:
            name = None
            if self.token.kind in ("word", "quoted") and self.is_op("=>", ahead=1):
                name = self.advance().value
                self.advance()
            self._check_association(name, arguments)
            arguments.append(tree.NamedArgument(name, self.expression()))
            if self.is_op("=>"):
                raise self.refuse("qualified expressions")
            if not self.accept_op(","):
                break
        self.expect_op(")")
        return tuple(arguments)

    def _check_association(self, name: str | None, former: list[tree.NamedArgument]) -> None:
        """Arguments by name stand behind those by position, each once ("Actual Parameters")."""
        names = [argument.name for argument in former]
        if name is None and any(names):
            code = "PLS-00312"
        elif name is not None and name in names:
            code = "PLS-00703"
        else:
            return
        raise statement_error(self.text, self.token.start, code)

    def target(self) -> tree.Target:
        """What can be assigned to: a bind, or a reference to a variable, field or element."""
        if self.token.kind == "bind":
            bound = self._bind()
            assert isinstance(bound, tree.BindReference | tree.Reference)
            return bound
        return self.reference()

    def targets(self) -> tuple[tree.Target, ...]:
        targets = [self.target()]
        while self.accept_op(","):
            targets.append(self.target())
        return tuple(targets)


def number(token: Token) -> tree.Literal:
    text = token.value.lower()
    if text[-1] in "fd":
        return tree.Literal(float(text[:-1]), "BINARY_DOUBLE", token.start)
    value: int | Decimal = int(text) if text.isdigit() else Decimal(text)
    return tree.Literal(value, "NUMBER", token.start)
