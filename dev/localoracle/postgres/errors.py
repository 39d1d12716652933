"""PostgreSQL's errors in Oracle's numbers and words (Oracle Database Error Messages)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import psycopg

from localoracle.dictionary import documentation
from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with

_RAISED = re.compile(r"ORA-(\d{5}): (.*)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_KEY = re.compile(r"Key \((.*?)\)=\((.*)\) already exists", re.DOTALL)
_DML = ("INSERT", "UPDATE", "DELETE", "MERGE")


def _message(error: psycopg.Error) -> str:
    return error.diag.message_primary or str(error).strip()


def _names(error: psycopg.Error) -> tuple[str, str]:
    schema, table = error.diag.schema_name or "", error.diag.table_name or ""
    if schema.startswith("pg_temp"):  # a session's rows of OWNER.NAME
        schema, _, table = table.partition(".")
    return schema, table


def _parts(error: psycopg.Error) -> dict[str, str]:
    """What the text of a rule may name."""
    schema, table = _names(error)
    constraint = error.diag.constraint_name or ""
    return {
        "message": _message(error),
        "identifier": _identifier(error),
        "object": f'"{schema}"."{table}"',
        "column": f'("{schema}"."{table}"."{error.diag.column_name}")',
        "constraint": f"({schema}.{constraint})" if schema else f"({constraint})",
    }


def _identifier(error: psycopg.Error) -> str:
    """The name in PostgreSQL's message, as Oracle shows an invalid identifier."""
    message = _message(error)
    quoted = _QUOTED.search(message)
    if quoted:
        return '"' + quoted[1] + '"'
    unquoted = re.search(r"(?:column|function) ([^\s(]+)", message)
    return _each_quoted(unquoted[1].replace('"', "")) if unquoted else '""'


def _each_quoted(name: str) -> str:
    return ".".join(f'"{part}"' for part in name.split("."))


def _documented(code: int, *parts: str | None) -> OracleError:
    """An error in the words of Error Messages, with its variable parts in order, as far as they are known."""
    text = documentation.message(f"ORA-{code:05d}") or ""
    for part in parts:
        text = text.replace("{}", part or "", 1)
    return OracleError(code, text.replace("{}", ""))


def _check(error: psycopg.Error, _: str) -> OracleError:
    parts = _parts(error)
    if error.diag.datatype_name and error.diag.constraint_name == "longest_string":
        return _documented(1489)
    if (error.diag.constraint_name or "").startswith("localoracle$"):
        return OracleError(12899, f"value too large for column in {parts['object']}")
    return OracleError(2290, f"check constraint {parts['constraint']} violated")


def _unique(error: psycopg.Error, _: str) -> OracleError:
    """From 23ai on with table and columns, and with the values of the row below it, as ERROR_MESSAGE_DETAILS
    has it by default (Database Reference 23ai)."""
    violated = f"unique constraint {_parts(error)['constraint']} violated"
    key = _KEY.match(error.diag.message_detail or "")
    if created_with().major_version < 23 or key is None:
        return OracleError(1, violated)
    schema, table = _names(error)
    columns = [name.strip('"') for name in key[1].split(", ")]
    values = key[2].split(", ") if key[2].count(", ") == len(columns) - 1 else [key[2]]
    quoted = [value if re.fullmatch(r"-?[\d.]+", value) else f"'{value}'" for value in values]
    shown = ", ".join(f"{column}:{value}" for column, value in zip(columns, quoted, strict=False))
    detailed = (
        f"{violated} on table {schema}.{table} columns ({', '.join(columns)})\n"
        f"ORA-03301: (ORA-00001 details) row with column values ({shown}) already exists"
    )
    return OracleError(1, detailed)


def _undefined_table(error: psycopg.Error, _: str) -> OracleError:
    name = _QUOTED.search(_message(error))
    view = name[1].removeprefix("SYS.") if name else ""
    return not_supported(f"view {view}") if documentation.is_documented_view(view) else _documented(942)


_CONVERSIONS = tuple(f"function ora.{name}(" for name in ("str", "short", "characters", "cast_string"))
_LARGE = re.compile(r"\bora\.(clob|nclob|blob|longraw|long)\b|\b(clob|nclob|blob|longraw|long)\b")
_MOMENT = r"(?:oradate|timestamp_tz|timestampltz|timestamp with(?:out)? time zone)"


