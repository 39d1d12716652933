"""CREATE and ALTER SEQUENCE, identity columns, and which values of their options go together.

SQL Language Reference, CREATE SEQUENCE, ALTER SEQUENCE, identity_clause of CREATE and ALTER TABLE; Error
Messages. What depends on the number that an existing sequence has reached is checked by ora.check_sequence;
identities are the work of bootstrap/23_identities.sql.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.parsing.lexer import Cursor, quote_qualified
from localoracle.sql.parsing.names import read_qualified
from localoracle.sql.statement import Statement

BIGGEST = 2**63 - 1
"""PostgreSQL's; Oracle's numbers have 28 digits."""
# Error Messages, ORA-02278 to ORA-02285.
_TWICE = {
    "start": (2285, "duplicate START WITH specifications"),
    "increment": (2284, "duplicate INCREMENT BY specifications"),
    "maximum": (2278, "duplicate or conflicting MAXVALUE/NOMAXVALUE specifications"),
    "minimum": (2279, "duplicate or conflicting MINVALUE/NOMINVALUE specifications"),
    "cycle": (2280, "duplicate or conflicting CYCLE/NOCYCLE specifications"),
    "cache": (2281, "duplicate or conflicting CACHE/NOCACHE specifications"),
    "order": (2282, "duplicate or conflicting ORDER/NOORDER specifications"),
}
_FLAGS = {
    "NOMAXVALUE": ("maximum", None), "NOMINVALUE": ("minimum", None), "CYCLE": ("cycle", True),
    "NOCYCLE": ("cycle", False), "NOCACHE": ("cache", 0),
    "ORDER": ("order", True), "NOORDER": ("order", False),
}  # fmt: skip
_NUMBERS = {
    "START WITH": "start", "INCREMENT BY": "increment", "MAXVALUE": "maximum", "MINVALUE": "minimum",
    "CACHE": "cache",
}  # fmt: skip


@dataclass
class SequenceOptions:
    """What was given, by the names of `_NUMBERS` and `_FLAGS`; `restart` is not among them."""

    given: dict[str, int | bool | None] = field(default_factory=dict)
    restart: bool = False

    def number(self, name: str, default: int) -> int:
        value = self.given.get(name)
        return default if value is None else int(value)

    def check(self) -> None:
        """What a new sequence may not be."""
        self.check_alone()
        increment = self.number("increment", 1)
        minimum = self.number("minimum", 1 if increment > 0 else -BIGGEST)
        maximum = self.number("maximum", BIGGEST if increment > 0 else -1)
        start = self.number("start", minimum if increment > 0 else maximum)
        if abs(start) > BIGGEST:
            raise not_supported(f"a sequence beyond {BIGGEST}")
        if minimum >= maximum:
            raise OracleError(4004, "MINVALUE must be less than MAXVALUE")
        if start < minimum:
            raise OracleError(4006, "START WITH cannot be less than MINVALUE")
        if start > maximum:
            raise OracleError(4008, "START WITH cannot be more than MAXVALUE")
        if abs(increment) > maximum - minimum:
            raise OracleError(4005, "INCREMENT must be less than MAXVALUE minus MINVALUE")
        if self.given.get("cycle"):
            if increment > 0 and self.given.get("maximum") is None:
                raise OracleError(4015, "ascending sequences that CYCLE must specify MAXVALUE")
            if increment < 0 and self.given.get("minimum") is None:
                raise OracleError(4014, "descending sequences that CYCLE must specify MINVALUE")
            if self.number("cache", 20) > -(-(maximum - minimum) // abs(increment)) + (
                (maximum - minimum) % abs(increment) == 0
            ):
                raise OracleError(4013, "number to CACHE must be less than one cycle")

    def check_alone(self) -> None:
        """What no value of an option may be, of an existing sequence either."""
        if self.given.get("increment") == 0:
            raise OracleError(4002, "INCREMENT must be a non-zero integer")
        if "cache" in self.given and self.number("cache", 20) == 1:
            raise OracleError(4010, "the number of values to CACHE must be greater than 1")

    def text(self, *, altering: bool) -> str:
        """PostgreSQL's options."""
        parts = []
        if self.restart:
            start = self.given.get("start")
            parts.append("RESTART" if start is None else f"RESTART WITH {start}")
        elif "start" in self.given:
            parts.append(f"{'RESTART' if altering else 'START'} WITH {self.given['start']}")
        if "increment" in self.given:
            parts.append(f"INCREMENT BY {self.given['increment']}")
        for name, word in (("maximum", "MAXVALUE"), ("minimum", "MINVALUE")):
            if name in self.given:
                value = self.given[name]
                parts.append(f"NO {word}" if value is None or abs(value) >= BIGGEST else f"{word} {value}")
        if "cycle" in self.given:
            parts.append("CYCLE" if self.given["cycle"] else "NO CYCLE")
        return "".join(f" {part}" for part in parts)

    @property
    def attributes(self) -> dict[str, str]:
        """For the dictionary. Numbers are handed out one by one, so that none is lost with a session."""
        shown = {}
        if "cache" in self.given:
            shown["cache"] = str(self.number("cache", 0))
        if "order" in self.given:
            shown["order"] = "YES" if self.given["order"] else "NO"
        return shown


