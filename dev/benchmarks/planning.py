"""The planner alone: how good its plans are beside three others, and how long it takes for 100,000 tables.

Quality is the makespan over the lower bound (total / degree, or the largest piece that nothing divides), at
the 95th percentile of generated catalogues with heavy-tailed sizes. The other plans are for the same work:

- the block modulo over all tables, one after the other: every shard reads the table segment from end to end;
- NTILE over the rows of every table: as many rows in each bucket, however long their LOBs are (the query that
  finds the buckets is not counted; it may fall below the bound, because it cuts what is too small for a job);
- one Data Pump job with as many workers: a table with BasicFile LOBs is one worker's.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import accumulate, pairwise

from benchmarks.result import Result
from benchmarks.size import sized
from oracle_refresh.catalog import (
    Catalogue,
    Column,
    DatabaseIdentity,
    Extent,
    Lob,
    Sample,
    Survey,
    Table,
    TableSurvey,
)
from oracle_refresh.catalog.limits import MAX_JOBS, Limits
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.plan import Plan, build_plan, explain, survey_wanted
from oracle_refresh.plan.balance import makespan, split
from oracle_refresh.plan.rowid import Rowid
from oracle_refresh.plan.treatment import DIVIDED_FROM
from oracle_refresh.run.freeze import Frozen

CATALOGUES, MANY_TABLES = sized(1000, 10), sized(100_000, 500)
NAMES = {
    "planner": "this planner",
    "ntile": "NTILE buckets of rows",
    "modulo": "block modulo over all tables",
    "one_job": "one Data Pump job",
}
MEGABYTE = 1024 * 1024
BLOCK = 8192
#: Parts of a table that differ in how long their LOBs are.
STRETCHES = 64
IDENTITY = DatabaseIdentity(1, 1, "S", "S", "S", None, "h", "19.0.0.0.0", "READ WRITE", "PRIMARY", "R")
FROZEN = Frozen(1, datetime(2026, 1, 1), IDENTITY)


@dataclass(frozen=True)
class PlannerResult(Result):
    """With the distribution of each plan's makespan over the bound, for the plot."""

    percentiles: dict[str, list[float]] = field(default_factory=dict)

    def document(self) -> dict[str, object]:
        """Ratios, figures and machine; the percentiles are only plotted."""
        return {key: value for key, value in asdict(self).items() if key not in ("name", "percentiles")}

    def plot(self) -> str:
        import altair as alt
        import vl_convert

        rows = [
            {"plan": NAMES[name], "percent": percent, "ratio": ratio}
            for name, ratios in self.percentiles.items()
            for percent, ratio in enumerate(ratios, 1)
        ]
        within = [{"ratio": 1.05, "label": "5 %"}]
        y = alt.Y("ratio:Q", scale=alt.Scale(type="log"), title="makespan over the lower bound")
        lines = (
            alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]
            .mark_line()
            .encode(
                x=alt.X("percent:Q", title=f"per cent of {CATALOGUES:,} generated catalogues"),
                y=y,
                color=alt.Color("plan:N", sort=list(NAMES.values()), title=None),
            )
        )
        limit = (
            alt.Chart(alt.Data(values=within))  # type: ignore[no-untyped-call]
            .mark_rule(strokeDash=[4, 4], color="#8a8f98")
            .encode(y=y)
        )
        chart = alt.layer(lines, limit).properties(width=520, height=320)
        return str(vl_convert.vegalite_to_svg(chart.to_json()))


def run() -> Result:
    chance = random.Random(20261)
    over: dict[str, list[float]] = {"planner": [], "modulo": [], "ntile": [], "one_job": []}
    for _ in range(CATALOGUES):
        for name, ratio in compare(chance).items():
            over[name].append(ratio)
    many = [_table(chance, f"T{number}", 0.02) for number in range(MANY_TABLES)]
    began = time.monotonic()
    plan = plan_of(many, degree=32)
    seconds = time.monotonic() - began
    began = time.monotonic()
    text = explain(plan)
    percentiles = {name: statistics.quantiles(ratios, n=100) for name, ratios in over.items()}
    p95 = {name: found[94] for name, found in percentiles.items()}
    return PlannerResult(
        "planner",
        ratios={
            "makespan_over_bound_p95": p95["planner"],
            **{f"{name}_over_bound_p95": p95[name] for name in ("modulo", "ntile", "one_job")},
        },
        figures={
            "catalogues": CATALOGUES,
            **{f"{name}_over_bound_median": statistics.median(ratios) for name, ratios in over.items()},
            "makespan_over_bound_worst": max(over["planner"]),
            "within_5_percent_of_bound_share": sum(ratio <= 1.05 for ratio in over["planner"]) / CATALOGUES,
            "plan_100k_tables_seconds": seconds,
            "explain_100k_tables_seconds": time.monotonic() - began,
            "explain_100k_tables_mb": len(text) / 1e6,
            "plan_100k_tables_jobs": len(plan.jobs),
            "plan_100k_tables_makespan_over_bound": plan.makespan_bytes / plan.bound_bytes,
        },
        percentiles=percentiles,
    )


