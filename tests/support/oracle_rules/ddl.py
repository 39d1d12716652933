"""Rules of DDL that depend on what the tables, their keys and their indexes are.

Source: SQL Language Reference 19c, CREATE TABLE, ALTER TABLE, CREATE INDEX, ALTER INDEX, constraint,
CREATE SEQUENCE, TRUNCATE TABLE, GRANT, "Data Types"; the codes are those of Database Error Messages 19c.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from oracle_refresh.catalog import Catalogue, Index, Table
from support.oracle_rules.words import Token, tokens

#: Bytes of VARCHAR2 and NVARCHAR2, of CHAR and NCHAR, and of RAW: with STANDARD and with EXTENDED strings.
_LONGEST = {"VARCHAR2": (4000, 32767), "CHAR": (2000, 2000), "RAW": (2000, 32767)}
_NATIONAL = {"NVARCHAR2": (2000, 16383), "NCHAR": (1000, 1000)}
_PHYSICAL = frozenset(["PARALLEL", "NOPARALLEL", "LOGGING", "NOLOGGING", "TABLESPACE", "PCTFREE", "STORAGE"])
#: In this order they follow the columns of CREATE TABLE.
_ORDER = (
    ("DEFAULT",), ("ON",), ("ORGANIZATION", "PCTTHRESHOLD", "INCLUDING", "OVERFLOW", "TABLESPACE"),
    ("LOB", "XMLTYPE"),
    ("PARTITION",), ("READ", "INDEXING"), ("CACHE", "NOCACHE"), ("RESULT_CACHE",), ("PARALLEL", "NOPARALLEL"),
    ("ENABLE", "DISABLE"), ("ROW",), ("AS",),
)  # fmt: skip
_COLUMN_PRIVILEGES = frozenset(["INSERT", "REFERENCES", "UPDATE"])
#: What neither an index nor a key may hold.
_NO_KEY = ("CLOB", "NCLOB", "BLOB", "BFILE", "LONG", "LONG RAW", "JSON", "VECTOR")
MOST_KEY_COLUMNS = 32


def complaints(sql: str, catalogue: Catalogue, user: str = "REFRESH_TARGET") -> list[str]:
    """What a 19c would refuse of DDL about a catalogue's tables; nothing of other statements.

    :param user: whose session it is.
    """
    found = _Statement(tokens(sql), catalogue)
    rules: tuple[Rule, ...] = {
        ("CREATE", "TABLE"): (_sizes, _order),
        ("CREATE", "SEQUENCE"): (_start,),
        ("CREATE", "INDEX"): (_index,),
        ("ALTER", "INDEX"): (_altered_index,),
        ("ALTER", "TABLE"): (_added, _modified, _dropped, _renamed),
        ("TRUNCATE", "TABLE"): (_truncated,),
        ("GRANT", ""): (_granted(user),),
    }.get(found.kind, ())
    return list(dict.fromkeys(text for rule in rules for text in rule(found)))


Rule = Callable[["_Statement"], Iterator[str]]


@dataclass(frozen=True)
class _Statement:
    tokens: Sequence[Token]
    catalogue: Catalogue

    @property
    def words(self) -> list[str]:
        """Words in capitals; a name in quotation marks is one sign."""
        return [
            each.text.upper() if each.kind == "word" else '"' if each.kind == "name" else each.text
            for each in self.tokens
        ]

    @property
    def kind(self) -> tuple[str, str]:
        words = self.words
        if words[:1] == ["GRANT"]:
            return "GRANT", ""
        nouns = ("TABLE", "INDEX", "SEQUENCE")
        return words[0], next((word for word in words[1:5] if word in nouns), "")

    @property
    def names(self) -> list[tuple[str, str]]:
        """Qualified names in the order in which they stand there."""
        found = []
        for first, dot, second in zip(self.tokens, self.tokens[1:], self.tokens[2:], strict=False):
            if dot.text == "." and "name" == first.kind == second.kind:
                found.append((first.text[1:-1], second.text[1:-1]))
        return found

    @property
    def table(self) -> Table | None:
        """The first of the catalogue's tables that it names."""
        return next((found for name in self.names if (found := self.catalogue.table(*name))), None)

    @property
    def index(self) -> tuple[Table, Index] | None:
        named = self.names[:1]
        for table in self.catalogue.tables:
            for index in table.indexes:
                if (index.owner, index.name) in named:
                    return table, index
        return None

    def listed(self, behind: str) -> list[str]:
        """The names in the parentheses behind a word."""
        words = self.words
        if behind not in words or "(" not in words[words.index(behind) :]:
            return []
        start = words.index("(", words.index(behind))
        return [
            each.text[1:-1] for each in self.tokens[start : words.index(")", start)] if each.kind == "name"
        ]

    @property
    def columns(self) -> list[list[Token]]:
        """The tokens of each part of the list of columns."""
        parts: list[list[Token]] = [[]]
        depth = 0
        for token in self.tokens[self._first :] if self._first else ():
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if not depth:
                break
            if token.text == "," and depth == 1:
                parts.append([])
            elif parts != [[]] or token.text != "(":
                parts[-1].append(token)
        return parts

    @property
    def behind(self) -> list[str]:
        """The words behind the columns that stand in no parentheses, up to the query of a table."""
        depth, found = 0, list[str]()
        for word in self.words[self._first or 3 :]:
            depth += {"(": 1, ")": -1}.get(word, 0)
            if word == "AS" and not depth and found[-1:] != ["STORE"]:
                break
            if not depth and word not in (")", ".", '"'):
                found.append(word)
        return found

    @property
    def _first(self) -> int:
        """Where the list of columns begins: right behind a name; 0 where there is none."""
        words = self.words
        place = words.index("(") if "(" in words else 0
        return place if place and words[place - 1] in ('"', "MODIFY") else 0


