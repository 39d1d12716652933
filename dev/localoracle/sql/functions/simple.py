"""SQL functions that become a call of one PostgreSQL function, and MOD and TRUNC, which nearly do.

Kinds of arguments: s string, l string or large object, which the result is like, c string that is no large
object, n number, v any value, d date or number as it is, t date, r RAW. Optional arguments are in capitals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.context import NULL, Sql
from localoracle.sql.expressions.conversion import as_number, as_string
from localoracle.sql.expressions.strings import at_most, characters, cut_off, may_be_too_long, short_string
from localoracle.sql.functions.aggregates import Arguments, need
from localoracle.sql.parsing.nodes import only

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


@dataclass(frozen=True)
class Function:
    """A function that becomes a call of one PostgreSQL function."""

    target: str
    kinds: str
    family: str
    variadic: bool = False
    grows: bool = False
    """A string that it makes may be longer than its arguments: ORA-01489 when it is too long."""
    pads: bool = False
    """Of a string that it makes too long it leaves the beginning."""

    @property
    def least(self) -> int:
        return sum(kind.islower() for kind in self.kinds)


_NAMESAKES = {
    ("n", "N"): "ACOS ASIN ATAN COS COSH EXP LN SIGN SIN SINH SQRT TAN TANH",
    ("nn", "N"): "ATAN2 BITAND LOG POWER REMAINDER",
    ("nn", "F"): "NANVL",
    ("dV", ""): "ROUND",
    ("nnnn", "N"): "WIDTH_BUCKET",
    ("c", "N"): "ASCII",
    ("c", "S"): "INITCAP SOUNDEX",
    ("ssNN", "N"): "INSTR INSTRB",
    ("v", "N"): "LENGTH LENGTHB VSIZE",
    ("lS", "S"): "LTRIM RTRIM",
    ("snN", "S"): "SUBSTRB",
    ("l", "S"): "UPPER",
    ("ssNS", "N"): "REGEXP_COUNT",
    ("ssNNNSN", "N"): "REGEXP_INSTR",
    ("ssS", "B"): "REGEXP_LIKE",
    ("lsNNSN", "S"): "REGEXP_SUBSTR",
    ("tn", "D"): "ADD_MONTHS",
    ("vs", "Z"): "FROM_TZ",
    ("t", "D"): "LAST_DAY",
    ("tt", "N"): "MONTHS_BETWEEN",
    ("ts", "D"): "NEXT_DAY",
    ("ns", "I"): "NUMTODSINTERVAL NUMTOYMINTERVAL",
    ("v", "T"): "SYS_EXTRACT_UTC",
    ("s", "S"): "TZ_OFFSET UNISTR USERENV",
    ("s", "I"): "TO_DSINTERVAL TO_YMINTERVAL",
    ("s", "X"): "CHARTOROWID",
    ("v", "S"): "ROWIDTOCHAR",
    ("v", "L"): "TO_BLOB TO_CLOB TO_NCLOB TO_LOB",
    ("ss", ""): "BFILENAME",
    ("", "L"): "EMPTY_BLOB EMPTY_CLOB",
    ("vNN", "N"): "ORA_HASH",
    ("ssN", "S"): "SYS_CONTEXT",
    ("", "R"): "SYS_GUID",
}
"""Functions whose counterpart is in schema ora under their own name, by kinds of arguments and family."""
SIMPLE: dict[str, Function] = {
    **{
        name: Function(f"ora.{name.lower()}", kinds, family)
        for (kinds, family), names in _NAMESAKES.items()
        for name in names.split()
    },
    "TRUNC": Function("ora.trunc", "dV", ""),
    "ABS": Function("abs", "n", ""),
    "CEIL": Function("ceil", "n", ""),
    "FLOOR": Function("floor", "n", ""),
    "LPAD": Function("ora.lpad", "lnS", "S", pads=True),
    "REPLACE": Function("ora.replace", "lsS", "S", grows=True),
    "REVERSE": Function("reverse", "s", "S"),
    "RPAD": Function("ora.rpad", "lnS", "S", pads=True),
    "TRANSLATE": Function("ora.translate", "css", "S", grows=True),
    "REGEXP_REPLACE": Function("ora.regexp_replace", "lsSNNS", "S", grows=True),
    "ASCIISTR": Function("ora.asciistr", "s", "S", grows=True),
    "BIN_TO_NUM": Function("ora.bin_to_num", "n", "N", variadic=True),
    "TO_NCHAR": Function("ora.str", "v", "S"),
}
WITHOUT_PARENTHESES = {
    "SYSDATE", "SYSTIMESTAMP", "CURRENT_DATE", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "USER", "UID",
    "ROWNUM", "LEVEL", "ROWID",
}  # fmt: skip

# Functions of the SQL Language Reference that are not here: refused by name, not called unknown.
LACKING_FUNCTIONS = frozenset((
    "CORR", "COVAR_POP", "COVAR_SAMP", "LISTAGG", "PERCENTILE_CONT", "PERCENTILE_DISC", "RANK", "ROW_NUMBER",
    "DENSE_RANK", "NTILE", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "CUME_DIST",
    "PERCENT_RANK", "RATIO_TO_REPORT", "APPENDCHILDXML", "BFILENAME", "CARDINALITY", "CLUSTER_ID", "COLLECT",
    "COMPOSE", "CONVERT", "CUBE_TABLE", "DATAOBJ_TO_PARTITION", "DECOMPOSE", "DEPTH", "DEREF", "EXISTSNODE",
    "EXTRACTVALUE", "FEATURE_ID", "GROUP_ID", "INSTR2", "INSTR4", "INSTRC", "ITERATION_NUMBER", "JSON_ARRAY",
    "JSON_ARRAYAGG", "JSON_EXISTS", "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_QUERY", "JSON_SERIALIZE",
    "JSON_TABLE", "JSON_VALUE", "LENGTH2", "LENGTH4", "LENGTHC", "LNNVL", "MAKE_REF", "NCGR", "NCHR",
    "NEW_TIME", "NLS_CHARSET_DECL_LEN", "NLS_CHARSET_ID", "NLS_CHARSET_NAME", "NLS_INITCAP", "NLS_LOWER",
    "NLSSORT", "NLS_UPPER", "ORA_DST_AFFECTED", "ORA_INVOKING_USER", "PATH", "POWERMULTISET", "PREDICTION",
    "PRESENTNNV", "PRESENTV", "PREVIOUS", "RAWTONHEX", "REF", "REFTOHEX", "REGR_SLOPE", "REGR_INTERCEPT",
    "REGR_COUNT", "REGR_R2", "ROWIDTONCHAR", "SCN_TO_TIMESTAMP", "SESSIONTIMEZONE", "SET", "STATS_MODE",
    "SUBSTR2", "SUBSTR4", "SUBSTRC", "SYS_CONNECT_BY_PATH", "SYS_DBURIGEN", "SYS_OP_ZONE_ID", "SYS_TYPEID",
    "SYS_XMLAGG", "SYS_XMLGEN", "TIMESTAMP_TO_SCN", "TO_MULTI_BYTE", "TO_SINGLE_BYTE", "TREAT", "UPDATEXML",
    "VALIDATE_CONVERSION", "VALUE", "XMLAGG", "XMLELEMENT", "XMLFOREST", "XMLTABLE", "XMLTYPE", "CHECKSUM",
    "ANY_VALUE", "BIT_AND_AGG",
))  # fmt: skip


def call_simple(emit: Expressions, function: Function, arguments: Arguments) -> Sql:
    need(arguments, function.least, None if function.variadic else len(function.kinds))
    kinds = function.kinds.lower()
    texts = []
    for index, argument in enumerate(arguments):
        if isinstance(argument, exp.Distinct):
            raise OracleError(30482, "DISTINCT option not allowed for this function")
        if isinstance(argument, exp.Kwarg | exp.Star | exp.Alias):
            raise OracleError(907, "missing right parenthesis")
        texts.append(argument_text(emit, argument, kinds[min(index, len(kinds) - 1)]))
    family = function.family
    if function.kinds[:1] == "d" and arguments:
        # TRUNC and ROUND return what they are given; only arguments with a plain type decide.
        family = "N" if texts[0].endswith("::numeric") else ""
    elif function.kinds[:1] == "l" and texts[0].startswith("ora.characters("):
        family = ""
    text = f"{function.target}({', '.join(texts)})"
    if function.grows and not _of_single_bytes(function, arguments):
        text = at_most(emit.context, text)
    elif function.pads and may_be_too_long(arguments[1]):
        text = cut_off(emit.context, text)
    return Sql(text, family)


def _of_single_bytes(function: Function, arguments: Arguments) -> bool:
    """Whether TRANSLATE puts nothing but characters of one byte in: then nothing becomes longer by it."""
    if function.target != "ora.translate":
        return False
    into = arguments[2]
    return isinstance(into, exp.Literal) and into.is_string and into.name.isascii()


def argument_text(emit: Expressions, argument: exp.Expr, kind: str) -> str:
    value = emit.scalar(argument)
    if kind == "s":
        return as_string(value)
    if kind == "l":
        return characters(emit, value)[0]
    if kind == "c":
        return short_string(emit, value)
    if value is NULL:
        return "NULL::numeric" if kind in "nd" else "NULL::text"
    if kind == "t" and value.family == "S":
        return f"ora.to_date({value.text})"
    return as_number(value) if kind == "n" else value.text


def mod(emit: Expressions, arguments: Arguments) -> Sql:
    """MOD(m, 0) is m: what remains by a number that is larger than any NUMBER. So m is written once."""
    divisor = arguments[1]
    number = argument_text(emit, arguments[0], "n")
    by = argument_text(emit, divisor, "n")
    if isinstance(divisor, exp.Literal) and not divisor.is_string and float(divisor.name) != 0:
        return Sql(f"mod({number}, {by})", "N")
    return Sql(f"mod({number}, CASE {by} WHEN 0 THEN 1e200 ELSE {by} END)", "N")


def trunc(emit: Expressions, arguments: Arguments) -> Sql:
    """TRUNC of a quotient needs none of its digits behind the point."""
    quotient = arguments[0] if len(arguments) == 1 else None
    if not isinstance(quotient, exp.Div):
        return call_simple(emit, SIMPLE["TRUNC"], arguments)
    only(quotient, "this", "expression", "typed", "safe")
    values = [emit.scalar(quotient.this), emit.scalar(quotient.expression)]
    parts = ", ".join(map(as_number, values))
    if any(value is NULL or value.family not in ("", "N", "F", "S") for value in values):
        return Sql(f"ora.trunc(ora.divide({parts}))", "")
    return Sql(f"ora.trunc_quotient({parts})", "F" if any(value.family == "F" for value in values) else "N")
