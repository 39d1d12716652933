"""Errors of PL/SQL: compilation (ORA-06550 with PLS codes) and exceptions at run time."""

from __future__ import annotations

from itertools import zip_longest

from localoracle.dictionary.documentation import message, packages
from localoracle.errors import OracleError

COMPILATION = 6550
# Language Reference, "Predefined Exceptions".
PREDEFINED = {
    "ACCESS_INTO_NULL": 6530,
    "CASE_NOT_FOUND": 6592,
    "COLLECTION_IS_NULL": 6531,
    "CURSOR_ALREADY_OPEN": 6511,
    "DUP_VAL_ON_INDEX": 1,
    "INVALID_CURSOR": 1001,
    "INVALID_NUMBER": 1722,
    "LOGIN_DENIED": 1017,
    "NO_DATA_FOUND": 1403,
    "NOT_LOGGED_ON": 1012,
    "PROGRAM_ERROR": 6501,
    "ROWTYPE_MISMATCH": 6504,
    "SELF_IS_NULL": 30625,
    "STORAGE_ERROR": 6500,
    "SUBSCRIPT_BEYOND_COUNT": 6533,
    "SUBSCRIPT_OUTSIDE_LIMIT": 6532,
    "SYS_INVALID_ROWID": 1410,
    "TIMEOUT_ON_RESOURCE": 51,
    "TOO_MANY_ROWS": 1422,
    "VALUE_ERROR": 6502,
    "ZERO_DIVIDE": 1476,
}


def package_exceptions(package: str) -> dict[str, int]:
    """The exceptions that a supplied package declares and binds to a number: name -> ORA number."""
    declared = packages().get(package, {}).get("exceptions", {})
    return {name: number for name, number in declared.items() if number is not None}


def line_and_column(text: str, place: int) -> tuple[int, int]:
    line = text.count("\n", 0, place) + 1
    return line, place - (text.rfind("\n", 0, place) + 1) + 1


def documented(code: str, *names: object) -> str:
    """A PLS code and its documented message, in which the names take the places of its variable parts."""
    first, *others = (message(code) or "").split("{}")
    return f"{code}: {first}" + "".join(
        f"{name}{text}" for name, text in zip_longest(names, others, fillvalue="")
    )


def unplaced_error(code: str, *names: object) -> OracleError:
    """ORA-06550 where the place is not at hand: whoever runs the statement adds it (`statement_error_of`)."""
    return OracleError(COMPILATION, documented(code, *names))


def compilation_error(text: str, place: int, code: str, *names: object) -> OracleError:
    """ORA-06550 with the place and the PLS code's message."""
    return _placed(text, place, documented(code, *names))


def statement_error(text: str, place: int, code: str, *names: object) -> OracleError:
    """The same with the line that says what was ignored."""
    return statement_error_of(text, place, unplaced_error(code, *names))


def statement_error_of(text: str, place: int, error: OracleError) -> OracleError:
    line, column = line_and_column(text, place)
    ignored = f"ORA-06550: line {line}, column {column}:\nPL/SQL: Statement ignored"
    return _placed(text, place, f"{error.text}\n{ignored}")


def _placed(text: str, place: int, lines: str) -> OracleError:
    line, column = line_and_column(text, place)
    return OracleError(COMPILATION, f"line {line}, column {column}:\n{lines}", place)


class PlsqlError(Exception):
    """A PL/SQL exception on its way: `name` identifies a user-defined one, `error` is what a client would
    see.
    """

    def __init__(self, error: OracleError, name: object = None) -> None:
        self.error = error
        self.name = name
        super().__init__(str(error))

    @property
    def sqlcode(self) -> int:
        if self.error.code == 1403:
            return 100
        return 1 if self.error.code == 6510 and self.name is not None else -self.error.code

    @property
    def sqlerrm(self) -> str:
        if self.sqlcode == 1:
            return "User-Defined Exception"
        return str(self.error).split("\nORA-06512", 1)[0]


def with_stack_line(error: OracleError, where: str) -> OracleError:
    """The same error with one more `ORA-06512: at ...` line."""
    return OracleError(error.code, f"{error.text}\nORA-06512: at {where}", error.position)
