"""Names and columns as users have them: every data type of Database Reference 19c, DBA_TAB_COLS.

Names are up to 128 bytes of anything but quotation marks and NUL (SQL Language Reference, "Database Object
Names"): reserved words, the aliases that the provider's own statements use, and what looks like other syntax.
"""

from __future__ import annotations

import json
from importlib import resources

from hypothesis import strategies as st

from oracle_refresh.catalog import Column

RESERVED = tuple(
    json.loads(resources.files("localoracle").joinpath("data/reserved_words.json").read_text())["sql"]
)
#: ROWID is the one name that no column can have, even in quotation marks.
_WORDS = tuple(word for word in RESERVED if word != "ROWID")
#: Aliases, columns of control tables and texts that would be something else without their quotation marks.
_HOSTILE = (
    "T",
    "S",
    "G",
    "V",
    "R",
    "K",
    "N",
    "D",
    "P",
    "X1",
    "H1",
    "O1",
    "RID",
    "CHUNK",
    "MASKED",
    "ORIGINAL",
    "KEY",
    "ENTRY",
    "M1",
    "N1",
    "P1",
    "DUAL",
    "SYS",
    "id",
    "Größe",
    "名前",
    "a b",
    "it's",
    "100%",
    ":b1",
    "{0}",
    "{table}",
    "%s",
    "--",
    "/*x*/",
    ";",
    "a;\n",
    "x.y",
    "(",
    "a&b",
    "&&c",
    "q'[",
    "x'; DROP TABLE y",
    " x ",
    "\t",
    "a\\b",
    "@link",
    "{{b}}",
    "$A",
    "_",
    "#1",
    "1ST",
    "A" * 128,
    "é" * 64,
)
PLAIN = st.from_regex(r"[A-Z][A-Z0-9_]{0,29}", fullmatch=True).filter(lambda name: name != "ROWID")
NAMES = st.one_of(PLAIN, PLAIN, PLAIN, st.sampled_from(_HOSTILE), st.sampled_from(_WORDS))
#: Users of an Oracle database are made by people; their names are quoted when they hold anything unusual.
OWNERS = st.one_of(PLAIN, st.sampled_from(["APP", "App", "sales app", "DATE", "C##X", "Größe"]))

#: Of texts: usual ones, and those about the limits of SQL.
_SIZES = (1, 2, 10, 30, 60, 255, 1000, 1334, 1999, 2000, 3990, 4000, 32767)
#: Data type and DATA_LENGTH of columns whose declaration has nothing else.
_FIXED = (
    ("DATE", 7),
    ("TIMESTAMP(6)", 11),
    ("TIMESTAMP(0)", 7),
    ("TIMESTAMP(9)", 11),
    ("TIMESTAMP(6) WITH TIME ZONE", 13),
    ("TIMESTAMP(6) WITH LOCAL TIME ZONE", 11),
    ("INTERVAL YEAR(2) TO MONTH", 5),
    ("INTERVAL DAY(2) TO SECOND(6)", 11),
    ("BINARY_FLOAT", 4),
    ("BINARY_DOUBLE", 8),
    ("CLOB", 4000),
    ("NCLOB", 4000),
    ("BLOB", 4000),
    ("BFILE", 530),
    ("LONG", 0),
    ("LONG RAW", 0),
    ("ROWID", 10),
    ("UROWID", 4000),
    ("XMLTYPE", 2000),
    ("SDO_GEOMETRY", 1),
    ("ADDRESS_T", 1),
    ("ANYDATA", 1),
    ("address list", 16),
    # Of 21c and 23ai.
    ("JSON", 8200),
    ("BOOLEAN", 1),
    ("VECTOR", 8200),
)
_TYPE_OWNERS = {
    "XMLTYPE": "PUBLIC", "SDO_GEOMETRY": "MDSYS", "ADDRESS_T": "APP", "ANYDATA": "SYS", "address list": "App"
}  # fmt: skip
#: What neither can be a key's column nor be compared ("constraint", SQL Language Reference).
NO_KEY = (
    "CLOB", "NCLOB", "BLOB", "BFILE", "LONG", "LONG RAW", "JSON", "BOOLEAN", "VECTOR", *_TYPE_OWNERS,
)  # fmt: skip


@st.composite
def _character(draw: st.DrawFn, name: str, nullable: bool) -> Column:
    kind = draw(st.sampled_from(["VARCHAR2", "VARCHAR2", "CHAR", "NVARCHAR2", "NCHAR"]))
    most = 2000 if kind in ("CHAR", "NCHAR") else draw(st.sampled_from([4000, 4000, 4000, 32767]))
    national = kind.startswith("N")
    size = min(draw(st.sampled_from(_SIZES)), most // 2 if national else most)
    if national:
        return Column(name, kind, 2 * size, size, "C", None, None, nullable)
    used = draw(st.sampled_from("BC"))
    length = size if used == "B" else min(most, size * draw(st.sampled_from([1, 4])))
    return Column(name, kind, length, size, used, None, None, nullable)


@st.composite
def _number(draw: st.DrawFn, name: str, nullable: bool) -> Column:
    precision = draw(st.one_of(st.none(), st.integers(1, 38)))
    scale = draw(st.sampled_from([None, 0, 2, -2])) if precision else draw(st.sampled_from([None, 0]))
    kind = draw(st.sampled_from(["NUMBER", "NUMBER", "NUMBER", "FLOAT"]))
    if kind == "FLOAT":
        precision, scale = draw(st.integers(1, 126)), None
    identity = kind == "NUMBER" and not nullable and scale == 0 and draw(st.booleans())
    always = identity and draw(st.booleans())
    return Column(
        name, kind, 22, 0, None, precision, scale, nullable, identity=identity, always_generated=always
    )


@st.composite
def columns(draw: st.DrawFn, name: str, nullable: bool | None = None) -> Column:
    """A column of any type under a name."""
    empty = draw(st.booleans()) if nullable is None else nullable
    shape = draw(st.sampled_from(["character", "character", "number", "number", "raw", "fixed", "fixed"]))
    if shape == "character":
        return draw(_character(name, empty))
    if shape == "number":
        return draw(_number(name, empty))
    if shape == "raw":
        return Column(name, "RAW", draw(st.sampled_from([1, 16, 1999, 2000])), 0, None, None, None, empty)
    kind, length = draw(st.sampled_from(_FIXED))
    virtual = kind == "DATE" and draw(st.integers(0, 3)) == 0
    owner = _TYPE_OWNERS.get(kind)
    return Column(name, kind, length, 0, None, None, None, empty, virtual=virtual, type_owner=owner)
