"""Work units: what Airflow maps over once tables are loaded. Small tables are bundled, large ones are alone.

A task costs Airflow the same for a table of ten rows as for one of ten million. A bundle holds at most the
fair share of one unit, so none becomes the longest pole, and tables of the same jobs only: a unit waits for
the jobs of all its tables.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from oracle_refresh.plan.model import ExportJob, TablePlan, WorkUnit
from oracle_refresh.plan.pace import Pace

#: Fair shares that all work is divided into: the degree, within these bounds. Few workers of Data Pump are
#: not few of Airflow, and with too many shares their tasks would cost more than they gain.
FEWEST_SHARES, MOST_SHARES = 8, 64
#: What comparing, masking and indexing a table takes however small it is.
SECONDS_PER_TABLE = 0.2
#: The same as bytes, while nobody has measured how many a worker carries in a second.
BYTES_PER_TABLE = 1024 * 1024
#: What masking a value, and proving that it is masked, takes as long as: so many bytes to be carried.
BYTES_PER_MASKED_VALUE = 1024
#: A row of a table whose rows nobody has counted.
BYTES_PER_ROW = 100
#: Tables without rows that a unit may hold, however few there are: below that, tasks cost more than tables.
LEAST_TABLES = 4


@dataclass(frozen=True)
class _Bundle:
    work: int
    tables: tuple[TablePlan, ...]

    @property
    def rank(self) -> tuple[int, str]:
        """Most work first; of equals by name, so that the same plan has the same units."""
        return -self.work, self.tables[0].key

    def with_tables_of(self, other: _Bundle) -> _Bundle:
        return _Bundle(self.work + other.work, self.tables + other.tables)


def work_units(
    tables: Iterable[TablePlan],
    jobs: Sequence[ExportJob],
    works: Mapping[str, int],
    pace: Pace,
    degree: int,
    most: int,
) -> tuple[WorkUnit, ...]:
    """Every table in one unit, the units with the most work first, and their tables likewise.

    There are at most twice as many units as shares, and one more for each group of tables with the same jobs.

    :param works: the expected work of each table that holds rows, by its key.
    :param most: the most units that Airflow maps over: where there would be more, the smallest go together.
    """
    fixed = cost_per_table(pace)
    single = sorted(
        (_Bundle(works.get(table.key, 0) + fixed, (table,)) for table in tables), key=lambda each: each.rank
    )
    share = fair_share([each.work for each in single], degree, fixed)
    # What no job carries waits for nothing, wherever it is.
    home = tuple(job.id for job in jobs if job.scheme == "bulk")[:1]
    groups: dict[tuple[str, ...], list[_Bundle]] = defaultdict(list)
    for each in single:
        groups[each.tables[0].jobs or home].append(each)
    bundles = [bundle for group in groups.values() for bundle in _bundled(group, share)]
    return tuple(
        WorkUnit(
            f"U{number:03d}",
            tuple(table.table for table in bundle.tables),
            bundle.work,
        )
        for number, bundle in enumerate(sorted(_fewer(bundles, most), key=lambda each: each.rank), 1)
    )


def masking_work(rows: int | None, size: int, columns: int) -> int:
    """Work of masking so many columns of a table of so many bytes without its LOBs."""
    return (size // BYTES_PER_ROW if rows is None else rows) * columns * BYTES_PER_MASKED_VALUE


def cost_per_table(pace: Pace) -> int:
    """What each table adds to the work of its unit, whatever its size."""
    rate = pace.rates.export_bytes_per_second if pace.rates else None
    return max(1, round(SECONDS_PER_TABLE * rate)) if rate else BYTES_PER_TABLE


def fair_share(works: Sequence[int], degree: int, fixed: int) -> int:
    """The most work of a unit of several tables.

    :param fixed: what each table adds to it.
    """
    return max(-(-sum(works) // min(max(degree, FEWEST_SHARES), MOST_SHARES)), LEAST_TABLES * fixed)


def _bundled(group: Sequence[_Bundle], share: int) -> Iterator[_Bundle]:
    """The tables of a group, most work first: those of a share or more alone, the others together, evenly."""
    small = [each for each in group if each.work < share]
    yield from group[: len(group) - len(small)]
    if not small:
        return
    for count in range(-(-sum(each.work for each in small) // share), len(small) + 1):
        bundles = _spread(small, count)
        if max(bundle.work for bundle in bundles) <= share:
            yield from bundles
            return


def _spread(tables: Sequence[_Bundle], count: int) -> list[_Bundle]:
    """Each table, most work first, to the bundle that has the least."""
    held = [(0, number) for number in range(count)]
    bundles: list[list[_Bundle]] = [[] for _ in held]
    for each in tables:
        work, number = held[0]
        bundles[number].append(each)
        heapq.heapreplace(held, (work + each.work, number))
    return [
        _Bundle(sum(each.work for each in bundle), tuple(table for each in bundle for table in each.tables))
        for bundle in bundles
        if bundle
    ]


def _fewer(bundles: Iterable[_Bundle], most: int) -> list[_Bundle]:
    """At most so many: the two smallest go together until it is true."""
    heap = [(bundle.work, bundle.tables[0].key, bundle) for bundle in bundles]
    heapq.heapify(heap)
    while len(heap) > max(1, most):
        (_, _, smaller), (_, _, larger) = heapq.heappop(heap), heapq.heappop(heap)
        bundle = larger.with_tables_of(smaller)
        heapq.heappush(heap, (bundle.work, bundle.tables[0].key, bundle))
    return [bundle for _, _, bundle in heap]
