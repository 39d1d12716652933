"""The page and the document of a first contact."""

from __future__ import annotations

import json

from oracle_refresh.first_contact.bundle import JSON, PAGE, files, lines, make_bundle
from oracle_refresh.first_contact.model import Bundle, Check, NotClimbed, Outcome, Step

FAILED = Check(
    "catalog.TABLES",
    "source",
    Outcome.FAILED,
    0.2,
    "ORA-00904: no <such> column",
    ("ORA-00904",),
    "report it",
    "SELECT X",
)
SKIPPED = [
    Check(f"dbfs.{n}", "target", Outcome.SKIPPED, problem="no DBFS", remedy="install it") for n in "AB"
]
STEP = Step(
    2, "Every statement parsed", (FAILED, *SKIPPED, Check("y", None, Outcome.PASSED)), 1.5, {"source": {}}
)
BELOW = NotClimbed(3, "A throwaway schema", "step 2 has failed", "mend it")
BUNDLE = make_bundle("prod", "test", "first", False, [STEP, BELOW])


def test_the_document_is_read_back() -> None:
    assert Bundle.from_json(json.loads(files(BUNDLE)[JSON])) == BUNDLE
    assert BUNDLE.failed


def test_the_page_tells_what_failed_and_escapes_it() -> None:
    page = files(BUNDLE)[PAGE]
    for text in ("no &lt;such&gt; column", "SELECT X", "2 skipped: no DBFS", "not climbed", "read-only"):
        assert text in page


def test_a_terminal_tells_problem_and_remedy_once() -> None:
    told = "\n".join(lines(STEP))
    assert "failed: catalog.TABLES (source)" in told
    assert told.count("no DBFS") == 1
    assert "Remedy: mend it" in "\n".join(lines(BELOW))
