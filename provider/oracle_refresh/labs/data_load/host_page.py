"""The worker's host while schemas were loaded, as the report shows it: means and courses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.host import (
    DeviceRates,
    HostSample,
    HostSeries,
    of_batch,
    of_trial,
)
from oracle_refresh.labs.data_load.model import BatchLoad
from oracle_refresh.labs.harness.page import OWN, POINTED, Section, by_series
from oracle_refresh.labs.harness.table import Column, tabulated
from oracle_refresh.report.charts import chart, svg

_COLOURS = (OWN, POINTED, "#8a8f98", "#4aa564", "#b565c9", "#b07a4a")
#: Devices that the chart shows, those with most bytes: each is two lines.
MOST_SHOWN = 3
_ABOUT = (
    "Processors and devices are those of the worker's host, with all that runs there besides; they are the"
    " database's only where it is the same host. A device that stands on another one, as a volume on its"
    " disks, is shown beside it: their figures are not to be added up."
)


@dataclass(frozen=True)
class _Mean:
    """Of a trial or batch, on one device; None for the processors."""

    what: str
    series: HostSeries
    device: str | None

    def share(self, part: Callable[[HostSample], float]) -> float | None:
        """Percent of all processors."""
        return None if self.device else 100 * _mean(self.series.samples, part)

    def rate(self, part: Callable[[DeviceRates], float]) -> float | None:
        device = self.device
        if device is None:
            return None

        def of_device(sample: HostSample) -> float:
            rates = sample.devices.get(device)
            return part(rates) if rates else 0.0

        return _mean(self.series.samples, of_device)


def host_sections(load: Loaded) -> list[Section]:
    """Empty where the worker's host has no counters."""
    means = list(_means(load))
    if not means:
        return []
    columns: list[Column[_Mean]] = [
        Column("", lambda mean: mean.what),
        Column("host", lambda mean: mean.series.host),
        Column("device", lambda mean: mean.device or "processors"),
        Column("user %", lambda mean: mean.share(lambda sample: sample.user), ".1f"),
        Column("system %", lambda mean: mean.share(lambda sample: sample.system), ".1f"),
        Column("waiting for I/O %", lambda mean: mean.share(lambda sample: sample.waiting), ".1f"),
        Column("reads/s", lambda mean: mean.rate(lambda rates: rates.reads), ",.1f"),
        Column("read MB/s", lambda mean: mean.rate(lambda rates: rates.read_bytes / 1e6), ",.2f"),
        Column("writes/s", lambda mean: mean.rate(lambda rates: rates.writes), ",.1f"),
        Column("written MB/s", lambda mean: mean.rate(lambda rates: rates.written_bytes / 1e6), ",.2f"),
    ]
    sections = [Section("The worker's host", table=tabulated(means, columns), note=_ABOUT)]
    shares, rates = list(_shares(load)), list(_rates(load))
    if shares:
        about = "Batch by batch: processors, in percent of all of them."
        sections.append(Section(chart=_course(shares, "percent"), caption=about))
    if rates:
        about = "Batch by batch: what reached the devices with most bytes, in MB per second."
        sections.append(Section(chart=_course(rates, "MB per second"), caption=about))
    return sections


def _means(load: Loaded) -> Iterator[_Mean]:
    names = [of_trial(trial.degree) for trial in load.chosen.trials] if load.chosen else []
    for name in (*names, *(of_batch(batch.number) for batch in load.batches)):
        found = load.host.get(name)
        if found and found.samples:
            devices = sorted({device for sample in found.samples for device in sample.devices})
            for device in (None, *devices):
                yield _Mean(name, found, device)


def _mean(samples: Sequence[HostSample], part: Callable[[HostSample], float]) -> float:
    seconds = sum(sample.ended - sample.began for sample in samples)
    return sum(part(sample) * (sample.ended - sample.began) for sample in samples) / seconds


def _placed(
    batches: Sequence[BatchLoad], host: Mapping[str, HostSeries]
) -> Iterator[tuple[float, HostSample]]:
    """The samples of all batches, each with the seconds of loading at its end."""
    offset = 0.0
    for batch in batches:
        found = host.get(of_batch(batch.number))
        yield from ((offset + sample.ended, sample) for sample in (found.samples if found else ()))
        offset += batch.seconds


def _shares(load: Loaded) -> Iterator[dict[str, Any]]:
    for second, sample in _placed(load.batches, load.host):
        for name, share in (
            ("user", sample.user),
            ("system", sample.system),
            ("waiting for I/O", sample.waiting),
        ):
            yield {"second": second, "series": name, "value": 100 * share}


def _rates(load: Loaded) -> Iterator[dict[str, Any]]:
    placed = list(_placed(load.batches, load.host))
    moved: dict[str, float] = {}
    for _, sample in placed:
        for device, rates in sample.devices.items():
            moved[device] = moved.get(device, 0.0) + rates.read_bytes + rates.written_bytes
    shown = sorted(moved, key=lambda device: (-moved[device], device))[:MOST_SHOWN]
    for second, sample in placed:
        for device in shown:
            if found := sample.devices.get(device):
                for what, value in (("read", found.read_bytes), ("written", found.written_bytes)):
                    yield {"second": second, "series": f"{device} {what}", "value": value / 1e6}


def _course(rows: list[dict[str, Any]], title: str) -> str:
    import altair as alt

    names = list(dict.fromkeys(row["series"] for row in rows))
    lines = (
        chart(rows)
        .mark_line(point=True)
        .encode(
            x=alt.X("second:Q", title="seconds of loading"),
            y=alt.Y("value:Q", title=title, scale=alt.Scale(zero=True)),
            color=by_series(names, colours=_COLOURS),
        )
    )
    return svg(lines, height=180)
