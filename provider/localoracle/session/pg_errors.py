"""PostgreSQL's errors in Oracle's numbers and words (Oracle Database Error Messages)."""

from __future__ import annotations

import re
from collections.abc import Callable

import psycopg

from localoracle.errors import OracleError

_RAISED = re.compile(r"ORA-(\d{5}): (.*)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_TOO_LONG = re.compile(r"value too long for type .*?\((\d+)\)")


def _message(error: psycopg.Error) -> str:
    return error.diag.message_primary or str(error).strip()


def _names(error: psycopg.Error) -> tuple[str, str]:
    return error.diag.schema_name or "", error.diag.table_name or ""


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


def _not_null(error: psycopg.Error, updating: bool) -> OracleError:
    column = f'({_object(error)}."{error.diag.column_name}")'
    if "column" in _message(error) and "contains null values" in _message(error):
        return OracleError(2296, "cannot enable constraint - null values found")
    if updating:
        return OracleError(1407, f"cannot update {column} to NULL")
    return OracleError(1400, f"cannot insert NULL into {column}")


def _unique(error: psycopg.Error) -> OracleError:
    if "could not create unique index" in _message(error):
        return OracleError(1452, "cannot CREATE UNIQUE INDEX; duplicate keys found")
    return OracleError(1, f"unique constraint {_constraint(error)} violated")


def _foreign_key(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if "update or delete on table" in message:
        return OracleError(2292, f"integrity constraint {_constraint(error)} violated - child record found")
    if "insert or update on table" in message and (error.diag.context or "").startswith(
        'SQL statement "SELECT fk'
    ):
        return OracleError(2298, f"cannot validate {_constraint(error)} - parent keys not found")
    return OracleError(2291, f"integrity constraint {_constraint(error)} violated - parent key not found")


def _check(error: psycopg.Error) -> OracleError:
    if "is violated by some row" in _message(error):
        return OracleError(2293, f"cannot validate {_constraint(error)} - check constraint violated")
    if "no partition of relation" in _message(error):
        return OracleError(14400, "inserted partition key does not map to any partition")
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
    if message.startswith("sequence"):
        return OracleError(2289, "sequence does not exist")
    if message.startswith("index"):
        return OracleError(1418, "specified index does not exist")
    if message.startswith(("missing FROM-clause", "invalid reference to FROM-clause")):
        return OracleError(904, f"{_identifier(error)}: invalid identifier")
    return OracleError(942, "table or view does not exist")


def _insufficient(error: psycopg.Error) -> OracleError:
    """Without any privilege on it Oracle hides that a table exists."""
    message = _message(error)
    if re.match(r"permission denied for (table|view|relation|schema)", message):
        return OracleError(942, "table or view does not exist")
    if "permission denied for sequence" in message:
        return OracleError(2289, "sequence does not exist")
    return OracleError(1031, "insufficient privileges")


def _undefined_function(error: psycopg.Error) -> OracleError:
    message = _message(error)
    if message.startswith("operator does not exist"):
        return OracleError(932, f"inconsistent datatypes: {message}")
    name = re.match(r"(?:function|procedure) (.*?)\(", message)
    shown = name[1].replace("ora.", "").replace('"', "").upper() if name else ""
    if name and "(" in message and _exists_elsewhere(error):
        return OracleError(932, f"inconsistent datatypes: {message}")
    return OracleError(
        904, f"{'.'.join(chr(34) + part + chr(34) for part in shown.split('.'))}: invalid identifier"
    )


def _exists_elsewhere(error: psycopg.Error) -> bool:
    """PostgreSQL hints at other argument types only when a function of that name exists."""
    return "argument types" in (error.diag.message_hint or "") and "candidate" in (
        error.diag.message_hint or ""
    )


def _invalid_text(error: psycopg.Error) -> OracleError:
    # The value stands behind the type and may hold any word.
    message = _message(error).partition(":")[0]
    if "oradate" in message or "timestamp" in message or "date" in message:
        return OracleError(1858, "a non-numeric character was found where a numeric was expected")
    if "bytea" in message or "hexadecimal" in message:
        return OracleError(1465, "invalid hex number")
    return OracleError(1722, "invalid number")


def _numeric_range(error: psycopg.Error) -> OracleError:
    if "numeric field overflow" in _message(error):
        return OracleError(1438, "value larger than specified precision allowed for this column")
    return OracleError(1426, "numeric overflow")


def _feature(error: psycopg.Error) -> OracleError:
    return OracleError(3001, f"unimplemented feature: {_message(error)}")


def _fixed(code: int, text: str) -> Callable[[psycopg.Error], OracleError]:
    return lambda error: OracleError(code, text)


def _named(code: int, text: str) -> Callable[[psycopg.Error], OracleError]:
    return lambda error: OracleError(code, text.format(_identifier(error)))


_BY_STATE: dict[str, Callable[[psycopg.Error], OracleError]] = {
    "0A000": _feature,
    "21000": _fixed(1427, "single-row subquery returns more than one row"),
    "22001": _too_long,
    "22003": _numeric_range,
    "22007": _invalid_text,
    "22008": _fixed(1841, "(full) year must be between -4713 and +9999, and not be 0"),
    "22011": _fixed(1760, "illegal argument for function"),
    "22012": _fixed(1476, "divisor is equal to zero"),
    "2201B": _fixed(12725, "unmatched parentheses in regular expression"),
    "2201E": _fixed(1428, "argument is out of range"),
    "2201F": _fixed(1428, "argument is out of range"),
    "22021": _fixed(29275, "partial multibyte character"),
    "22P02": _invalid_text,
    "22P05": _fixed(29275, "partial multibyte character"),
    "23503": _foreign_key,
    "23505": _unique,
    "23514": _check,
    "25006": _fixed(1456, "may not perform insert/delete/update operation inside a READ ONLY transaction"),
    "2BP01": _dependent,
    "3F000": _fixed(1435, "user does not exist"),
    "40001": _fixed(8177, "can't serialize access for this transaction"),
    "40P01": _fixed(60, "deadlock detected while waiting for resource"),
    "42501": _insufficient,
    "42601": _fixed(900, "invalid SQL statement"),
    "42622": _fixed(972, "identifier is too long"),
    "42701": _fixed(1430, "column being added already exists in table"),
    "42702": _fixed(918, "column ambiguously defined"),
    "42703": _named(904, "{}: invalid identifier"),
    "42704": _undefined_object,
    "42710": _fixed(955, "name is already used by an existing object"),
    "42712": _fixed(918, "column ambiguously defined"),
    "42803": _fixed(979, "not a GROUP BY expression"),
    "42804": lambda error: OracleError(932, f"inconsistent datatypes: {_message(error)}"),
    "42830": _fixed(2270, "no matching unique or primary key for this column-list"),
    "42846": lambda error: OracleError(932, f"inconsistent datatypes: {_message(error)}"),
    "42883": _undefined_function,
    "42P01": _undefined_table,
    "42P06": _fixed(955, "name is already used by an existing object"),
    "42P07": _fixed(955, "name is already used by an existing object"),
    "42P10": _fixed(2270, "no matching unique or primary key for this column-list"),
    "42P16": _fixed(2260, "table can have only one primary key"),
    "53100": _fixed(1653, "unable to extend table in tablespace USERS"),
    "53200": _fixed(4030, "out of process memory"),
    "54000": _fixed(913, "too many values"),
    "54001": _fixed(36, "maximum number of recursive SQL levels (50) exceeded"),
    "55000": _fixed(8002, "sequence CURRVAL is not yet defined in this session"),
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
        result = _not_null(error, verb in ("UPDATE", "MERGE"))
    elif error.sqlstate == "55P03" and verb == "SELECT" and "timeout" in message:
        result = OracleError(30006, "resource busy; acquire with WAIT timeout expired")
    elif error.sqlstate == "42601" and "INSERT has more expressions" in message:
        result = OracleError(913, "too many values")
    elif error.sqlstate == "42601" and "INSERT has more target" in message:
        result = OracleError(947, "not enough values")
    elif error.sqlstate == "55000" and "cannot" in message:
        result = OracleError(1732, "data manipulation operation not legal on this view")
    elif error.sqlstate is None and isinstance(error, psycopg.OperationalError):
        result = OracleError(3113, "end-of-file on communication channel")
    elif error.sqlstate in _BY_STATE:
        result = _BY_STATE[error.sqlstate](error)
    else:
        result = OracleError(20999, f"PostgreSQL {error.sqlstate}: {message}")
    return result