def _undefined_function(error: psycopg.Error, _: str) -> OracleError:
    message = _message(error)
    large = _LARGE.search(message)
    if large is not None and not message.startswith(('function "', 'procedure "')):
        kind = (large[1] or large[2]).upper().replace("LONGRAW", "LONG RAW")
        if kind.startswith("LONG") and not message.startswith(_CONVERSIONS):
            return _documented(997)
        return _documented(932, "-", kind)
    if message.startswith("operator does not exist: oradate + oradate"):
        return _documented(975)
    if re.match(rf"operator does not exist: {_MOMENT} \+ {_MOMENT}$", message):
        return _documented(30087)
    if message.startswith("function ora.extract_"):
        return _documented(30076)
    if message.startswith("operator does not exist"):
        return OracleError(932, f"inconsistent datatypes: {message}")
    name = re.match(r"(?:function|procedure) (.*?)\(", message)
    shown = name[1].replace("ora.", "").replace('"', "").upper().replace("LOCALORACLE$", "") if name else ""
    package, _, member = shown.partition(".")
    if member and package in documentation.packages():
        return not_supported(f"{shown} with arguments of these types in SQL")
    if not member and name and not name[1].startswith(('"', "localoracle$")):
        # The translation knows the functions of SQL: what is missing is one of these types.
        return OracleError(932, f"inconsistent datatypes: {message}")
    return _documented(904, _each_quoted(shown))


def _invalid_text(error: psycopg.Error, _: str) -> OracleError:
    # The value stands behind the type and may hold any word.
    message = _message(error).partition(":")[0]
    if "oradate" in message or "timestamp" in message or "date" in message:
        return _documented(1858)
    return _documented(1465) if "bytea" in message or "hexadecimal" in message else _documented(1722)


def _partition_bounds(error: psycopg.Error, verb: str) -> OracleError:
    """A bound that PostgreSQL refuses: its partition's name stands behind the table's."""
    message = _message(error)
    names = re.findall(r'"[^"]*?\$P\$([^"]*)"', message) or [""]
    if "would overlap" in message and "range" not in message:
        return _documented(14312, "", names[-1])
    if verb == "ALTER TABLE":
        return _documented(14074)
    return _documented(14037, names[0])


def _sequence_limit(error: psycopg.Error, _: str) -> OracleError:
    limit = re.search(r'(maximum|minimum) value of sequence "([^"]*)"', _message(error))
    word, name = (limit[1], limit[2]) if limit else ("maximum", "")
    relation, bound = ("exceeds", "MAX") if word == "maximum" else ("goes below", "MIN")
    return OracleError(8004, f"sequence {name}.NEXTVAL {relation} {bound}VALUE and cannot be instantiated")


class Rule(NamedTuple):
    """What a PostgreSQL error is in Oracle; of those for a state the first that fits."""

    states: str
    """SQLSTATEs, separated by spaces."""
    pattern: str
    """Searched in PostgreSQL's message; its groups are the variable parts of the documented message."""
    outcome: int | tuple[int, str] | Callable[[psycopg.Error, str], OracleError]
    """A code with its documented message; a code with a text of `_parts` and the pattern's groups; a function
    of the error and the statement's verb."""
    verbs: tuple[str, ...] = ()
    """Statements of Oracle that it is for; empty: all."""


