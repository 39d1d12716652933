"""A work unit: its tables one after the other, each by itself, and none of them twice without need."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import pytest

from oracle_refresh.integration import run_files
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.operators import units
from oracle_refresh.operators.units import UnitOperator
from oracle_refresh.oracle.errors import (
    MaskingError,
    QuarantineError,
    RefreshError,
    TablesFailed,
    ValidationError,
    from_oracle,
)
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import UNIT, WorkUnit
from oracle_refresh.plan.storage import TABLE
from oracle_refresh.run import refresh_run
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.refresh_run import RefreshRun

KEYS = ("APP.A", "APP.B", "APP.C")


@dataclass(frozen=True)
class Result(Jsonable):
    """What the work leaves of a table."""

    of: str


KIND: Kind[Result] = Kind("result of a unit", Result)


class Documents:
    """The run's documents, without a database."""

    kept: dict[tuple[Kind[Any], str], Any]

    def __init__(self, _: object, run_id: str) -> None:
        self.run_id = run_id

    def get(self, kind: Kind[Any], item: str) -> Any:
        if kind is TABLE:
            return SimpleNamespace(key=item)
        assert (self.run_id, kind, item) == ("run", UNIT, "U007")
        return WorkUnit(item, tuple(TableName(key[:3], key[4:]) for key in KEYS), 1)

    def some(self, kind: Kind[Any], items: Any) -> dict[str, Any]:
        return {item: self.get(kind, item) for item in items}

    def find(self, kind: Kind[Any], item: str) -> Any:
        return self.kept.get((kind, item))

    def put(self, kind: Kind[Any], item: str, value: Any) -> None:
        self.kept[kind, item] = value

    def drop(self, kind: Kind[Any], item: str) -> None:
        self.kept.pop((kind, item), None)


class Session:
    """An open session; `lost` once it does not answer any more."""

    lost = False
    rolled_back = 0

    def rollback(self) -> None:
        self.rolled_back += 1

    def ping(self) -> None:
        if self.lost:
            raise OSError("the database closed the connection")


class Unit:
    """Runs a task of a unit whose tables fail as told."""

    def __init__(self) -> None:
        self.failing: dict[str, Exception] = {}
        self.worked: list[str] = []
        self.kept: dict[str, Any] = {}
        self.states: dict[str, Any] = {}
        self.session = Session()
        self.hook: Callable[[str], None] = lambda key: None

    def run(self, unit: str = "U007: 3 tables", kind: Kind[Any] | None = KIND) -> dict[str, Any]:
        self.worked = []
        operator = type("UnitOperator", (UnitOperator,), {"result_kind": kind})
        task = operator(task_id="verify", definition="demo", unit=unit)
        state = SimpleNamespace(set=self.states.__setitem__)
        context = cast("Any", {"run_id": "run", "ti": None, "task_state_store": state})

        def work(table: Any, progress: Any) -> dict[str, Any]:
            self.worked.append(table.key)
            self.hook(table.key)
            progress.report(1, 2, "rows", f"verify {table.key}")
            if table.key in self.failing:
                raise self.failing[table.key]
            result = Result(table.key)
            Documents.kept[KIND, table.key] = result
            return result.to_json()

        def session() -> Any:
            return nullcontext(self.session)

        with RefreshRun(cast("Any", None), "run", session, session) as run:
            return task.each_table(context, run, work)


@pytest.fixture
def unit(monkeypatch: pytest.MonkeyPatch) -> Unit:
    monkeypatch.setattr(refresh_run, "Documents", Documents)
    Documents.kept = {}
    unit = Unit()

    def keep(context: object, result: dict[str, Any], failed: bool) -> None:
        unit.kept = result
        assert failed

    monkeypatch.setattr(run_files, "keep_result", keep)
    return unit


def test_every_table_has_its_turn_and_its_result(unit: Unit) -> None:
    assert unit.run() == {key: {"of": key} for key in KEYS}
    assert unit.worked == list(KEYS)
    assert unit.run("APP.B") == {"APP.B": {"of": "APP.B"}}


def test_one_bad_table_fails_alone_and_is_named(unit: Unit) -> None:
    error = ValidationError("1 row differs", object_name="APP.A", remedy="look at it")
    unit.failing = {"APP.A": error}
    with pytest.raises(ValidationError) as caught:
        unit.run()
    assert caught.value is error
    assert unit.worked == list(KEYS)
    assert unit.session.rolled_back == 1
    assert unit.kept == {key: {"of": key} for key in ("APP.B", "APP.C")}


def test_several_bad_tables_are_all_named_with_their_codes(unit: Unit) -> None:
    first = from_oracle(Exception("ORA-12801: signaled\nORA-01652: no room"), "mask", "APP.A", MaskingError)
    unit.failing = {"APP.A": first, "APP.C": RuntimeError("out of luck")}
    with pytest.raises(TablesFailed) as caught:
        unit.run()
    told = str(caught.value)
    assert "U007: 3 tables: 2 of 3 tables failed: APP.A: ORA-12801: signaled [ORA-01652]; APP.C: Runt" in told
    assert caught.value.__cause__ is first
    assert caught.value.codes == ("ORA-12801", "ORA-01652")
    assert caught.value.remedy == first.remedy
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.codes) == (told, caught.value.codes)


