"""Redo logs, undo and temporary space of a phase. Pure.

New files stand beside those that are there, under names that tell whose they are, so that a repeated try
finds what it has made, and nobody else's file is ever replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning import formula, runbook, statements
from oracle_refresh.tuning.changes import Draft, RedoChange, RunbookStep, TempChange, UndoChange
from oracle_refresh.tuning.instance import ALL_INSTANCES, Instance, OpenInstance, RedoGroup
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.redo import given_members

UNDO_PREFIX = "REFRESH_UNDO_"
#: The least size of a redo log file: 4 MB (SQL Language Reference 19c, ADD LOGFILE; ORA-00336).
LEAST_REDO = 4 << 20
_FOLDER = re.compile(r"(.*[/\\])[^/\\]+", re.DOTALL)


def plan_redo(phase: Phase, instance: Instance, draft: Draft) -> None:
    """At least so many groups of at least the size in each thread; smaller ones go."""
    if phase.redo is None:
        return
    size = _size("redo", phase.redo.size, instance, draft)
    if size is None:
        return
    if size < LEAST_REDO:
        draft.problems.append(f"redo: a log file has {LEAST_REDO} bytes at least, not {size}")
        return
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
    if instance.in_pdb:
        draft.steps += map(_redo_by_hand, changes)
    elif instance.log_mode == "NOARCHIVELOG" and len({group.thread for group in instance.redo}) > 1:
        draft.steps += map(_redo_on_each_instance, changes)
    else:
        draft.changes += changes


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


def plan_undo(phase: Phase, instance: Instance, draft: Draft) -> None:
    """An undo tablespace of one's own per instance, unless the present one is as wanted."""
    wanted = phase.undo
    if wanted is None:
        return
    before = len(draft.problems)
    size, step, most = (
        _size(f"undo.{field}", getattr(wanted, field), instance, draft)
        for field in ("size", "next", "max_size")
    )
    if size and most and most < size:
        draft.problems.append("undo: max_size is less than size")
    if instance.value("undo_management") not in (None, "AUTO"):
        draft.problems.append("undo: UNDO_MANAGEMENT is not AUTO")
    if len(draft.problems) > before or not (size and step and most):
        return
    present = {tablespace.name: tablespace for tablespace in instance.undo}
    changes: list[UndoChange] = []
    for opened in instance.instances:
        sid = ALL_INSTANCES if len(instance.instances) == 1 else opened.name
        former = instance.parameters["undo_tablespace"].memory.get(opened.name)
        used = present.get(former or "")
        if used and used.max_bytes >= most and used.guarantee >= wanted.guarantee:
            continue
        if used and used.name == own_undo(opened):
            continue
        beside_file = used.file if used else next(iter(present.values())).file
        changes.append(
            UndoChange(
                sid=sid,
                tablespace=own_undo(opened),
                file=beside(beside_file, f"{own_undo(opened).lower()}.dbf"),
                bytes=size,
                next_bytes=step,
                max_bytes=most,
                guarantee=wanted.guarantee,
                former=former,
            )
        )
    if instance.local_undo:
        draft.changes += changes
    else:
        draft.steps += map(_undo_by_hand, changes)


def own_undo(opened: OpenInstance) -> str:
    return f"{UNDO_PREFIX}{opened.number}"


def _undo_by_hand(change: UndoChange) -> RunbookStep:
    return runbook.from_root(
        f"{change.text} (the container database has shared undo)",
        f"{change.create};",
        f"{change.use(change.tablespace)};",
        undo=(f"{change.use(change.former)};", f"{statements.drop_tablespace(change.tablespace)};"),
    )


def plan_temp(phase: Phase, instance: Instance, draft: Draft) -> None:
    """A further file where the temporary tablespace of the user cannot grow to the size."""
    size = _size("temp", phase.temp.size, instance, draft) if phase.temp else None
    if size is None or size <= instance.temp.max_bytes:
        return
    name = instance.temp.tablespace
    if instance.temp.bigfile:
        grown = f'ALTER TABLESPACE "{name}" AUTOEXTEND ON MAXSIZE {size - instance.temp.elsewhere};'
        most = f'ALTER TABLESPACE "{name}" AUTOEXTEND ON MAXSIZE {instance.temp.own_bytes};'
        why = "a bigfile tablespace has one file, which does not shrink by itself afterwards"
        draft.steps.append(RunbookStep(f"temporary tablespace {name}", why, (grown,), (most,)))
    elif not instance.temp.files:
        draft.problems.append(f"temp: the temporary tablespace {name} has no file")
    else:
        file = beside(instance.temp.files[0].name, "refresh_temp.dbf")
        draft.changes.append(TempChange(name, file, size - instance.temp.max_bytes))


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


def _size(field: str, text: str, instance: Instance, draft: Draft) -> int | None:
    """The bytes; None, and a problem more, where it is no size."""
    try:
        size = (
            formula.evaluate(text, instance.facts(None))
            if formula.is_formula(text)
            else formula.parse_size(text)
        )
    except TuningError as error:
        draft.problems.append(f"{field}: {error.message}")
        return None
    if not size:
        draft.problems.append(f"{field}: {text!r} is not a size")
    return size or None