_NAME = r'[^"]*(?:"((?:[^"]|"")*)")?'
_UNFIT = (932, "inconsistent datatypes: {message}")
_LACKING = (3001, "unimplemented feature: {message}")
_INVALID_IDENTIFIER = (904, "{identifier}: invalid identifier")
RULES = (
    Rule("0A000", "column reference in DEFAULT", 984),
    Rule("0A000", r"^cannot (?:update|insert into|merge into) column .* of view", 1733),
    Rule("0A000", "TABLESAMPLE", 1446),
    Rule("0A000", "ORDER BY clause", 1785),
    Rule("0A000", "^FOR UPDATE is not allowed", 2014),
    Rule("0A000", "", _LACKING),
    Rule("21000", "MERGE command cannot affect row", 30926),
    Rule("21000", "", 1427),
    Rule(
        "22001", r"value too long for type .*?\((\d+)\)", (12899, "value too large for column (maximum: {0})")
    ),
    Rule("22001", "", (12899, "value too large for column")),
    Rule("22003", "numeric field overflow", 1438),
    Rule("22003", "input is out of range", 1428),
    Rule("22003", "", 1426),
    Rule("22007 22P02", "", _invalid_text),
    Rule("22008", "", 1841),
    Rule("2200H", "", _sequence_limit),
    Rule("22011", "", 1760),
    Rule("22012", "", 1476),
    Rule("22019 22025", "must not end with", 1424),
    Rule("22019 22025", "", 1425),
    Rule("2201B", "character class", 12729),
    Rule("2201B", "repetition count", 12732),
    Rule("2201B", "collating element", 12731),
    Rule(
        "2201B",
        "quantifier operand",
        (3001, "unimplemented feature: a regular expression that begins with a quantifier"),
    ),
    Rule("2201B", "brackets", 12726),
    Rule("2201B", "backreference", 12727),
    Rule("2201B", "character range", 12728),
    Rule("2201B", "", 12725),
    Rule("2201E 2201F", "", 1428),
    Rule("22021 22P05", "", 29275),
    Rule("22023", "hexadecimal", 1465),
    Rule("22023", "base64", 1410),
    Rule("22023", r"^(?=.*(?:invalid value for parameter|character number))(?:.*?(-?\d+))?", 1428),
    Rule("23502", "column.*contains null values", 1758, ("ALTER TABLE",)),
    Rule("23502", "column.*contains null values", 2296),
    Rule("23502", "", (1407, "cannot update {column} to NULL"), ("UPDATE", "MERGE")),
    Rule("23502", "", (1400, "cannot insert NULL into {column}")),
    Rule(
        "23503",
        "update or delete on table",
        (2292, "integrity constraint {constraint} violated - child record found"),
    ),
    Rule(
        "23503",
        "",
        (2298, "cannot validate {constraint} - parent keys not found"),
        ("ALTER TABLE", "CREATE TABLE"),
    ),
    Rule("23503", "", (2291, "integrity constraint {constraint} violated - parent key not found")),
    Rule("23505", "could not create unique index", 1452),
    Rule("23505", "", _unique),
    Rule(
        "23514", "is violated by some row", (2293, "cannot validate {constraint} - check constraint violated")
    ),
    Rule("23514", "no partition of relation", 14400),
    Rule("23514", "violates partition constraint", 14401),
    Rule("23514", "", _check),
    Rule("25006", "", 1456),
    Rule("2BP01", "cannot drop constraint", 2273),
    Rule("2BP01", "cannot drop table|cannot truncate", 2449),
    Rule("2BP01", "", 2429),
    Rule("2F005", "", 6503),
    Rule("3F000", "", _INVALID_IDENTIFIER, ("SELECT", *_DML)),
    Rule("3F000", "", 1435),
    Rule("40001", "", 8177),
    Rule("40P01", "", 60),
    Rule("42501", "^permission denied for (?:table|view|relation|schema)", 942),
    Rule("42501", r"^permission denied for function localoracle\$(.*)", (904, '"{0}": invalid identifier')),
    Rule("42501", "permission denied for sequence", 2289),
    Rule("42501", "", 1031),
    Rule("42601", "specifies more column names", 1730),
    Rule("42601", "multiple assignments to same column", 957),
    Rule("42601", "INSERT has more expressions", 913),
    Rule("42601", "INSERT has more target", 947),
    # What PostgreSQL's parser finds out by the number of columns.
    Rule("42601", "query must have the same number of columns", 1789),
    Rule("42601", "subquery has too few columns", 947),
    Rule("42601", "subquery has too many columns|subquery must return only one column", 913),
    Rule("42601", "", 900),
    Rule("42622", "", 972),
    Rule("42701", "", 1430),
    Rule("42702", "^ORDER BY", 960),
    Rule("42702", "", 918),
    Rule("42703", r"\b(?:tableoid|ctid)\b", (3001, "unimplemented feature: ROWID of a view")),
    Rule("42703", "", _INVALID_IDENTIFIER),
    Rule("42704", "^index", 1418),
    Rule("42704", "^there is no primary key for referenced table", 2268),
    Rule(
        "42704",
        "has no default operator class",
        (2329, "column of datatype LOB cannot be unique or a primary key"),
    ),
    Rule("42704", "^constraint", (2443, "Cannot drop constraint  - nonexistent constraint")),
    Rule("42704", f"^role{_NAME}", 1918),
    Rule("42704", f"^trigger{_NAME}", 4080),
    Rule("42704", "^type", 902),
    Rule("42704", f"^{_NAME}", 4043),
    Rule("42710", "^constraint", 2264),
    Rule("42710 42P06 42P07", "", 955),
    Rule("42712", "", 918),
    Rule("42803", "", 979),
    # Alternatives of one expression or column: ORA-12704 where only the character sets differ.
    Rule("42804", "^foreign key constraint", 2267),
    Rule("42804", "other_character_set", 12704),
    Rule("42804", r"(?<!\S)(?:UNION|INTERSECT|EXCEPT) types .+ and .+ cannot be matched", 1790),
    Rule("42804 42846", "", _UNFIT),
    Rule("42809", "is not a table", 1702),
    Rule("42809", "", _LACKING),
    Rule("42830", "number of referencing and referenced columns", 2256),
    Rule("42830", "", 2270),
    Rule("42883", "", _undefined_function),
    Rule("428C9", "^cannot insert", 54013),
    Rule("428C9", "", 54017),
    Rule("42P01", r'"[^"]*\$P\$[^"]*"', 2149),
    Rule("42P01", "^sequence", 2289),
    Rule("42P01", "^index", 1418),
    Rule("42P01", "^(?:missing|invalid reference to) FROM-clause", _INVALID_IDENTIFIER),
    Rule("42P01", "", _undefined_table),
    Rule("42P10", "ORDER BY position", 1785),
    Rule("42P10", "SELECT DISTINCT", 1791),
    Rule("42P10", "", 2270),
    Rule("42P16", "", 2260),
    Rule("42P17", "partition", _partition_bounds),
    Rule("42P17", "cannot use generated column", 54012),
    Rule("42P17", "^functions in index expression must be marked IMMUTABLE$", 30553),
    Rule("42P17", "", _LACKING),
    Rule("44000", "", 1402),
    Rule("53100", "", (1653, "unable to extend table . by 8 in tablespace USERS")),
    Rule("53200", "", 4030),
    Rule("54000 54011", "columns in an index", 1793),
    Rule("54000 54011", "index row", _LACKING),
    Rule("54000 54011", "", 913),
    Rule("54001", "", (36, "maximum number of recursive SQL levels (50) exceeded")),
    Rule("55000", "cannot", 1732),
    Rule("55000", "", 8002),
    Rule("55006", "", 54),
    Rule(
        "P0002",
        "",
        (3001, "unimplemented feature: NO_DATA_FOUND that leaves a function which SQL calls"),
        ("SELECT",),
    ),
    Rule("P0002", "", 1403),
    Rule("P0003", "", 1422),
    Rule("53400", "temp_file_limit", (1652, "unable to extend temp segment by 128 in tablespace TEMP")),
    Rule("55P03", "timeout", 30006, ("SELECT",)),
    Rule("55P03", "", 54),
    Rule("57014", "", 1013),
    Rule("57P01", "", 28),
    Rule("XX000", "not both collatable", 2267),
)
_BY_STATE: dict[str | None, list[Rule]] = defaultdict(list)
for _rule in RULES:
    for _state in _rule.states.split():
        _BY_STATE[_state].append(_rule)


def oracle_error(error: psycopg.Error, verb: str = "") -> OracleError:
    """The Oracle error for a PostgreSQL one; unknown states become ORA-20999 with PostgreSQL's text.

    `verb` is the Oracle statement's. Text that our own functions raise as "ORA-nnnnn: ..." keeps its number.
    """
    message = _message(error)
    raised = _RAISED.match(message)
    if raised:
        return OracleError(int(raised[1]), raised[2])
    if error.sqlstate is None and isinstance(error, psycopg.OperationalError):
        return _documented(3113)
    for rule in _BY_STATE.get(error.sqlstate, ()):
        match = re.search(rule.pattern, message, re.DOTALL)
        if match is None or (rule.verbs and verb not in rule.verbs):
            continue
        if callable(rule.outcome):
            return rule.outcome(error, verb)
        if isinstance(rule.outcome, int):
            return _documented(rule.outcome, *match.groups())
        code, text = rule.outcome
        return OracleError(code, text.format(*match.groups(), **_parts(error)))
    return OracleError(20999, f"PostgreSQL {error.sqlstate}: {message}")
