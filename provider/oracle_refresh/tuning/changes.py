"""What tuning changes, as values: each change knows the former state, so that it can be undone. Pure.

A change that is made again, by a repeated try or by a later phase, is merged with the one on record: the
former state stays that from before the first, and `own` collects every state that tuning itself has made.
Whatever is found that is neither the former state nor an own one was made by somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, Self

from oracle_refresh.jsonable import Json, Jsonable
from oracle_refresh.tuning import statements
from oracle_refresh.tuning.cdc.processes import ProcessChange
from oracle_refresh.tuning.instance import RedoGroup


@dataclass(frozen=True)
class ParameterChange(Jsonable):
    """A parameter of one instance (`sid`), or of all (`*`). Values as V$SYSTEM_PARAMETER shows them."""

    kind: ClassVar[str] = "parameter"

    name: str
    sid: str
    value: str
    scope: Literal["memory", "both"]
    deferred: bool
    numeric: bool
    granule: int
    """Bytes to which Oracle may round a size up; 0: it does not."""
    former: str | None
    former_spfile: str | None
    in_spfile: bool
    """Whether the server parameter file had an entry for `sid`."""
    own: tuple[str, ...] = ()

    @property
    def item(self) -> str:
        return f"parameter {self.name}" + ("" if self.sid == "*" else f" of {self.sid}")

    @property
    def text(self) -> str:
        where = "memory and spfile" if self.scope == "both" else "memory"
        return f"{self.item}: {self.former or 'unset'} -> {self.value} ({where})"

    def merged(self, new: Self) -> Self:
        return replace(
            new,
            scope="both" if "both" in (self.scope, new.scope) else "memory",
            former=self.former,
            former_spfile=self.former_spfile,
            in_spfile=self.in_spfile,
            own=tuple(dict.fromkeys((*self.own, self.value, *new.own))),
        )

    def is_former(self, value: str | None) -> bool:
        return same(value, self.former)

    def is_own(self, value: str | None) -> bool:
        """Whether tuning itself has set the value, which Oracle may have rounded up to a granule."""
        if any(same(value, own) for own in (*self.own, self.value)):
            return True
        if not (self.numeric and self.granule and value and value.isdigit()):
            return False
        return any(
            own.isdigit() and int(own) <= int(value) < int(own) + self.granule
            for own in (*self.own, self.value)
        )


@dataclass(frozen=True)
class RedoChange(Jsonable):
    """The redo log groups of one thread: `add` before `drop`; `former` come back and `own` go at the end."""

    kind: ClassVar[str] = "redo"

    thread: int
    add: tuple[RedoGroup, ...]
    drop: tuple[RedoGroup, ...]
    former: tuple[RedoGroup, ...]
    own: tuple[RedoGroup, ...]

    @property
    def item(self) -> str:
        return f"redo logs of thread {self.thread}"

    @property
    def text(self) -> str:
        added = ", ".join(f"{group.number} ({megabytes(group.bytes)})" for group in self.add)
        dropped = ", ".join(f"{group.number} ({megabytes(group.bytes)})" for group in self.drop)
        return f"{self.item}: groups {added or 'none'} added, {dropped or 'none'} dropped"

    def merged(self, new: Self) -> Self:
        own = {group.number for group in self.own}
        recorded = own | {group.number for group in self.former}
        return replace(
            new,
            former=(*self.former, *(group for group in new.former if group.number not in recorded)),
            own=(*self.own, *(group for group in new.own if group.number not in own)),
        )


@dataclass(frozen=True)
class UndoChange(Jsonable):
    """An undo tablespace for one instance. In memory only: a restart ends with the former one."""

    kind: ClassVar[str] = "undo"

    sid: str
    tablespace: str
    file: str
    bytes: int
    next_bytes: int
    max_bytes: int
    guarantee: bool
    former: str | None

    @property
    def item(self) -> str:
        return "undo tablespace" + ("" if self.sid == "*" else f" of {self.sid}")

    @property
    def text(self) -> str:
        guarantee = ", retention guaranteed" if self.guarantee else ""
        return f"{self.item}: {self.former} -> {self.tablespace} ({megabytes(self.bytes)}{guarantee})"

    @property
    def create(self) -> str:
        """SQL: makes the tablespace."""
        return statements.create_undo(
            self.tablespace, self.file, self.bytes, self.next_bytes, self.max_bytes, self.guarantee
        )

    def use(self, tablespace: str | None) -> str:
        """SQL: lets the instance use a tablespace, until it is restarted."""
        return statements.set_parameter("undo_tablespace", tablespace or "", "MEMORY", self.sid)

    def merged(self, new: Self) -> Self:
        return replace(new, former=self.former)


@dataclass(frozen=True)
class TempChange(Jsonable):
    """A further file of a temporary tablespace."""

    kind: ClassVar[str] = "temp"

    tablespace: str
    file: str
    bytes: int

    @property
    def item(self) -> str:
        return f"temporary tablespace {self.tablespace}"

    @property
    def text(self) -> str:
        return f"{self.item}: file {self.file} of {megabytes(self.bytes)} added"

    def merged(self, new: Self) -> Self:
        return replace(new, bytes=self.bytes)


@dataclass(frozen=True)
class ModeChange(Jsonable):
    """FORCE LOGGING or FLASHBACK of the database."""

    kind: ClassVar[str] = "mode"

    mode: Literal["force logging", "flashback"]
    on: bool
    former: bool

    @property
    def item(self) -> str:
        return self.mode

    @property
    def text(self) -> str:
        return f"{self.mode}: {'on' if self.former else 'off'} -> {'on' if self.on else 'off'}"

    def merged(self, new: Self) -> Self:
        return replace(new, former=self.former)


Change = ParameterChange | RedoChange | UndoChange | TempChange | ModeChange | ProcessChange
KINDS: dict[str, type[Change]] = {
    kind.kind: kind
    for kind in (ParameterChange, RedoChange, UndoChange, TempChange, ModeChange, ProcessChange)
}


@dataclass(frozen=True)
class RunbookStep(Jsonable):
    """What a DBA has to do, with the exact commands, and those that undo it."""

    what: str
    why: str
    commands: tuple[str, ...]
    undo: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        lines = [f"{self.what}: {self.why}", *(f"    {command}" for command in self.commands)]
        if self.undo:
            lines += ["  afterwards:", *(f"    {command}" for command in self.undo)]
        return "\n".join(lines)


@dataclass(frozen=True)
class Changes:
    """What can be applied now, in this order, and what is left to a DBA."""

    dynamic: tuple[Change, ...] = ()
    runbook: tuple[RunbookStep, ...] = ()

    @property
    def text(self) -> str:
        lines = [change.text for change in self.dynamic] or ["nothing is to be changed"]
        if self.runbook:
            lines += ["To be done by a DBA:", *(step.text for step in self.runbook)]
        return "\n".join(lines)

    def with_others(self, others: Changes) -> Changes:
        """These, and then the others."""
        return Changes((*self.dynamic, *others.dynamic), (*self.runbook, *others.runbook))


@dataclass
class Draft:
    """What the planners of a phase have come to, each adding its own."""

    changes: list[Change] = field(default_factory=list)
    steps: list[RunbookStep] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def packed(change: Change) -> Json:
    return {"kind": change.kind, **change.to_json()}


def unpacked(document: Json) -> Change:
    fields = dict(document)
    return KINDS[fields.pop("kind")].from_json(fields)


def merge(recorded: Change, new: Change) -> Change:
    """The change that is on record from now on.

    :raises TypeError: if they are about different things, which their equal items exclude.
    """
    if type(recorded) is not type(new):
        raise TypeError(f"{recorded.item!r} is not {new.item!r}")
    return recorded.merged(new)  # type: ignore[arg-type]


def same(value: str | None, other: str | None) -> bool:
    """Whether two values of a parameter are equal; the case of words and an empty text say nothing."""
    return (value or "").casefold() == (other or "").casefold()


def megabytes(size: int) -> str:
    return f"{size / (1 << 20):,.0f} MB"
