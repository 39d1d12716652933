"""The documentation is what the code says, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from reference_pages import FIT_PLOT, PAGES, change_capture, made, written
from reference_pages.markdown import docstring, table, with_block

ROOT = Path(__file__).parents[3]
READ = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
LINK = re.compile(r"\]\(([^)\s]+)\)|<(https?:[^>\s]+)>")


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_current(name: str) -> None:
    assert written(name) == made(name), "run make docs"


@pytest.mark.slow
def test_the_plot_of_the_change_capture_model_is_current() -> None:
    assert FIT_PLOT.read_text(encoding="utf-8") == change_capture.plot(), "run make docs"


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Anchors within docs/ are checked by Sphinx; what lies elsewhere is looked at for its form only."""
    found = [inner or outer for inner, outer in LINK.findall(page.read_text(encoding="utf-8"))]
    paths = [link.partition("#")[0] for link in found if not link.startswith(("http:", "https:", "#"))]
    assert [path for path in paths if path and not (page.parent / path).exists()] == []
    outside = [urlsplit(link) for link in found if link.startswith(("http:", "https:"))]
    assert [link.geturl() for link in outside if link.scheme != "https" and not _local(link.hostname)] == []
    assert all(link.hostname for link in outside)


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_tests_that_it_names_are_there(page: Path) -> None:
    named = re.findall(r"`(?:pytest )?(tests/[\w/.]+)", page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


def _local(host: str | None) -> bool:
    return host in ("127.0.0.1", "localhost")


def test_cells_cannot_break_a_table() -> None:
    assert table(["a", "b"], [["x|y", "two\nlines"]]) == "| a | b |\n|---|---|\n| x\\|y | two lines |"


def test_fields_of_a_docstring_become_lists() -> None:
    def documented() -> None:
        """Does it.

        :param name: the name,
            as Oracle reads it.
        :raises ValueError: for none.
        :returns: nothing.
        """

    assert docstring(documented) == (
        "Does it.\n\nParameters:\n\n- `name`: the name, as Oracle reads it."
        "\n\nReturns:\n\n- nothing.\n\nRaises:\n\n- `ValueError`: for none."
    )


def test_a_page_without_the_marks_is_refused() -> None:
    marked = "a\n<!-- x: written by docs/generate.py -->\nold\n<!-- end of x -->\nb"
    assert "old" not in with_block(marked, "x", "new")
    assert with_block(marked, "x", "new").endswith("\nnew\n<!-- end of x -->\nb")
    for page in ("nothing", marked.replace("end of x", "")):
        with pytest.raises(ValueError, match="no block 'x'"):
            with_block(page, "x", "new")
