"""Data Docs of Great Expectations for a run: its own pages of what was evaluated, one for each table.

Its pages load styles, scripts and a logo from other hosts. Here they are text and a few styles: nothing is
loaded, nothing runs, nobody outside learns that somebody reads them.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

FOLDER = "docs"

_ELSEWHERE = re.compile(
    r"<(script|style|footer)\b.*?</\1\s*>|<(?:link|img|iframe|object|embed|base|form)\b[^>]*>|<!--.*?-->"
    r"|\s(?:on\w+|style|src)=(?:\"[^\"]*\"|'[^']*')",
    re.IGNORECASE | re.DOTALL,
)
_LINK = re.compile(r"<a\b[^>]*href=\"(?!#)[^\"]*\"[^>]*>", re.IGNORECASE)
_STYLE = """\
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid light-dark(#d6dade, #3a4048); text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
.collapse:not(.show) { display: block; } .modal, nav, .navbar, button, .btn, .sticky,
[data-toggle] { display: none; }
.fa-check-circle::before { content: "met"; color: light-dark(#1f7a3d, #6fcf8d); }
.fa-times::before, .fa-times-circle::before { content: "not met"; color: light-dark(#b3261e, #ff8a80); }
.fa-exclamation-triangle::before { content: "failed"; color: light-dark(#b3261e, #ff8a80); }
.bad { color: light-dark(#b3261e, #ff8a80); }
</style>
"""


class DataDocs:
    """Collects the results of tables, and gives the pages."""

    def __init__(self) -> None:
        self._view: Any = None
        self._pages: dict[str, str] = {}
        self._rows: list[tuple[str, str, int, int]] = []

    def add(self, table: str, result: Any) -> None:
        """:param result: the ExpectationSuiteValidationResult of one table."""
        import great_expectations.render.renderer
        import great_expectations.render.view

        render: Any = great_expectations.render
        # Each view compiles its templates anew.
        self._view = self._view or render.view.DefaultJinjaPageView()
        document = render.renderer.ValidationResultsPageRenderer().render(result)
        page = self._view.render(document)
        name = f"table_{len(self._rows) + 1:04d}.html"
        self._pages[name] = plain_page(page)
        met = sum(bool(one.success) for one in result.results)
        self._rows.append((table, name, met, len(result.results)))

    def files(self, title: str) -> dict[str, str]:
        """The pages by name, with an index."""
        rows = "".join(
            f'<tr><td><a href="{name}">{escape(table)}</a></td>'
            f"<td{'' if met == evaluated else ' class=bad'}>{met} of {evaluated}</td></tr>\n"
            for table, name, met, evaluated in self._rows
        )
        index = (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title>{_STYLE}</head><body>\n<h1>{escape(title)}</h1>\n"
            f"<table><tr><th>table</th><th>expectations met</th></tr>\n{rows}</table>\n</body></html>\n"
        )
        pages = {"index.html": index, **self._pages}
        return {f"{FOLDER}/{name}": text for name, text in pages.items()}


def plain_page(page: str) -> str:
    """A page of Great Expectations without what it loads, runs and leads to."""
    text = _LINK.sub("<a>", _ELSEWHERE.sub("", page))
    return text.replace("</head>", f"{_STYLE}</head>", 1)
