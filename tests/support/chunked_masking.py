"""A table that is masked by chunks or by rewriting, and what kills it."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.masking import MasterKey, Ruleset, chunked, mask_table, run
from oracle_refresh.masking.run import Options
from oracle_refresh.masking.strategy import Strategy
from oracle_refresh.run.ledger import Ledger
from support.masked_people import KEY, RULES, Database, expected, rows

KINDS = ["chunks", "rewrite"]
COUNT = 300


@pytest.fixture
def database(schema: Any) -> Database:
    return Database(schema)


class Killed(BaseException):
    """What a signal does to a task."""


class Case:
    """A filled table that is masked in four chunks."""

    def __init__(self, database: Database, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database, self.originals = database, rows(COUNT)
        self.patch = monkeypatch
        database.fill(self.originals)
        connection = database.connection
        with connection.cursor() as cursor:
            cursor.execute("SELECT CONSTRAINT_NAME FROM USER_CONSTRAINTS WHERE TABLE_NAME = 'PEOPLE'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'ALTER TABLE PEOPLE DROP CONSTRAINT "{name}"')
        self.kind = kind
        monkeypatch.setattr(run, "choose", lambda facts, kind: Strategy(kind, 4, facts.degree, "test"))

    def mask(
        self,
        degree: int = 1,
        rules: Any = RULES,
        key: MasterKey = KEY,
        run_id: str = "run",
        connection: Any = None,
    ) -> Any:
        table = self.database.table
        ruleset = Ruleset("test", {(table.owner, table.name): rules}, "f" + str(len(rules)))
        options = Options(degree, self.database.schema.connect, strategy=self.kind)
        connection = connection or self.database.connection
        return mask_table(table, ruleset, key, Ledger(connection, run_id), options=options)

    def change(self, assignment: str, where: str = "1 = 1") -> None:
        with self.database.connection.cursor() as cursor:
            cursor.execute(f"UPDATE PEOPLE SET {assignment} WHERE {where}")
        self.database.connection.commit()

    def require_masked(self) -> None:
        assert self.database.read() == [expected(row) for row in self.originals]
        left = self.database.read("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%'")
        assert left == [("REFRESH$LEDGER",)]


@pytest.fixture(params=KINDS)
def case(request: Any, database: Database, monkeypatch: pytest.MonkeyPatch) -> Case:
    return Case(database, request.param, monkeypatch)


def kill_after(case: Case, target: Any, name: str, calls: int, before: bool = False) -> list[int]:
    """Let the so-manyth call of a function be the last thing that happens."""
    inner, count = getattr(target, name), [0]

    def killed(*given: Any, **named: Any) -> Any:
        count[0] += 1
        if before and count[0] == calls:
            raise Killed
        result = inner(*given, **named)
        if count[0] == calls:
            raise Killed
        return result

    case.patch.setattr(target, name, killed)
    return count


def killed_at_a_chunk(case: Case, calls: int, inside: bool) -> None:
    """Between the chunks, or between a chunk's change and its commit."""
    with case.patch.context() as patch:
        case.patch, whole = patch, case.patch
        if inside:
            inner, count = Ledger.record, [0]

            def record(ledger: Ledger, step: str, key: str, state: str, *more: Any, **named: Any) -> Any:
                if step == chunked.CHUNK and state == "done":
                    count[0] += 1
                    if count[0] == calls:
                        raise Killed
                return inner(ledger, step, key, state, *more, **named)

            patch.setattr(Ledger, "record", record)
        else:
            kill_after(case, chunked.ChunkedMasking, "_chunk", calls)
        with pytest.raises(Killed):
            case.mask()
        case.patch = whole
    done = case.database.ledger.states(chunked.CHUNK)
    assert sum(state == "done" for state in done.values()) == calls - inside
    assert case.mask().rows == COUNT
    case.require_masked()