def _sizes(found: _Statement) -> Iterator[str]:
    extended = any(
        column.length > 4000 and column.data_type in ("VARCHAR2", "NVARCHAR2", "RAW")
        for table in found.catalogue.tables
        for column in table.columns
    )
    for part in found.columns:
        for word, sign, size in zip(part, part[1:], part[2:], strict=False):
            longest = {**_LONGEST, **_NATIONAL}.get(word.text)
            if longest and sign.text == "(" and size.kind == "number" and int(size.text) > longest[extended]:
                yield f"ORA-00910: {word.text}({size.text})"
    if len(found.columns) > 1000:
        yield f"ORA-01792: {len(found.columns)} columns"


def _order(found: _Statement) -> Iterator[str]:
    places, words = [], found.behind
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        place = next((n for n, group in enumerate(_ORDER) if word in group), None)
        # Words of clauses that begin with another one.
        inside = (
            before in ("ENABLE", "DISABLE", "ROW", "ON", "BY", "STORE", "SUBPARTITION", "READ")
            or word == "ROWS"
        )
        if place is not None and not inside:
            places.append(place)
    if places != sorted(places):
        yield f"ORA-00922: {' '.join(words)}"


def _start(found: _Statement) -> Iterator[str]:
    text = " ".join(found.words)
    number = {
        name: int(value.replace(" ", ""))
        for name, value in re.findall(r"(MINVALUE|MAXVALUE|START WITH) (-? ?\d+)", text)
    }
    start = number.get("START WITH", 1)
    if start < number.get("MINVALUE", start):
        yield f"ORA-04006: {start} is below {number['MINVALUE']}"
    if start > number.get("MAXVALUE", start):
        yield f"ORA-04008: {start} is above {number['MAXVALUE']}"


def _index(found: _Statement) -> Iterator[str]:
    table, words = found.table, found.words
    if "INDEXTYPE" in words and (
        {"UNIQUE", "BITMAP"} & {*words[:3]} or (_PHYSICAL - {"PARALLEL"}) & {*found.behind}
    ):
        yield "ORA-29850: a domain index"
    if table is None:
        return
    if table.temporary and _PHYSICAL & {*found.behind}:
        yield "ORA-14451: an index on a temporary table"
    plain = "INDEXTYPE" not in words
    for part in found.columns if plain else ():
        column = table.column(part[0].text[1:-1]) if len(part) == 1 else None
        if column is not None and (column.data_type in _NO_KEY or column.type_owner):
            yield f"ORA-02327: {column.data_type}"
    if len(found.columns) > MOST_KEY_COLUMNS:
        yield f"ORA-01793: {len(found.columns)} columns"
    if "LOCAL" in found.behind and not table.partitions:
        yield "ORA-14016: LOCAL for a table without partitions"
    if {"UNIQUE", "BITMAP"} <= {*words[:4]}:
        yield "ORA-00968: UNIQUE BITMAP"


