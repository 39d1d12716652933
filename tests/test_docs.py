"""The documentation is what the code says, and its links lead somewhere."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def test_the_operator_reference_is_current() -> None:
    generated = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    assert (ROOT / "docs" / "reference" / "operators.md").read_text() == generated["page"](), "run make docs"


def test_the_table_of_codes_is_current() -> None:
    generated = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    text = (ROOT / "docs" / "reference" / "datapump.md").read_text()
    assert text == generated["data_pump_page"](text), "run make docs"
    assert "ORA-31693" in text


def test_the_table_of_the_change_capture_model_is_current() -> None:
    generated = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    text = (ROOT / "docs" / "how-to" / "tune-change-capture.md").read_text()
    assert text == generated["change_capture_page"](text), "run make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []
