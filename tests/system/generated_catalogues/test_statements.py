"""What every room writes for catalogues as users have them is what a 19c takes.

Held against: the columns of the dictionary's views and of the tables, data types and their limits, the
restrictions of queries, reserved words, binds, documented package calls, the privileges of
include/sql/grants.sql; and the grammar of PL/SQL, as far as it reads them in time.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, read_catalogue
from support.generated.catalogues import catalogues
from support.generated.recording import Recording
from support.generated.rooms import Sent, sent
from support.generated.rules import rules
from support.grammar import Grammar, call_complaints
from support.grants import section
from support.oracle_rules import queries, words
from support.oracle_rules.described import described
from support.privileges import granted, needed

QUERY = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)\b")
#: Without those in comments of the script: none of these statements is for some uses only.
GRANTED = {end: granted(section(end)) for end in ("source", "target")}
#: A catalogue that fails is told as it is: to make it smaller takes longer than all others.
WHOLE = settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))


def complaints(catalogue: Catalogue, one: Sent) -> list[str]:
    """Everything that is wrong with a statement."""
    found = [*words.complaints(one.sql, one.binds), *call_complaints(one.sql)]
    if QUERY.match(one.sql):
        found += queries.complaints(one.sql, described(catalogue, one.made.values()))
    missing = needed(one.sql) - GRANTED[one.end]
    return found + [f"ORA-01031: {name} is not granted" for name in sorted(missing)]


def drawn(data: st.DataObject) -> tuple[Catalogue, dict[str, Sent]]:
    """A catalogue, and the statements for it by their text."""
    catalogue = data.draw(catalogues())
    ruled = {table.key: data.draw(rules(table)) for table in catalogue.tables}
    return catalogue, {one.sql: one for one in sent(catalogue, ruled, data.draw)}


@settings(WHOLE, max_examples=2000)
@given(st.data())
def test_every_statement_is_what_a_19c_takes(data: st.DataObject) -> None:
    catalogue, statements = drawn(data)
    assert {sql: found for sql, one in statements.items() if (found := complaints(catalogue, one))} == {}


def test_the_grammar_takes_them(request: pytest.FixtureRequest) -> None:
    """Without the queries of masking and validation, of which each takes the grammar seconds, in hundreds of
    shapes. Those of the demo are read in `whole_refresh`."""
    grammar = Grammar.installed(request.config.cache.mkdir("plsql_grammar"))
    found: dict[str, None] = {}

    @settings(WHOLE, max_examples=25, database=None)
    @given(st.data())
    def collect(data: st.DataObject) -> None:
        found.update(
            (sql, None)
            for sql, one in drawn(data)[1].items()
            if one.room not in ("masking", "validation") or not QUERY.match(sql)
        )

    collect()
    assert len(found) > 150
    assert grammar.complaints(found) == {}


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
