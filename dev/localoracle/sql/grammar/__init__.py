"""The grammar of queries, expressions and conditions: where a text stops being Oracle's, and by which error.

Oracle's parser reads from left to right and names what it missed at the first token that fits nowhere
(ORA-00923, ORA-00905, ORA-00907 ...). sqlglot's parser, which makes the trees, takes the SQL of many
databases and says other things. So a text is held against Oracle's grammar first; what passes and has no tree
is valid syntax that the stand-in lacks. SQL Language Reference, "SELECT", "Expressions", "Conditions".
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError
from localoracle.sql.grammar.queries import Queries


def check_query(tokens: Sequence[Token], sql: str) -> None:
    """ORA-00900 family unless the tokens are a subquery."""
    grammar = Queries(tokens, sql)
    grammar.subquery()
    grammar.finish(933, "SQL command not properly ended")


def check_expression(tokens: Sequence[Token], sql: str) -> None:
    """ORA-00900 family unless the tokens are an expression or a condition."""
    grammar = Queries(tokens, sql)
    try:
        grammar.value()
        grammar.finish(933, "SQL command not properly ended")
    except OracleError as no_value:
        reached = grammar.index
        grammar.index = 0
        try:
            grammar.condition()
        except OracleError as no_condition:
            farther = grammar.index > reached or (grammar.index == reached and no_value.code == 933)
            raise no_condition if farther else no_value from None
        grammar.finish(933, "SQL command not properly ended")
