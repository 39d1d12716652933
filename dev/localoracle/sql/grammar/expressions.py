"""Expressions of the SQL Language Reference ("Expressions"), with the functions that have words inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import Cursor, is_string
from localoracle.sql.parsing.words import ANALYTIC_FUNCTIONS, FREE_ARGUMENTS, PSEUDOCOLUMNS, reserved_words

_FIELDS = ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
_NO_NAMES = frozenset([TokenType.NUMBER, TokenType.PLACEHOLDER, TokenType.JOIN_MARKER])


class Expressions(Cursor):
    """What has a value. Each method moves behind what it names, or raises at the token that does not fit."""

    def __init__(self, tokens: Sequence[Token], sql: str) -> None:
        super().__init__(tokens, sql)
        self._tried: dict[tuple[str, int], int | OracleError] = {}

    # -- supplied by the grammars built on this one ------------

    def subquery(self, *, ordered: bool = True) -> None:
        raise NotImplementedError

    def condition(self) -> None:
        raise NotImplementedError

    # -- tools ------------

    def expect_word(self, phrase: str) -> None:
        self.expect(phrase, 905, "missing keyword")

    def close(self) -> None:
        self.expect(")", 907, "missing right parenthesis")

    @property
    def kind(self) -> TokenType | None:
        return None if self.done else self.tokens[self.index].token_type

    def at_free_name(self) -> bool:
        """Does an identifier stand here that needs no quotes, or has them?"""
        if self.done or self.kind in _NO_NAMES:
            return False
        if self.kind == TokenType.IDENTIFIER:
            return True
        word = self.word()
        return word[:1].isalpha() and word.replace(" ", "") == word and word not in reserved_words()

    def at_subquery(self) -> bool:
        """Does a query begin here, maybe behind parentheses?"""
        ahead = 0
        while self.word(ahead) == "(":
            ahead += 1
        return self.word(ahead) in ("SELECT", "WITH")

    def attempt(self, name: str) -> bool:
        """Read `name` here if it fits. What was tried once at a place is not tried again."""
        key = (name, self.index)
        if key not in self._tried:
            start = self.index
            try:
                getattr(self, name)()
                self._tried[key] = self.index
            except OracleError as error:
                self._tried[key] = error
                self.index = start
        outcome = self._tried[key]
        if isinstance(outcome, int):
            self.index = outcome
            return True
        return False

    def commas(self, read: Callable[[], object]) -> None:
        """One or several, with commas between them."""
        read()
        while self.take(","):
            read()

    def otherwise(self, failed: OracleError | None, read: Callable[[], object]) -> None:
        """Read the other alternative; if it fails too, the failure farther on in the text is raised."""
        try:
            read()
        except OracleError as error:
            if failed is not None and failed.position >= error.position:
                raise failed from None
            raise

    def failure(self, name: str, index: int) -> OracleError | None:
        """Why `name` did not fit at a place."""
        outcome = self._tried.get((name, index))
        return outcome if isinstance(outcome, OracleError) else None

    # -- operators ------------

    def value(self) -> None:
        """An expression that is no condition."""
        while True:
            self.factor()
            if not self.take("+", "-", "*", "/", "||"):
                return

    def factor(self) -> None:
        while self.take("+", "-", "PRIOR", "CONNECT_BY_ROOT"):
            pass
        self.primary()
        while True:
            if self.take("AT"):
                if not self.take("LOCAL"):
                    self.expect_word("TIME")
                    self.expect_word("ZONE")
                    self.factor()
            elif self.word() == "COLLATE" and self.word(1)[:1].isalpha():
                self.index += 2
            elif self.at("DAY", "YEAR") and self.word(1) in ("TO", "("):
                self.interval_fields()
            else:
                return

    def interval_fields(self) -> None:
        """DAY(3) TO SECOND(2), YEAR TO MONTH."""
        self.next()
        if self.at("("):
            self.parenthesised()
        if self.take("TO"):
            if not self.take(*_FIELDS):
                raise self.error(30089, "missing or invalid <datetime field>")
            if self.at("("):
                self.parenthesised()

    # -- primaries ------------

    def primary(self) -> None:
        if self.done:
            raise self.error(936, "missing expression")
        token = self.tokens[self.index]
        if is_string(token):
            self.index += 1
        elif self.word() == "." and self.word(1)[:1].isdigit():
            self.index += 2
        elif token.token_type == TokenType.NUMBER:
            self.index += 1
            if self.kind == TokenType.DCOLON and self.sql[self.position : self.position + 2] != "::":
                self.index += 2
        elif token.token_type == TokenType.PLACEHOLDER:
            if not token.text.isdigit():
                raise self.error(911, "invalid character")
            self.index += 1
        elif self.take("("):
            self.parenthesis()
        elif token.token_type == TokenType.IDENTIFIER:
            self.path()
        else:
            self.word_primary()

    def parenthesis(self) -> None:
        """What stands behind `(`: a query, an expression, or several (a row)."""
        if self.at_subquery() and self.attempt("subquery_in_parentheses"):
            return
        if self.at(")"):
            raise self.error(936, "missing expression")
        self.otherwise(self.failure("subquery_in_parentheses", self.index), self.row)

    def row(self) -> None:
        self.values()
        self.close()

    def subquery_in_parentheses(self) -> None:
        """A subquery that is compared or gives a value: its rows have no order."""
        self.subquery(ordered=False)
        self.close()

    def word_primary(self) -> None:
        word = self.word()
        following = self.word(1)
        next_is_string = self.index + 1 < len(self.tokens) and is_string(self.tokens[self.index + 1])
        if word in ("DATE", "TIMESTAMP") and next_is_string:
            self.index += 2
        elif word == "INTERVAL" and next_is_string:
            self.index += 2
            if not self.take(*_FIELDS):
                raise self.error(30089, "missing or invalid <datetime field>")
            self.index -= 1
            self.interval_fields()
        elif word == "CASE":
            self.next()
            self.case()
        elif word in ("CURSOR", "MULTISET") and following == "(" and self.word(2) in ("SELECT", "WITH"):
            raise not_supported(f"the expression {word}(SELECT ...)")
        elif following == "(" and word in ("CAST", "EXTRACT", "TRIM"):
            self.index += 2
            {"CAST": self.cast, "EXTRACT": self.extract, "TRIM": self.trim}[word]()
            self.close()
        elif word in PSEUDOCOLUMNS:
            self.next()
        elif self.at_free_name():
            self.path()
        elif word[:1] in ("_", "?", "$", "#", "!"):
            raise self.error(911, "invalid character")
        else:
            raise self.error(936, "missing expression")

    def case(self) -> None:
        searched = self.at("WHEN")
        if not searched:
            self.value()
        if not self.at("WHEN"):
            raise self.error(905, "missing keyword")
        while self.take("WHEN"):
            (self.condition if searched else self.value)()
            self.expect_word("THEN")
            self.value()
        if self.take("ELSE"):
            self.value()
        self.expect_word("END")

    def cast(self) -> None:
        if self.take("MULTISET"):
            raise not_supported("CAST(MULTISET ...)")
        self.value()
        self.expect_word("AS")
        if not (self.at_free_name() or self.word() in reserved_words()):
            raise self.error(902, "invalid datatype")
        depth = 0
        while not self.done and not (depth == 0 and self.at(")", "DEFAULT", ",")):
            depth += (self.word() == "(") - (self.word() == ")")
            self.index += 1
        self.conversion_default()
        if self.take(","):
            self.values()

    def conversion_default(self) -> None:
        """DEFAULT value ON CONVERSION ERROR."""
        if self.take("DEFAULT"):
            self.value()
            self.expect_word("ON CONVERSION ERROR")

    def extract(self) -> None:
        if self.word(1) == "FROM":
            self.next()
            self.next()
            self.value()
            return
        self.values()  # of the XML function of the same name there may be several

    def trim(self) -> None:
        side = self.take("LEADING", "TRAILING", "BOTH")
        if side and self.take("FROM"):
            self.value()
            return
        self.value()
        if self.take("FROM"):
            self.value()
        elif side:
            raise self.error(905, "missing keyword")

    # -- names and calls ------------

    def path(self) -> None:
        """A column, a pseudocolumn of a table or sequence, or a call; names joined by periods."""
        name = self.word()
        self.next()
        if self.at("("):
            self.call(name)
        while self.take("."):
            if self.kind == TokenType.IDENTIFIER or self.at("ROWID", "COLUMN_VALUE") or self.at_free_name():
                name = self.word()
                self.next()
            else:
                raise self.error(1747, "invalid user.table.column, table.column, or column specification")
            if self.at("("):
                self.call(name)
        if self.kind == TokenType.JOIN_MARKER:
            if self.tokens[self.index - 1].token_type == TokenType.R_PAREN:
                raise self.error(936, "missing expression")
            self.index += 1

    def call(self, name: str) -> None:
        if name.startswith(FREE_ARGUMENTS):
            self.parenthesised()
        else:
            self.next()
            self.arguments()
            self.close()
        if name in ANALYTIC_FUNCTIONS:
            self.analytic_tail()

    def arguments(self) -> None:
        if self.at(")") or self.take("*"):
            return
        self.take("DISTINCT", "UNIQUE", "ALL")
        self.commas(self.argument)

    def argument(self) -> None:
        if self.at_free_name() and self.word(1) == "=>":
            self.index += 2
        self.value()
        self.argument_tail()

    def argument_tail(self) -> None:
        """The words that some functions take behind an argument."""
        if self.take("RESPECT NULLS", "IGNORE NULLS"):
            return
        self.conversion_default()
        if self.take("USING"):
            self.next()
        elif self.take("ON OVERFLOW"):
            if not self.take("ERROR"):
                self.expect_word("TRUNCATE")
                if not self.at(")", "WITH COUNT", "WITHOUT COUNT"):
                    self.value()
                if self.take("WITH", "WITHOUT"):
                    self.expect_word("COUNT")
        elif self.at("ORDER BY"):
            self.order_by()

    def analytic_tail(self) -> None:
        """KEEP (...), WITHIN GROUP (...), RESPECT NULLS, OVER (...)."""
        if self.word() == "KEEP" and self.word(1) == "(":
            self.index += 2
            self.expect_word("DENSE_RANK")
            if not self.take("FIRST", "LAST"):
                raise self.error(905, "missing keyword")
            self.order_by()
            self.close()
        if self.take("WITHIN GROUP"):
            self.expect("(", 906, "missing left parenthesis")
            self.order_by()
            self.close()
        self.take("FROM FIRST", "FROM LAST")
        self.take("RESPECT NULLS", "IGNORE NULLS")
        if self.word() == "OVER" and self.word(1) == "(":
            self.index += 2
            self.window()
            self.close()

    def window(self) -> None:
        if self.take("PARTITION BY"):
            self.values()
        if self.at("ORDER BY", "ORDER SIBLINGS BY"):
            self.order_by()
        if self.take("ROWS", "RANGE"):
            if self.take("BETWEEN"):
                self.bound()
                self.expect_word("AND")
            self.bound()

    def bound(self) -> None:
        if self.take("CURRENT ROW"):
            return
        if not self.take("UNBOUNDED"):
            self.value()
        if not self.take("PRECEDING", "FOLLOWING"):
            raise self.error(905, "missing keyword")

    def values(self) -> None:
        self.commas(self.value)

    def order_by(self) -> None:
        if not self.take("ORDER BY", "ORDER SIBLINGS BY"):
            if self.take("ORDER"):
                raise self.error(924, "missing BY keyword")
            raise self.error(30491, "missing ORDER BY clause")
        self.commas(self.sort_key)

    def sort_key(self) -> None:
        self.value()
        self.take("ASC", "DESC")
        if self.take("NULLS") and not self.take("FIRST", "LAST"):
            raise self.error(30493, "The NULLS clause must be NULLS FIRST or NULLS LAST")
