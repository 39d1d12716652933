"""Names, comments, values and errors that would be live in a page are text in every HTML file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from bs4 import BeautifulSoup

from oracle_refresh.first_contact import bundle
from oracle_refresh.first_contact.model import Bundle, Check, NotClimbed, Outcome, Step
from oracle_refresh.labs.harness.page import Page, Section, bars_beside, code
from oracle_refresh.labs.harness.table import Column, tabulated
from oracle_refresh.monitor.page.routes import LOCKED_DOWN, NOT_YET
from oracle_refresh.notifications.context import refresh_context
from oracle_refresh.page_policy import POLICY
from oracle_refresh.report import Details, Report, render
from oracle_refresh.report.model import (
    ExpectationsReport,
    MaskReport,
    QuarantineReport,
    ShardReport,
    Span,
    TableReport,
)
from oracle_refresh.report.tries import FailedTry
from oracle_refresh.validation.data_docs import DataDocs
from oracle_refresh.validation.expectations import evaluate
from oracle_refresh.validation.model import LobCheck, TableCheck
from oracle_refresh.validation.suite_files import SuiteDefinition

HOSTILE = (
    "<svg onload=alert(1)>",
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    "</title></style><iframe src=javascript:alert(1)></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href=# style=background:url(//x)>x</a>",
    "[x](javascript:alert(1))",
    "<math><mi xlink:href=javascript:alert(1)>x",
    "<!--><b>&lt;i&gt;",
)
#: Elements of the pages themselves.
TEXT = "html head meta title style body main section div span p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd a br hr"
MARKS = "strong b i code pre small table thead tbody tr th td figure figcaption details summary"
DRAWN = "svg g path text rect line tspan defs clippath lineargradient stop"
OWN = {*TEXT.split(), *MARKS.split(), *DRAWN.split()}


def everywhere(page: str, hostile: str) -> list[str]:
    """What is wrong with a page: what may run, load or lead away; a policy that is missing or comes late."""
    soup = BeautifulSoup(page, "html.parser")
    wrong = [f"<{element.name}>" for element in soup.find_all(True) if element.name not in OWN]
    for element in soup.find_all(True):
        for name, value in element.attrs.items():
            text = " ".join(value) if isinstance(value, list) else value
            if name.startswith("on") or name in ("src", "srcdoc", "formaction", "xlink:href"):
                wrong.append(f"{name}={text}")
            if name == "href" and not re.fullmatch(r"#\w*|[\w./-]+\.html|https://[\w./-]+", text):
                wrong.append(f"{name}={text}")
            if name == "style" and re.search(r"url|expression|@import", text):
                wrong.append(f"{name}={text}")
    metas = soup.find_all("meta", attrs={"http-equiv": "Content-Security-Policy"})
    if [meta.get("content") for meta in metas] != [POLICY]:
        wrong.append("no policy")
    elif soup.find(["title", "style"]) in metas[0].find_all_previous():
        wrong.append("the policy comes late")
    if hostile not in soup.get_text():
        wrong.append("the name is not to be read")
    return wrong


@pytest.fixture(params=HOSTILE)
def hostile(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_search_sees_what_is_live(hostile: str) -> None:
    live = "<html><head><title>t</title></head><body>" + hostile + "</body></html>"
    assert len(everywhere(live, hostile)) > 1 or hostile.startswith(("[", "<!--"))


def test_the_report(hostile: str) -> None:
    name = hostile.replace('"', "'")  # no name in Oracle holds that one
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    report = Report(
        hostile,
        hostile,
        "published",
        4711,
        1.0,
        (ShardReport(hostile, hostile, hostile, 1, 1, 1.0, 1.0, 1.0),),
        (TableReport(name, name, 1, 1, (LobCheck(hostile, 1, 1, "a", "b"),), "different"),),
        (MaskReport(name, name, (hostile,), 1, 1.0, "masked", hostile, 1, 1.0),),
        ExpectationsReport(1, 1),
        QuarantineReport((hostile,), (hostile,)),
        failed_tries=(FailedTry(hostile, -1, hostile, 1, hostile, (hostile,), hostile, hostile),),
    )
    spans = (Span("load", hostile, now, now), Span("mask", hostile, now, now))
    copy = TableCheck(
        *(name, name, 1, 1, "1", "2", (LobCheck(hostile, 1, 1, "a", "b"),), ()),
        *((hostile,), (hostile,), "different", 1.0),
    )
    details = Details(spans, (copy,), (copy,), (hostile,), kept_locked=(hostile,), mounting=(hostile,))
    assert everywhere(render(report, details), hostile) == []


def test_first_contact(hostile: str) -> None:
    check = Check(hostile, hostile, Outcome.FAILED, 1.0, hostile, (hostile,), hostile, hostile)
    step = Step(1, hostile, (check, replace(check, outcome=Outcome.SKIPPED)), 1.0, {hostile: {"a": hostile}})
    found = Bundle(
        *(hostile, hostile, hostile, True, hostile, {hostile: hostile}),
        *((step,), (NotClimbed(2, hostile, hostile, hostile),)),
    )
    assert everywhere(bundle.page(found), hostile) == []


def test_laboratories(hostile: str) -> None:
    rows = [(hostile, 1)]
    columns: list[Column[tuple[str, int]]] = [Column(hostile, lambda row: row[0])]
    chart = bars_beside([{"what": hostile, "series": hostile, "value": 1.0}], [hostile], hostile)
    section = Section(
        hostile,
        hostile,
        chart,
        hostile,
        tabulated(rows, columns, note=lambda row: hostile),
        [hostile],
        [hostile],
    )
    page = Page(hostile, [(hostile, hostile), ("Run", code(hostile))], [section], [hostile], hostile)
    assert everywhere(page.html(), hostile) == []


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sa.Engine]:
    folder = tmp_path_factory.mktemp("data_docs")
    engine = sa.create_engine(f"sqlite:///{folder / 'main.db'}")

    @sa.event.listens_for(engine, "connect")
    def attach(connection: Any, _: object) -> None:
        connection.execute(f"ATTACH '{folder / 'app.db'}' AS app")

    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE app.people (id INT, email TEXT)")
        connection.exec_driver_sql("INSERT INTO app.people VALUES (1, ?)", (HOSTILE[0],))
    yield engine
    engine.dispose()


def hostile_expectations(hostile: str) -> Iterator[dict[str, Any]]:
    """Columns that are not there, values, sets, formats and descriptions; met, not met, and failed."""
    yield {"type": "expect_column_values_to_be_in_set", "column": "ID", "value_set": [hostile, 1]}
    yield {"type": "expect_column_values_to_match_regex", "column": "EMAIL", "regex": re.escape(hostile)}
    yield {"type": "expect_column_distinct_values_to_equal_set", "column": "EMAIL", "value_set": [hostile]}
    yield {"type": "expect_column_values_to_be_unique", "column": '"' + hostile.replace('"', "") + '"'}
    for count in (1, 2):
        query = f"SELECT * FROM {{batch}} T WHERE T.id = {count}"
        yield {
            "type": "unexpected_rows_expectation",
            "unexpected_rows_query": query,
            "description": hostile,
        }
    yield {"type": "expect_column_to_exist", "column": "ID", "meta": {"notes": hostile}}


@pytest.mark.slow
def test_data_docs(engine: sa.Engine) -> None:
    docs = DataDocs()
    expectations = [one for hostile in HOSTILE for one in hostile_expectations(hostile)]
    suite = {"name": "test", "tables": {"APP.PEOPLE": expectations}}
    evaluate(SuiteDefinition.model_validate(suite), engine, docs=docs)
    for hostile in HOSTILE:
        index, page = docs.files(hostile).values()
        assert everywhere(index, hostile) == []
        assert everywhere(page, hostile) == []


def test_files_are_served_by_the_same_policy() -> None:
    assert LOCKED_DOWN["Content-Security-Policy"].startswith(POLICY)
    assert everywhere(NOT_YET, "has not written") == []


def test_messages_to_chats() -> None:
    facts = refresh_context({"dag_run": {"dag_id": "d", "dag_run_id": "<!channel> <http://x|y> & z"}})
    assert facts["run_id"] == "&lt;!channel&gt; &lt;http://x|y&gt; &amp; z"
