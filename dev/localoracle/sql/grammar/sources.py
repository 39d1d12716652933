"""The FROM clause ("SELECT", table_reference, join_clause, flashback_query_clause, sample_clause)."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from localoracle.errors import not_supported
from localoracle.sql.grammar.conditions import Conditions

_AFTER_TABLE = (
    "JOIN", "INNER JOIN", "CROSS JOIN", "CROSS APPLY", "OUTER APPLY", "NATURAL", "LEFT JOIN", "LEFT OUTER",
    "RIGHT JOIN", "RIGHT OUTER", "FULL JOIN", "FULL OUTER", "PIVOT (", "PIVOT XML", "UNPIVOT (",
    "UNPIVOT INCLUDE", "UNPIVOT EXCLUDE", "MATCH_RECOGNIZE (", "FETCH FIRST", "FETCH NEXT", "PARTITION BY",
    "USING (", "MODEL",
)  # fmt: skip
_LACKING = ("THE", "XMLTABLE", "CONTAINERS", "SHARDS", "ONLY")


class Sources(Conditions):
    """What rows come from."""

    def from_clause(self) -> None:
        self.commas(self.joined_tables)

    def joined_tables(self) -> None:
        self.table_reference()
        while self.join():
            pass

    def table_reference(self) -> None:
        if self.at("("):
            self.parenthesised_source()
        elif self.take("LATERAL"):
            self.expect("(", 906, "missing left parenthesis")
            self.inline_view()
        elif self.word() in _LACKING and self.word(1) == "(":
            raise not_supported(f"{self.word()}( ) in FROM")
        elif self.at("TABLE ("):
            self.next()
            self.next()
            self.value()
            self.close()
            if self.kind == TokenType.JOIN_MARKER:
                raise not_supported("TABLE( )(+)")
        elif self.at("JSON_TABLE ("):
            self.next()
            self.parenthesised()
        else:
            self.table()
        self.flashback()
        self.row_shapes()
        self.alias()

    def inline_view(self) -> None:
        self.subquery()
        self.close()

    def parenthesised_source(self) -> None:
        start = self.index
        self.next()
        if self.at_subquery() and self.attempt("inline_view"):
            return
        self.otherwise(self.failure("inline_view", start + 1), self.joined_sources)

    def joined_sources(self) -> None:
        self.from_clause()
        self.close()

    def table(self) -> None:
        if not self.at_free_name() or self.at("PIVOT (", "UNPIVOT ("):
            raise self.error(903, "invalid table name")
        start = self.index
        self.next()
        while self.take("."):
            if not self.at_free_name():
                raise self.error(903, "invalid table name")
            self.next()
        if self.at("("):
            self.index = start
            self.value()
            return
        if self.word() in ("PARTITION", "SUBPARTITION") and self.word(1) in ("(", "FOR"):
            self.next()
            if self.take("FOR"):
                raise not_supported("PARTITION FOR")
            self.parenthesised()
        if self.take("SAMPLE"):
            self.take("BLOCK")
            self.parenthesised()
            if self.take("SEED"):
                self.parenthesised()

    def flashback(self) -> None:
        if self.take("VERSIONS"):
            raise not_supported("VERSIONS BETWEEN")
        if self.take("AS OF"):
            if self.take("PERIOD FOR"):
                raise not_supported("AS OF PERIOD FOR")
            if not self.take("SCN", "TIMESTAMP"):
                raise self.error(905, "missing keyword")
            self.value()
            if self.take("SAMPLE"):
                self.take("BLOCK")
                self.parenthesised()

    def row_shapes(self) -> None:
        for word in ("PIVOT", "UNPIVOT", "MATCH_RECOGNIZE"):
            if self.word() == word and self.word(1) in ("(", "XML", "INCLUDE", "EXCLUDE"):
                raise not_supported(word)

    def alias(self) -> None:
        if self.at_free_name() and not self._joins():
            self.next()
        self.row_shapes()

    def _joins(self) -> bool:
        if self.kind == TokenType.IDENTIFIER:
            return False
        if self.at("OFFSET"):
            return self.word(1) not in ("", ")", ",", "WHERE", "ORDER BY", "GROUP BY")
        return self.at(*_AFTER_TABLE) is not None

    def join(self) -> bool:
        partitioned = self.at("PARTITION BY") is not None
        if partitioned:
            self.next()
            self.value()
        if self.take("CROSS JOIN"):
            self.table_reference()
        elif self.take("CROSS APPLY", "OUTER APPLY"):
            raise not_supported("APPLY")
        elif self.take("NATURAL"):
            if not self._join_words():
                raise self.error(905, "missing keyword")
            self.table_reference()
        elif self._join_words():
            self.table_reference()
            if self.at("PARTITION BY"):
                self.next()
                self.value()
            self.nested_join()
        elif partitioned:
            raise self.error(905, "missing keyword")
        else:
            return False
        return True

    def nested_join(self) -> None:
        """ON or USING; joins that stand before it belong to the right side."""
        while not self.at("ON", "USING"):
            if not self.join():
                raise self.error(905, "missing keyword")
        if self.take("ON"):
            self.condition()
        else:
            self.next()
            self.expect("(", 906, "missing left parenthesis")
            self.commas(self.simple_column)
            self.close()

    def simple_column(self) -> None:
        if not self.at_free_name():
            raise self.error(1747, "invalid user.table.column, table.column, or column specification")
        self.next()
        if self.at("."):
            raise self.error(1748, "only simple column names allowed here")

    def _join_words(self) -> bool:
        if self.take("JOIN", "INNER JOIN"):
            return True
        if self.word() in ("LEFT", "RIGHT", "FULL", "INNER"):
            self.next()
            self.take("OUTER")
            self.expect_word("JOIN")
            return True
        return False
