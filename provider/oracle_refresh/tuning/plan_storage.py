"""Redo logs, undo and temporary space of a phase. Pure.

New files stand beside those that are there, under names that tell whose they are, so that a repeated try
finds what it has made, and nobody else's file is ever replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning import formula, runbook, statements
from oracle_refresh.tuning.changes import Change, RedoChange, RunbookStep, TempChange, UndoChange
from oracle_refresh.tuning.instance import ALL_INSTANCES, Instance, OpenInstance, RedoGroup
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.redo import given_members

Planned = tuple[list[Change], list[RunbookStep], list[str]]
UNDO_PREFIX = "REFRESH_UNDO_"
#: The least size of a redo log file: 4 MB (SQL Language Reference 19c, ADD LOGFILE; ORA-00336).
LEAST_REDO = 4 << 20
_FOLDER = re.compile(r"(.*[/\\])[^/\\]+", re.DOTALL)


def plan_redo(phase: Phase, instance: Instance) -> Planned:
    """At least so many groups of at least the size in each thread; smaller ones go."""
    if phase.redo is None:
        return [], [], []
    size, problems = _size("redo", phase.redo.size, instance)
    if not problems and size < LEAST_REDO:
        problems = [f"redo: a log file has {LEAST_REDO} bytes at least, not {size}"]
    if problems:
        return [], [], problems
    changes: list[RedoChange] = []
    free = max((group.number for group in instance.redo), default=0) + 1
    for thread in sorted({group.thread for group in instance.redo}):
        present = [group for group in instance.redo if group.thread == thread]
        keep = [group for group in present if _fits(group, size, phase.redo.exact)]
        drop = [group for group in present if group not in keep]
        missing = max(0, phase.redo.groups - len(keep))
        if not missing and not drop:
            continue
        pattern = max(present, key=lambda group: len(group.members))
        add = tuple(_new_group(number, size, pattern) for number in range(free, free + missing))
        free += missing
        changes.append(RedoChange(thread, add, tuple(drop), tuple(drop), add))
    if instance.in_pdb and changes:
        return [], [_redo_by_hand(change) for change in changes], []
    if instance.log_mode == "NOARCHIVELOG" and len({group.thread for group in instance.redo}) > 1:
        return [], [_redo_on_each_instance(change) for change in changes], []
    return list(changes), [], []


def _fits(group: RedoGroup, size: int, exact: bool) -> bool:
    return group.bytes == size if exact else group.bytes >= size


def _new_group(number: int, size: int, pattern: RedoGroup) -> RedoGroup:
    """A group with as many members as the others have, in the same places."""
    members = tuple(
        beside(member, f"refresh_redo_{pattern.thread}_{number}_{place}.log")
        for place, member in enumerate(pattern.members, 1)
    )
    return RedoGroup(number, pattern.thread, size, members)


def _redo_by_hand(change: RedoChange) -> RunbookStep:
    return runbook.from_root(
        change.text, *_exchange(change.add, change.drop), undo=_exchange(change.former, change.own)
    )


def _redo_on_each_instance(change: RedoChange) -> RunbookStep:
    return RunbookStep(
        f"{change.text}, on the instance of this thread",
        "in NOARCHIVELOG mode an instance can switch its own log only",
        _exchange(change.add, change.drop),
        _exchange(change.former, change.own),
    )


def _exchange(add: Sequence[RedoGroup], drop: Sequence[RedoGroup]) -> tuple[str, ...]:
    return (
        *(
            statements.add_redo(group.thread, group.number, given_members(group), group.bytes) + ";"
            for group in add
        ),
        "-- until the groups below are INACTIVE in V$LOG:",
        f"{statements.SWITCH_LOG};",
        f"{statements.CHECKPOINT};",
        *(statements.drop_redo(group.number) + ";" for group in drop),
    )


def plan_undo(phase: Phase, instance: Instance) -> Planned:
    """An undo tablespace of one's own per instance, unless the present one is as wanted."""
    wanted = phase.undo
    if wanted is None:
        return [], [], []
    sizes = {}
    problems: list[str] = []
    for field in ("size", "next", "max_size"):
        sizes[field], wrong = _size(f"undo.{field}", getattr(wanted, field), instance)
        problems += wrong
    if not problems and sizes["max_size"] < sizes["size"]:
        problems.append("undo: max_size is less than size")
    if instance.value("undo_management") not in (None, "AUTO"):
        problems.append("undo: UNDO_MANAGEMENT is not AUTO")
    if problems:
        return [], [], problems
    present = {tablespace.name: tablespace for tablespace in instance.undo}
    changes: list[Change] = []
    for opened in instance.instances:
        sid = ALL_INSTANCES if len(instance.instances) == 1 else opened.name
        former = instance.parameters["undo_tablespace"].memory.get(opened.name)
        used = present.get(former or "")
        if used and used.max_bytes >= sizes["max_size"] and used.guarantee >= wanted.guarantee:
            continue
        if used and used.name == own_undo(opened):
            continue
        beside_file = used.file if used else next(iter(present.values())).file
        changes.append(
            UndoChange(
                sid=sid,
                tablespace=own_undo(opened),
                file=beside(beside_file, f"{own_undo(opened).lower()}.dbf"),
                bytes=sizes["size"],
                next_bytes=sizes["next"],
                max_bytes=sizes["max_size"],
                guarantee=wanted.guarantee,
                former=former,
            )
        )
    if changes and not instance.local_undo:
        return [], [_undo_by_hand(change) for change in changes if isinstance(change, UndoChange)], []
    return changes, [], []


