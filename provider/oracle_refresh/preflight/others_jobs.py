"""Jobs of other users that run what belongs to the schemas: procedures, also those of packages, programs and
chains, their own ones with such steps among them. Pure.

Sources: Database Reference 19c, ALL_SCHEDULER_JOBS, ALL_SCHEDULER_PROGRAMS, ALL_SCHEDULER_CHAIN_STEPS; PL/SQL
Packages and Types Reference 19c, DBMS_SCHEDULER, CREATE_JOB, "job_action", and DEFINE_CHAIN_STEP.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from oracle_refresh.oracle.identifiers import Identifier, InvalidIdentifier, ObjectName

PROCEDURE = "STORED_PROCEDURE"
CHAIN = "CHAIN"
_NAMES = re.compile(r'(?:"[^"]+"|[^".]+)(?:\.(?:"[^"]+"|[^".]+))*')


@dataclass(frozen=True)
class Action:
    """What a job or a program of its owner runs; the program is that of a job, if it has one."""

    owner: str
    name: str
    kind: str | None
    action: str | None
    program: tuple[str | None, str | None] = (None, None)

    def belongs_to(self, owners: Collection[str]) -> bool:
        """Whether it is a procedure of one of the owners, named with its schema."""
        names = names_of(self.action) if self.kind == PROCEDURE else ()
        return len(names) > 1 and names[0] in owners

    @property
    def chain(self) -> tuple[str, str] | None:
        """The chain that a job of this type runs: its owner's unless it is named with a schema."""
        names = names_of(self.action) if self.kind == CHAIN else ()
        return (self.owner, *names)[-2:] if names else None  # type: ignore[return-value]


def names_of(action: str | None) -> tuple[str, ...]:
    """SCHEMA.PACKAGE.PROCEDURE, SCHEMA.PROCEDURE, PROCEDURE: as the dictionary has them; none of what is no
    such name."""
    text = (action or "").strip()
    if not _NAMES.fullmatch(text):
        return ()
    try:
        return tuple(Identifier.parse(part.strip()).name for part in re.findall(r'"[^"]+"|[^".]+', text))
    except InvalidIdentifier:
        return ()


def reaching(
    jobs: Iterable[Action],
    programs: Iterable[Action],
    steps: Iterable[tuple[str, str, str | None, str | None]],
    owners: Collection[str],
) -> list[str]:
    """The jobs that run something of the owners, as OWNER.NAME.

    :param steps: owner and name of each chain, with those of the program or chain that a step of it runs.
    """
    # Programs and chains are of one kind of name: a step runs either.
    found: set[tuple[str | None, str | None]] = {
        (each.owner, each.name) for each in programs if each.belongs_to(owners)
    }
    left = set(steps)
    while new := {step for step in left if step[2] in owners or step[2:] in found}:
        found |= {step[:2] for step in new}
        left -= new
    return sorted(
        ObjectName(job.owner, job.name).key
        for job in jobs
        if job.belongs_to(owners)
        or job.program[0] in owners
        or job.program in found
        or (job.chain is not None and (job.chain[0] in owners or job.chain in found))
    )
