"""The mounts of a store as the page shows them: what was checked, which one is better, and what they cost the
worker's processors. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from oracle_refresh.dbfs.host import MountCheck
from oracle_refresh.dbfs.mount_check import ExaminedMount
from oracle_refresh.experience.store_advice import STREAM
from oracle_refresh.labs.harness.page import Section
from oracle_refresh.labs.harness.table import Column, tabulated
from oracle_refresh.labs.store.client import ClientCpu
from oracle_refresh.labs.store.model import Point, size_text

VERDICTS = {True: "ok", False: "missing", None: "-"}
_COMPARED = (
    "The best figure of each way into the same store, so that options of the mount can be compared. What is"
    " measured without FUSE is the file system that the folder lies on, and no DBFS."
)
_CLIENT = (
    "Shares of all processors of the worker's host, with all that runs there besides (dbfs_client is a"
    " process of its own), and seconds of this process for each GB. Through FUSE most of it is system time:"
    " data goes to dbfs_client in small pieces, 128 KB with direct_io."
)


def way_title(way: str, paths: Mapping[str, str], seen: Mapping[str, str]) -> str:
    """What a way into the store is called.

    :param paths: of the mounts, by their ways.
    :param seen: what each of them is on the worker, in a few words.
    """
    if way == STREAM:
        return "LOB calls on the connection"
    told = seen.get(way)
    return f"the mounted path {paths.get(way, '')}".rstrip() + (f" ({told})" if told else "")


def mount_sections(mounts: Sequence[ExaminedMount]) -> Iterator[Section]:
    """Every check of every mount; and what makes the mount, where something is missing."""
    columns: list[Column[MountCheck]] = [
        Column("", lambda check: VERDICTS[check.holds]),
        Column("what", lambda check: check.what),
        Column("found", lambda check: check.found),
        Column("what to do", lambda check: check.remedy if check.holds is False else ""),
    ]
    for mount in mounts:
        host = mount.host
        yield Section(
            f"The mount on {host.name}: {host.path}",
            f"{host.seen[:1].upper()}{host.seen[1:]}; looked at as the system user {host.user}.",
            table=tabulated(mount.checks, columns),
        )
        if mount.failed:
            yield Section(
                about="What makes the mount: commands; then, so that it is there after a start of the host, a"
                f" unit of systemd (/etc/systemd/system/{mount.unit_name}) or a line of /etc/fstab. None"
                " holds a password.",
                commands=("\n".join(mount.commands), mount.unit, mount.fstab),
            )


@dataclass(frozen=True)
class _Best:
    title: str
    write: Point
    read: Point


def compared_mounts(points: Sequence[Point], titles: Mapping[str, str]) -> Section | None:
    """The ways side by side, where there are several mounts."""
    ways = list(dict.fromkeys(point.way for point in points))
    if len([way for way in ways if way != STREAM]) < 2:
        return None
    best = []
    for way in ways:
        own = [point for point in points if point.way == way]
        fastest = max(own, key=lambda point: point.write_rate), max(own, key=lambda point: point.read_rate)
        best.append(_Best(titles[way], *fastest))
    columns: list[Column[_Best]] = [
        Column("way", lambda each: each.title),
        Column("written, MB/s", lambda each: each.write.write_rate / 1e6, ",.1f"),
        Column("by", lambda each: _by(each.write)),
        Column("read, MB/s", lambda each: each.read.read_rate / 1e6, ",.1f"),
        Column("by", lambda each: _by(each.read)),
    ]
    first = max(best, key=lambda each: each.write.write_rate)
    return Section(
        "The mounts compared", _COMPARED, table=tabulated(best, columns, lambda each: each is first)
    )


def _by(point: Point) -> str:
    return f"{point.users} user{'s' if point.users > 1 else ''}, {size_text(point.block)}"


@dataclass(frozen=True)
class _Client:
    title: str
    point: Point
    direction: str
    cpu: ClientCpu
    bytes: int


def client_section(points: Sequence[Point], titles: Mapping[str, str]) -> Section | None:
    """The worker's processors, line by line; None where its host does not count them."""
    lines = [
        _Client(titles[point.way], point, direction, cpu, size)
        for point in points
        for direction, cpu, size in (
            ("write", point.write_cpu, point.written),
            ("read", point.read_cpu, point.read),
        )
        if cpu is not None
    ]
    if not lines:
        return None
    columns: list[Column[_Client]] = [
        Column("way", lambda line: line.title),
        Column("users", lambda line: line.point.users, "d"),
        Column("block", lambda line: size_text(line.point.block), "s"),
        Column("", lambda line: line.direction),
        Column("user %", lambda line: 100 * line.cpu.user, ".1f"),
        Column("system %", lambda line: 100 * line.cpu.system, ".1f"),
        Column("waiting for I/O %", lambda line: 100 * line.cpu.waiting, ".1f"),
        Column("own user, s/GB", lambda line: line.cpu.own_user / (line.bytes / 1e9), ",.2f"),
        Column("own system, s/GB", lambda line: line.cpu.own_system / (line.bytes / 1e9), ",.2f"),
    ]
    return Section("The worker's processors", _CLIENT, table=tabulated(lines, columns))
