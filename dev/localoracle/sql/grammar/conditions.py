"""Conditions ("Conditions" in the SQL Language Reference). They are no expressions: SQL has no booleans."""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.sql.grammar.expressions import Expressions
from localoracle.sql.parsing.words import CONDITION_FUNCTIONS

_COMPARISONS = ("=", "<>", "!=", "^=", "<=", ">=", "<", ">")
_JSON_OPTIONS = ("STRICT", "LAX", "ALLOW", "DISALLOW", "SCALARS", "WITH", "WITHOUT", "UNIQUE", "KEYS")
_IS = ("NULL", "NAN", "INFINITE", "PRESENT", "EMPTY", "ANY", "JSON", "DANGLING")


class Conditions(Expressions):
    """What is true, false or unknown."""

    def condition(self) -> None:
        while True:
            while self.take("NOT"):
                pass
            self.predicate()
            if not self.take("AND", "OR"):
                return

    def predicate(self) -> None:
        if self.at("EXISTS"):
            self.next()
            self.expect("(", 906, "missing left parenthesis")
            if not self.at_subquery():
                raise self.error(936, "missing expression")
            self.subquery_in_parentheses()
        elif self.word() in CONDITION_FUNCTIONS and self.word(1) == "(":
            self.condition_function()
        elif self.at("("):
            self.parenthesised_predicate()
        else:
            self.comparison()

    def condition_function(self) -> None:
        name = self.word()
        self.next()
        if name == "REGEXP_LIKE":
            self.next()
            self.values()
            self.close()
        else:
            self.parenthesised()

    def parenthesised_predicate(self) -> None:
        """`(` begins a condition in parentheses or an expression that is compared."""
        start = self.index
        if self.attempt("condition_in_parentheses"):
            return
        self.otherwise(self.failure("condition_in_parentheses", start), self.comparison)

    def condition_in_parentheses(self) -> None:
        self.next()
        self.condition()
        self.close()

    def comparison(self) -> None:
        row = self._row_length()
        self.value()
        if self.at("=="):
            raise OracleError(936, "missing expression", self.position + 1)
        if self.take(*_COMPARISONS):
            self._compared(row)
        elif self.take("IS"):
            self._is()
        else:
            self.take("NOT")
            self._word_operator()

    def _compared(self, row: bool) -> None:
        if self.word() in ("ANY", "SOME", "ALL") and self.word(1) == "(":
            self.next()
            self.value()
            return
        start = self.position
        if row and self._row_length() and self.word(1) != "(":
            raise OracleError(920, "invalid relational operator", start)
        self.value()

    def _row_length(self) -> bool:
        """Does a list of several expressions in parentheses stand here?"""
        if not self.at("(") or self.at_subquery():
            return False
        ahead, depth = self.index, 0
        while ahead < len(self.tokens):
            text = self.tokens[ahead].text
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return False
            if depth == 1 and text == ",":
                return True
            ahead += 1
        return False

    def _is(self) -> None:
        self.take("NOT")
        if self.take("OF"):
            self.take("TYPE")
            self.parenthesised()
        elif self.take("A"):
            self.expect_word("SET")
        elif self.take(*_IS) == "JSON":
            self.take("FORMAT JSON")
            while self.take(*_JSON_OPTIONS):
                pass
        elif self.tokens[self.index - 1].text.upper() not in _IS:
            raise self.error(908, "missing NULL keyword")

    def _word_operator(self) -> None:
        if self.take("BETWEEN"):
            self.value()
            self.expect_word("AND")
            self.value()
        elif self.take("IN"):
            self.value()
        elif self.take("LIKE", "LIKEC", "LIKE2", "LIKE4"):
            self.value()
            if self.take("ESCAPE"):
                self.value()
        elif self.take("MEMBER", "SUBMULTISET"):
            self.take("OF")
            self.value()
        elif self.take("OVERLAPS"):
            self.value()
        else:
            raise self.error(920, "invalid relational operator")
