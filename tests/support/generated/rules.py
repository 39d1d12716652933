"""Rules for the columns of a table: any algorithm that says it fits, with and without conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from hypothesis import strategies as st

from oracle_refresh.catalog import Column, Table
from oracle_refresh.masking import ColumnRule
from oracle_refresh.masking.algorithms import ALGORITHMS, Algorithm
from oracle_refresh.masking.algorithms.binary_lookup import BinaryLookup, Document
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.decomposition import Decomposition, Part
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.min_max import MinMax
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.record_lookup import RecordLookup
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.masking.fit import check_table
from oracle_refresh.masking.records import Records
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier

ENTRIES = ("Anna", "Bert", "Zoë", "Dora")
#: What they are tried with themselves, and the shapes of those that write other SQL by their parameters.
SETTINGS: tuple[Algorithm, ...] = (
    *(
        sample.algorithm
        for algorithm in ALGORITHMS.values()
        for sample in algorithm.samples()
        if not sample.algorithm.reads
    ),
    CharacterMapping(2, 2),
    Constant(7),
    DateShift(-30, 30),
    Decomposition((Part("[A-Z]{2}"), Part("-"), Part("[0-9]{4,8}", CharacterMapping()))),
    Decomposition((Part(".{1,9}", SecureLookup(ENTRIES), "names"), Part(".*", Redaction("/x")))),
    Email(local="lookup", values=ENTRIES, hosts=("example.test", "a.invalid"), fold="none"),
    FreeText(),
    FreeText(("the", "order"), ("ORD-[0-9]+",), "x"),
    FreeText(tuple(f"word{n}" for n in range(150))),
    MinMax(-5, 10.5),
    MinMax(date(1950, 1, 1), date(2000, 1, 1)),
    Name(ENTRIES, "keep"),
    PoolMapping(tuple(f"v{n}" for n in range(50)), keep=True),
    Redaction(),
    SegmentMapping(("AA", "KK", "99"), chained=True),
)
_PLACES = Records(("city", "postcode"), (("Berlin", "10115"), ("Köln", "50667"), ("Bonn", "53111")))
_DOCUMENTS = (Document("a.pdf", "0" * 64, b"%PDF-1"), Document("b.png", "1" * 64, b"PNG"))
_TESTS = ("{0} IS NOT NULL", "{0} = 'DE'", "{0} IN ('a', 'b')", "UPPER({0}) LIKE 'A%' OR LENGTH({0}) > 3")


def every_rule() -> Iterator[tuple[Table, ColumnRule]]:
    """Return each algorithm with each type of column that it fits, so that none is left to chance."""
    kinds = (
        Column("C", "VARCHAR2", 800, 200, "C", None, None, False),
        Column("C", "NVARCHAR2", 400, 200, "C", None, None, True),
        Column("C", "NUMBER", 22, 0, None, 18, 0, False),
        Column("C", "NUMBER", 22, 0, None, 12, 2, True),
        Column("C", "DATE", 7, 0, None, None, None, True),
        Column("C", "CLOB", 4000, 0, None, None, None, True),
        Column("C", "BLOB", 4000, 0, None, None, None, True),
    )
    subject = Column("S", "VARCHAR2", 30, 30, "B", None, None, False)
    of_subject = (
        *(DateShift(-30, 30, "S"), NumericNoise(10, "S"), BinaryLookup(_DOCUMENTS, "S")),
        *(RecordLookup(_PLACES, place, ("C", "S")) for place in (1, 2)),
    )
    where = Condition.parse("S IN ('a', 'b')")
    for algorithm in (*SETTINGS, *of_subject):
        for column in kinds:
            table = Table("APP", "T", 10, 0, 0, (subject, column))
            for policy, condition in (("fail", None), ("null", None), ("fail", where)):
                rule = _rule(column, algorithm, policy, condition)
                if _fits(table, rule):
                    yield table, rule


@st.composite
def rules(draw: st.DrawFn, table: Table) -> tuple[ColumnRule, ...]:
    """Rules for some columns; none where no algorithm fits any."""
    texts = [column for column in table.columns if column.is_character]
    found: list[ColumnRule] = []
    for column in table.columns:
        if draw(st.booleans()):
            found += draw(_of_column(table, column, texts))
    return tuple(found)


@st.composite
def _of_column(draw: st.DrawFn, table: Table, column: Column, texts: Sequence[Column]) -> list[ColumnRule]:
    subject = draw(st.sampled_from(table.columns)).name
    of_subject = (
        *(DateShift(-30, 30, subject), NumericNoise(10, subject), BinaryLookup(_DOCUMENTS, subject)),
        RecordLookup(_PLACES, 1, tuple(dict.fromkeys((column.name, subject)))),
    )
    fitting = [each for each in (*SETTINGS, *of_subject) if _fits(table, _rule(column, each, "fail"))]
    if not fitting:
        return []
    found = []
    if texts and draw(st.integers(0, 3)) == 0:
        compared = Identifier(draw(st.sampled_from(texts)).name).sql
        condition = Condition.parse(draw(st.sampled_from(_TESTS)).format(compared))
        found.append(_rule(column, draw(st.sampled_from(fitting)), "fail", condition))
    algorithm = draw(st.sampled_from(fitting))
    policy = draw(st.sampled_from(["fail", "null", "redact"]))
    rule = _rule(column, algorithm, policy)
    found.append(rule if _fits(table, rule) else _rule(column, algorithm, "fail"))
    return found if all(_fits(table, each) for each in found) else found[-1:]


def _rule(column: Column, algorithm: Algorithm, policy: str, where: Condition | None = None) -> ColumnRule:
    domain = f"d_{algorithm.kind}" if algorithm.keyed else None
    return ColumnRule(column.name, algorithm.kind, domain, algorithm, where, policy)  # type: ignore[arg-type]


def _fits(table: Table, rule: ColumnRule) -> bool:
    try:
        check_table(table, (rule,))
    except MaskingError:
        return False
    return True
