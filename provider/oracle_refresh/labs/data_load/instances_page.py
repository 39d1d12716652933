"""The database's instances while schemas were loaded, as the report shows them: means and courses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from oracle_refresh.labs.data_load.course import lines, mean, measured, placed
from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.instances import (
    BLOCK_CHANGES,
    LOGICAL_READS,
    PHYSICAL_READS,
    PHYSICAL_WRITES,
    InstanceSample,
    InstanceSeries,
    Interval,
)
from oracle_refresh.labs.harness.page import Section
from oracle_refresh.labs.harness.table import Column, Table, tabulated

_ABOUT = (
    "All open instances and their hosts together, with all that runs there besides, from V$OSSTAT and"
    " V$SYSSTAT. Logical reads and changes are of blocks in the buffer cache, physical reads and writes of"
    " blocks of the data files; bytes are those of all I/O, also of the redo. An empty cell is what this"
    " database does not count."
)
_ABOUT_INTERVALS = (
    "What each instance tells itself of the intervals of 15 seconds that lie within a trial or batch: a"
    " shorter one has none. Blocks per second."
)
_Part = Callable[[InstanceSample], float | None]
#: Of the second chart; logical ones are far more.
_PHYSICAL: tuple[tuple[str, _Part], ...] = (
    ("physical reads", lambda sample: sample.physical_reads),
    ("physical writes", lambda sample: sample.physical_writes),
)
_LOGICAL: tuple[tuple[str, _Part], ...] = (
    ("logical reads", lambda sample: sample.logical_reads),
    ("block changes", lambda sample: sample.block_changes),
)


@dataclass(frozen=True)
class _Own:
    """Intervals of one instance within a trial or batch."""

    what: str
    instance: int
    intervals: Sequence[Interval]

    def rate(self, metric: str) -> float | None:
        """Blocks per second, by the seconds of the intervals that tell of it."""
        told = [each for each in self.intervals if metric in each.metrics]
        seconds = sum(each.seconds for each in told)
        return sum(each.metrics[metric] * each.seconds for each in told) / seconds if seconds else None


def instance_sections(load: Loaded) -> list[Section]:
    """Empty where nothing was read of them."""
    found = [(name, load.instances[name]) for name in measured(load) if name in load.instances]
    sampled = [(name, series) for name, series in found if series.samples]
    sections = []
    if sampled:
        sections.append(Section("The database's instances", table=_means(sampled), note=_ABOUT))
    course, selected = placed(load, {name: series.samples for name, series in sampled})
    for parts in (_LOGICAL, _PHYSICAL):
        if rows := list(_course(course, parts)):
            about = f"Batch by batch: {' and '.join(name for name, _ in parts)} per second.{selected}"
            sections.append(Section(chart=lines(rows, "blocks per second"), caption=about))
    if own := list(_own(found)):
        sections.append(Section("As V$SYSMETRIC tells it", table=_intervals(own), note=_ABOUT_INTERVALS))
    return sections


def _means(found: Sequence[tuple[str, InstanceSeries]]) -> Table:
    def of(title: str, part: _Part, form: str, factor: float = 1.0) -> Column[tuple[str, InstanceSeries]]:
        def value(row: tuple[str, InstanceSeries]) -> float | None:
            average = mean(row[1].samples, part)
            return None if average is None else average * factor

        return Column(title, value, form)

    return tabulated(
        found,
        [
            Column("", lambda row: row[0]),
            of("busy %", lambda sample: sample.busy, ".1f", 100),
            of("user %", lambda sample: sample.user, ".1f", 100),
            of("system %", lambda sample: sample.system, ".1f", 100),
            of("waiting for I/O %", lambda sample: sample.waiting, ".1f", 100),
            of("logical reads/s", lambda sample: sample.logical_reads, ",.1f"),
            of("block changes/s", lambda sample: sample.block_changes, ",.1f"),
            of("physical reads/s", lambda sample: sample.physical_reads, ",.1f"),
            of("physical writes/s", lambda sample: sample.physical_writes, ",.1f"),
            of("read MB/s", lambda sample: sample.read_bytes, ",.2f", 1e-6),
            of("written MB/s", lambda sample: sample.written_bytes, ",.2f", 1e-6),
        ],
    )


def _course(
    course: Sequence[tuple[float, InstanceSample]], parts: Sequence[tuple[str, _Part]]
) -> Iterator[dict[str, Any]]:
    for second, sample in course:
        for name, part in parts:
            if (value := part(sample)) is not None:
                yield {"second": second, "series": name, "value": value}


def _own(found: Sequence[tuple[str, InstanceSeries]]) -> Iterator[_Own]:
    for name, series in found:
        for instance in sorted({interval.instance for interval in series.intervals}):
            yield _Own(name, instance, [each for each in series.intervals if each.instance == instance])


def _intervals(own: Sequence[_Own]) -> Table:
    columns: list[Column[_Own]] = [
        Column("", lambda row: row.what),
        Column("instance", lambda row: row.instance, "d"),
        Column("intervals", lambda row: len(row.intervals), "d"),
        Column("logical reads/s", lambda row: row.rate(LOGICAL_READS), ",.1f"),
        Column("block changes/s", lambda row: row.rate(BLOCK_CHANGES), ",.1f"),
        Column("physical reads/s", lambda row: row.rate(PHYSICAL_READS), ",.1f"),
        Column("physical writes/s", lambda row: row.rate(PHYSICAL_WRITES), ",.1f"),
    ]
    return tabulated(own, columns)
