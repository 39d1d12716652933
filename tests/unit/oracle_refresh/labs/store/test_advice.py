"""From measurements to a recommendation, and from a recommendation to a staging."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.experience.store_advice import (
    MOUNTED,
    STREAM,
    StoreAdvice,
    TransportAdvice,
    WayAdvice,
    by_better_way,
    settled,
    way_of,
)
from oracle_refresh.labs.harness.processors import Processors
from oracle_refresh.labs.store import client
from oracle_refresh.labs.store.advice import TOLERANCE, advise
from oracle_refresh.labs.store.client import ClientCpu
from oracle_refresh.labs.store.figures import Figures
from oracle_refresh.labs.store.model import BROUGHT, KILOBYTE, Cell, Phase, Point
from oracle_refresh.labs.store.mount_page import client_section
from oracle_refresh.labs.store.page import page, table
from oracle_refresh.labs.store.plan import MOST_PATHS, transports
from oracle_refresh.labs.store.plan import paths as paths_of
from oracle_refresh.labs.store.programs import Operation, Operations
from oracle_refresh.labs.store.ratios import operations, shares, transfers
from oracle_refresh.oracle.errors import PlanError
from support.store_plans import calibration
from support.transfer import demo

BLOCKS = (KILOBYTE, 32 * KILOBYTE, 1024 * KILOBYTE)
PLAN = calibration(
    cells=tuple(Cell(way, block) for way in (STREAM, MOUNTED) for block in BLOCKS),
    users=(1, 4, 8),
)


def point(way: str, users: int, block: int, rate: float, seconds: float = 1.0) -> Point:
    return Point(way, users, block * KILOBYTE, round(rate * seconds * 1e6), seconds, 1_000_000, 1.0)


def test_fewest_users_then_smallest_blocks_within_the_tolerance() -> None:
    points = [
        point(STREAM, 1, 1, 10),
        point(STREAM, 1, 32, 60),
        point(STREAM, 1, 1024, 80),
        point(STREAM, 4, 1, 50),
        point(STREAM, 4, 32, 95),
        point(STREAM, 4, 1024, 99),
        point(STREAM, 8, 32, 100),
    ]
    (way,) = advise(PLAN, points).ways
    assert (way.files_at_a_time, way.piece_bytes, way.trusted) == (4, 32 * KILOBYTE, True)


@pytest.mark.parametrize(("mounted", "first"), [(105, STREAM), (130, MOUNTED), (20, STREAM)])
def test_a_mount_has_to_be_worth_it(mounted: float, first: str) -> None:
    found = advise(PLAN, [point(STREAM, 1, 1, 100), point(MOUNTED, 4, 32, mounted)])
    assert found.ways[0].way == first
    assert {one.way for one in found.ways} == {STREAM, MOUNTED}


def test_mounts_of_other_options_are_ways_of_their_own_and_no_staging_takes_them() -> None:
    plan = replace(PLAN, other_paths=("/cached", "/threads"), parts=("blocks", "transports"))
    assert plan.paths == {"mounted": "/mnt", "mounted-2": "/cached", "mounted-3": "/threads"}
    assert replace(PLAN, mounted_path="").paths == {}
    cells = tuple(Cell(way, 1024 * KILOBYTE) for way in (STREAM, *plan.paths))
    assert [Cell.parse(cell.id) for cell in cells] == list(cells)
    assert transports(replace(plan, cells=cells)) == ("file_transfer", "stream", "mounted")
    points = [point(cell.way, 1, 1024, 100 + 50 * place) for place, cell in enumerate(cells)]
    assert [way.way for way in advise(plan, points).ways] == [MOUNTED, STREAM]
    seen = {"mounted": "dbfs_client, direct_io", "mounted-2": "dbfs_client"}
    done = {"mounted-2": Operations((Operation("extract", 1, 2.0, 100, 0),))}
    figures = Figures(plan, points, {}, None, seen, operations=done)
    html = page(figures).html()
    assert "tar, ls and rm: the mounted path /cached (dbfs_client)" in html
    assert figures.document()["operations"]["mounted-2"][0]["files"] == 100
    for told in ("The mounts compared", "/cached (dbfs_client)", "/mnt (dbfs_client, direct_io)", "/threads"):
        assert told in html, told
    assert "The mounts compared" not in page(Figures(PLAN, points[:2], {}, None)).html()


@pytest.mark.parametrize(
    ("chosen", "of_definition", "paths"),
    [
        ("", None, ()),
        ("", Path("/mnt"), ("/mnt",)),
        ("/a\n /b \n\n/a", Path("/mnt"), ("/a", "/b")),
        (["/a b", "/c"], None, ("/a b", "/c")),
    ],
)
def test_paths_of_the_form(
    chosen: str | list[str], of_definition: Path | None, paths: tuple[str, ...]
) -> None:
    assert paths_of(chosen, of_definition) == paths


@pytest.mark.parametrize("chosen", ["mnt", "/a\nb", [f"/{number}" for number in range(MOST_PATHS + 1)]])
def test_paths_that_cannot_be(chosen: str | list[str]) -> None:
    with pytest.raises(PlanError, match=r"not absolute: |at most 8 mounts"):
        paths_of(chosen, None)


def test_the_worker_s_processors_stand_beside_each_figure() -> None:
    cpu = ClientCpu(0.125, 0.5, 0.0625, 1.0, 3.0)
    measured = replace(point(STREAM, 4, 32, 2000), write_cpu=cpu)
    section = client_section([measured], {STREAM: "LOB calls"})
    assert section is not None
    assert section.table is not None
    (line,) = section.table.lines
    assert line.cells == ("LOB calls", "4", "32k", "write", "12.5", "50.0", "6.2", "0.50", "1.50")
    assert client_section([point(STREAM, 4, 32, 2000)], {STREAM: "LOB calls"}) is None
    assert Point.from_json(measured.to_json()) == measured


def test_processors_are_read_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter([Processors(0, 0, 0, 100), Processors(50, 25, 0, 200)])
    monkeypatch.setattr(client, "read_processors", lambda: next(readings))
    result, cpu = client.with_client(lambda: sum(number * number for number in range(10**6)))
    assert result > 0
    assert cpu is not None
    assert (cpu.user, cpu.system, cpu.waiting) == (0.5, 0.25, 0.0)
    assert cpu.own_user + cpu.own_system > 0

    def unreadable() -> Processors:
        raise OSError

    monkeypatch.setattr(client, "read_processors", unreadable)
    assert client.with_client(lambda: 1) == (1, None)


def test_what_is_odd_is_told() -> None:
    notes = advise(PLAN, [point(STREAM, 8, 1024, 100, seconds=0.1)]).notes
    for told in ("before 0.4 s", "the largest block, 1m", "8 users are needed", "not measured: stream 1k"):
        assert any(told in note for note in notes), told
    with pytest.raises(PlanError, match="no block size was measured"):
        advise(PLAN, [])


LINK = "file_transfer"


def brought(**rates: float) -> list[Phase]:
    """Ten seconds of each transport, in MB/s."""
    return [
        Phase(f"{BROUGHT}{transport}", 10.0, round(rate * 1e7), 4, "4 dump files")
        for transport, rate in rates.items()
    ]


@pytest.mark.parametrize(
    ("rates", "order"),
    [
        ({LINK: 100, STREAM: 40, MOUNTED: 60}, [LINK, MOUNTED, STREAM]),
        ({LINK: 100, STREAM: 40, MOUNTED: 105}, [LINK, MOUNTED, STREAM]),
        ({LINK: 100, STREAM: 40, MOUNTED: 130}, [MOUNTED, LINK, STREAM]),
        ({LINK: 10, STREAM: 40, MOUNTED: 30}, [STREAM, MOUNTED, LINK]),
        ({LINK: 10, STREAM: 40}, [STREAM, LINK]),
    ],
)
def test_the_link_goes_first_unless_another_transport_is_worth_it(
    rates: dict[str, float], order: list[str]
) -> None:
    found = advise(PLAN, [], brought(**rates)).transports
    assert [one.transport for one in found] == order
    assert all(one.trusted for one in found)


def test_transports_that_ended_at_once_prove_nothing() -> None:
    quick = replace(brought(stream=40.0)[0], seconds=0.1)
    found = advise(PLAN, [point(STREAM, 1, 1, 10)], [*brought(file_transfer=10.0), quick])
    assert not all(one.trusted for one in found.transports)
    assert any("some transports ended before" in note for note in found.notes)
    assert advise(PLAN, [point(STREAM, 1, 1, 10)], [Phase("list", 0.1, 1, 1)]).transports == ()


POINTS = st.lists(
    st.builds(
        point,
        st.sampled_from([STREAM, MOUNTED]),
        st.sampled_from([1, 4, 8]),
        st.sampled_from([1, 32, 1024]),
        st.floats(0.001, 1000),
        st.floats(0.01, 10),
    ),
    min_size=1,
    unique_by=lambda one: (one.way, one.users, one.block),
)


@given(POINTS)
def test_what_is_recommended_was_measured_and_is_nearly_the_best(points: list[Point]) -> None:
    for way in advise(PLAN, points).ways:
        own = [one for one in points if one.way == way.way]
        rates = {(one.users, one.block): one.write_rate for one in own}
        best = max(rates.values())
        assert rates[way.files_at_a_time, way.piece_bytes] == way.bytes_per_second >= best * (1 - TOLERANCE)
        fewer = [rate for (users, _), rate in rates.items() if users < way.files_at_a_time]
        assert all(rate < best * (1 - TOLERANCE) for rate in fewer)


@given(POINTS)
def test_shares_are_parts_of_the_own_best(points: list[Point]) -> None:
    found = shares(points)
    assert len(found) == 2 * len(points)
    for way, direction in {(one.way, one.direction) for one in found}:
        own = [one.share for one in found if (one.way, one.direction) == (way, direction)]
        assert max(own) == 1
        assert all(0 <= share <= 1 for share in own)


def test_phases_are_laid_beside_the_study() -> None:
    phases = {
        name: Phase(name, seconds, 1000, 10)
        for name, seconds in (("generate flat files", 2.0), ("insert rows", 8.0), ("import dump", 1.0))
    }
    assert [(one.name, one.ratio, one.study) for one in transfers(phases)] == [
        ("generate flat files", 1.0, 1.0),
        ("import dump", 2.0, pytest.approx(115 / 145)),
        ("insert rows", 0.25, None),
    ]
    small = {name: Phase(name, seconds, 0, 100) for name, seconds in (("extract", 10.0), ("list", 1.0))}
    assert [(one.name, one.rate, one.ratio, one.study) for one in operations(small)] == [
        ("extract", 10.0, 1.0, 1.0),
        ("list", 100.0, 10.0, pytest.approx(345 / 35)),
    ]
    assert transfers({}) == operations({}) == ()
    assert [one.ratio for one in transfers({"export dump": Phase("export dump", 1.0, 1, 1)})] == [None]


@pytest.mark.slow
def test_page_and_table_show_what_there_is() -> None:
    points = [point(STREAM, 1, 1, 10), point(STREAM, 4, 32, 20), point(MOUNTED, 1, 1, 5)]
    advice = advise(PLAN, points)
    shown = page(Figures(replace(PLAN, mount="/<b>"), points, {}, advice)).html()
    assert "/&lt;b&gt;" in shown
    assert shown.count("<svg") == 5
    assert shown.count('stroke="#8a8f98"') == 8, "legends show which line is dashed"
    assert "4 files at a time, by pieces of 32k" in shown
    assert "stream: 4 files at a time by pieces of 32k, 20.0 MB/s" in table(points, {}, advice)
    carried = {one.name: one for one in brought(file_transfer=80.0, stream=40.0)}
    advice = advise(PLAN, points, carried.values())
    linked = page(Figures(PLAN, points, carried, advice)).html()
    assert linked.count("<svg") == 6
    assert "<code>auto</code> keeps to the database link" in linked
    assert "From the source to the target" not in shown
    assert "the better transport: file_transfer" in table(points, carried, advice)
    other = advise(PLAN, points, brought(file_transfer=20.0, stream=40.0))
    assert "takes it instead of the database link" in page(Figures(PLAN, points, carried, other)).html()
    nothing = page(Figures(PLAN, [], {"extract": Phase("extract", 1.0, 1, 1)}, None)).html()
    assert nothing.count("<svg") == 2


def test_settled_staging_takes_what_was_measured_on_its_own_way() -> None:
    advice = StoreAdvice(
        "run",
        "oracle_target",
        "/REFRESH",
        (WayAdvice(MOUNTED, 8, 4096, 9e9, True), WayAdvice(STREAM, 2, 8192, 1e9, True)),
    )
    streamed = demo().staging
    mounted = type(streamed).model_validate(
        {
            **streamed.model_dump(mode="json"),
            "transport": "mounted",
            "mounted_path": "/mnt",
            "piece_bytes": 2048,
        }
    )
    for staging, expected in ((streamed, (2, 8192)), (mounted, (8, 2048))):
        found = settled(staging, advice.of(way_of(staging)))
        assert (found.parallel_files, found.read_bytes) == expected
    assert settled(streamed, None) is streamed


@pytest.mark.parametrize(
    ("fields", "ways", "mounted", "expected"),
    [
        ({}, [(MOUNTED, True), (STREAM, True)], True, "mounted"),
        ({}, [(STREAM, True), (MOUNTED, True)], True, "auto"),
        ({}, [(MOUNTED, True), (STREAM, True)], False, "auto"),
        ({}, [(MOUNTED, True), (STREAM, False)], True, "auto"),
        ({}, [(MOUNTED, True)], True, "auto"),
        ({"database_link": "L"}, [(MOUNTED, True), (STREAM, True)], True, "auto"),
        ({"transport": "stream"}, [(MOUNTED, True), (STREAM, True)], True, "stream"),
    ],
)
def test_a_transport_that_is_left_open_is_the_better_measured_one(
    fields: dict[str, str], ways: list[tuple[str, bool]], mounted: bool, expected: str
) -> None:
    plain = demo().staging.model_dump(mode="json") | {"transport": "auto", "mounted_path": "/mnt"}
    staging = type(demo().staging).model_validate(plain | fields)
    written = {each.writes_to for each in staging.transports}
    assert ("directory" in written) == (staging.transport == "auto"), "what is left of it is looked for"
    kept = [
        StoreAdvice("later", "c", "/REFRESH", (WayAdvice(ways[0][0], 1, 1, 1.0, False),)),
        StoreAdvice("run", "c", "/REFRESH", tuple(WayAdvice(way, 1, 1, 1.0, sure) for way, sure in ways)),
    ]
    assert by_better_way(staging, kept, mounted).transport == expected
    assert by_better_way(staging, [], mounted) is staging


@pytest.mark.parametrize(
    ("order", "mounted", "sure", "expected"),
    [
        ([LINK, MOUNTED, STREAM], True, True, "auto"),
        ([MOUNTED, LINK, STREAM], True, True, "mounted"),
        ([MOUNTED, LINK, STREAM], False, True, "auto"),
        ([MOUNTED, STREAM, LINK], False, True, "stream"),
        ([STREAM, MOUNTED, LINK], True, True, "stream"),
        ([STREAM, LINK], True, False, "auto"),
        ([], True, True, "auto"),
    ],
)
def test_a_link_is_taken_unless_a_calibration_found_better(
    order: list[str], mounted: bool, sure: bool, expected: str
) -> None:
    plain = demo().staging.model_dump(mode="json") | {"mounted_path": "/mnt", "database_link": "L"}
    staging = type(demo().staging).model_validate(plain)
    ways = (WayAdvice(MOUNTED, 1, 1, 1.0, True), WayAdvice(STREAM, 1, 1, 1.0, True))
    told = StoreAdvice(
        "run", "c", "/REFRESH", ways, (), tuple(TransportAdvice(one, 1.0, sure) for one in order)
    )
    later = StoreAdvice("later", "c", "/REFRESH", ways)
    assert by_better_way(staging, [later, told], mounted).transport == expected
    without = staging.model_copy(update={"database_link": None})
    assert by_better_way(without, [told], mounted).transport == ("mounted" if mounted else "auto")
    insisted = staging.model_copy(update={"transport": "file_transfer"})
    assert by_better_way(insisted, [told], mounted) is insisted
    assert StoreAdvice.from_json(told.to_json()) == told
