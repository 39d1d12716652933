"""The process that masks a table is killed (SIGKILL) at points spread over all it sends to the database.

What it was about to send is lost, or arrives although nobody waits for the answer any more, such as a commit.
It is run again, and each row has to be masked once, as the reference masks it.
"""

from __future__ import annotations

import os
import signal
import traceback
from typing import Any

import oracledb
import pytest

from oracle_refresh.masking import MaskResult, Ruleset, chunked, mask_table, run
from oracle_refresh.masking.run import Options
from oracle_refresh.masking.strategy import Strategy
from oracle_refresh.run.ledger import Ledger
from support.gateway import Gateway
from support.masked_people import KEY, RULES, Database, expected, rows

COUNT, CHUNKS, POINTS = 300, 4, 5


class Masking:
    """A table, and the tasks that mask it in processes of their own."""

    def __init__(self, schema: Any, kind: Any, degree: int) -> None:
        self.schema, self.kind, self.degree = schema, kind, degree
        self.database, self.originals = Database(schema), rows(COUNT)

    def begin(self) -> None:
        """The table as it was loaded, and nothing known of it."""
        with self.schema.connection.cursor() as cursor:
            for (name,) in self.database.read("SELECT TABLE_NAME FROM USER_TABLES"):
                cursor.execute(f'DROP TABLE "{name}" PURGE')
        self.database.fill(self.originals)
        names = self.database.read("SELECT CONSTRAINT_NAME FROM USER_CONSTRAINTS WHERE TABLE_NAME = 'PEOPLE'")
        with self.schema.connection.cursor() as cursor:
            for (name,) in names:
                cursor.execute(f'ALTER TABLE PEOPLE DROP CONSTRAINT "{name}"')

    def mask(self, port: int | None = None) -> MaskResult:
        """Mask the table, through a gateway or straight."""

        def connect() -> oracledb.Connection:
            if port is None:
                return self.schema.connect()
            service = self.schema.server.dsn.rpartition("/")[2]
            dsn = f"127.0.0.1:{port}/{service}"
            return oracledb.connect(user=self.schema.name, password=self.schema.password, dsn=dsn)

        table = self.database.table
        ruleset = Ruleset("test", {(table.owner, table.name): RULES}, "f")
        options = Options(self.degree, connect, strategy=self.kind)
        with connect() as connection:
            return mask_table(table, ruleset, KEY, Ledger(connection, "run"), options=options)

    def killed_at(self, number: int, arrives: bool) -> bool:
        """Whether a task was killed at its so-manyth message; else it came to its end before."""
        with Gateway(int(self.schema.server.dsn.partition(":")[2].partition("/")[0])) as gateway:
            gateway.hold_at(number)
            child = os.fork()
            if child == 0:
                self._child(gateway.port)
            while not gateway.holding.wait(0.02):
                if (ended := os.waitpid(child, os.WNOHANG)) != (0, 0):
                    assert os.WEXITSTATUS(ended[1]) == 0, "the task failed by itself"
                    return False
            if arrives:
                gateway.release()
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the task failed by itself"
        return os.WIFSIGNALED(status)

    def _child(self, port: int) -> None:
        try:
            self.mask(port)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def messages(self) -> int:
        """How many messages an undisturbed task sends."""
        self.begin()
        with Gateway(int(self.schema.server.dsn.partition(":")[2].partition("/")[0])) as gateway:
            gateway.hold_at(10**9)
            self.mask(gateway.port)
            sent = gateway.messages
        self.require_masked_once()
        return sent

    def require_masked_once(self) -> None:
        result = self.mask()
        assert (result.rows, len(result.columns)) == (COUNT, 9)
        assert self.database.read() == [expected(row) for row in self.originals]
        left = self.database.read("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%'")
        assert left == [("REFRESH$LEDGER",)]
        ledger = Ledger(self.schema.connection, "run")
        assert ledger.states(run.STEP) == {self.database.table.key: "done"}
        chunks = ledger.rows(chunked.CHUNK)
        assert len(chunks) == (0 if self.kind == "in_place" else CHUNKS)
        assert {row.state for row in chunks} <= {"done"}
        assert sum(row.detail["rows"] for row in chunks) == (COUNT if chunks else 0)


@pytest.fixture(
    params=[("in_place", 1), ("chunks", 1), ("chunks", 2), ("rewrite", 1), ("rewrite", 2)], ids=str
)
def masking(request: Any, schema: Any, monkeypatch: pytest.MonkeyPatch) -> Masking:
    def choose(facts: Any, kind: Any) -> Strategy:
        return Strategy(kind, 1 if kind == "in_place" else CHUNKS, facts.degree, "test")

    monkeypatch.setattr(run, "choose", choose)
    return Masking(schema, *request.param)


def test_killed_at_points_spread_over_the_masking(masking: Masking) -> None:
    total = masking.messages()
    kills = 0
    for point in range(POINTS):
        masking.begin()
        # Backwards from where it says goodbye: the end, where tables change their names, is among them.
        number = total - 3 - point * (total - 3) // POINTS
        kills += masking.killed_at(number, arrives=bool(point % 2))
        masking.require_masked_once()
    assert kills >= POINTS - 1, "the kills came too late to show anything"


def test_killed_again_and_again(masking: Masking) -> None:
    """Each try comes a little further than the one before, until one comes to its end."""
    masking.begin()
    kills, number = 0, 12
    while masking.killed_at(number, arrives=bool(kills % 2)):
        kills, number = kills + 1, number + 16
    masking.require_masked_once()
    assert kills >= 2
