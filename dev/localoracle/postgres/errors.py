"""PostgreSQL's errors in Oracle's numbers and words (Oracle Database Error Messages)."""

from __future__ import annotations

import re
from collections.abc import Callable

import psycopg

from localoracle.dictionary.documentation import is_documented_view, packages
from localoracle.errors import OracleError, not_supported

_RAISED = re.compile(r"ORA-(\d{5}): (.*)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_MOMENT = r"(?:oradate|timestamp_tz|timestampltz|timestamp with(?:out)? time zone)"
_TWO_MOMENTS = re.compile(rf"operator does not exist: {_MOMENT} \+ {_MOMENT}$")
_TOO_LONG = re.compile(r"value too long for type .*?\((\d+)\)")


def _message(error: psycopg.Error) -> str:
    return error.diag.message_primary or str(error).strip()


def _names(error: psycopg.Error) -> tuple[str, str]:
    schema, table = error.diag.schema_name or "", error.diag.table_name or ""
    if schema.startswith("pg_temp"):  # a session's rows of OWNER.NAME
        schema, _, table = table.partition(".")
    return schema, table


def _object(error: psycopg.Error) -> str:
    schema, table = _names(error)
    return f'"{schema}"."{table}"'


def _constraint(error: psycopg.Error) -> str:
    schema, _ = _names(error)
    name = error.diag.constraint_name or ""
    return f"({schema}.{name})" if schema else f"({name})"


def _identifier(error: psycopg.Error) -> str:
    """The name in PostgreSQL's message, as Oracle shows an invalid identifier."""
    message = _message(error)
    quoted = _QUOTED.search(message)
    if quoted:
        return '"' + quoted[1] + '"'
    unquoted = re.search(r"(?:column|function) ([^\s(]+)", message)
    return ".".join(f'"{part}"' for part in unquoted[1].replace('"', "").split(".")) if unquoted else '""'


def _not_null(error: psycopg.Error, verb: str) -> OracleError:
    column = f'({_object(error)}."{error.diag.column_name}")'
    if "column" in _message(error) and "contains null values" in _message(error):
        if verb == "ALTER TABLE":
            return OracleError(1758, "table must be empty to add mandatory (NOT NULL) column")
        return OracleError(2296, "cannot enable (.) - null values found")
    if verb in ("UPDATE", "MERGE"):
        return OracleError(1407, f"cannot update {column} to NULL")
    return OracleError(1400, f"cannot insert NULL into {column}")


def _unique(error: psycopg.Error) -> OracleError:
    if "could not create unique index" in _message(error):
        return OracleError(1452, "cannot CREATE UNIQUE INDEX; duplicate keys found")
    return OracleError(1, f"unique constraint {_constraint(error)} violated")


def _foreign_key(error: psycopg.Error, verb: str) -> OracleError:
    message = _message(error)
    if "update or delete on table" in message:
        return OracleError(2292, f"integrity constraint {_constraint(error)} violated - child record found")
    if verb in ("ALTER TABLE", "CREATE TABLE"):
        return OracleError(2298, f"cannot validate {_constraint(error)} - parent keys not found")
    return OracleError(2291, f"integrity constraint {_constraint(error)} violated - parent key not found")


def _check(error: psycopg.Error) -> OracleError:
    if "is violated by some row" in _message(error):
        return OracleError(2293, f"cannot validate {_constraint(error)} - check constraint violated")
    if "no partition of relation" in _message(error):
        return OracleError(14400, "inserted partition key does not map to any partition")
    if "violates partition constraint" in _message(error):
        return OracleError(14401, "inserted partition key is outside specified partition")
    if error.diag.datatype_name and error.diag.constraint_name == "longest_string":
        return OracleError(1489, "result of string concatenation is too long")
    if (error.diag.constraint_name or "").startswith("localoracle$"):
        return OracleError(12899, f"value too large for column in {_object(error)}")
    return OracleError(2290, f"check constraint {_constraint(error)} violated")


def _too_long(error: psycopg.Error) -> OracleError:
    limit = _TOO_LONG.search(_message(error))
    if limit:
        return OracleError(12899, f"value too large for column (maximum: {limit[1]})")
    return OracleError(12899, "value too large for column")


def _dependent(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if "cannot drop constraint" in message:
        return OracleError(2273, "this unique/primary key is referenced by some foreign keys")
    if "cannot drop table" in message or "cannot truncate" in message:
        return OracleError(2449, "unique/primary keys in table referenced by foreign keys")
    return OracleError(2429, "cannot drop index used for enforcement of unique/primary key")


def _undefined_object(error: psycopg.Error) -> OracleError:
    message = _message(error)
    name = _QUOTED.search(message)
    shown = name[1] if name else ""
    if message.startswith("index"):
        return OracleError(1418, "specified index does not exist")
    if message.startswith("there is no primary key for referenced table"):
        return OracleError(2268, "referenced table does not have a primary key")
    if "has no default operator class" in message:
        return OracleError(2329, "column of datatype LOB cannot be unique or a primary key")
    if message.startswith("constraint"):
        return OracleError(2443, "Cannot drop constraint  - nonexistent constraint")
    if message.startswith("role"):
        return OracleError(1918, f"user '{shown}' does not exist")
    if message.startswith("trigger"):
        return OracleError(4080, f"trigger '{shown}' does not exist")
    if message.startswith("type"):
        return OracleError(902, "invalid datatype")
    return OracleError(4043, f"object {shown} does not exist")


def _undefined_table(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if re.search(r'"[^"]*\$P\$[^"]*"', message):
        return OracleError(2149, "Specified partition does not exist")
    if message.startswith("sequence"):
        return OracleError(2289, "sequence does not exist")
    if message.startswith("index"):
        return OracleError(1418, "specified index does not exist")
    if message.startswith(("missing FROM-clause", "invalid reference to FROM-clause")):
        return OracleError(904, f"{_identifier(error)}: invalid identifier")
    name = _QUOTED.search(message)
    view = name[1].removeprefix("SYS.") if name else ""
    if is_documented_view(view):
        return not_supported(f"view {view}")
    return OracleError(942, "table or view does not exist")


def _insufficient(error: psycopg.Error) -> OracleError:
    """Without any privilege on it Oracle hides that a table exists."""
    message = _message(error)
    if re.match(r"permission denied for (table|view|relation|schema)", message):
        return OracleError(942, "table or view does not exist")
    routine = re.match(r"permission denied for function localoracle\$(.*)", message)
    if routine:
        return OracleError(904, f'"{routine[1]}": invalid identifier')
    if "permission denied for sequence" in message:
        return OracleError(2289, "sequence does not exist")
    return OracleError(1031, "insufficient privileges")


_CONVERSIONS = tuple(f"function ora.{name}(" for name in ("str", "short", "characters", "cast_string"))
_LARGE = re.compile(r"\bora\.(clob|nclob|blob|longraw|long)\b|\b(clob|nclob|blob|longraw|long)\b")


def _undefined_function(error: psycopg.Error) -> OracleError:
    message = _message(error)
    large = _LARGE.search(message)
    if large is not None and not message.startswith(('function "', 'procedure "')):
        kind = (large[1] or large[2]).upper().replace("LONGRAW", "LONG RAW")
        if kind.startswith("LONG") and not message.startswith(_CONVERSIONS):
            return OracleError(997, "illegal use of LONG datatype")
        return OracleError(932, f"inconsistent datatypes: expected - got {kind}")
    if message.startswith("operator does not exist: oradate + oradate"):
        return OracleError(975, "date + date not allowed")
    if _TWO_MOMENTS.match(message):
        return OracleError(30087, "Adding two datetime values is not allowed")
    if message.startswith("function ora.extract_"):
        return OracleError(30076, "invalid extract field for extract source")
    if message.startswith("operator does not exist"):
        return OracleError(932, f"inconsistent datatypes: {message}")
    name = re.match(r"(?:function|procedure) (.*?)\(", message)
    shown = name[1].replace("ora.", "").replace('"', "").upper().replace("LOCALORACLE$", "") if name else ""
    package, _, member = shown.partition(".")
    if member and package in packages():
        return not_supported(f"{shown} with arguments of these types in SQL")
    if not member and name and not name[1].startswith(('"', "localoracle$")):
        # The translation knows the functions of SQL: what is missing is one of these types.
        return OracleError(932, f"inconsistent datatypes: {message}")
    return OracleError(
        904, f"{'.'.join(chr(34) + part + chr(34) for part in shown.split('.'))}: invalid identifier"
    )


def _invalid_text(error: psycopg.Error) -> OracleError:
    # The value stands behind the type and may hold any word.
    message = _message(error).partition(":")[0]
    if "oradate" in message or "timestamp" in message or "date" in message:
        return OracleError(1858, "a non-numeric character was found where a numeric was expected")
    if "bytea" in message or "hexadecimal" in message:
        return OracleError(1465, "invalid hex number")
    return OracleError(1722, "invalid number")


def _partition_bounds(error: psycopg.Error, altering: bool) -> OracleError:
    """A bound that PostgreSQL refuses: its partition's name stands behind the table's."""
    message = _message(error)
    names = re.findall(r'"[^"]*?\$P\$([^"]*)"', message)
    if "would overlap" in message and "range" not in message:
        return OracleError(14312, f"Value  already exists in partition {names[-1] if names else ''}")
    if altering:
        return OracleError(14074, "partition bound must collate higher than that of the last partition")
    return OracleError(14037, f'partition bound of partition "{names[0] if names else ""}" is too high')


def _invalid_definition(error: psycopg.Error, verb: str) -> OracleError:
    message = _message(error)
    if "partition" in message:
        return _partition_bounds(error, verb == "ALTER TABLE")
    if "cannot use generated column" in message:
        return OracleError(54012, "virtual column is referenced in a column expression")
    if message == "functions in index expression must be marked IMMUTABLE":
        return OracleError(30553, "The function is not deterministic")
    return OracleError(3001, f"unimplemented feature: {message}")


def _generated_column(error: psycopg.Error) -> OracleError:
    if (_message(error)).startswith("cannot insert"):
        return OracleError(54013, "INSERT operation disallowed on virtual columns")
    return OracleError(54017, "UPDATE operation disallowed on virtual columns")


def _sequence_limit(error: psycopg.Error) -> OracleError:
    found = re.search(r'(maximum|minimum) value of sequence "([^"]*)"', _message(error))
    word, name = (found[1], found[2]) if found else ("maximum", "")
    relation, limit = ("exceeds", "MAX") if word == "maximum" else ("goes below", "MIN")
    return OracleError(8004, f"sequence {name}.NEXTVAL {relation} {limit}VALUE and cannot be instantiated")


def _program_limit(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if "columns in an index" in message:
        return OracleError(1793, "maximum number of index columns is 32")
    if "index row" in message:
        return OracleError(3001, f"unimplemented feature: {message}")
    return OracleError(913, "too many values")


def _wrong_kind(error: psycopg.Error) -> OracleError:
    if "is not a table" in _message(error):
        return OracleError(1702, "a view is not appropriate here")
    return OracleError(3001, f"unimplemented feature: {_message(error)}")


def _foreign_key_columns(error: psycopg.Error) -> OracleError:
    if "number of referencing and referenced columns" in _message(error):
        return OracleError(2256, "number of referencing columns must match referenced columns")
    return OracleError(2270, "no matching unique or primary key for this column-list")


def _numeric_range(error: psycopg.Error) -> OracleError:
    if "numeric field overflow" in _message(error):
        return OracleError(1438, "value larger than specified precision allowed for this column")
    if "input is out of range" in _message(error):
        return OracleError(1428, "argument '' is out of range")
    return OracleError(1426, "numeric overflow")


_TYPES = re.compile(r"(\S+) types (.+) and (.+) cannot be matched")
_SET_OPERATORS = ("UNION", "INTERSECT", "EXCEPT")


def _mismatch(error: psycopg.Error) -> OracleError:
    """Alternatives of one expression or column: ORA-12704 where only the character sets differ."""
    message = _message(error)
    if message.startswith("foreign key constraint"):
        return OracleError(2267, "column type incompatible with referenced column type")
    if "other_character_set" in message:
        return OracleError(12704, "character set mismatch")
    found = _TYPES.search(message)
    if found is not None and found[1] in _SET_OPERATORS:
        return OracleError(1790, "expression must have same datatype as corresponding expression")
    return OracleError(932, f"inconsistent datatypes: {message}")


def _reference(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if "ORDER BY position" in message:
        return OracleError(1785, "ORDER BY item must be the number of a SELECT-list expression")
    if "SELECT DISTINCT" in message:
        return OracleError(1791, "not a SELECTed expression")
    return OracleError(2270, "no matching unique or primary key for this column-list")


def _ambiguous(error: psycopg.Error) -> OracleError:
    if _message(error).startswith("ORDER BY"):
        return OracleError(960, "ambiguous column naming in select list")
    return OracleError(918, "column ambiguously defined")


def _syntax(error: psycopg.Error) -> OracleError:
    """What PostgreSQL's parser finds out by the number of columns."""
    message = _message(error)
    if "query must have the same number of columns" in message:
        return OracleError(1789, "query block has incorrect number of result columns")
    if "subquery has too few columns" in message:
        return OracleError(947, "not enough values")
    if "subquery has too many columns" in message or "subquery must return only one column" in message:
        return OracleError(913, "too many values")
    return OracleError(900, "invalid SQL statement")


def _undefined_column(error: psycopg.Error) -> OracleError:
    if re.search(r"\b(tableoid|ctid)\b", _message(error)):
        return OracleError(3001, "unimplemented feature: ROWID of a view")
    return OracleError(904, f"{_identifier(error)}: invalid identifier")


def _regular_expression(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if "character class" in message:
        return OracleError(12729, "invalid character class in regular expression")
    if "repetition count" in message:
        return OracleError(12732, "invalid interval value in regular expression")
    if "collating element" in message:
        return OracleError(12731, "invalid collation class in regular expression")
    if "quantifier operand" in message:
        return not_supported("a regular expression that begins with a quantifier")
    if "brackets" in message:
        return OracleError(12726, "unmatched bracket in regular expression")
    if "backreference" in message:
        return OracleError(12727, "invalid back reference in regular expression")
    if "character range" in message:
        return OracleError(12728, "invalid range in regular expression")
    return OracleError(12725, "unmatched parentheses in regular expression")


def _parameter(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if "hexadecimal" in message:
        return OracleError(1465, "invalid hex number")
    if "base64" in message:
        return OracleError(1410, "invalid ROWID")
    if "invalid value for parameter" in message or "character number" in message:
        value = re.search(r"-?\d+", message)
        return OracleError(1428, f"argument '{value[0] if value else ''}' is out of range")
    return OracleError(20999, f"PostgreSQL {error.sqlstate}: {message}")


def _escape(error: psycopg.Error) -> OracleError:
    if "must not end with" in _message(error):
        return OracleError(1424, "missing or illegal character following the escape character")
    return OracleError(1425, "escape character must be character string of length 1")


def _feature(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if "TABLESAMPLE" in message:
        return OracleError(1446, "cannot select ROWID from, or sample, a view with DISTINCT, GROUP BY, etc.")
    if "ORDER BY clause" in message:
        return OracleError(1785, "ORDER BY item must be the number of a SELECT-list expression")
    if message.startswith("FOR UPDATE is not allowed"):
        return OracleError(2014, "cannot select FOR UPDATE from view with DISTINCT, GROUP BY, etc.")
    return OracleError(3001, f"unimplemented feature: {_message(error)}")


def _fixed(code: int, text: str) -> Callable[[psycopg.Error], OracleError]:
    return lambda error: OracleError(code, text)


_BY_STATE: dict[str, Callable[[psycopg.Error], OracleError]] = {
    "0A000": _feature,
    "21000": _fixed(1427, "single-row subquery returns more than one row"),
    "22001": _too_long,
    "22003": _numeric_range,
    "22007": _invalid_text,
    "22008": _fixed(1841, "(full) year must be between -4713 and +9999, and not be 0"),
    "22011": _fixed(1760, "illegal argument for function"),
    "22012": _fixed(1476, "divisor is equal to zero"),
    "2201B": _regular_expression,
    "2201E": _fixed(1428, "argument '' is out of range"),
    "2201F": _fixed(1428, "argument '' is out of range"),
    "2200H": _sequence_limit,
    "22021": _fixed(29275, "partial multibyte character"),
    "22023": _parameter,
    "22019": _escape,
    "22025": _escape,
    "22P02": _invalid_text,
    "2F005": _fixed(6503, "PL/SQL: Function returned without value"),
    "P0002": _fixed(1403, "no data found"),
    "P0003": _fixed(1422, "exact fetch returns more than requested number of rows"),
    "22P05": _fixed(29275, "partial multibyte character"),
    "23505": _unique,
    "23514": _check,
    "25006": _fixed(1456, "may not perform insert/delete/update operation inside a READ ONLY transaction"),
    "2BP01": _dependent,
    "3F000": _fixed(1435, "user does not exist"),
    "40001": _fixed(8177, "can't serialize access for this transaction"),
    "44000": _fixed(1402, "view WITH CHECK OPTION where-clause violation"),
    "40P01": _fixed(60, "deadlock detected while waiting for resource"),
    "42501": _insufficient,
    "428C9": _generated_column,
    "42601": _syntax,
    "42622": _fixed(972, "identifier is too long"),
    "42701": _fixed(1430, "column being added already exists in table"),
    "42702": _ambiguous,
    "42703": _undefined_column,
    "42704": _undefined_object,
    "42710": _fixed(955, "name is already used by an existing object"),
    "42712": _fixed(918, "column ambiguously defined"),
    "42803": _fixed(979, "not a GROUP BY expression"),
    "42804": _mismatch,
    "42809": _wrong_kind,
    "42830": _foreign_key_columns,
    "42846": lambda error: OracleError(932, f"inconsistent datatypes: {_message(error)}"),
    "42883": _undefined_function,
    "42P01": _undefined_table,
    "42P06": _fixed(955, "name is already used by an existing object"),
    "42P07": _fixed(955, "name is already used by an existing object"),
    "42P10": _reference,
    "42P16": _fixed(2260, "table can have only one primary key"),
    "53100": _fixed(1653, "unable to extend table . by 8 in tablespace USERS"),
    "53200": _fixed(4030, "out of process memory when trying to allocate  bytes (,)"),
    "54000": _program_limit,
    "54011": _program_limit,
    "54001": _fixed(36, "maximum number of recursive SQL levels (50) exceeded"),
    "55000": _fixed(8002, "sequence .CURRVAL is not yet defined in this session"),
    "55006": _fixed(54, "resource busy and acquire with NOWAIT specified or timeout expired"),
    "55P03": _fixed(54, "resource busy and acquire with NOWAIT specified or timeout expired"),
    "57014": _fixed(1013, "user requested cancel of current operation"),
    "57P01": _fixed(28, "your session has been killed"),
}


def oracle_error(error: psycopg.Error, verb: str = "") -> OracleError:
    """The Oracle error for a PostgreSQL one; unknown states become ORA-20999 with PostgreSQL's text.

    `verb` is the Oracle statement's. Text that our own functions raise as "ORA-nnnnn: ..." keeps its number.
    """
    message = _message(error)
    raised = _RAISED.match(message)
    if raised:
        result = OracleError(int(raised[1]), raised[2])
    elif error.sqlstate == "23502":
        result = _not_null(error, verb)
    elif error.sqlstate == "55P03" and verb == "SELECT" and "timeout" in message:
        result = OracleError(30006, "resource busy; acquire with WAIT timeout expired")
    elif error.sqlstate == "21000" and "MERGE command cannot affect row" in message:
        result = OracleError(30926, "unable to get a stable set of rows in the source tables")
    elif error.sqlstate == "P0002" and verb == "SELECT":
        result = not_supported("NO_DATA_FOUND that leaves a function which SQL calls")
    elif error.sqlstate == "0A000" and "column reference in DEFAULT" in message:
        result = OracleError(984, "column not allowed here")
    elif error.sqlstate == "23503":
        result = _foreign_key(error, verb)
    elif error.sqlstate == "XX000" and "not both collatable" in message:
        result = OracleError(2267, "column type incompatible with referenced column type")
    elif error.sqlstate == "42P17":
        result = _invalid_definition(error, verb)
    elif error.sqlstate == "42601" and "specifies more column names" in message:
        result = OracleError(1730, "invalid number of column names specified")
    elif error.sqlstate == "42601" and "multiple assignments to same column" in message:
        result = OracleError(957, "duplicate column name")
    elif error.sqlstate == "42710" and message.startswith("constraint"):
        result = OracleError(2264, "name already used by an existing constraint")
    elif error.sqlstate == "0A000" and re.match(
        r"cannot (?:update|insert into|merge into) column .* of view", message
    ):
        result = OracleError(1733, "virtual column not allowed here")
    elif error.sqlstate == "42601" and "INSERT has more expressions" in message:
        result = OracleError(913, "too many values")
    elif error.sqlstate == "42601" and "INSERT has more target" in message:
        result = OracleError(947, "not enough values")
    elif error.sqlstate == "3F000" and verb in ("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"):
        result = OracleError(904, f"{_identifier(error)}: invalid identifier")
    elif error.sqlstate == "55000" and "cannot" in message:
        result = OracleError(1732, "data manipulation operation not legal on this view")
    elif error.sqlstate is None and isinstance(error, psycopg.OperationalError):
        result = OracleError(3113, "end-of-file on communication channel")
    elif error.sqlstate in _BY_STATE:
        result = _BY_STATE[error.sqlstate](error)
    else:
        result = OracleError(20999, f"PostgreSQL {error.sqlstate}: {message}")
    return result
