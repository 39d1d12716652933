"""What a refresh is doing, counted: starts of its tasks, statements at either end.

Tasks are read from the file of Airflow's metadata, which answers whatever component is down.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.chaos.plan import Moment

USERS = {"REFRESH_SOURCE": "source", "REFRESH_TARGET": "target"}
STATE = "SELECT state FROM dag_run WHERE dag_id = ? AND run_id = ?"
#: A task that was cleared, or is tried again, has the start of its former try until it runs.
INSTANCES = """\
SELECT task_id, map_index, state, try_number, id, start_date IS NOT NULL AND state IN
  ('running', 'deferred', 'success', 'failed', 'up_for_retry', 'up_for_reschedule', 'restarting')
FROM task_instance WHERE dag_id = ? AND run_id = ?"""


@dataclass(frozen=True)
class Task:
    """A task instance as Airflow has it recorded."""

    task_id: str
    map_index: int
    state: str | None
    try_number: int
    #: Of the try; without or with hyphens.
    id: str
    #: Whether this try was.
    started: bool

    @property
    def key(self) -> tuple[str, int, int]:
        """Tells one try from another."""
        return self.task_id, self.map_index, self.try_number

    def __str__(self) -> str:
        return self.task_id if self.map_index < 0 else f"{self.task_id} [{self.map_index}]"


@dataclass(frozen=True)
class Metadata:
    """Airflow's own record of one run."""

    file: Path
    dag_id: str
    run_id: str

    def tasks(self) -> list[Task]:
        rows = self._query(INSTANCES, self.dag_id, self.run_id)
        return sorted((Task(*row) for row in rows), key=lambda task: (task.task_id, task.map_index))

    def state(self) -> str:
        """Of the run; empty where there is none yet."""
        rows = self._query(STATE, self.dag_id, self.run_id)
        return str(rows[0][0]) if rows else ""

    def _query(self, text: str, *binds: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=60)) as connection:
            return connection.execute(text, binds).fetchall()


class Watch:
    """Counts since it was made.

    :ivar tasks: of the last look.
    """

    def __init__(self, metadata: Metadata, statements: Path) -> None:
        self.metadata = metadata
        self.tasks: list[Task] = []
        self.statements = statements
        self._read_to = statements.stat().st_size if statements.exists() else 0
        self._executed: Counter[str] = Counter()
        self._begun: set[tuple[str, int, int]] = set()

    def look(self) -> None:
        self.tasks = self.metadata.tasks()
        self._begun |= {
            (task.task_id, task.map_index, task.try_number) for task in self.tasks if task.started
        }
        for line in self._lines():
            user = json.loads(line)["user"]
            if user in USERS:
                self._executed[f"statement {USERS[user]}"] += 1

    def reached(self, moment: Moment) -> bool:
        return self.counts()[moment.event] >= moment.number

    def counts(self) -> Counter[str]:
        return self._executed + Counter(f"task {task_id}" for task_id, _, _ in self._begun)

    def _lines(self) -> Iterator[bytes]:
        """New whole lines of the statement log."""
        if not self.statements.exists():
            return
        with self.statements.open("rb") as file:
            file.seek(self._read_to)
            text = file.read()
        whole, _, _ = text.rpartition(b"\n")
        self._read_to += len(whole) + bool(whole)
        yield from whole.splitlines()
