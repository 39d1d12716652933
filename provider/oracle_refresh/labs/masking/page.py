"""The gains as a page, as a chart and as text, beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from oracle_refresh.labs.harness.page import Page, Section, bars_beside, code
from oracle_refresh.labs.harness.table import Column, Table, tabulated
from oracle_refresh.labs.masking.explain import explanations
from oracle_refresh.labs.masking.model import BASELINE, Benchmark, Gain, Measurement
from oracle_refresh.labs.masking.ratios import counted, gains
from oracle_refresh.labs.masking.reference import PUBLISHED, TITLE, Published
from oracle_refresh.labs.masking.series import sections as series_sections
from oracle_refresh.labs.masking.undo import LEAST_SECONDS, undo_recipe

MEASURED = "this benchmark"
#: Where an interval is cut off in the chart, in per cent: at twice the time.
WORST = -100.0
#: Events that are worth a line in the table of waits.
MOST_EVENTS = 12
#: And beside each trial.
MOST_WAITS = 3
_ABOUT_INTERVALS = (
    "Orange: the interval of 95 %, from how far trials of one setting are apart; of the study, its lowest and"
    " highest figure."
)


@dataclass(frozen=True)
class Report:
    """What a benchmark has shown.

    :raises PlanError: for gains, if the baseline was not measured.
    """

    benchmark: Benchmark
    measurements: Sequence[Measurement]

    @property
    def gains(self) -> tuple[Gain, ...]:
        return gains(self.measurements)

    def document(self) -> Mapping[str, Any]:
        return {
            "benchmark": self.benchmark.to_json(),
            "gains": [gain.to_json() for gain in self.gains],
            "measurements": [measurement.to_json() for measurement in self.measurements],
            "explanations": list(explanations(counted(self.measurements))),
            "undo": undo_recipe(self.measurements).to_json() if self.measurements else None,
        }


def page(report: Report) -> Page:
    benchmark, work = report.benchmark, report.benchmark.workload
    stepped = {setting.name for setting in benchmark.settings if setting.series}
    switched = [gain for gain in report.gains if gain.setting not in stepped]
    ordered = counted(report.measurements)
    measured = {measurement.trial.id for measurement in report.measurements}
    missing = [trial.id for trial in benchmark.trials if trial.id not in measured]
    baselines = [measured for measured in ordered if measured.trial.setting == BASELINE]
    return Page(
        window=f"Masking benchmark: {benchmark.database}",
        title="What masking gains from the instance's settings",
        facts=[
            ("Run", code(benchmark.run_id)),
            (
                "Database",
                f"{benchmark.database}, connection {benchmark.conn_id}; before and after in"
                f" {benchmark.log_mode} mode",
            ),
            (
                "Work",
                f"{work.jobs} jobs at the same time, {work.tables} table{'s' if work.tables > 1 else ''}"
                f" each, {work.rows:,} rows and 9 masked columns per table (secure lookup, date shift):"
                f" {work.total_rows:,} rows per trial, committed every {work.commit_rows:,} rows",
            ),
            (
                "Baseline",
                ", ".join(f"{measured.seconds:.2f} s" for measured in baselines)
                + "; each trial is compared with the baseline of its moment",
            ),
        ],
        notes=[f"Not finished: {', '.join(missing)}. Their tasks' logs say why."] if missing else [],
        sections=[
            Section(
                chart=gain_chart(switched) if switched else "",
                caption=_ABOUT_INTERVALS,
                table=_gains(switched, {setting.name: setting.title for setting in benchmark.settings}),
            ),
            *series_sections(benchmark, report.gains),
            *_not_measured(benchmark),
            *_waits(ordered),
            *_undo(report.measurements),
            Section("Every trial", table=_measured(ordered)),
            Section(f"For comparison: {TITLE}", table=_published()),
        ],
    )


def table(report: Report) -> str:
    """The gains as text, for the task's log."""
    baselines = [measured for measured in counted(report.measurements) if measured.trial.setting == BASELINE]
    lines = [f"{BASELINE}: {measured.seconds:.2f} s" for measured in baselines]
    return "\n".join([*lines, _gains(report.gains).text()])


def wait_rows(measurements: Sequence[Measurement]) -> list[tuple[str, dict[str, float]]]:
    """The events that took longest, each with its mean seconds per setting."""
    by_setting: dict[str, list[Measurement]] = {}
    total: dict[str, float] = {}
    for measurement in measurements:
        by_setting.setdefault(measurement.trial.setting, []).append(measurement)
        for event, seconds in measurement.waits.items():
            total[event] = total.get(event, 0.0) + seconds
    events = sorted((event for event in total if total[event] > 0), key=lambda event: -total[event])
    return [
        (
            event,
            {
                name: sum(measurement.waits.get(event, 0.0) for measurement in group) / len(group)
                for name, group in by_setting.items()
            },
        )
        for event in events[:MOST_EVENTS]
    ]


