"""What functions return, and what they take that their page in SQL Language Reference 19c refuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from support.oracle_rules.kinds import ANY, DATE, LOBS, LONGS, NUMBER, OPAQUE, RAW_BYTES, TEXT_BYTES, Kind

Complain = Callable[[str], None]

PATTERN_BYTES, MOST_HEX_DIGITS = 512, 63
_NUMBERS = frozenset(
    [
        "COUNT",
        "SUM",
        "AVG",
        "LENGTH",
        "LENGTHB",
        "INSTR",
        "TO_NUMBER",
        "MOD",
        "TRUNC",
        "ROUND",
        "FLOOR",
        "CEIL",
        "ABS",
        "SIGN",
        "ASCII",
        "ORA_HASH",
        "NTILE",
        "POWER",
        "REGEXP_INSTR",
        "REGEXP_COUNT",
        "ROW_NUMBER",
        "RANK",
        "BITAND",
        "TO_BINARY_DOUBLE",
        "TO_BINARY_FLOAT",
        "VSIZE",
        "SQRT",
        "LN",
        "EXP",
        "LOG",
    ]
)
#: Functions that take a CLOB: DBMS_LOB's are no functions of SQL and not here.
_OF_LOBS = frozenset(
    [
        "NVL",
        "NVL2",
        "COALESCE",
        "CASE",
        "TO_CLOB",
        "TO_NCLOB",
        "TO_BLOB",
        "COUNT",
        "LENGTH",
        "SUBSTR",
        "INSTR",
        "REPLACE",
        "UPPER",
        "LOWER",
        "TRIM",
        "LTRIM",
        "RTRIM",
        "LPAD",
        "RPAD",
        "CONCAT",
        "TO_NCHAR",
        "REGEXP_REPLACE",
        "REGEXP_SUBSTR",
        "REGEXP_INSTR",
        "REGEXP_COUNT",
        "TO_CHAR",
        "CAST",
        "DECODE",
    ]
)
_SAME = frozenset(
    [
        "UPPER",
        "LOWER",
        "TRIM",
        "LTRIM",
        "RTRIM",
        "INITCAP",
        "TRANSLATE",
        "MIN",
        "MAX",
        "FIRST_VALUE",
        "LAST_VALUE",
        "LAG",
        "LEAD",
    ]
)


def name_of(node: exp.Expr) -> str:
    """The name of a function as Oracle has it."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).upper()
    return {
        exp.Coalesce: "NVL" if node.args.get("is_nvl") else "COALESCE",
        exp.Substring: "SUBSTR",
        exp.StandardHash: "STANDARD_HASH",
        exp.DecodeCase: "DECODE",
        exp.Chr: "CHR",
        exp.StrPosition: "INSTR",
        exp.RegexpReplace: "REGEXP_REPLACE",
        exp.RegexpExtract: "REGEXP_SUBSTR",
        exp.Unicode: "ASCII",
        exp.Pad: "LPAD" if node.args.get("is_left") else "RPAD",
    }.get(type(node), node.sql_name() if isinstance(node, exp.Func) else type(node).__name__.upper())


#: What the functions of packages return that statements call.
_OF_PACKAGES = {
    "GETLENGTH": NUMBER, "HASH": Kind("RAW", 32), "COMPARE": NUMBER, "ROWID_BLOCK_NUMBER": NUMBER,
    "ROWID_RELATIVE_FNO": NUMBER, "ROWID_OBJECT": NUMBER, "ROWID_CREATE": Kind("ROWID", 18),
    "CAST_FROM_BINARY_FLOAT": Kind("RAW", 4), "CAST_FROM_BINARY_DOUBLE": Kind("RAW", 8),
}  # fmt: skip


def of_package(name: str, node: exp.Expr, kinds: Sequence[Kind], complain: Complain) -> Kind:
    """The kind of a call of a package's function; their signatures are checked elsewhere."""
    for kind in kinds:
        if kind.group in (*LONGS, "OBJECT"):
            complain(f"PLS-00306: {kind.group} for {name}")
        if kind.group == "UROWID" and name.startswith("ROWID_"):
            complain(f"ORA-01410: a UROWID for {name}")
    if name == "SUBSTR":
        binary = kinds[0].group in ("BLOB", "BFILE")
        amount = int(node.expressions[1].name) if len(node.expressions) > 1 else 32767
        return Kind("RAW" if binary else "CHAR", min(amount, RAW_BYTES) if binary else 4 * amount)
    return _OF_PACKAGES.get(name, ANY)


def result(name: str, node: exp.Expr, kinds: Sequence[Kind], complain: Complain) -> Kind:
    """The kind of a call; `kinds` are those of its arguments in their order."""
    first = kinds[0] if kinds else ANY
    _patterns(name, node, complain)
    for kind in kinds:
        if kind.group in LONGS:
            complain(f"ORA-00997: {kind.group} in {name}")
        elif kind.group in OPAQUE or (kind.group in LOBS and name not in _OF_LOBS):
            complain(f"ORA-00932: {kind.group} in {name}")
    if name in _NUMBERS:
        return NUMBER
    if name in ("RAWTOHEX", "HEXTORAW"):
        return _hexadecimal(name, first, complain)
    if name == "STANDARD_HASH":
        return Kind("RAW", 32)
    if name == "CHR":
        return Kind("CHAR", 4)
    if name in ("TO_CHAR", "TOCHAR"):
        return _to_char(node, first)
    if name == "TO_NCHAR":
        return Kind("NCHAR", min(first.size or TEXT_BYTES, TEXT_BYTES))
    if name == "TO_CLOB":
        return Kind("CLOB")
    if name in ("TO_DATE", "SYS_EXTRACT_UTC", "ADD_MONTHS", "LAST_DAY", "TO_TIMESTAMP"):
        return DATE
    if name == "SUBSTR":
        length = node.args.get("length")
        # Where it ends is computed for pieces of a text, which together are no longer than it.
        most = 4 * int(length.name) if isinstance(length, exp.Literal) else 0
        return Kind(
            first.group if first.group in ("NCHAR", "CLOB", "NCLOB") else "CHAR",
            min(first.size, most),
        )
    if name == "REGEXP_SUBSTR":
        return Kind("NCHAR" if first.group == "NCHAR" else "CHAR")
    if name in ("LPAD", "RPAD", "REPLACE", "REGEXP_REPLACE", "TRANSLATE"):
        group = first.group if first.group in ("NCHAR", "CLOB", "NCLOB") else "CHAR"
        return Kind(group, min(first.size, TEXT_BYTES))
    if name in _SAME:
        return (
            first
            if first.group in ("NCHAR", "CLOB", "NUMBER", "DATE", "RAW", "ROWID", "UROWID")
            else Kind("CHAR", first.size)
        )
    return ANY


def _patterns(name: str, node: exp.Expr, complain: Complain) -> None:
    """Limits of regular expressions and of number formats."""
    texts = [
        each.name for each in node.iter_expressions() if isinstance(each, exp.Literal) and each.is_string
    ]
    if name.startswith("REGEXP_"):
        for text in texts[:1]:
            if len(text.encode()) > PATTERN_BYTES:
                complain(f"ORA-12733: a regular expression of {len(text.encode())} bytes")
    if name == "TO_NUMBER" and any(set(text) == {"X"} and len(text) > MOST_HEX_DIGITS for text in texts):
        complain("ORA-01481: more than 63 digits")


def _hexadecimal(name: str, first: Kind, complain: Complain) -> Kind:
    """RAWTOHEX of more than 2000 bytes does not fit VARCHAR2, HEXTORAW of more than 4000 digits not RAW."""
    if name == "RAWTOHEX":
        if first.size > RAW_BYTES:
            complain(f"ORA-01489: RAWTOHEX of {first.size} bytes")
        return Kind("CHAR", min(2 * first.size, TEXT_BYTES))
    if first.size > TEXT_BYTES:
        complain(f"ORA-01465: HEXTORAW of {first.size} digits")
    return Kind("RAW", min(first.size // 2, RAW_BYTES))


def _to_char(node: exp.Expr, first: Kind) -> Kind:
    shown = node.args.get("format")
    if first.group == "NUMBER":
        return Kind("CHAR", 64)
    if first.group in ("DATE", "INTERVAL", "ROWID", "UROWID"):
        return Kind("CHAR", len(shown.name) + 4 if shown is not None else 60)
    if first.group == "NCHAR":  # UTF-16 to UTF-8: up to one and a half times the bytes
        return Kind("CHAR", first.size * 3 // 2)
    return Kind("CHAR", first.size)
