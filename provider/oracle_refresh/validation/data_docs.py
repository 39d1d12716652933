"""Data Docs of Great Expectations for a run: its own pages of what was evaluated, one for each table.

Its pages load styles, scripts and a logo from other hosts, and it escapes texts in some places only. Here
they are text and a few styles. Before it renders anything, characters that mean something in HTML are
replaced by others that mean nothing, and put back escaped in the end: the name of a table or column, a value,
a description and an error are text. Of its own markup only the elements and attributes that are named here
are kept; and each page says that nothing in it may be loaded or run (Content-Security-Policy).
"""

from __future__ import annotations

import copy
from html import escape
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.row_values import without_rows
from oracle_refresh.page_policy import META

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "docs"

#: Of private use, in place of the characters that mean something in HTML.
_NEUTRAL: Mapping[int, int] = {ord(char): 0xF0000 + ord(char) for char in "<>&\"'`"}
_BACK = {neutral: escape(chr(char), quote=True) for char, neutral in _NEUTRAL.items()}
#: What a page keeps; of other elements their text, and nothing at all of those below.
_TEXT = "html head title body main section div span p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd a br hr"
_MARKS = "strong b em i u small sub sup code pre table thead tbody tfoot tr th td"
_ELEMENTS = frozenset([*_TEXT.split(), *_MARKS.split()])
_LIVE = (
    "script style footer nav button link img iframe object embed base form meta svg math template noscript"
)
_MEDIA = "video audio source input select textarea"
_DROPPED = frozenset([*_LIVE.split(), *_MEDIA.split()])
_ATTRIBUTES = frozenset({"class", "colspan", "rowspan"})
_HEAD = f'<meta charset="utf-8">{META}<meta name="viewport" content="width=device-width, initial-scale=1">'
_STYLE = """\
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid light-dark(#d6dade, #3a4048); text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
.collapse:not(.show) { display: block; } .modal, .navbar, .btn, .sticky { display: none; }
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
        document = render.renderer.ValidationResultsPageRenderer().render(_neutral_result(result))
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
            f'<!doctype html>\n<html lang="en"><head>{_HEAD}'
            f"<title>{escape(title)}</title>{_STYLE}</head><body>\n<h1>{escape(title)}</h1>\n"
            f"<table><tr><th>table</th><th>expectations met</th></tr>\n{rows}</table>\n</body></html>\n"
        )
        pages = {"index.html": index, **self._pages}
        return {f"{FOLDER}/{name}": text for name, text in pages.items()}


def _neutral_result(result: Any) -> Any:
    """A copy of a result whose texts mean nothing in HTML and quote no row."""
    copied = copy.copy(result)
    copied.suite_name = _neutral(result.suite_name)
    copied.meta = _neutral(result.meta)
    copied.results = [copy.copy(one) for one in result.results]
    for one in copied.results:
        one.result, one.meta = _neutral(one.result), _neutral(one.meta)
        one.exception_info = _neutral(one.exception_info)
        configuration = one.expectation_config = copy.copy(one.expectation_config)
        configuration.kwargs, configuration.meta = (
            _neutral(configuration.kwargs),
            _neutral(configuration.meta),
        )
        configuration.description = _neutral(configuration.description)
    return copied


def _neutral(value: Any) -> Any:
    if isinstance(value, str):
        return without_rows(value).translate(_NEUTRAL)
    if isinstance(value, dict):
        return {_neutral(key): _neutral(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_neutral(each) for each in value]
    return value


def plain_page(page: str) -> str:
    """A page of Great Expectations without what it loads, runs and leads to."""
    from bs4 import BeautifulSoup
    from bs4.element import PreformattedString

    soup = BeautifulSoup(page, "html.parser")
    for text in soup.find_all(string=lambda text: isinstance(text, PreformattedString)):
        text.extract()  # comments, the document type, processing instructions
    for element in soup.find_all(True):
        if element.decomposed:
            continue
        if element.name in _DROPPED:
            element.decompose()
        elif element.name not in _ELEMENTS:
            element.unwrap()
        else:
            kept = {name: value for name, value in element.attrs.items() if name in _ATTRIBUTES}
            element.attrs = kept
    kept_page = str(soup).replace("<head>", f"<head>{_HEAD}", 1).replace("</head>", f"{_STYLE}</head>", 1)
    return "<!doctype html>\n" + kept_page.strip().translate(_BACK)