def gain_chart(gained: Sequence[Gain]) -> str:
    """Time saved per switch: bars with what is known of them, and the published ranges below."""
    bars: list[dict[str, Any]] = []
    ranges: list[dict[str, Any]] = []
    for gain in gained:
        own = {"what": gain.setting, "series": MEASURED}
        bars.append({**own, "value": max(100 * gain.saved, WORST)})
        ranges.append({**own, "low": max(100 * gain.low, WORST), "high": 100 * gain.high})
        if (study := PUBLISHED.get(gain.setting)) is not None:
            published = {"what": gain.setting, "series": TITLE}
            bars.append({**published, "value": (study.low + study.high) / 2})
            ranges.append({**published, "low": study.low, "high": study.high})
    return bars_beside(bars, [MEASURED, TITLE], "time saved, per cent of the baseline's", ranges)


def _gains(gained: Sequence[Gain], titles: Mapping[str, str] | None = None) -> Table:
    def name(gain: Gain) -> str:
        if titles is None:
            return gain.setting
        return Markup('{}<br><span class="note">{}</span>').format(gain.setting, titles[gain.setting])

    columns: list[Column[Gain]] = [
        Column("switch", name),
        Column("trials", lambda gain: gain.trials, "d"),
        Column("s", lambda gain: gain.seconds, ".2f"),
        Column("rows/s", lambda gain: gain.rows_per_second, ",.0f"),
        Column("time saved", lambda gain: f"{100 * gain.saved:.0f} %", "s"),
        Column(
            "95 %: from, to",
            lambda gain: "any" if gain.low < -1 else f"{100 * gain.low:.0f}, {100 * gain.high:.0f} %",
            "s",
        ),
        Column("study", lambda gain: str(PUBLISHED.get(gain.setting, ""))),
        Column("what it says", lambda gain: gain.verdict),
    ]
    return tabulated(gained, columns)


def _not_measured(benchmark: Benchmark) -> list[Section]:
    sections = []
    for place, missing in enumerate(benchmark.not_measured):
        study = PUBLISHED.get(missing.setting)
        published = f" (study: {study})" if study and study.high else ""
        about = Markup("<strong>{}</strong>{}: {}").format(missing.setting, published, missing.reason)
        title = "" if place else "Not measured here"
        sections.append(Section(title, about, commands=missing.runbook))
    return sections


def _waits(ordered: Sequence[Measurement]) -> list[Section]:
    sections = [Section("Why", items=why)] if (why := explanations(ordered)) else []

    def of_setting(name: str) -> Column[tuple[str, dict[str, float]]]:
        return Column(name, lambda row: row[1][name], ".2f")

    settings = dict.fromkeys(measurement.trial.setting for measurement in ordered)
    if waits := wait_rows(ordered):
        columns = [Column[tuple[str, dict[str, float]]]("event", lambda row: row[0])]
        about = "Mean seconds per trial that all sessions of the instance waited, by event."
        means = tabulated(waits, [*columns, *map(of_setting, settings)])
        sections.append(Section("Waits", about, table=means))
    return sections


def _undo(measurements: Sequence[Measurement]) -> list[Section]:
    if not measurements:
        return []
    recipe = undo_recipe(measurements)
    room = (
        "how much undo the trials wrote this database does not count, so nobody knows the room that it takes"
        if recipe.bytes is None or recipe.bytes_per_second is None
        else f"at {recipe.bytes_per_second / 1e6:.1f} MB of undo per second, the most that a trial wrote, a"
        f" guarantee for so long holds {recipe.bytes / 1e6:,.0f} MB"
    )
    about = (
        f"The longest job took {recipe.longest_seconds:.1f} s: UNDO_RETENTION of twice that,"
        f" {LEAST_SECONDS} s at least; {room}. It is against ORA-01555, not for speed; measure with as many"
        " rows as your tables have."
    )
    return [Section("Undo for work like this", about, commands=recipe.statements)]


def _measured(ordered: Sequence[Measurement]) -> Table:
    def statistic(name: str, unit: float = 1.0) -> Any:
        return lambda row: row.statistics[name] / unit if name in row.statistics else None

    columns: list[Column[Measurement]] = [
        Column("no.", lambda row: row.trial.number, "d"),
        Column("setting", lambda row: row.trial.setting),
        Column("log mode", lambda row: row.log_mode),
        Column("s", lambda row: row.seconds, ".2f"),
        Column("rows/s", lambda row: row.rows_per_second, ",.0f"),
        Column("transactions", lambda row: row.transactions, ",d"),
        Column("redo MB", statistic("redo size", 1e6), ",.1f"),
        Column("log switches", statistic("redo log switches"), ",.0f"),
        Column("waited most for", _longest_waits),
        Column(
            "seconds of each job", lambda row: ", ".join(f"{taken:.1f}" for taken in row.job_seconds), "s"
        ),
    ]
    return tabulated(ordered, columns, note=lambda row: "; ".join(row.findings))


def _longest_waits(row: Measurement) -> str:
    longest = sorted(row.waits.items(), key=lambda item: -item[1])[:MOST_WAITS]
    return "; ".join(f"{event} {seconds:.2f} s" for event, seconds in longest)


def _published() -> Table:
    columns: list[Column[tuple[str, Published]]] = [
        Column("switch", lambda row: row[0]),
        Column("improvement", lambda row: str(row[1]), "s"),
        Column("of what", lambda row: row[1].claim),
    ]
    return tabulated(PUBLISHED.items(), columns)
