"""What is renamed of a former table, from whatever state a killed try has left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.target.former.model import (
    FormerTable,
    Member,
    Present,
    Renaming,
    aside_name,
    lost,
    to_put_back,
    to_set_aside,
)

RUN = "manual__2026-11-27"
names = st.text("ABC$_1", min_size=1, max_size=8).map("N{}".format)
members = st.builds(Member, st.sampled_from(["trigger", "index", "constraint"]), st.just("APP"), names)
formers = st.builds(
    FormerTable, st.just("APP"), names, st.integers(1, 9), st.sets(members, max_size=6).map(tuple)
)


def present(former: FormerTable, built: int | None = None) -> Present:
    tables = {former.table: former.object_id}
    if built is not None:
        tables = {former.aside(RUN): former.object_id, former.table: built}
    return Present(tables, {former.table: frozenset(former.members)})


def carried_out(now: Present, renamings: tuple[Renaming, ...]) -> Present:
    """As the dictionary is afterwards: a member is of its table, whatever that is called."""
    tables = dict(now.tables)
    members = {table: set(found) for table, found in now.members.items()}
    for each in renamings:
        new = TableName(each.table.owner, each.new)
        if each.member is None:
            assert new not in tables
            tables[new] = tables.pop(each.table)
            members[new] = members.pop(each.table, set())
        else:
            members[each.table].remove(each.member)
            members[each.table].add(Member(each.member.kind, each.member.owner, each.new))
    return Present(tables, {table: frozenset(found) for table, found in members.items() if found})


@given(formers, st.data())
def test_there_and_back_from_wherever_it_was_killed(former: FormerTable, data: st.DataObject) -> None:
    before = Present({former.table: former.object_id}, {})
    if former.members:
        before = present(former)
    now = before
    for way, end in ((to_set_aside, former.aside(RUN)), (to_put_back, former.table)):
        whole = way(former, now, RUN)
        now = carried_out(now, whole[: data.draw(st.integers(0, len(whole)))])
        now = carried_out(now, way(former, now, RUN))
        assert way(former, now, RUN) == ()
        assert now.place(former, RUN) == end
        assert not lost([former], now, RUN)
    assert now == before


@given(formers)
def test_nothing_keeps_a_name_that_the_new_table_needs(former: FormerTable) -> None:
    aside = carried_out(present(former), to_set_aside(former, present(former), RUN))
    assert former.table not in aside.tables
    assert not {each for found in aside.members.values() for each in found} & set(former.members)


@given(formers, st.integers(10, 99))
def test_a_new_table_of_the_same_name_is_never_taken_for_the_former_one(
    former: FormerTable, built: int
) -> None:
    now = present(former, built)
    assert now.place(former, RUN) == former.aside(RUN)
    assert to_set_aside(former, now, RUN) == ()
    gone = Present({former.table: built}, {})
    assert lost([former], gone, RUN) == [former.table]
    assert to_put_back(former, gone, RUN) == ()


def test_names_aside_fit_every_release_and_tell_runs_and_kinds_apart() -> None:
    name = ObjectName("APP", "CUSTOMERS")
    taken = {
        aside_name(run, kind, name) for run in ("one", "two") for kind in ("table", "index", "constraint")
    }
    assert len(taken) == 6
    assert all(len(each) <= 30 and each.startswith("REFRESH$A_") for each in taken)


def test_triggers_are_renamed_while_their_table_has_the_name_in_their_text() -> None:
    trigger, key = Member("trigger", "APP", "T"), Member("constraint", "APP", "K")
    former = FormerTable("APP", "PEOPLE", 7, (trigger, key))
    aside = to_set_aside(former, present(former), RUN)
    assert [each.member for each in aside] == [trigger, key, None]
    assert {each.table for each in aside} == {former.table}
    back = to_put_back(former, carried_out(present(former), aside), RUN)
    assert [each.new for each in back] == ["PEOPLE", "T", "K"]
    assert [each.table for each in back] == [former.aside(RUN), former.table, former.table]