def _altered_index(found: _Statement) -> Iterator[str]:
    if (known := found.index) is None:
        return
    table, index = known
    words = found.words
    if table.temporary and "RENAME" not in words:
        yield "ORA-14451: an index of a temporary table"
    if index.type.endswith("DOMAIN") and {"LOGGING", "NOLOGGING"} & {*words}:
        yield "ORA-29871: logging of a domain index"
    if index.partitioned and "REBUILD" in words and "PARTITION" not in words:
        yield "ORA-14086: a partitioned index is not rebuilt as a whole"


def _added(found: _Statement) -> Iterator[str]:
    words, table = found.words, found.table
    if "ADD" not in words or table is None:
        return
    key = next((word for word in ("PRIMARY", "UNIQUE") if word in words), None)
    columns = found.listed(key) if key else []
    if len(columns) > MOST_KEY_COLUMNS:
        yield f"ORA-02257: {len(columns)} columns"
    for column in filter(None, map(table.column, columns)):
        if column.data_type in _NO_KEY or column.type_owner or column.data_type.endswith(" WITH TIME ZONE"):
            yield f"ORA-02329: {column.data_type}"
    if key and "USING" in words:
        if table.iot and key == "PRIMARY":
            yield "ORA-25188, ORA-14196: USING INDEX for the key of an index-organized table"
        if "DISABLE" in words:
            yield "ORA-14196: an index for a disabled key"
        if "LOCAL" in words and not {*table.partition_columns} <= {*columns}:
            yield "ORA-14039: LOCAL, and the key lacks a partitioning column"
    if table.temporary and "FOREIGN" in words:
        yield "ORA-14455: a foreign key of a temporary table"
    if "CHECK" in words:
        condition = {*words[words.index("CHECK") :]}
        if "SELECT" in condition:
            yield "ORA-02251: a subquery in a check"
        if {"SYSDATE", "SYSTIMESTAMP", "USER", "UID", "ROWNUM", "CURRENT_DATE"} & condition:
            yield "ORA-02436: a check that depends on the session"


def _modified(found: _Statement) -> Iterator[str]:
    words, table = found.words, found.table
    if "MODIFY" not in words or "(" not in words or table is None:
        return
    for part in found.columns:
        column, words = table.column(part[0].text[1:-1]), [token.text for token in part]
        if "RELY" in words and "NULL" in words:
            yield "ORA-25127: RELY of a NOT NULL"
        if column is not None and column.identity and words[1:] == ["NULL"]:
            yield "ORA-30671: NULL for an identity column"


def _dropped(found: _Statement) -> Iterator[str]:
    words, table = found.words, found.table
    if table is None or not table.iot or "DROP" not in words or "CONSTRAINT" not in words:
        return
    name = found.tokens[words.index("CONSTRAINT") + 1].text[1:-1]
    if table.primary_key and table.primary_key.name == name:
        yield "ORA-25188: the key of an index-organized table"


def _renamed(found: _Statement) -> Iterator[str]:
    words = found.words
    if "RENAME" in words and "TO" in words and "." in words[words.index("TO") :]:
        yield "ORA-14047: a new name with its schema"


def _truncated(found: _Statement) -> Iterator[str]:
    if (table := found.table) is not None and table.clustered:
        yield "ORA-03292: TRUNCATE of a table in a cluster"


def _granted(user: str) -> Rule:
    def rule(found: _Statement) -> Iterator[str]:
        words = found.words
        if "ON" not in words:
            return
        for privilege in re.findall(r"([A-Z]+) \(", " ".join(words[: words.index("ON")])):
            if privilege not in _COLUMN_PRIVILEGES:
                yield f"ORA-00969: {privilege} of columns"
        to = [each.text.strip('"') for each in found.tokens[words.index("TO") + 1 :]] if "TO" in words else []
        if user in to:
            yield "ORA-01749: a grant to oneself"
        if (
            len(to) != len(set(to))
            and "," in to
            and len([each for each in to if each != ","]) != len({*to} - {","})
        ):
            yield "ORA-00987: a grantee twice"

    return rule
