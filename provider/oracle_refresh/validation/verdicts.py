"""From the facts of both sides to a verdict. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.validation.model import (
    Comparison,
    LobCheck,
    LobSummary,
    MaskedCheck,
    Shard,
    ShardCheck,
    Summary,
    TableCheck,
)
from oracle_refresh.validation.statements import comparable

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.rules import ColumnRule


def read_summary(row: Sequence[Any], lobs: Sequence[str]) -> Summary:
    """The row that `statements.summary` selects."""
    count, *rest = (int(value) for value in row)
    checksum, rest = _checksum(rest)
    summaries = []
    for name in lobs:
        number, length, *rest = rest
        text, rest = _checksum(rest)
        summaries.append(LobSummary(name, number, length, text))
    return Summary(count, checksum, tuple(summaries), tuple(rest))


def copy_check(
    table: Table, source: Summary, target: Summary, shards: Sequence[Shard] = (), seconds: float = 0.0
) -> TableCheck:
    """Equal when rows, row checksums and, per LOB column, counts, lengths and checksums are the same.

    :param shards: each must have been exported and loaded as the source's `shards` say, in their order; the
        rows of a single one are those of the table.
    """
    covered = source.shards if len(shards) > 1 else (source.rows,) * len(shards)
    proofs = tuple(
        ShardCheck(shard.job, rows, shard.exported, shard.loaded)
        for shard, rows in zip(shards, covered, strict=True)
    )
    differences = [*_rows(source, target), *_lobs(source, target), *_shards(proofs, source, target)]
    check = _check(table, Comparison(source, target), differences, seconds)
    return replace(check, shards=proofs)


def masked_check(
    table: Table, rules: Sequence[ColumnRule], comparison: Comparison, seconds: float = 0.0
) -> TableCheck:
    """Masked when no row kept a value that its rule changes, each column is as its rule promises, and nothing
    else changed."""
    source, target = comparison.source, comparison.target
    differences = _rows(source, target)
    if differences and source.rows == target.rows and comparison.changed_rows:
        differences = [f"{comparison.changed_rows} rows differ outside LOBs and masks"]
    differences += _lobs(source, target)
    if comparison.unpaired:
        exact = comparison.found_by == "masked key"
        rows = f"{comparison.unpaired} rows are" if exact else "some rows are"
        differences.append(f"{rows} not what the key and the rules make of any row of the source")
    emptied = _emptied(rules)
    for check in comparison.checks:
        differences += [f"{check.column}: {text}" for text in _broken(check, emptied.get(check.column))]
    return _check(table, comparison, differences, seconds)


def _emptied(rules: Sequence[ColumnRule]) -> dict[str, bool]:
    """The columns whose values may become NULL; true where all have to."""
    return {
        column: all(rule.algorithm.empties for rule in own) and own[-1].where is None
        for column, own in by_column(rules).items()
        if any(rule.algorithm.empties or rule.policy == "null" for rule in own)
    }


def _broken(check: MaskedCheck, emptied: bool | None) -> list[str]:
    """What a masked column does not hold of what its rule promises. Counts only, never a value.

    :param emptied: None: values stay values; else whether all become NULL.
    """
    broken = []
    if check.unchanged:
        broken.append(f"{check.unchanged} of {check.compared} compared values are the originals")
    if check.leaked:
        broken.append(f"{check.leaked} values are originals of the source")
    if emptied and check.count:
        broken.append(f"{check.count} values are not NULL, 0 are expected")
    if emptied is None and check.emptied:
        broken.append(f"{check.emptied} values became NULL")
    if check.filled:
        broken.append(f"{check.filled} NULLs became values")
    if check.misfits:
        broken.append(f"{check.misfits} values are not of the rule's format or list")
    if check.reshaped:
        broken.append(f"{check.reshaped} values did not keep the shape that the rule keeps")
    if check.shifted:
        broken.append(f"{check.shifted} dates did not move by the rule's days")
    if check.apart:
        broken.append(f"the dates of {check.apart} subjects did not move together")
    if check.distinct != check.distinct_source:
        broken.append(f"{check.distinct} distinct values, {check.distinct_source} are expected")
    if check.totals_kept is False:
        broken.append("the totals are not the source's")
    return broken


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


def _rows(source: Summary, target: Summary) -> list[str]:
    if source.rows != target.rows:
        return [f"the source has {source.rows} rows, the target {target.rows}"]
    return (
        [] if source.checksum == target.checksum else ["columns outside LOBs and masks differ in some rows"]
    )


def _lobs(source: Summary, target: Summary) -> list[str]:
    differences = []
    for before, after in zip(source.lobs, target.lobs, strict=True):
        if (before.count, before.length) != (after.count, after.length):
            differences.append(
                f"{before.column}: {before.count} LOBs of {before.length} in the source, "
                f"{after.count} of {after.length} in the target"
            )
        elif before.checksum != after.checksum:
            differences.append(f"{before.column}: the contents of LOBs differ")
    return differences


def _shards(shards: tuple[ShardCheck, ...], source: Summary, target: Summary) -> list[str]:
    if not shards:
        return []
    differences = []
    for shard in shards:
        if shard.loaded is None:
            differences.append(f"shard {shard.job}: nothing tells how many rows were loaded")
        elif not shard.equal:
            exported = "" if shard.exported is None else f" {shard.exported} exported,"
            differences.append(
                f"shard {shard.job}: {shard.at_scn} rows at the SCN,{exported} {shard.loaded} loaded"
            )
    covered = sum(shard.at_scn for shard in shards)
    if covered != source.rows:
        differences.append(f"the shards cover {covered} rows, the source has {source.rows}")
    loaded = sum(shard.loaded or 0 for shard in shards)
    if not differences and loaded != target.rows:
        apart = abs(target.rows - loaded)
        alike = [shard.job for shard in shards if shard.loaded == apart]
        hint = f", as many as shard {' or '.join(alike)} brought" if alike else ""
        more = "more" if target.rows > loaded else "fewer"
        differences.append(f"the target has {apart} rows {more} than its shards brought{hint}")
    return differences


def _check(table: Table, comparison: Comparison, differences: list[str], seconds: float) -> TableCheck:
    source, target = comparison.source, comparison.target
    lobs = tuple(
        LobCheck(before.column, before.count, before.length, before.checksum, after.checksum)
        for before, after in zip(source.lobs, target.lobs, strict=True)
    )
    return TableCheck(
        table.owner,
        table.name,
        source.rows,
        target.rows,
        source.checksum,
        target.checksum,
        lobs,
        comparison.checks,
        comparable(table)[1],
        tuple(differences),
        "different" if differences else "masked" if comparison.checks else "equal",
        round(seconds, 3),
        found_by=comparison.found_by,
    )
