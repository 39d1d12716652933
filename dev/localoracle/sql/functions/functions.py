"""Calls of Oracle's SQL functions: the simple ones by the table, the others one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Sql
from localoracle.sql.functions import choices, conversions, simple, strings
from localoracle.sql.functions.aggregates import AGGREGATE_EMITTERS, Arguments, need
from localoracle.sql.functions.simple import LACKING_FUNCTIONS, SIMPLE, WITHOUT_PARENTHESES, call_simple
from localoracle.sql.functions.stored_functions import call_user_function

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


class Special(NamedTuple):
    """A function with an emitter of its own, and how many arguments it takes."""

    emit: Callable[[Expressions, Arguments], Sql]
    least: int
    most: int | None = None


def call(emit: Expressions, name: str, arguments: Arguments) -> Sql:
    """A call of a built-in or stored function: ORA-00909, ORA-00938, ORA-00939 for a wrong count."""
    special = _SPECIAL.get(name)
    if special is not None:
        need(arguments, special.least, special.most)
        return special.emit(emit, arguments)
    if name in AGGREGATE_EMITTERS:
        return AGGREGATE_EMITTERS[name](emit, name, arguments)
    function = SIMPLE.get(name)
    if function is not None:
        return call_simple(emit, function, arguments)
    with_precision = name in ("CURRENT_TIMESTAMP", "LOCALTIMESTAMP")
    if name in WITHOUT_PARENTHESES and not with_precision:
        raise OracleError(933, "SQL command not properly ended")
    if with_precision and len(arguments) == 1:
        return emit.emit(exp.Column(this=exp.Identifier(this=name, quoted=False)))
    if name in LACKING_FUNCTIONS:
        raise not_supported(f"the function {name}")
    return call_user_function(emit, None, name, arguments)


def is_built_in(name: str) -> bool:
    """Whether a function is one of the SQL Language Reference, here or not."""
    return name in _SPECIAL or name in AGGREGATE_EMITTERS or name in SIMPLE or name in LACKING_FUNCTIONS


def _concat(emit: Expressions, arguments: Arguments) -> Sql:
    return emit.concatenate(exp.DPipe(this=arguments[0], expression=arguments[1]))


def _trim_function(emit: Expressions, arguments: Arguments) -> Sql:
    raise OracleError(907, "missing right parenthesis")


_SPECIAL = {
    "NVL": Special(choices.nvl, 2, 2),
    "NVL2": Special(choices.nvl2, 3, 3),
    "NULLIF": Special(choices.nullif, 2, 2),
    "COALESCE": Special(choices.coalesce_function, 2),
    "CONCAT": Special(_concat, 2, 2),
    "DECODE": Special(choices.decode, 3, 255),
    "GREATEST": Special(choices.extreme("greatest"), 1),
    "LEAST": Special(choices.extreme("least"), 1),
    "TO_CHAR": Special(conversions.to_char, 1, 3),
    "TO_DATE": Special(conversions.conversion("to_date", "D"), 1, 3),
    "TO_TIMESTAMP": Special(conversions.conversion("to_timestamp", "T"), 1, 3),
    "TO_TIMESTAMP_TZ": Special(conversions.conversion("to_timestamp_tz", "Z"), 1, 3),
    "TO_BINARY_DOUBLE": Special(conversions.to_binary("to_binary_double", "float8"), 1, 3),
    "TO_BINARY_FLOAT": Special(conversions.to_binary("to_binary_float", "float4"), 1, 3),
    "TO_NUMBER": Special(conversions.to_number, 1, 3),
    "LOWER": Special(strings.lower, 1, 1),
    "MOD": Special(simple.mod, 2, 2),
    "SUBSTR": Special(strings.substr, 2, 3),
    "TRUNC": Special(simple.trunc, 0),
    "CHR": Special(strings.chr, 1, 1),
    "DUMP": Special(strings.dump, 1, 4),
    "HEXTORAW": Special(strings.hextoraw, 1, 1),
    "RAWTOHEX": Special(strings.rawtohex, 1, 1),
    "STANDARD_HASH": Special(strings.standard_hash, 1, 2),
    "DATE LITERAL": Special(conversions.literal_time("date_literal", "D"), 1),
    "TIMESTAMP LITERAL": Special(conversions.literal_time("timestamp_literal", "T"), 1),
    "TRIM": Special(_trim_function, 0),
}
