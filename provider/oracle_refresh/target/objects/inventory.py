"""What source and target hold, item by item, and how the two differ. Pure; `inventory_reader.py` reads it.

An item is one thing that a refresh copies: a table, a column, a constraint. Its `shape` is everything that
has to be equal, in words. Two inventories are compared by the items' keys, so the comparison is the same for
every kind of item.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from oracle_refresh.definition.model import InventoryKind
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.kind import Kind

KINDS: tuple[str, ...] = get_args(InventoryKind)
Problem = Literal["missing", "different", "additional"]
#: What the target may have in addition: its testers' own.
_OF_THE_TARGET = frozenset({"grant", "synonym", "procedure"})


@dataclass(frozen=True, order=True)
class Item(Jsonable):
    """One thing of one database. `member` is empty for an object as a whole."""

    kind: InventoryKind
    owner: str
    name: str
    member: str
    shape: str

    @property
    def object(self) -> TableName:
        """The object, mostly a table."""
        return TableName(self.owner, self.name)

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.kind, self.owner, self.name, self.member


@dataclass(frozen=True)
class Difference(Jsonable):
    """One item that is not equal.

    :ivar accepted: the definition says that it does not matter.
    :ivar in_place: the source is the clone itself, before it was masked.
    """

    kind: InventoryKind
    object_name: str
    member: str
    problem: Problem
    source: str
    target: str
    accepted: bool = False
    in_place: bool = False

    def __str__(self) -> str:
        what = f"{self.kind} {self.object_name}{' ' + self.member if self.member else ''}"
        if self.in_place:
            if self.problem == "different":
                return f"{what}: {self.source} before the masking, {self.target} now"
            return f"{what} is {'missing' if self.problem == 'missing' else 'new'} since the masking"
        if self.problem == "different":
            return f"{what}: {self.source} on the source, {self.target} on the target"
        return f"{what} is {'missing on' if self.problem == 'missing' else 'only on'} the target"


@dataclass(frozen=True)
class InventoryCheck(Jsonable):
    """The comparison. `verdict`: `different` speaks against a release, `accepted` and `equal` do not."""

    compared: int
    differences: tuple[Difference, ...]
    not_copied: tuple[str, ...]
    """What a refresh does not copy, and grants to users that the target does not have."""
    invalid_outside: tuple[str, ...]
    """Objects outside the refresh that refer to it and are invalid on the target."""
    verdict: Literal["equal", "accepted", "different"]

    @property
    def refused(self) -> tuple[Difference, ...]:
        return tuple(each for each in self.differences if not each.accepted)


INVENTORY: Kind[InventoryCheck] = Kind("inventory", InventoryCheck)


def compare(
    source: Iterable[Item],
    target: Iterable[Item],
    *,
    accept: Collection[str] = (),
    accept_objects: Collection[str] = (),
    not_copied: Iterable[str] = (),
    invalid_outside: Iterable[str] = (),
    in_place: bool = False,
) -> InventoryCheck:
    """Compare two inventories.

    :param accept: kinds of items whose differences do not matter.
    :param accept_objects: objects (OWNER.NAME) whose differences do not matter.
    :param in_place: whether both are of a clone, before its masking and now.
    """
    here = {item.key: item for item in source}
    there = {item.key: item for item in target}
    differences = [
        _difference(item, "missing", item.shape, "") for key, item in here.items() if key not in there
    ]
    for key, item in there.items():
        if key not in here:
            if item.kind not in _OF_THE_TARGET:
                differences.append(_difference(item, "additional", "", item.shape))
        elif here[key].shape != item.shape:
            differences.append(_difference(item, "different", here[key].shape, item.shape))
    gone = {each.object_name for each in differences if each.kind == "table" and each.problem != "different"}
    # Of a missing table the columns are not listed as well.
    listed = tuple(
        replace(each, accepted=each.kind in accept or each.object_name in accept_objects, in_place=in_place)
        for each in sorted(
            differences, key=lambda each: (each.object_name, KINDS.index(each.kind), each.member)
        )
        if each.kind == "table" or each.object_name not in gone
    )
    refused = any(not each.accepted for each in listed)
    return InventoryCheck(
        len(here),
        listed,
        tuple(not_copied),
        tuple(invalid_outside),
        "different" if refused else "accepted" if listed else "equal",
    )


def require(check: InventoryCheck) -> InventoryCheck:
    """The check itself; raises ValidationError when its verdict is `different`."""
    if check.verdict == "different":
        refused = check.refused
        in_place = refused[0].in_place
        whole = "clone differs from what it was" if in_place else "target differs from the source"
        since = "" if in_place else "; what changed on the source since takes a new run"
        raise ValidationError(
            f"the {whole} in {len(refused)} things: " + "; ".join(map(str, refused[:10])),
            object_name=refused[0].object_name,
            step="inventory",
            remedy="remove the cause and clear the task that makes it, or accept the kind of item or the "
            f"object in `inventory` of the definition{since}",
        )
    return check


def _difference(item: Item, problem: Problem, source: str, target: str) -> Difference:
    return Difference(item.kind, f"{item.owner}.{item.name}", item.member, problem, source, target)
