"""Which faults strike which refresh, and when: a pure function of the seed.

A moment is counted in what a refresh does, not in seconds: a slow machine does the same as a fast one. It is
the so-manyth start of a task, or the so-manyth statement that one of the databases has executed for the run.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

#: Statements of the smallest refresh at each end are more. On two busy cores there were 778 and 2,680; a part
#: of these ask how jobs stand, and on a quiet machine there are fewer.
STATEMENTS = {"source": 500, "target": 1700}
COMPONENTS = ("scheduler", "triggerer", "api-server")
ENDS = ("source", "target")
#: Stages at whose start something strikes, and how many tasks of each there are at least.
STAGES = {
    "preflight": 1,
    "profile": 1,
    "freeze": 1,
    "plan": 1,
    "lock_target": 1,
    "prepare_stage": 1,
    "build_tables": 1,
    "scripts_before": 1,
    "shard.export": 7,
    "shard.stage": 7,
    "shard.load": 7,
    "unit.await_loaded": 4,
    "unit.verify_copy": 4,
    "unit.mask": 4,
    "unit.build_indexes": 4,
    "unit.verify_masked": 4,
    "constraints": 1,
    "scripts_after": 1,
    "statistics": 1,
    "prove_masking": 1,
    "inventory": 1,
    "restore_target": 1,
    "drop_dumps": 1,
    "release_target": 1,
    "publish_report": 1,
}


def last_moments() -> tuple[Moment, ...]:
    """The latest that may be drawn: a refresh that does not come to one is not struck there."""
    return (
        *(Moment(f"task {stage}", number) for stage, number in STAGES.items()),
        *(Moment(f"statement {end}", number) for end, number in STATEMENTS.items()),
    )


class Kind(StrEnum):
    """What strikes."""

    KILL_TASK = "kill -9 of a task and its supervisor"
    KILL_TASK_ALONE = "kill -9 of a task"
    KILL_SUPERVISOR = "kill -9 of a task's supervisor alone"
    FREEZE_TASK = "a task and its supervisor stand still"
    KILL_COMPONENT = "kill -9 with all its children"
    KILL_COMPONENT_ALONE = "kill -9 without its children"
    KILL_DATABASE = "kill -9 of the database"
    FREEZE = "stands still"
    SWALLOW = "network swallows all packets"
    FULL_DIRECTORY = "dump directory is full"
    FULL_TABLESPACE = "tablespace is full"
    EXPIRE_UNDO = "undo is overwritten"
    LOCK_TABLE = "somebody locks a table"
    CLEAR_TASK = "somebody clears a task"
    SECOND_RUN = "somebody starts a second refresh of the target"


@dataclass(frozen=True)
class Moment:
    """When the `number`-th event of this name has been seen: `task unit.mask`, `statement target`."""

    event: str
    number: int

    def __str__(self) -> str:
        return f"{self.event} #{self.number}"


@dataclass(frozen=True)
class Fault:
    """One fault.

    :ivar subject: whom it strikes: a component, an end, or how a task is cleared.
    :ivar seconds: how long it lasts, or until what was killed is started again.
    :ivar choice: which of the tasks or tables that there are, as a share of their list.
    """

    kind: Kind
    moment: Moment
    subject: str = ""
    seconds: float = 0.0
    choice: float = 0.0

    @property
    def forgets(self) -> bool:
        """Whether the network that swallowed ends all connections when it carries packets again."""
        return self.kind is Kind.SWALLOW and self.choice < 0.5

    def __str__(self) -> str:
        lasting = f" for {self.seconds:.0f} s" if self.seconds else ""
        struck = f"{self.subject} {self.kind}".strip() + (", then resets," if self.forgets else "")
        return f"{struck}{lasting} at {self.moment}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def faults(seed: int, number: int) -> tuple[Fault, ...]:
    """What strikes the `number`-th refresh (from 1): one fault, two, or three."""
    chance = random.Random(f"{seed}/{number}")
    count = chance.choices((1, 2, 3), (5, 3, 2))[0]
    kinds = list(KINDS)
    drawn = [chance.choices(kinds, [KINDS[kind][0] for kind in kinds])[0] for _ in range(count)]
    # Of some there cannot be two at a time: nobody could tell which of them a rule was broken by.
    return tuple(KINDS[kind][1](kind, chance) for kind in dict.fromkeys(drawn))


Draw = Callable[[Kind, random.Random], Fault]


def _moment(chance: random.Random, end: str = "") -> Moment:
    if chance.random() < 0.5:
        stage = chance.choice(list(STAGES))
        return Moment(f"task {stage}", chance.randint(1, STAGES[stage]))
    end = end or chance.choice(ENDS)
    return Moment(f"statement {end}", chance.randint(1, STATEMENTS[end]))


def _of_a_task(kind: Kind, chance: random.Random) -> Fault:
    return Fault(kind, _moment(chance), choice=chance.random())


def _of_a_frozen_task(kind: Kind, chance: random.Random) -> Fault:
    """For longer than Airflow waits for a heartbeat (`rig.NOTICED`): another try begins meanwhile."""
    return Fault(kind, _moment(chance), seconds=float(chance.randint(60, 90)), choice=chance.random())


def _of_a_component(kind: Kind, chance: random.Random) -> Fault:
    return Fault(kind, _moment(chance), chance.choice(COMPONENTS), float(chance.randint(0, 40)))


def _of_an_end(kind: Kind, chance: random.Random) -> Fault:
    end = chance.choice(ENDS)
    return Fault(kind, _moment(chance, end), end, float(chance.randint(1, 20)), chance.random())


def _of_the_target(kind: Kind, chance: random.Random) -> Fault:
    return Fault(kind, _moment(chance, "target"), "target", float(chance.randint(2, 20)), chance.random())


def _of_the_source(kind: Kind, chance: random.Random) -> Fault:
    return Fault(kind, _moment(chance, "source"), "source", float(chance.randint(2, 20)))


def _of_anything(kind: Kind, chance: random.Random) -> Fault:
    subject = chance.choice((*ENDS, *COMPONENTS))
    return Fault(kind, _moment(chance), subject, float(chance.randint(3, 30)))


def _cleared(kind: Kind, chance: random.Random) -> Fault:
    return Fault(kind, _moment(chance), chance.choice(("alone", "downstream")), choice=chance.random())


def _at_once(kind: Kind, chance: random.Random) -> Fault:
    return Fault(kind, _moment(chance))


#: How often each comes, and how it is drawn. Dear ones, after which a run begins anew, come seldom.
KINDS: dict[Kind, tuple[int, Draw]] = {
    Kind.KILL_TASK: (3, _of_a_task),
    Kind.KILL_TASK_ALONE: (3, _of_a_task),
    Kind.KILL_SUPERVISOR: (3, _of_a_task),
    Kind.FREEZE_TASK: (3, _of_a_frozen_task),
    Kind.KILL_COMPONENT: (3, _of_a_component),
    Kind.KILL_COMPONENT_ALONE: (2, _of_a_component),
    Kind.KILL_DATABASE: (4, _of_an_end),
    Kind.FREEZE: (3, _of_anything),
    Kind.SWALLOW: (4, _of_an_end),
    Kind.FULL_DIRECTORY: (1, _of_the_source),
    Kind.FULL_TABLESPACE: (1, _of_the_target),
    Kind.EXPIRE_UNDO: (1, _at_once),
    Kind.LOCK_TABLE: (2, _of_the_target),
    Kind.CLEAR_TASK: (4, _cleared),
    Kind.SECOND_RUN: (1, _at_once),
}
