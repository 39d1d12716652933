"""Previous tables of the demo are set aside, and put back or dropped, whatever is killed on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.definition import Prepare
from oracle_refresh.masking.control import STEP as MASK_STEP
from oracle_refresh.masking.masked_before import masked_before
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.oracle.session_state import client_of
from oracle_refresh.preflight.contents import check_present_tables
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import DONE, Ledger, ensure_ledger
from oracle_refresh.target.former.aside import record
from oracle_refresh.target.former.model import FORMER_TABLE, to_set_aside
from oracle_refresh.target.former.reading import read_present
from oracle_refresh.target.former.settle import SETTLED, Settled, sets_aside, settle, settle_former_runs
from oracle_refresh.target.former.state import (
    ASIDE,
    DROPPED,
    RETURNED,
    note,
    require_not_returned,
    returned_runs,
    state,
    unsettled_runs,
)
from oracle_refresh.target.former.statements import rename
from oracle_refresh.target.objects.build import TABLE_STEP, build_tables
from oracle_refresh.target.objects.grants import GrantRecord
from oracle_refresh.target.objects.statements import FOREIGN_KEYS
from oracle_refresh.target.objects.statistics import LOCK_STEP
from oracle_refresh.target.quarantine import end_tries
from oracle_refresh.target.quarantine.statements import HOLDER_ITEM, HOLDER_STEP
from oracle_refresh.target.scripts.split import STEP as SCRIPTS
from support.demo import MOST_OF_APP
from support.setting_aside import TESTED, begin, build, complete, identity, in_pieces, settle_it
from support.transfer import Fuse, Killed, Mortal, count


def is_aside(key: tuple[str, ...]) -> bool:
    return any(part.startswith("REFRESH$A_") for part in key)


#: Tables of APP that the view CUSTOMER_BALANCES does not need.
NOT_NEEDED = [f"APP.{name}" for name in (*MOST_OF_APP, "EMPLOYEES") if name not in ("ACCOUNTS", "CUSTOMERS")]
OWN = """\
BEGIN
  EXECUTE IMMEDIATE 'CREATE INDEX APP.TESTERS_OWN ON APP.CUSTOMERS (CITY, CUSTOMER_ID)';
  EXECUTE IMMEDIATE 'GRANT SELECT ON APP.PAYMENTS TO APP_READER';
  EXECUTE IMMEDIATE 'COMMENT ON TABLE APP.CUSTOMER_BALANCES IS ''of the testers''';
