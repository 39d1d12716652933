"""Query blocks, set operators and WITH ("SELECT" in the SQL Language Reference)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.grammar.sources import Sources

_SET_OPERATORS = ("UNION ALL", "UNION", "INTERSECT", "MINUS")
_FACTORING = OracleError(32034, "unsupported use of WITH clause")


class Queries(Sources):
    """A whole statement."""

    def __init__(self, tokens: Sequence[Token], sql: str) -> None:
        super().__init__(tokens, sql)
        self._factored: int | None = None
        """Where the WITH clause of the statement stands."""

    def subquery(self, *, ordered: bool = True) -> None:
        """`ordered`: whether ORDER BY may stand in it without a row limit."""
        begins = self.index
        if self.at("WITH"):
            self.factoring_clause()
        elif not self.at("SELECT", "("):
            raise self.error(928, "missing SELECT keyword")
        self.branch()
        several = False
        while self.take(*_SET_OPERATORS):
            several = True
            self.branch(branches=True)
        if several and self.tokens[begins].text == "(" and self._begins_with_factoring(begins):
            raise OracleError(_FACTORING.code, _FACTORING.text, self.tokens[begins].start)
        if self.at("ORDER"):
            self.next()
            raise self.error(924, "missing BY keyword")
        if self.at("ORDER BY", "ORDER SIBLINGS BY"):
            place = self.position
            self.order_by()
            if not ordered and not self.at("OFFSET", "FETCH"):
                raise OracleError(907, "missing right parenthesis", place)
        self.row_limit()

    def _begins_with_factoring(self, index: int) -> bool:
        while self.tokens[index].text == "(":
            index += 1
        return self.tokens[index].token_type == TokenType.WITH

    def branch(self, *, branches: bool = False) -> None:
        """One operand of the set operators, or all of a query without them."""
        if self.at("WITH") or (branches and self.at("(") and self._begins_with_factoring(self.index)):
            raise self.error(_FACTORING.code, _FACTORING.text)
        if self.take("("):
            self.subquery(ordered=not branches)
            self.close()
            return
        self.expect("SELECT", 928, "missing SELECT keyword")
        self.block()

    def factoring_clause(self) -> None:
        """WITH: "You can specify only one subquery_factoring_clause in a single SQL statement"."""
        if self._factored not in (None, self.index):
            raise self.error(_FACTORING.code, _FACTORING.text)
        self._factored = self.index
        self.next()
        if self.word() in ("FUNCTION", "PROCEDURE") and self.word(1) != "AS":
            raise not_supported(f"WITH {self.word()}")
        self.commas(self.common_table)
        if not self.at("SELECT", "("):
            raise self.error(928, "missing SELECT keyword")

    def common_table(self) -> None:
        if not self.at_free_name():
            raise self.error(903, "invalid table name")
        self.next()
        if self.at("("):
            self.parenthesised()
        self.expect_word("AS")
        self.expect("(", 906, "missing left parenthesis")
        self.inline_view()
        if self.at("SEARCH", "CYCLE"):
            raise not_supported(f"WITH ... {self.word()}")

    # -- a query block ------------

    def block(self) -> None:
        if self.kind == TokenType.HINT:
            self.index += 1
        self.take("DISTINCT", "UNIQUE", "ALL")
        self.select_list()
        if self.take("BULK COLLECT INTO", "INTO"):
            self.values()
        self.expect("FROM", 923, "FROM keyword not found where expected")
        self.from_clause()
        if self.take("WHERE"):
            self.condition()
        self.hierarchy()
        self.grouping()
        if self.word() == "MODEL" and self.word(1):
            raise not_supported("MODEL")

    def select_list(self) -> None:
        if self.take("*"):
            if not self.at("FROM", "INTO", "BULK COLLECT INTO"):
                raise self.error(923, "FROM keyword not found where expected")
            return
        self.commas(self.selected)

    def selected(self) -> None:
        if not self._all_of_a_table():
            self.value()
            self.column_alias()

    def _all_of_a_table(self) -> bool:
        """`t.*` or `schema.t.*`."""
        ahead = 0
        while self.index + ahead + 2 < len(self.tokens) and self.word(ahead + 1) == ".":
            ahead += 2
            if self.word(ahead) == "*":
                self.index += ahead + 1
                return True
        return False

    def column_alias(self) -> None:
        if self.take("AS"):
            if not self.at_free_name():
                raise self.error(923, "FROM keyword not found where expected")
            self.next()
        elif self.at_free_name() and not self.at("BULK COLLECT INTO"):
            self.next()

    def hierarchy(self) -> None:
        for _ in range(2):
            if self.take("START WITH"):
                self.condition()
            elif self.take("CONNECT BY"):
                self.take("NOCYCLE")
                self.condition()

    def grouping(self) -> None:
        for _ in range(2):
            if self.take("GROUP BY"):
                self.commas(self.grouping_element)
            elif self.take("GROUP"):
                raise self.error(924, "missing BY keyword")
            elif self.take("HAVING"):
                self.condition()

    def grouping_element(self) -> None:
        if self.word() in ("ROLLUP", "CUBE", "GROUPING SETS") and self.word(1) == "(":
            self.index += 2
            self.commas(self.grouping_element)
            self.close()
        elif self.word() == "(" and self.word(1) == ")":
            self.index += 2
        else:
            self.value()

    def row_limit(self) -> None:
        """OFFSET n ROWS FETCH FIRST n ROWS ONLY."""
        if self.at("OFFSET"):
            self.next()
            self.value()
            self._rows()
        if self.take("FETCH"):
            if not self.take("FIRST", "NEXT"):
                raise self.error(905, "missing keyword")
            if not self.at("ROW", "ROWS"):
                self.value()
                self.take("PERCENT")
            self._rows()
            if not self.take("ONLY", "WITH TIES"):
                raise self.error(905, "missing keyword")

    def _rows(self) -> None:
        if not self.take("ROW", "ROWS"):
            raise self.error(905, "missing keyword")
