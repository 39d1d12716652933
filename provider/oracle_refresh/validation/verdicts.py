"""From the facts of both sides to a verdict. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.errors import ValidationError
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

#: A fingerprint per masked column, by the fingerprint of the row's key; None is NULL.
Fingerprints = Mapping[str, tuple[str | None, ...]]


def read_facts(row: Sequence[Any], lobs: Sequence[str], masked: Sequence[str]) -> Facts:
    """The facts in the row that `statements.summary` selects."""
    values = [int(value) for value in row]
    rows, *rest = values
    checksum, rest = _checksum(rest)
    found_lobs, found_masked = [], []
    for name in lobs:
        count, length, *rest = rest
        text, rest = _checksum(rest)
        found_lobs.append(Sum(name, count, length, text))
    for name in masked:
        count, *rest = rest
        text, rest = _checksum(rest)
        found_masked.append(Sum(name, count, 0, text))
    return Facts(rows, checksum, tuple(found_lobs), tuple(found_masked), tuple(rest))


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
    fingerprints: tuple[Fingerprints, Fingerprints] | None,
    emptied: frozenset[str] = frozenset(),
    uncompared: Iterable[str] = (),
    seconds: float = 0.0,
    free: frozenset[str] = frozenset(),
) -> TableCheck:
    """Masked when no compared row kept a value in a masked column, and nothing else changed.

    :param fingerprints: of sampled rows, source and target; None where rows cannot be told apart.
    :param emptied: masked columns whose rule is NULL for every row.
    :param free: masked columns of which single values may stay, or become NULL, by their rule.
    """
    differences = [*_rows(source, target), *_lobs(source, target)]
    checks = []
    for place, (before, after) in enumerate(zip(source.masked, target.masked, strict=True)):
        expected = 0 if before.column in emptied else before.count
        if after.count > before.count if after.column in free else after.count != expected:
            differences.append(f"{after.column}: {after.count} values are not NULL, {expected} are expected")
        if after.column not in free and before.count and before.checksum == after.checksum != "0-0":
            differences.append(f"{after.column}: the column is not masked")
        compared, unchanged = _unchanged(fingerprints, place)
        if unchanged and after.column not in free:
            differences.append(f"{after.column}: {unchanged} of {compared} compared values are the originals")
        checks.append(MaskedCheck(after.column, after.count, compared, unchanged))
    verdict = "masked" if checks else "equal"
    return _check(table, source, target, tuple(checks), uncompared, differences, verdict, seconds)


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


def _unchanged(fingerprints: tuple[Fingerprints, Fingerprints] | None, place: int) -> tuple[int, int]:
    if fingerprints is None:
        return 0, 0
    before, after = fingerprints
    pairs = [(row[place], after[key][place]) for key, row in before.items() if key in after]
    some = [(one, other) for one, other in pairs if one is not None]
    return len(some), sum(one == other for one, other in some)


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
