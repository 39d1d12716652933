"""What is read of the surroundings, and that a replay drops what it has loaded whatever happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.kit import replay as module
from oracle_refresh.labs.data_load.kit.contents import Results
from oracle_refresh.labs.data_load.kit.recipe import Recipe
from oracle_refresh.labs.data_load.kit.replay import read_surroundings, replay
from oracle_refresh.labs.data_load.model import Chosen, Plan, Work
from oracle_refresh.oracle.errors import DataLoadError, PreflightError

WORK = Work("SLOB_", "USERS", 3, 100, 2, "none", True, 50, 2)
RECIPE = Recipe.of(WORK, LoadDefinition(name="slob", target={"conn_id": "there"}, seed_degree=5))


def test_parameters_that_are_not_the_default_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [
        ("processes", 3, "300", "FALSE", "FALSE", "FALSE"),
        ("open_cursors", 3, "50", "TRUE", "IMMEDIATE", "TRUE"),
        ("undo_retention", 3, "900", "FALSE", "IMMEDIATE", "TRUE"),
        # Of the container: its own value holds, and its own default.
        ("undo_retention", 3, "86400", "FALSE", "IMMEDIATE", "TRUE"),
        ("cpu_count", 3, "4", "FALSE", "IMMEDIATE", "TRUE"),
        ("cpu_count", 3, "2", "TRUE", "IMMEDIATE", "TRUE"),
        ("log_archive_dest_1", 2, None, "FALSE", "IMMEDIATE", "FALSE"),
    ]
    monkeypatch.setattr(module, "rows", lambda connection, statement: held)
    monkeypatch.setattr(module, "identify", lambda connection: SimpleNamespace(version="19.3.0.0.0"))
    found = read_surroundings(None)  # type: ignore[arg-type]
    assert found.parameters == {"processes": "300", "undo_retention": "86400", "log_archive_dest_1": None}
    assert found.versions["database"] == "19.3.0.0.0"
    assert {"python", "oracledb", "apache-airflow"} < found.versions.keys()


class Steps:
    """Stands for the database: notes what is done, and fails where it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failing: str = "") -> None:
        self.done: list[str] = []
        self.failing = failing
        self.planned: Any = None
        steps = self

        class Run:
            def __init__(self, sessions: Any, run_id: str, progress: Any = None) -> None:
                self.run_id = run_id

            @contextmanager
            def documents(self) -> Iterator[Any]:
                yield SimpleNamespace(run_id=self.run_id)

            def make_seed(self, definition: LoadDefinition) -> None:
                steps.note("seed")

            def find_degree(self) -> int:
                steps.note("degree")
                return 2

            def load(self, number: int) -> None:
                steps.note(f"batch {number}")

        def plan(documents: Any, definition: LoadDefinition, work: Work, *, drop_afterwards: bool) -> None:
            steps.planned = (definition, work, drop_afterwards)
            steps.note("plan")

        def read(documents: Any) -> Loaded:
            return Loaded(Plan("", "", "", WORK, True), None, Chosen(2, ""), ())

        monkeypatch.setattr(module, "LoadRun", Run)
        monkeypatch.setattr(module, "plan_load", plan)
        monkeypatch.setattr(module, "read_load", read)
        monkeypatch.setattr(module, "drop_load", lambda documents: steps.note(f"drop {documents.run_id}"))

    def note(self, step: str) -> None:
        self.done.append(step)
        if step == self.failing:
            raise (PreflightError if step == "plan" else DataLoadError)("failed")


def repeated() -> Results:
    return replay(lambda: None, RECIPE, "here", "OTHER", "replay_1")  # type: ignore[arg-type,return-value]


def test_a_replay_is_the_same_load_under_names_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch)
    assert repeated() == Results(None, Chosen(2, ""), ())
    assert steps.done == ["plan", "seed", "degree", "batch 1", "batch 2", "drop replay_1"]
    definition, work, drop_afterwards = steps.planned
    assert drop_afterwards
    assert (definition.target.conn_id, definition.tablespace, definition.seed_degree) == ("here", "OTHER", 5)
    assert (work.prefix, work.tablespace) == ("REPLAY_", "OTHER")
    assert not set(work.all_schemas) & set(WORK.all_schemas), "what a load has left is not touched"
    assert (work.schemas, work.rows, work.degree) == (WORK.schemas, WORK.rows, WORK.degree)


@pytest.mark.parametrize("failing", ["seed", "degree", "batch 2"])
def test_what_fails_is_dropped(monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    steps = Steps(monkeypatch, failing)
    with pytest.raises(DataLoadError):
        repeated()
    assert steps.done[-2:] == [failing, "drop replay_1"]


def test_where_nothing_may_be_loaded_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, "plan")
    with pytest.raises(PreflightError):
        repeated()
    assert steps.done == ["plan"]
