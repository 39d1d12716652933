"""Charts of the studies: Altair specifications that vl-convert draws as SVG, without browser and network.

Text and axes are drawn in a placeholder colour that becomes `currentColor`. They follow the light or dark
scheme of the page.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any

from oracle_refresh.oracle.errors import PreflightError

_TEXT = "#0a0b0c"
_WIDTH = 640


def require_charts() -> None:
    """Check that the packages for the charts of a study's page are installed.

    :raises PreflightError: if one of them is not.
    """
    missing = [name for name in ("altair", "vl_convert") if find_spec(name) is None]
    if missing:
        raise PreflightError(
            f"The page of a study needs {' and '.join(missing)}, which this worker does not have",
            step="plan a study",
            remedy="pip install 'airflow-provider-oracle-refresh[charts]' on all workers",
        )


def chart(rows: list[dict[str, Any]]) -> Any:
    """Return a chart of these rows without marks and encodings."""
    import altair as alt

    return alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]


def svg(drawn: Any, height: int) -> str:
    """Return a chart as an SVG element."""
    import vl_convert

    specification = drawn.properties(width=_WIDTH, height=height).configure(
        background="transparent",
        font="sans-serif",
        view={"stroke": None},
        axis={
            "labelColor": _TEXT,
            "titleColor": _TEXT,
            "domainColor": _TEXT,
            "tickColor": _TEXT,
            "gridColor": _TEXT,
            "gridOpacity": 0.15,
            "labelLimit": 320,
            "titleFontWeight": "normal",
        },
        legend={"labelColor": _TEXT, "titleColor": _TEXT},
    )
    text = str(vl_convert.vegalite_to_svg(specification.to_dict()))
    text = re.sub(r"\s(width|height)=\"[\d.]+\"", "", text, count=2)
    return text.replace(_TEXT, "currentColor")
