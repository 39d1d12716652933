from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from oracle_refresh.report.bars import GREY, Bar, bars

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = {"b": "#00f", "a": "#f00"}


def drawn(rows: list[Bar], *, side_by_side: bool = False) -> ET.Element:
    return ET.fromstring(bars(rows, "seconds <s>", COLOURS, side_by_side=side_by_side))


def placed(chart: ET.Element) -> list[tuple[float, float, float, str]]:
    """Return left edge, top, width and colour of each bar, in widths of the longest bar."""
    found = [
        tuple(float(each.attrib[name]) for name in ("x", "y", "width")) for each in chart.iter(f"{SVG}rect")
    ]
    longest = max(width for _, _, width in found)
    colours = [each.attrib["fill"] for each in chart.iter(f"{SVG}rect")]
    return [
        (round(x / longest, 2), y, round(width / longest, 2), colour)
        for (x, y, width), colour in zip(found, colours, strict=True)
    ]


def texts(chart: ET.Element) -> list[str]:
    return ["".join(each.itertext()) for each in chart.iter(f"{SVG}text")]


def test_bars_of_a_line_follow_each_other_unless_they_have_a_start() -> None:
    rows = [Bar("1", "a", 1.0), Bar("2", "b", 4.0), Bar("1", "b", 2.0), Bar("2", "c", 1.0, 0.5)]
    assert placed(drawn(rows)) == [
        (0, 2, 0.25, "#f00"),
        (0, 20, 1, "#00f"),
        (0.25, 2, 0.5, "#00f"),
        (0.12, 20, 0.25, GREY),
    ]


def test_bars_side_by_side_are_in_the_order_of_the_colours() -> None:
    rows = [Bar("1", "a", 1.0), Bar("1", "b", 2.0), Bar("2", "a", 2.0)]
    assert placed(drawn(rows, side_by_side=True)) == [
        (0, 10, 0.5, "#f00"),
        (0, 2, 1, "#00f"),
        (0, 30, 1, "#f00"),
    ]


@pytest.mark.parametrize(
    ("length", "last"),
    [
        (0.0, "0.1"),
        (0.3, "0.3"),
        (7.2, "8"),
        (99.0, "100"),
        (9_001.0, "10k"),
        (1_150_000.0, "1.2M"),
        (3e9, "3G"),
    ],
)
def test_axis_ends_at_or_after_the_longest_bar(length: float, last: str) -> None:
    axis = [text for text in texts(drawn([Bar("line", "", length)])) if re.fullmatch(r"[\d.,]+[kMG]?", text)]
    assert axis[0] == "0"
    assert axis[-1] == last
    assert len(axis) <= 12


def test_texts_are_escaped_and_long_labels_cut() -> None:
    found = texts(drawn([Bar("<&>" + "x" * 100, "a", 1.0), Bar("short", "", 1.0)]))
    assert "■ a" in found[0]
    assert "<&>" + "x" * 44 + "…" in found
    assert "seconds <s>" in found
