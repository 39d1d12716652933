"""JSON conditions, functions and tables, by PostgreSQL's own SQL/JSON.

Values are read by the lax syntax that is Oracle's default; a scalar alone is no JSON (RFC 4627).
Results that are JSON texts themselves (JSON_QUERY, JSON_OBJECT ...) are refused: PostgreSQL writes them with
other blanks and numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.context import Sql
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.sql.parsing.nodes import identifier_name

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions

_WHOLE = "'$'"


def json_condition_or_value(emit: Expressions, node: exp.Anonymous) -> Sql | None:
    """What a JSON node means in an expression; None for other nodes."""
    match node.name:
        case "IS JSON":
            return Sql(f"ora.is_json({emit.scalar(node.expressions[0]).text})", "B")
        case "JSON_VALUE":
            return _scalar(_document(emit, node), _path(node), node)
        case "JSON_EXISTS":
            return Sql(f"JSON_EXISTS({_document(emit, node)}, {_path(node)})", "B")
    return None


def _scalar(document: str, path: str, node: exp.Anonymous) -> Sql:
    """The value at a path, of the type that RETURNING or a column names."""
    errors = ", ".join(str(_word(node, f"on_{when}") == "ERROR").lower() for when in ("empty", "error"))
    kind, sizes = _type(node.args.get("returning"))
    if kind == "NUMBER":
        typed = f"::numeric({', '.join(map(str, sizes))})" if sizes else ""
        return Sql(f"ora.json_number({document}, {path}, {errors}){typed}", "N")
    most = sizes[0] if sizes else "NULL"
    return Sql(f"ora.json_value({document}, {path}, {most}, {errors})", "S")


def json_table(emit: Expressions, node: exp.Anonymous) -> str:
    """JSON_TABLE in FROM, without alias: PostgreSQL's finds the values, which then get their types."""
    outputs: list[str] = []
    columns = _columns(node.args["columns"], outputs)
    rows = f"JSON_TABLE({_document(emit, node)}, {_path(node)} COLUMNS ({columns}))"
    return f"LATERAL (SELECT {', '.join(outputs)} FROM {rows} AS found)"


def _columns(nodes: list[exp.Anonymous], outputs: list[str]) -> str:
    texts = []
    for node in nodes:
        if node.this == "NESTED":
            texts.append(f"NESTED PATH {_path(node, 0)} COLUMNS ({_columns(node.args['columns'], outputs)})")
            continue
        name = quote(identifier_name(node.expressions[0]))
        if node.this == "ORDINALITY":
            texts.append(f"{name} FOR ORDINALITY")
            outputs.append(f"found.{name}::numeric AS {name}")
        else:
            texts.append(f"{name} jsonb PATH {_path(node)}")
            outputs.append(f"{_scalar(f'found.{name}', _WHOLE, node).text} AS {name}")
    return ", ".join(texts)


def _document(emit: Expressions, node: exp.Anonymous) -> str:
    must_be_json = str(_word(node, "on_error") == "ERROR").lower()
    return f"ora.json({emit.scalar(node.expressions[0]).text}, {must_be_json})"


def _path(node: exp.Anonymous, position: int = 1) -> str:
    return literal(node.expressions[position].name)


def _word(node: exp.Anonymous, name: str) -> str:
    word = node.args.get(name)
    return word.name if word is not None else ""


def _type(kind: exp.DataType | None) -> tuple[str, list[int]]:
    """What RETURNING names, with its sizes."""
    if kind is None:
        return "VARCHAR2", []
    sizes = [int(size.name) for size in kind.expressions if size.name.isdigit()]
    if len(sizes) == len(kind.expressions):
        match kind.this:
            case exp.DType.VARCHAR:
                return "VARCHAR2", sizes
            case exp.DType.INT | exp.DType.BIGINT | exp.DType.SMALLINT:
                return "NUMBER", [38, 0]
            case exp.DType.DECIMAL:
                return "NUMBER", sizes
    raise not_supported(f"JSON values RETURNING {kind.sql(dialect='oracle').upper()}")