def own_undo(opened: OpenInstance) -> str:
    return f"{UNDO_PREFIX}{opened.number}"


def _undo_by_hand(change: UndoChange) -> RunbookStep:
    return runbook.from_root(
        f"{change.text} (the container database has shared undo)",
        f"{change.create};",
        f"{change.use(change.tablespace)};",
        undo=(f"{change.use(change.former)};", f"{statements.drop_tablespace(change.tablespace)};"),
    )


def plan_temp(phase: Phase, instance: Instance) -> Planned:
    """A further file where the temporary tablespace of the user cannot grow to the size."""
    if phase.temp is None:
        return [], [], []
    size, problems = _size("temp", phase.temp.size, instance)
    missing = size - instance.temp.max_bytes
    if problems or missing <= 0:
        return [], [], problems
    name = instance.temp.tablespace
    if instance.temp.bigfile:
        grown = f'ALTER TABLESPACE "{name}" AUTOEXTEND ON MAXSIZE {size - instance.temp.elsewhere};'
        most = f'ALTER TABLESPACE "{name}" AUTOEXTEND ON MAXSIZE {instance.temp.own_bytes};'
        why = "a bigfile tablespace has one file, which does not shrink by itself afterwards"
        return [], [RunbookStep(f"temporary tablespace {name}", why, (grown,), (most,))], []
    if not instance.temp.files:
        return [], [], [f"temp: the temporary tablespace {name} has no file"]
    file = beside(instance.temp.files[0].name, "refresh_temp.dbf")
    return [TempChange(name, file, missing)], [], []


def beside(file: str, name: str) -> str:
    """The path of a new file in the folder of another one; in ASM, an alias in its disk group.

    :raises TuningError: if the path has no folder.
    """
    if file.startswith("+"):
        return f"{file.split('/')[0]}/{name}"
    folder = _FOLDER.fullmatch(file)
    if folder is None:
        raise TuningError(f"{file!r} has no folder", object_name=file, step="tuning")
    return folder[1] + name


def _size(field: str, text: str, instance: Instance) -> tuple[int, list[str]]:
    try:
        size = (
            formula.evaluate(text, instance.facts(None))
            if formula.is_formula(text)
            else formula.parse_size(text)
        )
    except TuningError as error:
        return 0, [f"{field}: {error.message}"]
    return (size, []) if size else (0, [f"{field}: {text!r} is not a size"])
