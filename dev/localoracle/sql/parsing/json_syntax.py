"""The grammar of JSON in Oracle's SQL: what stands between the parentheses, and IS JSON.

SQL Language Reference 19c, "SQL/JSON Functions", "JSON_TABLE", "IS JSON Condition". The nodes are read by
`functions.json_functions`; what is not known here is ORA-03001.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from localoracle.errors import OracleError, not_supported

_STEP = r"""(\.([A-Za-z_]\w*|"[^"\\]*"|\*)|\[\s*(\*|\d+(\s+to\s+\d+)?(\s*,\s*\d+)*)\s*\])"""
_PATH = re.compile(rf"\$\s*({_STEP}\s*)*")


def call(name: str) -> Callable[[Any], exp.Expr]:
    """The parser of NAME(e [FORMAT JSON], path ...):

    JSON_VALUE ... [RETURNING type] [ON ERROR, ON EMPTY]; JSON_EXISTS ... [ON ERROR];
    JSON_TABLE ... [ON ERROR] COLUMNS (...).
    """

    def parse(parser: Any) -> exp.Expr:
        node = exp.Anonymous(this=name, expressions=[_context_item(parser), _path(parser)])
        if name == "JSON_VALUE" and parser._match_text_seq("RETURNING"):
            node.set("returning", parser._parse_types())
        if name == "JSON_EXISTS" and parser._match_text_seq("PASSING"):
            raise not_supported("JSON_EXISTS with PASSING")
        _handling(parser, node)
        if name == "JSON_TABLE":
            node.set("columns", _columns(parser))
        return node

    return parse


def parse_is_json(parser: Any, tested: exp.Expr, negated: bool) -> exp.Expr:
    """What stands behind IS [NOT] JSON; FORMAT JSON says of BLOBs what is so of strings anyway."""
    parser._match_text_seq("FORMAT", "JSON")
    for words in (("STRICT",), ("WITH", "UNIQUE", "KEYS"), ("LAX",), ("WITHOUT", "UNIQUE", "KEYS")):
        if parser._match_text_seq(*words) and words not in (("LAX",), ("WITHOUT", "UNIQUE", "KEYS")):
            raise not_supported(f"IS JSON {' '.join(words)}")
    node: exp.Expr = exp.Anonymous(this="IS JSON", expressions=[tested])
    return exp.Not(this=node) if negated else node


def _context_item(parser: Any) -> exp.Expr:
    item = parser._parse_disjunction()
    parser._match_text_seq("FORMAT", "JSON")
    parser._match(TokenType.COMMA)
    return item  # type: ignore[no-any-return]


def _path(parser: Any) -> exp.Expr:
    path = parser._parse_string()
    if path is None:
        raise OracleError(40442, "JSON path expression syntax error ('')")
    if not _PATH.fullmatch(path.name.strip()):
        raise not_supported(f"the JSON path {path.name}")
    return path  # type: ignore[no-any-return]


def _handling(parser: Any, node: exp.Expr) -> None:
    """ON ERROR and ON EMPTY: NULL, the default, or ERROR."""
    while True:
        word = next((w for w in ("NULL", "ERROR", "FALSE") if parser._match_text_seq(w)), None)
        if word is None:
            break
        if not parser._match(TokenType.ON) or not parser._match_texts(("ERROR", "EMPTY")):
            raise OracleError(907, "missing right parenthesis")
        node.set(f"on_{parser._prev.text.lower()}", exp.Var(this=word))
    if parser._match_texts(("DEFAULT", "TRUE", "WITH", "WITHOUT", "ALLOW", "DISALLOW")):
        raise not_supported(f"{node.name} with {parser._prev.text.upper()}")


def _columns(parser: Any) -> list[exp.Expr]:
    if not parser._match_text_seq("COLUMNS"):
        raise not_supported("JSON_TABLE without COLUMNS")
    parser._match_l_paren()
    columns = parser._parse_csv(lambda: _column(parser))
    parser._match_r_paren()
    return columns  # type: ignore[no-any-return]


def _column(parser: Any) -> exp.Expr:
    if parser._match_text_seq("NESTED"):
        parser._match_text_seq("PATH")
        nested = exp.Anonymous(this="NESTED", expressions=[_path(parser)])
        nested.set("columns", _columns(parser))
        return nested
    name = parser._parse_id_var()
    if parser._match_text_seq("FOR", "ORDINALITY"):
        return exp.Anonymous(this="ORDINALITY", expressions=[name])
    kind = parser._parse_types()
    if kind is None or parser._match_texts(("EXISTS", "FORMAT")) or not parser._match_text_seq("PATH"):
        raise not_supported(f"the JSON_TABLE column {name.name if name else ''} in this form")
    column = exp.Anonymous(this="COLUMN", expressions=[name, _path(parser)])
    column.set("returning", kind)
    _handling(parser, column)
    return column