END;"""


@pytest.fixture(scope="module")
def filled(demo_source: Any, demo_target: Any) -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
    """A target that a refresh has built, with rows and with what testers have made in it."""
    with demo_source.connect() as source, demo_target.connect() as target:
        run = begin(source, target, "replace_objects")
        build(run)
        with target.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {TESTED} (ID, LABEL) SELECT LEVEL, 'former' FROM DUAL CONNECT BY LEVEL <= 7"
            )
        target.commit()
        complete(run)
        with target.cursor() as cursor:
            cursor.execute(OWN)
        yield source, target


def test_nothing_was_there(demo_source: Any, demo_target: Any) -> None:
    """The first refresh of all: put back, the schemas have no rows again; else there is nothing to drop."""
    kinds = {"TABLE", "INDEX", "SEQUENCE", "VIEW"}
    with demo_source.connect() as source, demo_target.connect() as target:
        assert not [key for key in identity(target) if key[1] in kinds]
        for proven in (False, True):
            run = begin(source, target, schemas=["APP"], exclude_tables=NOT_NEEDED)
            build(run)
            complete(run)
            settled = settle_it(run, proven=proven)
            assert (settled.tables, settled.differences) == (0, ())
            assert bool([key for key in identity(target) if key[1] in kinds]) is proven


def test_put_back_whatever_is_killed(filled: tuple[oracledb.Connection, oracledb.Connection]) -> None:
    source, target = filled
    before, held = identity(target), count(target, TESTED)
    run = begin(source, target)
    _, killed = in_pieces(run, build)
    assert killed > 3
    assert count(target, TESTED) == 0
    assert state(run.ledger) == ASIDE
    complete(run)
    run.ledger.record(SCRIPTS, "before 1 accounts.sql #1", DONE)
    with target.cursor() as cursor:
        cursor.execute("SELECT APP.CUSTOMER_SEQUENCE.NEXTVAL FROM DUAL")
    settled, killed = in_pieces(run, lambda mortal: settle_it(mortal, proven=False))
    assert killed > 3
    assert (settled.outcome, settled.differences) == ("put back", ())
    assert settled.scripts == ("masking.before: accounts.sql",)
    assert settled.tables == len(run.catalogue.tables)
    assert Documents(target, run.run_id).get(SETTLED, WHOLE) == settled
    assert identity(target) == before
    assert count(target, TESTED) == held
    assert run.run_id in returned_runs(target)
    with pytest.raises(PlanError, match="its own are dropped"):
        require_not_returned(run.ledger)
    assert settle_it(run, proven=True).outcome == "put back"  # what is decided stands
    assert identity(target) == before


def test_whatever_the_build_was_killed_at_nothing_is_lost(
    filled: tuple[oracledb.Connection, oracledb.Connection],
) -> None:
    """No try goes on with the build: the run is given up, after more and more of it, and the next one's
    preflight finds nothing wrong with what is left."""
    source, target = filled
    before, held = identity(target), count(target, TESTED)
    calls, killed, states = 1, 0, set()
    while True:
        run = begin(source, target)
        try:
            build(run.over(source, Mortal(target, Fuse(calls))))
        except Killed:
            target.rollback()
            killed += 1
            states.add(state(run.ledger))
        else:
            break
        both = Databases.of(source, target, run.definition)
        assert [finding.code for finding in check_present_tables(both)] == []
        settled = settle_it(run, proven=False)
        assert (settled.outcome, settled.differences) == ("put back", ())
        assert (identity(target), count(target, TESTED)) == (before, held), calls
        calls = int(calls * 2.5) + 1
    assert killed > 4
    assert states == {None, ASIDE}, "before the first table was renamed as well as after"
    assert settle_it(run, proven=False).differences == ()
    assert identity(target) == before


def test_a_half_set_aside_is_finished_before_the_next_try_looks(
    filled: tuple[oracledb.Connection, oracledb.Connection],
) -> None:
    """A child that is aside refers to a parent that is not: no table outside the refresh does."""
    source, target = filled
    before = identity(target)
    run = begin(source, target)
    record(target, run.catalogue, Documents(target, run.run_id))
    note(run.ledger, ASIDE)
    formers = {each.table: each for each in Documents(target, run.run_id).all(FORMER_TABLE)}
    references = (
        (TableName(*row[:2]), TableName(*row[3:]))
        for row in rows(target, FOREIGN_KEYS, names=run.catalogue.schemas)
    )
    child = next(table for table, parent in references if table != parent and {table, parent} <= set(formers))
    with target.cursor() as cursor:
        for step in to_set_aside(formers[child], read_present(target, run.catalogue.schemas), run.run_id):
            cursor.execute(rename(step))
    both = Databases.of(source, target, run.definition)
    assert [finding.code for finding in check_present_tables(both)] == []
    build(run)
    assert settle_it(run, proven=False).differences == ()
    assert identity(target) == before


def test_what_is_settled_is_never_settled_again(
    filled: tuple[oracledb.Connection, oracledb.Connection],
) -> None:
    """The target was released since: sequences have gone on, and somebody has made a view of the name."""
    source, target = filled
    run = begin(source, target)
    build(run)
    record_of = GrantRecord(target)
    assert "APP_READER" in {grant.grantee for grant in record_of.read() if grant.name == "PAYMENTS"}
    settled = settle_it(run, proven=False)
    assert "PAYMENTS" not in {grant.name for grant in record_of.read()}, "the next run grants nothing anew"
    assert run.ledger.states(LOCK_STEP) == {}
    with target.cursor() as cursor:
        cursor.execute("SELECT APP.CUSTOMER_SEQUENCE.NEXTVAL FROM DUAL")
        cursor.execute("COMMENT ON TABLE APP.CUSTOMER_BALANCES IS 'of last week'")
    now = identity(target)
    assert settle_it(run, proven=False) == settled
    assert identity(target) == now
    with target.cursor() as cursor:
        cursor.execute("SELECT COMMENTS FROM DBA_TAB_COMMENTS WHERE TABLE_NAME = 'CUSTOMER_BALANCES'")
        assert cursor.fetchall() == [("of last week",)]


def test_a_run_that_has_begun_nothing_changes_nothing(
    filled: tuple[oracledb.Connection, oracledb.Connection],
) -> None:
    source, target = filled
    before = identity(target)
    run = begin(source, target)
    assert sets_aside(run.ledger, beside=True)
    assert settle_it(run, proven=False) == Settled("put back", 0)
    assert (identity(target), state(run.ledger)) == (before, RETURNED)


@pytest.mark.parametrize(("begun", "changed"), [("replace_objects", "beside"), ("beside", "replace_objects")])
def test_another_mode_in_the_course_of_a_run_is_refused(
    filled: tuple[oracledb.Connection, oracledb.Connection], begun: str, changed: str
) -> None:
    """The run's own unmasked tables would be the former ones, or the former ones its own."""
    source, target = filled
    run = begin(source, target, begun)
    if begun == "beside":
        with pytest.raises(Killed):
            build(run.over(source, Mortal(target, Fuse(120))))
        target.rollback()
        assert state(run.ledger) == ASIDE
    else:  # nothing of the others' work is to be lost
        run.ledger.record(TABLE_STEP, run.catalogue.tables[0].key, DONE)
    there = identity(target)
    other = run.definition.model_copy(update={"prepare": Prepare(changed)})
    with pytest.raises(PlanError, match=f"`prepare` was{' not' if changed == 'beside' else ''} beside"):
        build_tables(source, target, run.catalogue, other, run.ledger)
    assert identity(target) == there
    assert sets_aside(run.ledger, beside=changed == "beside") == (begun == "beside")
    if begun == "beside":
        assert settle(target, other, run.ledger, proven=False).outcome == "put back"