def read_options(cursor: Cursor, *, altering: bool = False) -> SequenceOptions:
    """Every option up to the end."""
    options = SequenceOptions()
    while not cursor.done:
        position = cursor.position
        if altering and cursor.take("RESTART"):
            options.restart = True
            continue
        word = cursor.take(*_NUMBERS, *_FLAGS)
        if word is not None:
            name = _NUMBERS.get(word) or _FLAGS[word][0]
            if name in options.given:
                raise OracleError(*_TWICE[name], position)
            options.given[name] = cursor.number() if word in _NUMBERS else _FLAGS[word][1]
        elif not cursor.take("NOKEEP", "NOSCALE", "NOEXTEND", "GLOBAL"):
            if cursor.at("KEEP", "SCALE", "SHARD", "SESSION"):
                raise not_supported(f"a sequence with {cursor.word()}")
            raise cursor.error(933, "SQL command not properly ended")
    return options


def create_sequence(cursor: Cursor) -> Statement:
    schema, name = read_qualified(cursor, "sequence")
    options = read_options(cursor)
    options.check()
    full = quote_qualified(schema, name)
    created = f"CREATE SEQUENCE {full} AS int8{options.text(altering=False)} CACHE 1"
    attributes = calls.attributes(full, {"cache": "20"} | options.attributes)
    return Statement.ddl("CREATE SEQUENCE", schema, name, created, *attributes)


def alter_sequence(cursor: Cursor) -> Statement:
    schema, name = read_qualified(cursor, "sequence")
    options = read_options(cursor, altering=True)
    if not options.given and not options.restart:
        raise OracleError(2286, "no options specified for ALTER SEQUENCE")
    if "start" in options.given and not options.restart:
        raise OracleError(2283, "cannot alter starting sequence number")
    options.check_alone()
    full = quote_qualified(schema, name)
    limits = (options.given.get("minimum"), options.given.get("maximum"))
    text = options.text(altering=True)
    changed = calls.call("ora.alter_sequence", full, text, *limits, options.restart)
    attributes = calls.attributes(full, options.attributes)
    return Statement.ddl("ALTER SEQUENCE", schema, name, changed, *attributes)


_AFTER_IDENTITY = (
    "CONSTRAINT", "NOT NULL", "NULL", "CHECK", "UNIQUE", "PRIMARY KEY", "REFERENCES", "ENABLE", "DISABLE"
)  # fmt: skip


@dataclass(frozen=True)
class Identity:
    """The clause as read: `kind` is ALWAYS, BY DEFAULT or BY DEFAULT ON NULL."""

    kind: str
    options: str
    altering_options: str
    cache: str | None
    order: str | None
    from_limit: bool

    def create(self, table: str, column: str) -> str:
        """Make a numeric column an identity."""
        if self.from_limit:
            raise not_supported("START WITH LIMIT VALUE for a new identity column")
        relation = calls.relation(table)
        attributes = (self.cache or "20", self.order)
        return calls.call("ora.make_identity", relation, column, self.kind, self.options, *attributes)

    def modify(self, table: str, column: str) -> str:
        described = (calls.relation(table), column, self.kind, self.altering_options, self.cache, self.order)
        return calls.call("ora.modify_identity", *described, self.from_limit)


def identity_clause(cursor: Cursor, *, always: bool, on_null: bool) -> Identity:
    """`cursor` stands behind IDENTITY. DBMS_METADATA writes the options without parentheses."""
    tokens = cursor.parenthesised() if cursor.at("(") else cursor.until(*_AFTER_IDENTITY)
    kind = "ALWAYS" if always else "BY DEFAULT ON NULL" if on_null else "BY DEFAULT"
    inner = cursor.over(tokens)
    from_limit = bool(inner.take("START WITH LIMIT VALUE"))
    rest = inner.rest()
    options = read_options(cursor.over(rest))
    options.check()
    texts = (options.text(altering=False), options.text(altering=True))
    attributes = options.attributes
    return Identity(kind, *texts, attributes.get("cache"), attributes.get("order"), from_limit)
