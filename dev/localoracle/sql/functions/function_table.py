"""The table of SQL functions that become a call of one PostgreSQL function, and the names that are refused.

Kinds of arguments: s string, l string or large object, which the result is like, c string that is no large
object, n number, v any value, d date or number as it is, t date, r RAW. Optional arguments are in capitals.
"""

from __future__ import annotations

from dataclasses import dataclass


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