def test_a_try_that_stands_still_does_not_go_on(
    demo_target: Any, filled: tuple[oracledb.Connection, oracledb.Connection]
) -> None:
    source, target = filled
    run, other = begin(source, target), begin(source, target)
    build(run)
    with demo_target.connect() as still, demo_target.connect() as of_other:
        for session, run_id in ((still, run.run_id), (of_other, other.run_id)):
            session.client_identifier, session.action = client_of(run_id), "build_tables"
            session.ping()
        assert end_tries(target, run.run_id, "units") == 0
        settle_it(run, proven=False)
        with pytest.raises(oracledb.DatabaseError, match=r"ORA-00028|ORA-03113|DPY-4011"):
            still.ping()
        of_other.ping()
    assert end_tries(target, run.run_id) == 0


def test_a_run_that_nobody_ended_is_put_back_by_the_next(
    filled: tuple[oracledb.Connection, oracledb.Connection],
) -> None:
    source, target = filled
    before, held = identity(target), count(target, TESTED)
    dead, successor = begin(source, target), begin(source, target)
    with pytest.raises(Killed):
        build(dead.over(source, Mortal(target, Fuse(120))))
    target.rollback()
    assert unsettled_runs(target) == [dead.run_id]
    (settled,) = settle_former_runs(target, successor.definition, successor.run_id)
    assert (settled.outcome, settled.differences) == ("put back", ())
    assert unsettled_runs(target) == []
    assert (identity(target), count(target, TESTED)) == (before, held)


def test_a_former_table_that_is_gone_stops_it_before_anything_is_dropped(
    filled: tuple[oracledb.Connection, oracledb.Connection],
) -> None:
    source, target = filled
    run = begin(source, target)
    build(run)
    former = next(each for each in Documents(target, run.run_id).all(FORMER_TABLE) if each.owner == "DOCS")
    aside = former.aside(run.run_id)
    with target.cursor() as cursor:
        cursor.execute(f'ALTER TABLE {aside.sql} RENAME TO "ELSEWHERE"')
    built = identity(target)
    for _ in range(2):
        with pytest.raises(PlanError, match=f"1 former tables are gone: {former.table.key}"):
            settle_it(run, proven=False)
        assert identity(target) == built
    with target.cursor() as cursor:
        cursor.execute(f'ALTER TABLE "DOCS"."ELSEWHERE" RENAME TO "{aside.name}"')
    assert settle_it(run, proven=False).differences == ()


def test_dropped_when_proven_whatever_is_killed(
    filled: tuple[oracledb.Connection, oracledb.Connection],
) -> None:
    source, target = filled
    run = begin(source, target)
    build(run)
    complete(run)
    new = {key for key in identity(target) if not is_aside(key)}
    asides = {former.aside(run.run_id).name for former in Documents(target, run.run_id).all(FORMER_TABLE)}
    settled, killed = in_pieces(run, lambda mortal: settle_it(mortal, proven=True))
    assert killed > 2
    assert (settled.outcome, settled.tables) == ("dropped", len(asides))
    assert state(run.ledger) == DROPPED
    left = identity(target)
    assert not [key for key in left if is_aside(key)]
    assert set(left) == new
    assert count(target, TESTED) == 0
    assert settle_it(run, proven=False).outcome == "dropped"  # what is decided stands


def test_what_a_run_has_masked_and_put_back_is_not_masked(target: oracledb.Connection) -> None:
    """The former table is as the run before it has left it."""
    ensure_ledger(target)
    item = "APP.OF_THE_LEDGER"
    for run_id in ("published", "put back"):
        ledger = Ledger(target, run_id)
        ledger.record(HOLDER_STEP, HOLDER_ITEM, "released")
        ledger.record(TABLE_STEP, item, DONE)
        ledger.record(MASK_STEP, item, DONE, {"rows": 7})
    clone = Ledger(target, "clone")
    found = masked_before(clone, item)
    assert found is not None
    assert found.run_id == "put back"
    note(Ledger(target, "put back"), RETURNED)
    found = masked_before(clone, item)
    assert found is not None
    assert found.run_id == "published"
    for run_id in ("published", "put back"):
        target.cursor().execute('DELETE FROM "REFRESH$LEDGER" WHERE RUN_ID = :1', [run_id])
    target.commit()
