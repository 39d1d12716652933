"""What every room writes for catalogues as users have them is what a 19c takes.

Held against: the columns of the dictionary's views and of the tables, data types and their limits, the
restrictions of queries, of changes and of DDL, reserved words, binds, documented package calls, the
privileges of include/sql/grants.sql; and the grammar of PL/SQL. That no builder is left out is a test, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, read_catalogue
from oracle_refresh.first_contact.built import build_statements
from oracle_refresh.first_contact.rooms import room_of
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.oracle.identifiers import TableName
from support.generated.catalogues import catalogues
from support.generated.complaints import complaints
from support.generated.examples import seed_of_sources
from support.generated.masking_room import masked
from support.generated.recording import Recording
from support.generated.rooms import accepted, sent
from support.generated.rules import every_rule, rules
from support.generated.sent import Sent
from support.generated.written import constants, texts, undriven
from support.grammar import Grammar, alter_system_complaints
from support.oracle_rules import words

#: A catalogue that fails is told as it is: to make it smaller takes longer than all others.
WHOLE = settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
NOTHING = Catalogue((), ())
#: Workers share the work by these.
PARTS = 4
#: Seeds of parts that have failed, with the examples up to the failure. They fail again as long as the
#: strategies draw alike, so a fix also has a test in tests/unit.
FOUND: tuple[tuple[int, int], ...] = ()


def drawn(data: st.DataObject) -> tuple[Catalogue, dict[str, Sent]]:
    """A catalogue, and the statements for it by their text."""
    catalogue = data.draw(catalogues())
    ruled = {table.key: data.draw(rules(table)) for table in catalogue.tables}
    return catalogue, {one.sql: one for one in sent(catalogue, ruled, data.draw)}


def wrong(catalogue: Catalogue, statements: Iterable[Sent]) -> dict[str, tuple[str, ...]]:
    return {one.sql: found for one in statements if (found := complaints(catalogue, one))}


@pytest.mark.parametrize("part", range(PARTS))
def test_every_statement_is_what_a_19c_takes(part: int, pytestconfig: pytest.Config) -> None:
    given_seed = pytestconfig.getoption("seed")
    of_run = seed_of_sources() if given_seed is None else given_seed
    examples = pytestconfig.getoption("examples")
    _try(of_run * PARTS + part, -(-examples // PARTS), f"make fuzz SEED={of_run} EXAMPLES={examples}")


def test_statements_of_seeds_that_have_failed_are_what_a_19c_takes() -> None:
    for of_part, examples in FOUND:
        _try(of_part, examples, "FOUND")


def _try(of_part: int, examples: int, reproduced_by: str) -> None:
    """Judge the statements for generated catalogues.

    :param reproduced_by: the command or list that tries the same ones again.
    """

    @seed(of_part)
    @settings(WHOLE, max_examples=examples, database=None, derandomize=False)
    @given(st.data())
    def each(data: st.DataObject) -> None:
        catalogue, statements = drawn(data)
        assert wrong(catalogue, statements.values()) == {}, f"reproduce: {reproduced_by}; {of_part=}"

    each()


@pytest.fixture(scope="module")
def some() -> dict[str, Sent]:
    """The statements for 40 catalogues, always the same ones, and for each algorithm by itself."""
    found: dict[str, Sent] = {}

    @settings(WHOLE, max_examples=40, database=None, derandomize=True)
    @given(st.data())
    def collect(data: st.DataObject) -> None:
        found.update(drawn(data)[1])

    collect()
    for table, rule in every_rule():
        shares = {rule.column: 0.1 if rule.policy == "null" else 0.9}
        found.update((one.sql, one) for one in masked(table, (rule,), shares, 10))
    return found


def whole() -> dict[str, Sent]:
    """What stands in the modules as a whole, for each end of its room."""
    found = [(each.module, each.text) for each in texts() if each.is_whole and not each.told]
    found += [(module, text) for module, text in constants() if "{" not in text]
    listed: dict[str, Sent] = {}
    for module, text in found:
        room = room_of(module)
        for end in room.ends if room else ("target",):
            listed[text] = Sent(room.name if room else module, end, text)  # type: ignore[arg-type]
    return listed


def test_what_is_written_as_a_whole_is_what_a_19c_takes() -> None:
    statements = whole()
    assert len(statements) > 250
    assert wrong(NOTHING, statements.values()) == {}


def test_what_people_are_told_is_what_a_19c_takes() -> None:
    """Remedies and runbooks, with a name for what is filled in."""
    told = [each.text.rstrip(";") for each in texts() if each.told]
    assert len(told) > 30
    found = {
        text: [*words.complaints(text), *(alter_system_complaints(_valued(text)) or ())] for text in told
    }
    assert {text: complaint for text, complaint in found.items() if complaint} == {}


def _valued(text: str) -> str:
    """A session and a parameter that there are, where anything may be filled in."""
    return text.replace("SESSION 'X'", "SESSION '1,2'").replace("SET X =", "SET PROCESSES =")


@pytest.mark.parametrize("part", range(PARTS))
def test_the_rules_of_every_algorithm_are_what_a_19c_takes(part: int) -> None:
    judged: set[tuple[object, ...]] = set()
    for table, rule in every_rule():
        if sorted(ALGORITHMS).index(rule.kind) % PARTS != part:
            continue
        catalogue = Catalogue((table.owner,), (table,))
        new = {
            (table.columns, one.room, one.end, one.sql, one.binds, *one.made.items()): one
            for one in masked(table, (rule,), {rule.column: 0.9}, 10)
        }
        assert wrong(catalogue, [one for known, one in new.items() if known not in judged]) == {}
        judged |= new.keys()


def test_every_algorithm_has_rules() -> None:
    assert {rule.kind for _, rule in every_rule()} == set(ALGORITHMS)


def ladder(catalogue: Catalogue, rules_of: Mapping[str, tuple[ColumnRule, ...]]) -> Iterator[Sent]:
    """What first contact has the databases parse, for the ends of its rooms."""
    ruled = {TableName(table.owner, table.name): rules_of.get(table.key, ()) for table in catalogue.tables}
    built = build_statements(catalogue, Ruleset("generated", ruled, "1"))
    made = {create: create for create in built.creates}
    for one in built.statements:
        yield from (Sent(one.room.name, end, one.text, None, made) for end in one.room.ends)


@settings(WHOLE, max_examples=100)
@given(st.data())
def test_what_first_contact_has_parsed_is_what_a_19c_takes(data: st.DataObject) -> None:
    """Its list is one of its own: what is wrong in it would be told of a source that is right."""
    catalogue = accepted(data.draw(catalogues()))
    ruled = {table.key: data.draw(rules(table)) for table in catalogue.tables}
    assert wrong(catalogue, ladder(catalogue, ruled)) == {}


def test_every_builder_is_driven(some: dict[str, Sent]) -> None:
    """Whoever writes a statement that nothing here makes is told where it stands."""
    table, rule = next(iter(every_rule()))
    ruleset = Ruleset("generated", {(table.owner, table.name): (rule,)}, "1")
    ladder = build_statements(Catalogue((table.owner,), (table,)), ruleset)
    others = (*whole(), *(each.text for each in ladder.statements), *ladder.creates)
    assert [each.place for each in undriven((*some, *others))] == []


def test_the_grammar_takes_them(request: pytest.FixtureRequest, some: dict[str, Sent]) -> None:
    """But for the access parameters of an external table, which are no SQL (Utilities 19c, ORACLE_LOADER)."""
    grammar = Grammar.installed(request.config.cache)
    statements = [sql for sql in (*some, *whole()) if "ACCESS PARAMETERS" not in sql]
    assert grammar.complaints(statements) == {}


@settings(WHOLE)
@given(catalogues())
def test_the_recording_answers_as_the_catalogue_says(catalogue: Catalogue) -> None:
    """What stands for the target when constraints are enabled is no other database."""
    read = read_catalogue(Recording(catalogue, constrained=True), catalogue.schemas)  # type: ignore[arg-type]
    for table, found in zip(catalogue.tables, read.tables, strict=True):
        # What is always generated stands in another view, which the recording does not have.
        assert found.columns == tuple(replace(column, always_generated=False) for column in table.columns)
        assert [(each.name, each.columns, each.references) for each in found.constraints] == [
            (each.name, each.columns, each.references) for each in table.constraints
        ]
