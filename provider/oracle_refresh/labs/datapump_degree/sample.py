"""Chooses the rows that a calibration unloads: of one table, about so many bytes, the same for every degree.

Of a heap table in a smallfile tablespace they are its first extents, cut into ranges of rowids, so that a
job reads its own blocks and nothing else. Where rowids have no ranges (partitions, bigfile tablespaces) it is
every so-many-th block; then each job also reads over the table's own segment, as it would in a refresh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.catalog.survey import TableSurvey, read_survey
from oracle_refresh.experience.degree_advice import Extents, Sample
from oracle_refresh.labs.datapump_degree.plan import STEP
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan import ranges
from oracle_refresh.plan.rowid import LAST_ROW, Rowid
from oracle_refresh.plan.schemes import block_number
from oracle_refresh.plan.treatment import obstacle
from oracle_refresh.run.freeze import freeze

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Part:
    """What one job unloads of the sample."""

    predicate: str
    weight: float


def choose_table(catalogue: Catalogue, named: TableName | None = None) -> tuple[Table, str]:
    """The table to unload, and why: the named one, or the largest plain one, without LOBs if there is any.

    :raises PlanError: if the named table is not there or takes no condition, or none can be taken.
    """
    if named is not None:
        table = catalogue.table(*named)
        if table is None:
            raise _wrong("is not among the tables of the definition", named.key)
        if reason := _unfit(table):
            raise _wrong(f"cannot be unloaded in parts: {reason}", table.key)
        return table, "named"
    fit = [table for table in catalogue.tables if not _unfit(table) and table.total_bytes]
    for kind, tables in (
        (
            "the largest plain table",
            [t for t in fit if not t.stored_lobs and not t.partitions and not t.clustered],
        ),
        ("the largest table; none is without LOBs and partitions", fit),
    ):
        if tables:
            return max(tables, key=lambda table: (table.total_bytes, table.key)), kind
    raise _wrong("hold no table that can be unloaded in parts", ", ".join(catalogue.schemas))


def _unfit(table: Table) -> str | None:
    if table.temporary:
        return "it is temporary"
    return (
        "it is index-organized: its rows have no block numbers"
        if table.iot
        else obstacle(table, over_link=False)
    )


def _wrong(message: str, name: str) -> PlanError:
    return PlanError(
        message,
        object_name=name,
        step=STEP,
        remedy="name another table, or leave the field empty to have one chosen",
    )


def take_sample(
    connection: oracledb.Connection, catalogue: Catalogue, most_bytes: int, named: TableName | None = None
) -> Sample:
    """About `most_bytes` of the named table, or of the one that is chosen, as of now; reads only.

    :raises PlanError: if there is no table that can be unloaded in parts.
    """
    table, reason = choose_table(catalogue, named)
    return choose_sample(connection, table, reason, freeze(connection).scn, most_bytes)


def choose_sample(
    connection: oracledb.Connection, table: Table, reason: str, scn: int, most_bytes: int
) -> Sample:
    """About `most_bytes` of a table's segments, LOBs included; all of a smaller table."""
    survey = None
    if not (table.partitions or table.clustered or table.bigfile_tablespace):
        survey = read_survey(connection, [table]).of(table)
    return sample_of(table, survey, reason, scn, most_bytes)


def sample_of(table: Table, survey: TableSurvey | None, reason: str, scn: int, most_bytes: int) -> Sample:
    """The sample without a look at the database; pure."""
    total = max(1, table.total_bytes)
    extents: list[Extents] = []
    every = max(1, round(total / most_bytes))
    taken = total / every
    if survey is not None and ranges.usable(survey):
        every, taken = 1, 0.0
        for stretch in ranges.stretches(survey, table.lob_bytes):
            share = min(1.0, (most_bytes - taken) / stretch.weight) if stretch.weight else 1.0
            blocks = max(1, round(stretch.blocks * share))
            weight = stretch.weight * blocks / stretch.blocks
            extents.append(Extents(str(stretch.first), blocks, weight))
            taken += weight
            if taken >= most_bytes or share < 1:
                break
    return Sample(
        owner=table.owner,
        name=table.name,
        scn=scn,
        bytes=round(min(taken, total)),
        table_bytes=total,
        reason=reason,
        extents=tuple(extents),
        every=every,
        bigfile=table.bigfile_tablespace,
    )


def parts(sample: Sample, degree: int) -> tuple[Part, ...]:
    """The sample in `degree` parts of about equal weight; fewer where it has fewer blocks.

    Together they are the same rows for every degree, and no row is in two of them.
    """
    if not sample.extents:
        # Blocks divisible by `every`: block / every has remainder i of degree.
        return tuple(
            Part(
                f"MOD({block_number(sample.bigfile)}, {sample.every * degree}) = {sample.every * number}",
                sample.bytes / degree,
            )
            for number in range(degree)
        )
    stretches = [
        ranges.Stretch(Rowid.parse(extents.first), extents.blocks, extents.weight)
        for extents in sample.extents
    ]
    return tuple(_closed(cut, stretches) for cut in ranges.cut(stretches, degree))


def _closed(cut: ranges.RowidRange, stretches: Sequence[ranges.Stretch]) -> Part:
    """A range that ends where the sample ends."""
    last = stretches[-1]
    end = Rowid(last.first.data_object, last.first.relative_fno, last.first.block + last.blocks - 1, LAST_ROW)
    closed = ranges.RowidRange(cut.low or stretches[0].first, cut.high or end, cut.weight)
    assert closed.predicate is not None, "both ends are set"
    return Part(closed.predicate, cut.weight)
