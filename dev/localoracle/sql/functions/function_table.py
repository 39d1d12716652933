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


SIMPLE: dict[str, Function] = {
    # numbers
    "ABS": Function("abs", "n", ""),
    "ACOS": Function("ora.acos", "n", "N"),
    "ASIN": Function("ora.asin", "n", "N"),
    "ATAN": Function("ora.atan", "n", "N"),
    "ATAN2": Function("ora.atan2", "nn", "N"),
    "BITAND": Function("ora.bitand", "nn", "N"),
    "CEIL": Function("ceil", "n", ""),
    "COS": Function("ora.cos", "n", "N"),
    "COSH": Function("ora.cosh", "n", "N"),
    "EXP": Function("ora.exp", "n", "N"),
    "FLOOR": Function("floor", "n", ""),
    "LN": Function("ora.ln", "n", "N"),
    "LOG": Function("ora.log", "nn", "N"),
    "NANVL": Function("ora.nanvl", "nn", "F"),
    "POWER": Function("ora.power", "nn", "N"),
    "REMAINDER": Function("ora.remainder", "nn", "N"),
    "ROUND": Function("ora.round", "dV", ""),
    "SIGN": Function("ora.sign", "n", "N"),
    "SIN": Function("ora.sin", "n", "N"),
    "SINH": Function("ora.sinh", "n", "N"),
    "SQRT": Function("ora.sqrt", "n", "N"),
    "TAN": Function("ora.tan", "n", "N"),
    "TANH": Function("ora.tanh", "n", "N"),
    "WIDTH_BUCKET": Function("ora.width_bucket", "nnnn", "N"),
    # strings
    "ASCII": Function("ora.ascii", "c", "N"),
    "INITCAP": Function("ora.initcap", "c", "S"),
    "INSTR": Function("ora.instr", "ssNN", "N"),
    "INSTRB": Function("ora.instrb", "ssNN", "N"),
    "LENGTH": Function("ora.length", "v", "N"),
    "LENGTHB": Function("ora.lengthb", "v", "N"),
    "LPAD": Function("ora.lpad", "lnS", "S", pads=True),
    "LTRIM": Function("ora.ltrim", "lS", "S"),
    "REPLACE": Function("ora.replace", "lsS", "S", grows=True),
    "REVERSE": Function("reverse", "s", "S"),
    "RPAD": Function("ora.rpad", "lnS", "S", pads=True),
    "RTRIM": Function("ora.rtrim", "lS", "S"),
    "SOUNDEX": Function("ora.soundex", "c", "S"),
    "SUBSTRB": Function("ora.substrb", "snN", "S"),
    "TRANSLATE": Function("ora.translate", "css", "S", grows=True),
    "UPPER": Function("ora.upper", "l", "S"),
    "REGEXP_COUNT": Function("ora.regexp_count", "ssNS", "N"),
    "REGEXP_INSTR": Function("ora.regexp_instr", "ssNNNSN", "N"),
    "REGEXP_LIKE": Function("ora.regexp_like", "ssS", "B"),
    "REGEXP_REPLACE": Function("ora.regexp_replace", "lsSNNS", "S", grows=True),
    "REGEXP_SUBSTR": Function("ora.regexp_substr", "lsNNSN", "S"),
    # dates
    "ADD_MONTHS": Function("ora.add_months", "tn", "D"),
    "FROM_TZ": Function("ora.from_tz", "vs", "Z"),
    "LAST_DAY": Function("ora.last_day", "t", "D"),
    "MONTHS_BETWEEN": Function("ora.months_between", "tt", "N"),
    "NEXT_DAY": Function("ora.next_day", "ts", "D"),
    "NUMTODSINTERVAL": Function("ora.numtodsinterval", "ns", "I"),
    "NUMTOYMINTERVAL": Function("ora.numtoyminterval", "ns", "I"),
    "SYS_EXTRACT_UTC": Function("ora.sys_extract_utc", "v", "T"),
    "TZ_OFFSET": Function("ora.tz_offset", "s", "S"),
    "TO_DSINTERVAL": Function("ora.to_dsinterval", "s", "I"),
    "TO_YMINTERVAL": Function("ora.to_yminterval", "s", "I"),
    # conversions
    "ASCIISTR": Function("ora.asciistr", "s", "S", grows=True),
    "BIN_TO_NUM": Function("ora.bin_to_num", "n", "N", variadic=True),
    "CHARTOROWID": Function("ora.chartorowid", "s", "X"),
    "RAWTOHEX": Function("ora.rawtohex", "v", "S"),
    "ROWIDTOCHAR": Function("ora.rowidtochar", "v", "S"),
    "TO_BLOB": Function("ora.to_blob", "v", "L"),
    "TO_CLOB": Function("ora.to_clob", "v", "L"),
    "TO_NCLOB": Function("ora.to_nclob", "v", "L"),
    "TO_LOB": Function("ora.to_lob", "v", "L"),
    "TO_NCHAR": Function("ora.str", "v", "S"),
    "UNISTR": Function("ora.unistr", "s", "S"),
    "BFILENAME": Function("ora.bfilename", "ss", ""),
    "EMPTY_BLOB": Function("ora.empty_blob", "", "L"),
    "EMPTY_CLOB": Function("ora.empty_clob", "", "L"),
    "VSIZE": Function("ora.vsize", "v", "N"),
    # others
    "ORA_HASH": Function("ora.ora_hash", "vNN", "N"),
    "SYS_CONTEXT": Function("ora.sys_context", "ssN", "S"),
    "SYS_GUID": Function("ora.sys_guid", "", "R"),
    "USERENV": Function("ora.userenv", "s", "S"),
}
WITHOUT_PARENTHESES = {
    "SYSDATE", "SYSTIMESTAMP", "CURRENT_DATE", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "USER", "UID",
    "ROWNUM", "LEVEL", "ROWID",
}  # fmt: skip

# Functions of the SQL Language Reference that are not here: refused by name, not called unknown.
KNOWN_ORACLE_FUNCTIONS = frozenset((
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
