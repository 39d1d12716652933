"""The page over made-up runs, without Airflow: what a story of one refresh does not come by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from benchmarks.recorded_run import many_shards
from oracle_refresh.monitor.comparison import Former
from oracle_refresh.monitor.overview import overview
from oracle_refresh.monitor.page.app import STATIC
from oracle_refresh.monitor.records import Run, Shape, Try
from oracle_refresh.monitor.results import results
from support.waiting import until
from support.watched_runs import ZERO, a_run, a_try, at

from .conftest import PATIENCE, until_styled

HOST = "http://refresh.test"
#: What Airflow gives to a plugin's component, as far as the page uses it.
PAGE = """<!doctype html><html lang="en"><head><base href="/"><title>Airflow</title></head><body>
<div class="oracle-refresh" style="height: 100vh"></div>
<script>
  const place = { current: document.querySelector("div") };
  globalThis.React = { createElement: () => null, useRef: () => place, useEffect: (effect) => effect() };
  globalThis.ReactRouterDOM = { useLocation: () => location };
</script>
<script type="module">
  await import("/oracle-refresh/static/page.js");
  globalThis["Oracle refreshes"](JSON.parse(document.querySelector("#given").textContent));
</script>
<script type="application/json" id="given">%s</script></body></html>"""
TAB = {"dagId": "a_dag", "runId": "a_run"}


@dataclass
class Answers:
    """What the routes answer: status and document by the end of the path."""

    live: tuple[int, Any]
    results: tuple[int, Any] = (200, None)
    runs: tuple[int, Any] = (200, None)
    asked: int = 0


@contextmanager
def shown(browser: Browser, answers: Answers, given: dict[str, str], hash_: str = "") -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1200, "height": 900}, locale="en")
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"a script ran: {dialog.message}"))

    def serve(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/oracle-refresh/static/"):
            file = STATIC / path.rpartition("/")[2]
            kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
            route.fulfill(body=file.read_text(), content_type=kinds[file.suffix])
        elif path.startswith("/oracle-refresh/api/"):
            answers.asked += 1
            last = "results" if path.endswith("/results") else "runs" if path.endswith("/runs") else "live"
            status, document = getattr(answers, last)
            route.fulfill(status=status, json=document)
        else:
            route.fulfill(body=PAGE % json.dumps(given), content_type="text/html")

    page.route("**/*", serve)
    page.goto(f"{HOST}/{hash_}")
    until_styled(page)
    yield page
    page.close()
    assert complaints == []


def of(
    run: Run, plan: dict[str, Any] | None = None, former: tuple[Former, ...] = (), **others: Any
) -> Answers:
    proven = results(run, plan, None, former)
    return Answers((200, overview(run, plan, {}, **others)), (200, proven))


def region(page: Page, name: str) -> Any:
    return page.get_by_role("region", name=name, exact=True)


EVIL = "<img src=x onerror=alert(1)>\"'</title><script>alert(2)</script>javascript:alert(3)"


def test_names_notes_and_messages_stay_text(browser: Browser) -> None:
    """Names of tables, runs and definitions, errors and notes are what somebody else wrote."""
    run = a_run(
        a_try("plan", -1, 0, 1),
        a_try("shard.export", 0, 1, 2, "failed", item=EVIL),
        a_try("unit.verify_copy", 0, 2, item=EVIL),
        state="failed",
        errors={("shard.export", 0): [
            {"try": 1, "codes": [EVIL], "message": f"{EVIL}\n{EVIL}", "remedy": EVIL}
        ]},
        conf={"definition": EVIL},
        triggered_by=EVIL,
        note=EVIL,
        results={("lock_target", -1): {"locked": [EVIL]}},
    )  # fmt: skip
    former = (
        Former(EVIL, "success", ZERO, 1.0, EVIL, {}, {"bytes": 1, "rows": 1}),
        Former("a_run", "failed", ZERO, 2.0, EVIL),
    )
    with shown(browser, of(run, former=former), TAB) as page:
        expect(page.get_by_role("heading", level=1)).to_contain_text(EVIL.split("/")[-1])
        expect(region(page, "What went wrong")).to_contain_text(EVIL)
        expect(region(page, "Former runs")).to_contain_text(EVIL)
        assert page.locator("img").count() == 0
        assert page.locator(".oracle-refresh script").count() == 0
        links = page.locator("a").evaluate_all("all => all.map(one => one.href.baseVal ?? one.href)")
        assert links
        assert all(link.startswith((f"{HOST}/", "/dags/")) for link in links)


def test_a_run_that_failed_at_once_says_that_nothing_was_locked(browser: Browser) -> None:
    never = [a_try(task, -1, 3, 3, "upstream_failed") for task in ("units", "lock_target", "shard.export")]
    run = a_run(
        a_try("plan", -1, 1, 3, "failed"), *never, a_try("publish_report", -1, 4, 5, "failed"),
        state="failed",
        errors={("plan", -1): [{"try": 1, "codes": [], "message": "APP.X has no rule", "remedy": "add one"}]},
    )  # fmt: skip
    with shown(browser, of(run), TAB) as page:
        expect(page.get_by_text("the run ended before it locked an account")).to_be_visible()
        failed = region(page, "What went wrong")
        expect(failed.get_by_text("What to do: add one")).to_be_visible()
        expect(failed.get_by_text("1 try failed because of that")).to_be_visible()
        expect(page.get_by_role("link", name="Report", exact=True)).to_have_count(0)
        stages = region(page, "Stages")
        expect(stages.get_by_role("listitem").filter(has_text="export")).to_have_text("exportnot reached")


def running(*tries: Try, **others: Any) -> Answers:
    return of(
        a_run(a_try("plan", -1, 0, 1), *(tries or [a_try("shard.export", 0, 2, item="S001")]), **others)
    )


def look(page: Page, answers: Answers) -> None:
    """Let the page ask at once, as it does when somebody comes back to it, and wait until it has."""
    asked = answers.asked
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(lambda: page.wait_for_timeout(20) or answers.asked > asked)


def test_a_click_counts_although_the_page_is_drawn_anew_meanwhile(browser: Browser) -> None:
    """A live page changes every two seconds, and a hand holds the button down for a part of one."""
    answers = running(now=10)
    with shown(browser, answers, TAB) as page:
        region(page, "Timeline").get_by_role("link", name="S001: export running, open its log").hover()
        page.mouse.down()
        for second in (20, 30, 40):  # what one look brings is drawn before the next
            answers.live = running(now=second).live
            look(page, answers)
        page.mouse.up()
        page.wait_for_url("**/tasks/shard.export/mapped/0**")


def test_what_waited_for_the_button_is_drawn_when_it_is_let_go(browser: Browser) -> None:
    answers = running(now=10)
    with shown(browser, answers, TAB) as page:
        heading = page.get_by_role("heading", level=1)
        heading.hover()
        page.mouse.down()
        answers.live = running(a_try("shard.export", 0, 2, 9, item="S001"), state="success").live
        look(page, answers)
        expect(page.get_by_role("status")).to_contain_text("done")
        expect(heading).to_contain_text("running")
        page.mouse.up()
        expect(heading).to_contain_text("done")


def test_a_run_of_another_dag(browser: Browser) -> None:
    one = Try("a", -1, None, "BashOperator", "success", 1, at(1), at(1), at(3))
    run = replace(a_run(state="success", now=4), shape=Shape.of({"a": ()}), tries=(one,))
    with shown(browser, of(run), TAB) as page:
        expect(page.get_by_text("This DAG run is no refresh of a database")).to_be_visible()
        expect(page.get_by_text("Moved")).to_have_count(0)
        expect(page.get_by_text("Target")).to_have_count(0)
        expect(page.locator("iframe")).to_have_count(0)
    with shown(browser, of(run, own_report=True), TAB) as page:
        expect(page.locator("iframe")).to_have_attribute("sandbox", "allow-same-origin allow-popups")


def test_an_approval_that_waits_stands_on_top(browser: Browser) -> None:
    run = a_run(a_try("plan", -1, 0, 1), replace(a_try("units", -1, 2), state="awaiting_input"), now=500)
    with shown(browser, of(run), TAB) as page:
        answer = page.get_by_role("link", name="Answer", exact=True)
        expect(answer).to_have_attribute("href", f"{HOST}/dags/a_dag/runs/a_run/tasks/units/required_actions")
        answer_top, stages_top = (
            one.bounding_box() or {"y": 0.0} for one in (answer, region(page, "Stages"))
        )
        assert answer_top["y"] < stages_top["y"]


def test_a_run_that_was_cleared_shows_where_time_is_left_out(browser: Browser) -> None:
    run = a_run(
        a_try("plan", -1, 0, 5),
        a_try("shard.export", 0, 70_000, 70_020, number=2, item="S001"),
        former=(a_try("shard.export", 0, 5, 10, "failed", item="S001"),),
        state="success",
        now=70_020,
    )
    with shown(browser, of(run), TAB) as page:
        expect(page.get_by_text("all mended since")).to_be_visible()
        timeline = region(page, "Timeline")
        expect(timeline.get_by_text("left out at the dotted line: 19 h 27 min")).to_be_visible()
        bars = timeline.locator("rect.bar").evaluate_all(
            "all => all.map(one => [one.x.baseVal.value, one.x.baseVal.value + one.width.baseVal.value])"
        )
        label = timeline.locator("text.label").first.evaluate("one => one.getBBox().x")
        assert all(label < start <= end for start, end in bars)
        took = region(page, "Stages").get_by_role("listitem").filter(has_text="export")
        expect(took).to_have_text("export1 of 1 · 25 s")


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "logged out"), (403, "may not read"), (404, "not there"), (500, "The server answered 500")],
)
def test_what_is_refused_is_said(browser: Browser, status: int, words: str) -> None:
    with shown(browser, Answers((status, {})), TAB) as page:
        expect(page.get_by_role("status")).to_contain_text(words)
        expect(page.get_by_role("status")).to_be_visible()


def test_the_list_without_runs_and_a_run_that_is_not_there(browser: Browser) -> None:
    answers = Answers((404, {}), runs=(200, {"runs": []}))
    with shown(browser, answers, {}) as page:
        expect(page.get_by_text("No refresh has run yet")).to_be_visible()
    with shown(browser, answers, {}, "#some_dag/%3Cb%3Egone%3C%2Fb%3E") as page:
        expect(page.get_by_role("status")).to_contain_text("not there")
        expect(page.get_by_role("link", name="All refreshes")).to_be_visible()
    for broken in ("#a/b/c", "#%E0%A4%A/x", "#nothing"):
        with shown(browser, answers, {}, broken) as page:
            expect(page.get_by_text("No refresh has run yet")).to_be_visible()


def test_a_thousand_shards_are_told_by_what_matters_and_all_on_demand(browser: Browser) -> None:
    with shown(browser, many(), TAB) as page:
        bars = region(page, "Bars of the timeline")
        expect(bars.get_by_role("link", name="S0831: load running, open its log")).to_be_visible()
        assert bars.locator("text.label").count() < 400
        page.get_by_label("Show").select_option("all")
        expect(bars.locator("text.label")).to_have_count(1000 + 60 + 4)
        page.get_by_label("Show").select_option("failed")
        expect(region(page, "Timeline").get_by_text("Nothing to show here.")).to_be_visible()


UNNAMED = """() => [...document.querySelectorAll(
    "a, select, summary, [role=img], [role=region], [role=progressbar], th"
)].filter(one => !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby")
    || one.textContent.trim() || one.labels?.length)).map(one => one.outerHTML)"""


def test_what_can_be_used_has_a_name(browser: Browser) -> None:
    """Links, regions, pictures and headers of tables, as a screen reader lists them."""
    former = tuple(
        Former(f"r{number}", "success", ZERO, 1.0, None, {}, {"bytes": 1, "rows": 1}) for number in range(2)
    )
    with shown(browser, many(former=former), TAB) as page:
        expect(region(page, "Former runs")).to_be_visible()
        assert page.evaluate(UNNAMED) == []
        names = page.get_by_role("link", name="Report of r").evaluate_all(
            "all => all.map(one => one.ariaLabel)"
        )
        assert names == ["Report of r0", "Report of r1"]
        # A definition list holds terms and definitions only, and nothing says that it is busy for hours.
        assert page.locator("dl > div > :not(dt, dd)").count() == 0
        assert page.locator("[aria-busy=true]").count() == 0


def many(former: tuple[Former, ...] = ()) -> Answers:
    """A run of a thousand shards in its middle."""
    from benchmarks.recorded_run import TASKS

    instances, plan = many_shards(1000, 60)
    tries = tuple(
        Try(one.task_id, one.map_index, one.item, TASKS[one.task_id][1], one.state, one.number,
            at(one.start), at(one.start), at(one.end))
        for one in instances
    )  # fmt: skip
    shape = Shape.of(
        {task: needed for task, (needed, _) in TASKS.items()}, [task for task in TASKS if "." in task]
    )
    returned = {(one.task_id, one.map_index): one.returned for one in instances if one.returned is not None}
    run = replace(a_run(now=510), shape=shape, tries=tries, results=returned)
    return of(run, plan, former)
