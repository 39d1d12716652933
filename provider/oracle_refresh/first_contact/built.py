"""The statements that builders make of tables and rules: what a refresh of this source would send. Pure.

One table of each shape stands for all that are alike; masked tables are taken one by one, because each has
rules of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.catalog.lob_profile import lob_profile
from oracle_refresh.catalog.survey import lob_sample
from oracle_refresh.datapump import statements as datapump
from oracle_refresh.first_contact.rooms import ROOMS, Statement
from oracle_refresh.masking import MaskPlan, Ruleset, compile_table
from oracle_refresh.masking import statements as masking
from oracle_refresh.masking.compiler import may_repeat
from oracle_refresh.masking.fit import all_references
from oracle_refresh.masking.rules import ColumnRule
from oracle_refresh.masking.run import SAMPLE_ROWS
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.plan.schemes import MAX_HASH
from oracle_refresh.profiler.sampling import worth_reading
from oracle_refresh.profiler.statements import sample
from oracle_refresh.target.objects.violations import count_statement
from oracle_refresh.validation import statements as validation
from oracle_refresh.validation.model import MaskedCheck, TableCheck
from oracle_refresh.validation.pairing import Pairing
from oracle_refresh.validation.references import pairs
from oracle_refresh.validation.suites import suite_of

RUN = "first contact"
_ROOMS = {room.name: room for room in ROOMS}
#: A condition that every table with rowids takes, in place of those of its shards.
_SHARD = "DBMS_ROWID.ROWID_BLOCK_NUMBER(T.ROWID) >= 0"


@dataclass(frozen=True)
class Built:
    """What was built.

    :ivar creates: CREATE TABLE of the control tables that the statements name.
    :ivar misfits: per table with a rule that does not fit: why. Such a table has no statements of masking.
    """

    statements: tuple[Statement, ...]
    creates: tuple[str, ...]
    misfits: tuple[tuple[str, str], ...]


def specimens(catalogue: Catalogue, masked: Iterable[tuple[str, str]]) -> tuple[Table, ...]:
    """Every masked table, and of the others one of each shape: types of columns, keys, and how it is kept."""
    always, shapes, chosen = set(masked), set(), []
    for table in catalogue.tables:
        shape = (
            frozenset((column.data_type, column.virtual) for column in table.columns),
            frozenset((constraint.type, len(constraint.columns)) for constraint in table.constraints),
            (table.iot, table.temporary, table.clustered, bool(table.partitions)),
        )
        if table.full_name in always or shape not in shapes:
            chosen.append(table)
        shapes.add(shape)
    return tuple(chosen)


def build_statements(catalogue: Catalogue, ruleset: Ruleset) -> Built:
    """The statements about the tables of a catalogue under a ruleset.

    :param ruleset: with the rules that come along references.
    """
    found: list[Statement] = []
    creates: list[str] = []
    misfits: list[tuple[str, str]] = []
    masked = ruleset.masked_columns()
    for table in specimens(catalogue, masked):
        rules = ruleset.rules(table.owner, table.name)
        found += _of_table(table, frozenset(rule.column for rule in rules))
        if not rules:
            continue
        try:
            plan = compile_table(table, rules, RUN)
            pairing = Pairing.of(table, rules, recompute=True)
            found += [*_of_masking(table, plan, rules), *_of_pairing(table, pairing)]
            found += _of_suite(table, rules)
            creates += [one.create for one in (*plan.shared, *plan.control_tables)]
            creates += (pairing.control.create, *pairing.lists.values(), *_working_tables(plan))
        except MaskingError as error:
            misfits.append((table.key, error.message))
    found += _of_references(catalogue, ruleset)
    return Built(tuple(dict.fromkeys(found)), tuple(creates), tuple(misfits))


def _of_table(table: Table, masked: frozenset[str]) -> Iterator[Statement]:
    condition = None if table.iot else _SHARD
    parts = {part.name for part in table.partitions[:1]}
    for at_scn in (True, False):
        when = "source" if at_scn else "target"
        for partition in (None, *parts):
            summary = validation.summary(table, at_scn=at_scn, condition=condition, partition=partition)
            yield _statement("validation", f"summary of the {when}", table, summary)
    yield _statement("validation", "rows at the SCN", table, validation.count(table))
    for column in table.columns:
        if column.data_type == "NUMBER" and not column.virtual:
            totals = validation.totals(table, column.name, None, masked, at_scn=True)
            yield _statement("validation", f"totals of {column.name}", table, totals)
    dates = {column.name: (-1, 1) for column in table.columns if column.data_type == "DATE"}
    if dates:
        yield _statement("validation", "years", table, validation.years(table, dates))
    where = f" WHERE ORA_HASH(1, {MAX_HASH}) >= 0"
    yield _statement("datapump", "COUNT_ROWS", table, datapump.COUNT_ROWS.format(table=table.sql))
    as_of = datapump.COUNT_AS_OF.format(table=table.sql, part="", where=where)
    yield _statement("datapump", "COUNT_AS_OF", table, as_of)
    readable = [column for column in table.columns if worth_reading(column)]
    for percent in () if table.iot or not readable else (1.0, 100.0):
        yield _statement("profiler", f"sample of {percent:g} %", table, sample(table, readable, percent))
    if table.lobs and not table.iot:
        yield _statement("catalog", "lob_sample", table, lob_sample(table, 1.0))
        for lob in table.lobs:
            yield _statement("catalog", f"profile of {lob.column}", table, lob_profile(table, lob, 1.0))
    for constraint in table.constraints:
        if constraint.columns:
            count, _ = count_statement(table, constraint)
            yield _statement("target.objects", f"violations of {constraint.name}", table, count)


def _of_masking(table: Table, plan: MaskPlan, rules: tuple[ColumnRule, ...]) -> Iterator[Statement]:
    parts: list[tuple[str, str]] = []
    for name in dict.fromkeys(rule.column for rule in rules if may_repeat(rule)):
        column = Identifier(name).sql
        parts.append((f"frequencies of {name}", masking.frequencies(table.sql, column, SAMPLE_ROWS)))
    parts.append(("rows of the copy", masking.count(table.sql)))
    parts += [(f"insert into {lookup.name}", lookup.insert) for lookup in plan.lookups]
    parts += [(f"extend {shared.name}", shared.extend.sql) for shared in plan.shared]
    for one in plan.maps:
        parts.append((f"map of {one.column}", one.fill()))
        parts += [(f"check of {one.column}", one.check), (f"patterns of {one.column}", one.patterns)]
    parts += [(f"conformity of {one.column}", one.statement.sql) for one in plan.conformity]
    parts.append(("masking in place", plan.apply.sql))
    parts += [(f"proof of {proof.constraint}", proof.statement) for proof in plan.proofs]
    for key in (constraint for constraint in table.constraints if constraint.type in ("P", "U")):
        parts.append((f"proof after {key.name}", masking.repeated(table.sql, key.columns)))
        parts.append((f"proof before {key.name}", plan.repeated_after(key.columns)))
    if not table.iot:
        parts.append(("rows of chunks", masking.fill_rows(plan.rows_table, plan.table)))
        parts.append(("chunks of rows", masking.listed_chunks(plan.rows_table)))
        parts.append(("masking by chunks", plan.chunk_update))
        if not table.has_long and not any(column.identity for column in table.columns):
            # Else it is masked where it is (`masking.facts`): no query inserts a LONG (ORA-00997).
            copied = plan.insert_chunk(column.name for column in table.columns if not column.virtual)
            parts.append(("masking into a copy", copied))
        parts.append(("ranges of chunks", masking.ranges(plan.table, table.bigfile_tablespace)))
        parts.append(("addresses of chunks", masking.address(plan.table)))
    for name, text in parts:
        yield _statement("masking", name, table, text)


def _working_tables(plan: MaskPlan) -> tuple[str, ...]:
    """The list of a table's rows by chunks; and its copy, whose columns nothing reads."""
    return masking.create_rows(plan.rows_table), f'CREATE TABLE "{plan.copy.name}" (RID ROWID)'