def compare(chance: random.Random) -> dict[str, float]:
    """Makespan over the lower bound of the four plans for one generated catalogue."""
    degree = chance.choice([4, 8, 16, 32])
    tables = [_table(chance, f"T{number}", 0.2) for number in range(chance.randint(3, 200))]
    densities = {table.key: _densities(chance) for table in tables if table.lobs}
    plan = plan_of(tables, degree, densities)
    bound = plan.bound_bytes
    modulo = sum(table.bytes + math.ceil(table.lob_bytes / degree) for table in tables)
    ntile = sum(
        max(_buckets(densities.get(table.key, [1.0]), degree)) * table.total_bytes for table in tables
    )
    pieces = [piece for table in tables for piece in _pieces(table)]
    return {
        "planner": plan.makespan_bytes / bound,
        "modulo": modulo / bound,
        "ntile": ntile / bound,
        "one_job": makespan(pieces, degree) / bound,
    }


def _pieces(table: Table) -> list[int]:
    """What the workers of one job carry of a table at a time."""
    return [table.total_bytes] if table.lobs else split(table.bytes, -(-table.bytes // DIVIDED_FROM))


def _table(chance: random.Random, name: str, with_lobs: float) -> Table:
    """Sizes with a Pareto tail: most tables are small, a few hold nearly everything."""
    size = max(BLOCK, round(min(chance.paretovariate(0.7) * MEGABYTE, 1e13)) // BLOCK * BLOCK)
    columns = [Column("ID", "NUMBER", 22, 0, None, 12, 0, False)]
    lobs = []
    if chance.random() < with_lobs:
        lob_size = round(size * chance.choice([0.5, 2, 20, 100]))
        columns.append(Column("BODY", "BLOB", 4000, 0, None, None, None, True))
        lobs.append(Lob("BODY", f"LOB_{name}", "BLOB", False, True, BLOCK, lob_size))
    return Table("APP", name, 1000, size, size // BLOCK, tuple(columns), tuple(lobs))


def _densities(chance: random.Random) -> list[float]:
    """LOB bytes by stretch of the table, as shares of one."""
    drawn = [chance.paretovariate(1.2) for _ in range(STRETCHES)]
    return [one / sum(drawn) for one in drawn]


def _buckets(densities: Sequence[float], count: int) -> list[float]:
    """What as many rows in each bucket carry, as shares of one."""
    sums = list(accumulate(densities, initial=0.0))

    def at(place: float) -> float:
        low = min(int(place), len(densities) - 1)
        return sums[low] + (place - low) * densities[low]

    marks = [at(number * len(densities) / count) for number in range(count + 1)]
    return [after - before for before, after in pairwise(marks)]


def plan_of(tables: Sequence[Table], degree: int, densities: dict[str, list[float]] | None = None) -> Plan:
    """The plan of these tables, where the instances permit as many jobs as `degree` says."""
    catalogue, limits = Catalogue(("APP",), tuple(tables)), Limits(8, max_jobs=max(MAX_JOBS, degree))
    definition = definition_of(degree)
    wanted = survey_wanted(catalogue, definition, limits, FROZEN)
    survey = Survey({table.key: _survey(table, (densities or {}).get(table.key, [1.0])) for table in wanted})
    return build_plan(catalogue, definition, limits, FROZEN, "run", survey=survey)


def definition_of(degree: int) -> RefreshDefinition:
    return RefreshDefinition.model_validate(
        {
            "name": "planner",
            "source": {"conn_id": "a"},
            "target": {"conn_id": "b"},
            "schemas": ["APP"],
            "degree": degree,
            "max_shards": max(128, degree),
            "lob_shard_min_bytes": MEGABYTE,
            "staging": {"source_directory": "D", "store": "S", "mount": "/S", "target_directory": "T"},
            "masking": {"ruleset": "/rules.yaml", "key_conn_id": "k"},
        }
    )


def _survey(table: Table, densities: Sequence[float]) -> TableSurvey:
    """What sampling would see: extents as they are allocated, LOB bytes as they lie."""
    parts = min(len(densities), table.blocks)
    extents, block = [], 128
    for blocks in split(table.blocks, parts):
        extents.append(Extent(1, block, blocks, blocks * BLOCK, str(Rowid(1, 1, block))))
        block += blocks
    carried = zip(extents, densities, strict=False)
    seen = tuple((1, extent.block_id, round(table.lob_bytes * share)) for extent, share in carried)
    return TableSurvey(tuple(extents), Sample(0.01, seen))
