"""What stood in the target before a refresh built its tables, and what it is called while it is aside. Pure.

A table that is set aside keeps everything but names: rows, indexes, constraints, triggers, grants, statistics
and policies go with it. Names are unique in a schema, so those of its members that were named by somebody are
set aside with it. Which table is which is told by OBJECT_ID, which RENAME keeps: under the name of a former
table stands either that table or one that the refresh has built.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.run.kind import Kind
from oracle_refresh.target.objects.grants import Grant

MemberKind = Literal["trigger", "index", "constraint"]


@dataclass(frozen=True, order=True)
class Member(Jsonable):
    """A named thing of a table. A constraint belongs to the owner of its table, other members need not."""

    kind: MemberKind
    owner: str
    name: str

    def aside(self, run_id: str) -> Member:
        return Member(self.kind, self.owner, aside_name(run_id, self.kind, ObjectName(self.owner, self.name)))


@dataclass(frozen=True)
class FormerTable(Jsonable):
    """A table that the target had before, by its own names."""

    owner: str
    name: str
    object_id: int
    members: tuple[Member, ...]

    @property
    def table(self) -> TableName:
        return TableName(self.owner, self.name)

    def aside(self, run_id: str) -> TableName:
        return TableName(self.owner, aside_name(run_id, "table", self.table))


@dataclass(frozen=True)
class FormerObject(Jsonable):
    """A sequence or view that the refresh replaces, or a trigger of such a view: it is made again from its
    own DDL.

    :ivar create: the statements that create it.
    :ivar comments: the statements that comment on it.
    """

    kind: Literal["SEQUENCE", "VIEW", "TRIGGER"]
    owner: str
    name: str
    object_id: int
    create: tuple[str, ...]
    grants: tuple[Grant, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def full_name(self) -> ObjectName:
        return ObjectName(self.owner, self.name)


@dataclass(frozen=True)
class Former(Jsonable):
    """That all of it was recorded, and how much it is."""

    tables: int
    objects: int


FORMER: Kind[Former] = Kind("former", Former)
FORMER_TABLE: Kind[FormerTable] = Kind("former table", FormerTable)
FORMER_OBJECT: Kind[FormerObject] = Kind("former object", FormerObject)


@dataclass(frozen=True)
class Present:
    """What the target holds now: tables with their OBJECT_IDs, and the members that stand in each."""

    tables: Mapping[TableName, int]
    members: Mapping[TableName, frozenset[Member]]

    def place(self, former: FormerTable, run_id: str) -> TableName | None:
        """The name under which a former table stands now; None where it is gone."""
        names = (former.table, former.aside(run_id))
        return next((name for name in names if self.tables.get(name) == former.object_id), None)


@dataclass(frozen=True)
class Renaming:
    """One name for another; `member` is None for the table itself."""

    table: TableName
    member: Member | None
    new: str


def aside_name(run_id: str, kind: str, name: ObjectName) -> str:
    """What something of a run is called while it is aside: 26 characters, which every release takes."""
    about = "\0".join((run_id, kind, *name))
    return f"REFRESH$A_{hashlib.sha256(about.encode()).hexdigest()[:16].upper()}"


def to_set_aside(former: FormerTable, present: Present, run_id: str) -> tuple[Renaming, ...]:
    """What is left to be renamed of a table that is to be aside: its members first, as long as it has the
    name that stands in their text, then the table."""
    place = present.place(former, run_id)
    if place is None:
        return ()
    there = present.members.get(place, frozenset())
    members = (
        Renaming(place, member, member.aside(run_id).name) for member in former.members if member in there
    )
    table = [Renaming(place, None, former.aside(run_id).name)] if place == former.table else []
    return (*members, *table)


def to_put_back(former: FormerTable, present: Present, run_id: str) -> tuple[Renaming, ...]:
    """The other way: the table first, then its members."""
    place = present.place(former, run_id)
    if place is None:
        return ()
    there = present.members.get(place, frozenset())
    table = [Renaming(place, None, former.name)] if place != former.table else []
    return (
        *table,
        *(
            Renaming(former.table, aside, member.name)
            for member in former.members
            if (aside := member.aside(run_id)) in there
        ),
    )


def lost(tables: Iterable[FormerTable], present: Present, run_id: str) -> list[TableName]:
    """Former tables that stand under neither of their names."""
    return [former.table for former in tables if present.place(former, run_id) is None]