def _of_pairing(table: Table, pairing: Pairing) -> Iterator[Statement]:
    parts = [("rows sent", pairing.source()), ("rows kept", pairing.control.insert), ("sums", pairing.sums())]
    parts += [("pieces sent", pairing.control.pieces), ("a piece sent again", pairing.control.forget)]
    condition = None if table.iot else _SHARD
    if pairing.recordable:
        parts.append(("rows at the source", pairing.copied.copied(condition, at_scn=True)))
        parts.append(("rows recorded", pairing.record(condition)))
        parts.append(("sums of recorded rows", pairing.recorded()))
        if pairing.copied.lobs:
            parts.append(("loaded LOBs", pairing.copied.loaded(condition)))
    parts.append(("rows to be masked", pairing.copied.copied(condition)))
    if pairing.copied.kept_lobs:
        parts.append(("LOBs that stay", pairing.copied.kept(condition)))
    parts += [("entries", insert) for insert in pairing.entries()]
    parts.append(("comparison", pairing.compare()))
    if pairing.exact:
        parts.append(("comparison of a piece", pairing.compare(condition, whole=False)))
    parts += [(f"distinct values of {', '.join(names)}", text) for names, text in pairing.distinct().items()]
    parts += [(f"dates {', '.join(names)}", text) for names, text in pairing.together().items()]
    for name, text in parts:
        yield _statement("validation", name, table, text)


def _of_suite(table: Table, rules: tuple[ColumnRule, ...]) -> Iterator[Statement]:
    """What the expectations of the table count, of every column as if it held a value."""
    counted = tuple(
        MaskedCheck(name, 1, 1, 0, valid=1) for name in dict.fromkeys(rule.column for rule in rules)
    )
    check = TableCheck(table.owner, table.name, 1, 1, "", "", (), counted, (), (), "masked", 0)
    suite = suite_of(table, rules, check)
    for text, _, _ in suite.facts.queries() if suite else ():
        yield _statement("validation", "expectations", table, text)


def _of_references(catalogue: Catalogue, ruleset: Ruleset) -> Iterator[Statement]:
    for reference in all_references(ruleset, catalogue):
        child, parent = catalogue.table(*reference.child), catalogue.table(*reference.parent)
        if child and parent:
            hidden = (
                frozenset(rule.column for rule in ruleset.rules(end.owner, end.name))
                for end in (child, parent)
            )
            text = pairs(reference, child, parent, *hidden, at_scn=True)
            yield _statement("validation", f"pairs of {reference.name}", child, text)


def _statement(room: str, name: str, table: Table, text: str) -> Statement:
    return Statement(_ROOMS[room], f"{room}: {name}", text, table.key)
