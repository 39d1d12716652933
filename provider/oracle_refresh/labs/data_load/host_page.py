"""The worker's host while schemas were loaded, as the report shows it: means and courses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from oracle_refresh.labs.data_load.course import lines, mean, measured, placed
from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.host import DeviceRates, HostSample, HostSeries
from oracle_refresh.labs.harness.page import Section
from oracle_refresh.labs.harness.table import Column, tabulated

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
        found = None if self.device else mean(self.series.samples, part)
        return None if found is None else 100 * found

    def rate(self, part: Callable[[DeviceRates], float]) -> float | None:
        device = self.device
        if device is None:
            return None

        def of_device(sample: HostSample) -> float:
            rates = sample.devices.get(device)
            return part(rates) if rates else 0.0

        return mean(self.series.samples, of_device)


def host_sections(load: Loaded) -> list[Section]:
    """Empty where the worker's host has no counters."""
    means = list(_means(load))
    if not means:
        return []
    columns: list[Column[_Mean]] = [
        Column("", lambda line: line.what),
        Column("host", lambda line: line.series.host),
        Column("device", lambda line: line.device or "processors"),
        Column("user %", lambda line: line.share(lambda sample: sample.user), ".1f"),
        Column("system %", lambda line: line.share(lambda sample: sample.system), ".1f"),
        Column("waiting for I/O %", lambda line: line.share(lambda sample: sample.waiting), ".1f"),
        Column("reads/s", lambda line: line.rate(lambda rates: rates.reads), ",.1f"),
        Column("read MB/s", lambda line: line.rate(lambda rates: rates.read_bytes / 1e6), ",.2f"),
        Column("writes/s", lambda line: line.rate(lambda rates: rates.writes), ",.1f"),
        Column("written MB/s", lambda line: line.rate(lambda rates: rates.written_bytes / 1e6), ",.2f"),
    ]
    sections = [Section("The worker's host", table=tabulated(means, columns), note=_ABOUT)]
    course, selected = placed(load, {what: found.samples for what, found in load.host.items()})
    shares, rates = list(_shares(course)), list(_rates(course))
    if shares:
        about = f"Batch by batch: processors, in percent of all of them.{selected}"
        sections.append(Section(chart=lines(shares, "percent"), caption=about))
    if rates:
        about = f"Batch by batch: what reached the devices with most bytes, in MB per second.{selected}"
        sections.append(Section(chart=lines(rates, "MB per second"), caption=about))
    return sections


def _means(load: Loaded) -> Iterator[_Mean]:
    for name in measured(load):
        found = load.host.get(name)
        if found and found.samples:
            devices = sorted({device for sample in found.samples for device in sample.devices})
            for device in (None, *devices):
                yield _Mean(name, found, device)


def _shares(course: list[tuple[float, HostSample]]) -> Iterator[dict[str, Any]]:
    for second, sample in course:
        for name, share in (
            ("user", sample.user),
            ("system", sample.system),
            ("waiting for I/O", sample.waiting),
        ):
            yield {"second": second, "series": name, "value": 100 * share}


def _rates(course: list[tuple[float, HostSample]]) -> Iterator[dict[str, Any]]:
    moved: dict[str, float] = {}
    for _, sample in course:
        for device, rates in sample.devices.items():
            moved[device] = moved.get(device, 0.0) + rates.read_bytes + rates.written_bytes
    shown = sorted(moved, key=lambda device: (-moved[device], device))[:MOST_SHOWN]
    for second, sample in course:
        for device in shown:
            if found := sample.devices.get(device):
                for what, value in (("read", found.read_bytes), ("written", found.written_bytes)):
                    yield {"second": second, "series": f"{device} {what}", "value": value / 1e6}
