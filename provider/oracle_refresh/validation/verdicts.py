"""From the facts of both sides to a verdict. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.validation.model import (
    Facts,
    LobCheck,
    MaskedCheck,
    Shard,
    ShardCheck,
    Sum,
    TableCheck,
)

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table


def read_facts(row: Sequence[Any], lobs: Sequence[str]) -> Facts:
    """The facts in the row that `statements.summary` selects."""
    values = [int(value) for value in row]
    rows, *rest = values
    checksum, rest = _checksum(rest)
    found_lobs = []
    for name in lobs:
        count, length, *rest = rest
        text, rest = _checksum(rest)
        found_lobs.append(Sum(name, count, length, text))
    return Facts(rows, checksum, tuple(found_lobs), tuple(rest))


def judge_copy(
    table: Table,
    source: Facts,
    target: Facts,
    uncompared: Iterable[str] = (),
    seconds: float = 0.0,
    shards: Sequence[Shard] = (),
) -> TableCheck:
    """Equal when rows, row checksums and, per LOB column, counts, lengths and checksums are the same.

    :param shards: in the order of the source's `shards`: each must have been exported and loaded as it is.
    """
    proofs = tuple(
        ShardCheck(shard.job, rows, shard.exported, shard.loaded)
        for shard, rows in zip(shards, source.shards, strict=True)
    )
    differences = [*_rows(source, target), *_lobs(source, target), *_shards(proofs, source, target)]
    return replace(
        _check(table, source, target, (), uncompared, differences, "equal", seconds), shards=proofs
    )


def judge_masked(
    table: Table,
    source: Facts,
    target: Facts,
    checks: Sequence[MaskedCheck] = (),
    emptied: Mapping[str, bool] | None = None,
    changed_rows: int = 0,
    uncompared: Iterable[str] = (),
    seconds: float = 0.0,
    unpaired: int | None = None,
    found_by: str = "",
) -> TableCheck:
    """Masked when no row kept a value that its rule changes, each column is as its rule promises, and nothing
    else changed.

    :param emptied: columns whose values may become NULL; true where all have to.
    :param changed_rows: rows that were found with other unmasked columns.
    :param unpaired: rows of the target that are no row of the source, masked by the key and the rules.
    """
    differences = _rows(source, target)
    if differences and source.rows == target.rows and changed_rows:
        differences = [f"{changed_rows} rows differ outside LOBs and masks"]
    differences += _lobs(source, target)
    if unpaired:
        rows = f"{unpaired} rows are" if found_by == "masked key" else "some rows are"
        differences.append(f"{rows} not what the key and the rules make of any row of the source")
    for each in checks:
        broken = _broken(each, (emptied or {}).get(each.column))
        differences += [f"{each.column}: {text}" for text in broken]
    verdict = "masked" if checks else "equal"
    check = _check(table, source, target, tuple(checks), uncompared, differences, verdict, seconds)
    return replace(check, found_by=found_by)


def _broken(check: MaskedCheck, emptied: bool | None) -> list[str]:
    """What a masked column does not hold of what its rule promises. Counts only, never a value.

    :param emptied: None: values stay values; else whether all become NULL.
    """
    found = []
    if check.unchanged:
        found.append(f"{check.unchanged} of {check.compared} compared values are the originals")
    if check.leaked:
        found.append(f"{check.leaked} values are originals of the source")
    if emptied and check.count:
        found.append(f"{check.count} values are not NULL, 0 are expected")
    if emptied is None and check.emptied:
        found.append(f"{check.emptied} values became NULL")
    if check.filled:
        found.append(f"{check.filled} NULLs became values")
    if check.misfits:
        found.append(f"{check.misfits} values are not of the rule's format or list")
    if check.reshaped:
        found.append(f"{check.reshaped} values did not keep the shape that the rule keeps")
    if check.shifted:
        found.append(f"{check.shifted} dates did not move by the rule's days")
    if check.apart:
        found.append(f"the dates of {check.apart} subjects did not move together")
    if check.distinct != check.distinct_source:
        found.append(f"{check.distinct} distinct values, {check.distinct_source} are expected")
    if check.totals_kept is False:
        found.append("the totals are not the source's")
    return found


def require(check: TableCheck) -> TableCheck:
    """The check itself; raises ValidationError when its verdict is `different`."""
    if check.verdict == "different":
        wrong = ", ".join(shard.job for shard in check.shards if not shard.equal)
        remedy = f"read the logs of {wrong}, then start a new run: it moves all shards of the table again"
        raise ValidationError(
            "; ".join(check.differences),
            object_name=f"{check.owner}.{check.name}",
            step="validation",
            remedy=remedy if wrong else None,
        )
    return check


def _checksum(values: list[int]) -> tuple[str, list[int]]:
    first, second, *rest = values
    return f"{first:x}-{second:x}", rest


def _rows(source: Facts, target: Facts) -> list[str]:
    if source.rows != target.rows:
        return [f"the source has {source.rows} rows, the target {target.rows}"]
    return (
        [] if source.checksum == target.checksum else ["columns outside LOBs and masks differ in some rows"]
    )


def _lobs(source: Facts, target: Facts) -> list[str]:
    found = []
    for one, other in zip(source.lobs, target.lobs, strict=True):
        if (one.count, one.length) != (other.count, other.length):
            found.append(
                f"{one.column}: {one.count} LOBs of {one.length} in the source, "
                f"{other.count} of {other.length} in the target"
            )
        elif one.checksum != other.checksum:
            found.append(f"{one.column}: the contents of LOBs differ")
    return found


def _shards(shards: tuple[ShardCheck, ...], source: Facts, target: Facts) -> list[str]:
    if not shards:
        return []
    found = []
    for shard in shards:
        if shard.loaded is None:
            found.append(f"shard {shard.job}: nothing tells how many rows were loaded")
        elif not shard.equal:
            exported = "" if shard.exported is None else f" {shard.exported} exported,"
            found.append(
                f"shard {shard.job}: {shard.at_scn} rows at the SCN,{exported} {shard.loaded} loaded"
            )
    covered = sum(shard.at_scn for shard in shards)
    if covered != source.rows:
        found.append(f"the shards cover {covered} rows, the source has {source.rows}")
    loaded = sum(shard.loaded or 0 for shard in shards)
    if not found and loaded != target.rows:
        apart = abs(target.rows - loaded)
        alike = [shard.job for shard in shards if shard.loaded == apart]
        hint = f", as many as shard {' or '.join(alike)} brought" if alike else ""
        more = "more" if target.rows > loaded else "fewer"
        found.append(f"the target has {apart} rows {more} than its shards brought{hint}")
    return found


def _check(
    table: Table,
    source: Facts,
    target: Facts,
    masked: tuple[MaskedCheck, ...],
    uncompared: Iterable[str],
    differences: list[str],
    verdict: Any,
    seconds: float,
) -> TableCheck:
    lobs = tuple(
        LobCheck(one.column, one.count, one.length, one.checksum, other.checksum)
        for one, other in zip(source.lobs, target.lobs, strict=True)
    )
    return TableCheck(
        table.owner,
        table.name,
        source.rows,
        target.rows,
        source.checksum,
        target.checksum,
        lobs,
        masked,
        tuple(uncompared),
        tuple(differences),
        "different" if differences else verdict,
        round(seconds, 3),
    )