def test_an_error_that_does_not_name_its_table_is_given_its_name(unit: Unit) -> None:
    unit.failing = {"APP.B": KeyError("x")}
    with pytest.raises(TablesFailed, match=r"1 of 3 tables failed: APP\.B: KeyError"):
        unit.run()
    unit.failing = {"APP.B": KeyError("x")}
    with pytest.raises(KeyError):
        unit.run("APP.B")


@pytest.mark.parametrize(
    "error",
    [
        QuarantineError("another run has taken the target over"),
        units.AirflowException("the task was told to end"),
    ],
)
def test_what_concerns_all_tables_ends_the_task_at_once(unit: Unit, error: Exception) -> None:
    wrapped = RefreshError("in the middle", object_name="APP.B")
    wrapped.__cause__ = error
    for each in (error, wrapped):
        unit.failing = {"APP.B": each}
        with pytest.raises(type(each)):
            unit.run(kind=None)
        assert unit.worked == ["APP.A", "APP.B"]
        assert unit.kept == {"APP.A": {"of": "APP.A"}}


def test_a_lost_session_ends_the_task_at_once(unit: Unit) -> None:
    def lose(key: str) -> None:
        unit.session.lost = key == "APP.B"

    unit.hook, unit.failing = lose, {"APP.B": OSError("broken pipe")}
    with pytest.raises(OSError, match="broken pipe"):
        unit.run()
    assert unit.worked == ["APP.A", "APP.B"]
    unit.failing = {}
    unit.hook = lambda key: None
    unit.session.lost = False
    assert unit.run().keys() == set(KEYS)
    assert unit.worked == ["APP.B", "APP.C"], "the next try goes on where this one stopped"


def test_a_try_repeats_what_is_open_and_a_task_that_went_through_begins_anew(unit: Unit) -> None:
    unit.failing = {"APP.B": ValidationError("differs", object_name="APP.B")}
    with pytest.raises(ValidationError):
        unit.run()
    unit.failing = {}
    assert unit.run() == {key: {"of": key} for key in KEYS}
    assert unit.worked == ["APP.B"]
    unit.run()
    assert unit.worked == list(KEYS), "as a task of one table, when it is cleared"


@pytest.mark.parametrize(("seconds", "before_the_third"), [(0.0, ("APP.A", "APP.B")), (3600.0, ())])
def test_what_is_finished_is_noted_now_and_then_and_when_the_task_ends(
    unit: Unit, monkeypatch: pytest.MonkeyPatch, seconds: float, before_the_third: tuple[str, ...]
) -> None:
    """Each note names all tables that are finished."""
    monkeypatch.setattr(units, "NOTED_EVERY", seconds)

    def noted() -> tuple[str, ...]:
        found = [note.tables for (kind, _), note in Documents.kept.items() if kind is units.FINISHED]
        return found[0] if found else ()

    class Told(BaseException):
        """As a task is told to end."""

    def hook(key: str) -> None:
        if key == "APP.C":
            assert noted() == before_the_third
            raise Told

    unit.hook = hook
    with pytest.raises(Told):
        unit.run()
    assert noted() == ("APP.A", "APP.B")
    unit.hook = lambda key: None
    unit.run()
    assert unit.worked == ["APP.C"]
    assert noted() == ()


def test_a_result_that_is_gone_is_made_again(unit: Unit) -> None:
    unit.failing = {"APP.C": ValidationError("differs", object_name="APP.C")}
    with pytest.raises(ValidationError):
        unit.run()
    del Documents.kept[KIND, "APP.A"]
    unit.failing = {}
    unit.run()
    assert unit.worked == ["APP.A", "APP.C"]


def test_what_leaves_no_document_is_done_for_every_table_again(unit: Unit) -> None:
    unit.failing = {"APP.B": ValidationError("differs", object_name="APP.B")}
    for _ in range(2):
        with pytest.raises(ValidationError):
            unit.run(kind=None)
        assert unit.worked == list(KEYS)
    assert not [kind for kind, _ in Documents.kept if kind == units.FINISHED]


def test_the_progress_is_that_of_all_tables(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracle_refresh.operators.base.NOTED_EVERY", 0.0)
    told: list[dict[str, Any]] = []
    unit.hook = lambda key: told.append(unit.states.get("progress", {}))
    unit.run()
    told.append(unit.states["progress"])
    assert [one.get("percent") for one in told] == [None, 16.7, 50.0, 83.3]
    assert told[-1]["tables"] == {"number": 3, "count": 3, "done": ["APP.A", "APP.B"]}
    unit.run("APP.A")
    assert unit.states["progress"]["percent"] == 50.0
    assert "tables" not in unit.states["progress"]
