"""The colours of the page: whoever sees little can read it, in light and in dark."""

from __future__ import annotations

import re

import pytest

from oracle_refresh.monitor.page.app import STATIC

STYLE = (STATIC / "style.css").read_text()
#: Web Content Accessibility Guidelines 2.2, 1.4.3 for text and 1.4.11 for what is drawn.
TEXT, DRAWN = 4.5, 3.0


def colours(dark: bool) -> dict[str, str]:
    light = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", STYLE[: STYLE.index(".dark ")]))
    return light | (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", STYLE)) if dark else {})


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out(dark: bool) -> None:
    known = colours(dark)
    pairs = [
        (ink, back) for ink in ("ink", "soft", "link", "good", "warn", "bad") for back in ("paper", "card")
    ]
    pairs += [(kind, f"{kind}-back") for kind in ("good", "warn", "bad", "busy", "idle")]
    pairs.append(("paper", "link"))  # the button that matters most
    weak = {pair: round(contrast(*(known[one] for one in pair)), 2) for pair in pairs}
    assert {pair: found for pair, found in weak.items() if found < TEXT} == {}


@pytest.mark.parametrize("dark", [False, True])
def test_bars_and_lines_stand_out(dark: bool) -> None:
    known = colours(dark)
    drawn = [f"c{number}" for number in range(8)] + ["step", "bad"]
    weak = {name: round(contrast(known[name], known["card"]), 2) for name in drawn}
    assert {name: found for name, found in weak.items() if found < DRAWN} == {}
