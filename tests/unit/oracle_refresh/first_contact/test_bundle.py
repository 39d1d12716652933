"""The page and the document of a first contact."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

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
BEGAN = datetime(2026, 11, 24, 12, tzinfo=UTC)
EXOTICS = [{"kind": "external tables", "treatment": "left out", "names": ["APP.EXT", "APP.OTHER"]}]
STEP = Step(
    2,
    "Every statement parsed",
    (FAILED, *SKIPPED, Check("y", None, Outcome.PASSED)),
    1.5,
    {"source": {}, "exotics": EXOTICS},
)
BELOW = NotClimbed(3, "A throwaway schema", "step 2 has failed", "mend it")
BUNDLE = make_bundle("prod", "test", "first", False, BEGAN, [STEP, BELOW])


def test_the_document_is_read_back() -> None:
    assert Bundle.from_json(json.loads(files(BUNDLE)[JSON])) == BUNDLE
    assert BUNDLE.failed


def test_the_page_tells_what_failed_and_escapes_it() -> None:
    page = files(BUNDLE)[PAGE]
    for text in (
        "no &lt;such&gt; column",
        "SELECT X",
        '<td class="n">2</td><td>no DBFS',
        "not climbed",
        "read-only",
    ):
        assert text in page
    assert "2026-11-24T12:00:00" in page, "when it was begun, not when it was written down"


def test_the_page_has_the_exotics_by_name_and_count_and_every_time() -> None:
    page = files(BUNDLE)[PAGE]
    assert '<td>left out</td><td class="n">2</td><td>APP.EXT, APP.OTHER</td>' in page
    assert page.count("<td>dbfs.A</td>") == 1
    assert '<td class="n">0.20</td>' in page


def test_a_step_without_exotics_has_a_page() -> None:
    bare = replace(BUNDLE, steps=(replace(STEP, facts={}),))
    assert "exotics" not in files(bare)[PAGE]


def test_a_terminal_tells_problem_and_remedy_once() -> None:
    told = "\n".join(lines(STEP))
    assert "failed: catalog.TABLES (source)" in told
    assert told.count("no DBFS") == 1
    assert "Remedy: mend it" in "\n".join(lines(BELOW))
