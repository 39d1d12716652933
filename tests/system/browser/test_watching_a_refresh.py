"""One refresh as a person sees it: trigger it with the form, watch it fail, mend it, read what it has proven.

The tests are steps of one story and run in their order; one run of the DAG serves them all.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import oracledb
import pytest
import yaml
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from oracle_refresh.plan.names import dump_file, job_name
from stack.settings import POOLS
from support.home import Home
from support.waiting import until

from .conftest import STANDSTILL, USERS, Visitor, pictures, until_styled, visiting

DAG, RUN, JOB = "test_data_refresh", "watched", "S001"
SOURCE = "oracle_source"
TAB = f"/dags/{DAG}/runs/{RUN}/plugin/oracle-refresh"
SCREEN: ViewportSize = {"width": 1400, "height": 1000}
#: High enough for a picture of curve and timeline; the report's is cut below its charts.
TALL: ViewportSize = {"width": 1400, "height": 1600}
PAPER: ViewportSize = {"width": 1100, "height": 1270}
#: A whole refresh on a busy machine, in milliseconds.
LONG = 900_000
#: How often a request is sent again because the server was just closing the idle connection that it went by.
RESET = 3


@pytest.fixture(scope="module")
def ada(browser: Browser, airflow: str) -> Iterator[Visitor]:
    """Somebody who may do everything, logged in. What moves would be drawn sixty times a second, by the
    processors that the refresh needs."""
    with visiting(browser, airflow, viewport=SCREEN, reduced_motion="reduce") as visitor:
        visitor.context.add_init_script(STANDSTILL)
        yield visitor


@pytest.fixture(scope="module")
def page(ada: Visitor) -> Page:
    """The page that she works with all the time."""
    return ada.page()


@pytest.fixture(scope="module")
def obstacle(home: Home) -> Path:
    """What keeps one shard from being exported: a folder where its dump file has to be."""
    folder = home.folder / "source" / "dumps" / "refresh"
    found = folder / dump_file(job_name("demo", RUN, JOB), 1)
    found.mkdir(parents=True)
    (found / "something").touch()
    return found


def source_slots(page: Page, airflow: str, slots: int) -> None:
    """How many tasks may work on the source: with none a run stands still, and cannot end before it was seen
    at work.

    Asked of the server that serves no task: the other one stands still while its database is locked by a task
    that it serves (SQLite, and Airflow logs what users do in the server's event loop).
    """
    pool = {"pool": SOURCE, "slots": slots, "include_deferred": False}
    address = f"{airflow}/api/v2/pools/{SOURCE}"
    until(
        lambda: page.request.patch(address, data=pool, max_retries=RESET).ok,
        f"for {slots} slots of the source",
    )


def drawn_twice(page: Page) -> None:
    """Wait until the page has asked for the run, drawn what it was told, and asked again."""
    for _ in range(2):
        with page.expect_response(re.compile(rf"/api/runs/{DAG}/{RUN}$")):
            pass


def part(page: Page, title: str) -> Locator:
    """The section of the page with that title."""
    return page.get_by_role("region", name=title, exact=True)


def picture(page: Page, name: str, size: ViewportSize | None = None) -> None:
    folder = pictures()
    if folder is None:
        return
    before = page.viewport_size
    if size is not None and before is not None:
        page.set_viewport_size(size)
        page.wait_for_timeout(500)  # the plots are drawn for the width that they get
    page.screenshot(path=folder / name)
    if before is not None:
        page.set_viewport_size(before)


def test_the_page_asks_who_one_is(ada: Visitor, page: Page, airflow: str) -> None:
    page.goto(airflow + TAB)
    expect(page.locator("input[name=password]")).to_be_visible()
    ada.log_in(page, "ada", "lovelace")


def test_a_refresh_is_triggered_with_the_form(home: Home, page: Page, airflow: str, obstacle: Path) -> None:
    page.goto(f"{airflow}/dags/{DAG}")
    page.get_by_role("button", name="Trigger").first.click()
    form = page.get_by_role("dialog")
    form.get_by_role("button", name="What is refreshed").click()
    definition = form.locator("[name=element_definition]")
    expect(form.get_by_text("Refresh definition")).to_be_visible()
    definition.fill(home.definition.stem)
    form.get_by_role("button", name="Why").click()
    form.locator("[name=element_reason]").fill("A person looks at every part of the page")
    form.get_by_role("button", name="Advanced Options").click()
    form.locator("[name=dagRunId]").fill(RUN)
    expect(definition).to_have_value(home.definition.stem)
    source_slots(page, airflow, 0)
    form.get_by_role("button", name="Trigger", exact=True).last.click()
    page.wait_for_url(f"**/runs/{RUN}**")


def test_the_tab_is_live(page: Page, airflow: str) -> None:
    page.get_by_role("link", name="Refresh", exact=True).click()
    page.wait_for_url(f"**{TAB}")
    heading = page.locator(".oracle-refresh h1")
    expect(heading).to_contain_text("running", timeout=LONG)
    progress = page.get_by_role("progressbar", name="Progress of the refresh")
    before = int(progress.get_attribute("aria-valuenow") or 0)
    source_slots(page, airflow, POOLS[SOURCE])
    expect(part(page, "Stages").get_by_role("link", name="export")).to_be_visible(timeout=LONG)
    # Nobody loads the page again: stages, shards and bytes come by themselves.
    expect(part(page, "Timeline").get_by_role("link", name=re.compile("S002.*log"))).to_be_visible(
        timeout=LONG
    )
    expect(
        part(page, "Throughput").get_by_role("img", name=re.compile("export .* on average"))
    ).to_be_visible(timeout=LONG)
    expect(part(page, "Tables").get_by_role("cell", name="equal").first).to_be_visible(timeout=LONG)
    assert int(progress.get_attribute("aria-valuenow") or 0) > before
    expect(page.get_by_text("application accounts stay out until everything is proven").first).to_be_visible()
    picture(page, "refresh-running.png", TALL)


def test_a_failed_shard_is_one_click_from_its_log(page: Page) -> None:
    failed = part(page, "What went wrong")
    expect(failed.get_by_role("listitem").first).to_contain_text(f"{JOB} export", timeout=LONG)
    expect(failed.get_by_text("ORA-27040").first).to_be_visible()
    expect(failed.get_by_text("What to do:").first).to_be_visible()
    # The line that says what it was; what Data Pump wrapped around it is there for who asks.
    expect(failed.get_by_text("ORA-39001").first).to_be_hidden()
    failed.get_by_text("The whole error").first.click()
    expect(failed.get_by_text("ORA-39001").first).to_be_visible()
    failed.get_by_role("link", name=re.compile(f"^Log of shard.export {JOB}")).click()
    page.wait_for_url("**/tasks/shard.export/mapped/**")
    expect(page.get_by_text("ORA-27040").first).to_be_visible()
    page.go_back()
    expect(failed.get_by_role("link", name=re.compile("^Log of shard.export"))).to_be_visible()


def test_a_bar_of_the_timeline_leads_to_the_same_log(page: Page) -> None:
    bar = part(page, "Timeline").get_by_role("link", name=re.compile(f"^{JOB}: export, failed"))
    bar.first.click()
    page.wait_for_url("**/tasks/shard.export/mapped/**")
    page.go_back()
    expect(part(page, "Timeline")).to_be_visible()


def test_the_keyboard_reaches_the_log_too(page: Page) -> None:
    label = part(page, "Timeline").get_by_role(
        "link", name=re.compile(f"^{JOB}: export failed, open its log")
    )
    label.focus()
    # The page is drawn again and again meanwhile: whoever stands somewhere stays there.
    drawn_twice(page)
    expect(label).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/tasks/shard.export/mapped/**")
    page.go_back()


def test_a_run_that_failed_says_so_and_keeps_the_target_locked(page: Page) -> None:
    expect(page.locator(".oracle-refresh h1")).to_contain_text("failed", timeout=LONG)
    expect(page.get_by_text("application accounts stay out until everything is proven").first).to_be_visible()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Report", exact=True).first.click()
    expect(opened.value.get_by_text(re.compile("was not compared with the source")).first).to_be_visible()
    opened.value.close()


@dataclass(frozen=True)
class Failed:
    """The run whose shard `JOB` failed: task states by task id and item, the report, the shard's table."""

    states: dict[tuple[str, str], str]
    report: dict[str, Any]
    table: str


def report(home: Home) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((home.reports / RUN / "report.json").read_text())
    return document


@pytest.fixture(scope="module")
def failed(home: Home) -> Failed:
    left = report(home)
    (table,) = (item["table"] for item in left["shards"] if item["job"] == JOB)
    tasks = home.api.task_instances(DAG, RUN)
    states = {(task["task_id"], task.get("rendered_map_index") or ""): task["state"] for task in tasks}
    return Failed(states, left, table)


def test_report_of_a_failed_run_says_so(home: Home, failed: Failed) -> None:
    assert (home.reports / "latest").resolve() == (home.reports / RUN).resolve()
    assert failed.report["status"] == "failed"
    assert set(failed.report["quarantine"]["locked"]) == {"APP_READER", "APP", "DOCS", "TEST"}
    assert failed.report["quarantine"]["released"] == []


def test_failed_shard_leaves_all_other_tables_verified_and_masked(failed: Failed) -> None:
    verdicts = {f"{item['owner']}.{item['name']}": item["verdict"] for item in failed.report["tables"]}
    assert verdicts.pop(failed.table) == "unverified"
    assert set(verdicts.values()) == {"equal"}
    masked = {f"{item['owner']}.{item['name']}": item["verdict"] for item in failed.report["masking"]}
    assert failed.table not in masked
    assert set(masked.values()) == {"masked"}
    assert [item["job"] for item in failed.report["shards"] if not item["bytes"]] == [JOB]


def test_failed_shard_stops_the_tasks_of_its_unit_alone(failed: Failed) -> None:
    """The table is the only one of its unit, because it is cut into shards."""
    broken = {key for key, state in failed.states.items() if state == "failed"}
    (unit,) = {item for _, item in failed.states if item.endswith(f": {failed.table}")}
    assert ("shard.export", JOB) in broken
    assert [item for task, item in broken if task == "unit.await_loaded"] == [unit]
    of_units = Counter(state for (task, _), state in failed.states.items() if task.startswith("unit."))
    del of_units["success"]
    assert of_units == {"failed": 1, "upstream_failed": 4}
    assert {task for task, _ in broken} <= {
        *("shard.export", "unit.await_loaded", "release_target", "publish_report"),
    }  # fmt: skip
    assert failed.states["constraints", ""] == "upstream_failed"


@pytest.mark.parametrize("user", ["APP_READER", "APP", "DOCS", "TEST"])
def test_account_of_a_failed_run_stays_locked(home: Home, user: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
        home.connect("target", user)


def test_clearing_the_failed_tasks_publishes_the_same_run(page: Page, airflow: str, obstacle: Path) -> None:
    (obstacle / "something").unlink()
    obstacle.rmdir()
    page.get_by_role("button", name="to clear").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Clear only failed tasks").click()
    expect(dialog.get_by_role("row", name=f"shard.export Failed 1 {RUN}")).to_be_visible()
    expect(dialog.get_by_role("row", name=re.compile("^(preflight|shard.load Success)"))).to_have_count(0)
    source_slots(page, airflow, 0)
    dialog.get_by_role("button", name="Confirm").click()
    # The page had come to rest with the failed run: nobody loads it again.
    heading = page.locator(".oracle-refresh h1")
    expect(heading).to_contain_text("running", timeout=LONG)
    source_slots(page, airflow, POOLS[SOURCE])
    expect(heading).to_contain_text("done", timeout=LONG)
    expect(page.get_by_text("released after everything was proven").first).to_be_visible()
    assert page.url.endswith(TAB)
    mended = part(page, "What went wrong")
    expect(mended.get_by_text("all of them mended since")).to_be_visible()
    expect(mended.get_by_text("ORA-27040").first).to_be_visible()
    expect(mended.get_by_text("failed because of that")).to_be_visible()
    expect(mended.get_by_text("the target stays locked").first).to_be_hidden()


def test_report_of_the_cleared_run_names_both_passes(home: Home, failed: Failed) -> None:
    published = report(home)
    assert published["status"] == "published"
    assert {item["verdict"] for item in published["tables"]} == {"equal"}
    assert {item["verdict"] for item in published["masking"]} == {"masked"}
    assert published["scn"] == failed.report["scn"]
    told = {(one["task"], one["item"]): one for one in published["failed_tries"]}
    assert "ORA-27040" in told["shard.export", JOB]["telling"]
    assert all(one["mended"] for one in told.values()), told
    assert len(published["passes"]) == 2
    assert published["worked_seconds"] > published["seconds"]
    home.connect("target", "APP_READER").close()
    assert home.dump_files() == []


def test_what_was_proven_stands_beside_it(home: Home, page: Page) -> None:
    tables = part(page, "Tables")
    customers = tables.get_by_role("row", name=re.compile(r"^APP\.CUSTOMERS "))
    [(number,)] = home.query("target", "SELECT COUNT(*) FROM APP.CUSTOMERS")
    expect(customers.get_by_role("cell", name=f"{number:,}", exact=True)).to_have_count(3)
    expect(customers.get_by_text("EMAIL")).to_be_visible()
    [(all_tables,)] = home.query(
        "target", "SELECT COUNT(*) FROM DBA_TABLES WHERE OWNER IN ('APP', 'DOCS', 'TEST')"
    )
    copied = tables.get_by_role("row").filter(has=page.get_by_role("cell", name="equal", exact=True))
    expect(copied).to_have_count(all_tables)
    expect(customers.get_by_role("cell", name="masked", exact=True)).to_be_visible()
    expect(
        tables.get_by_text(re.compile(r"^all \d+ tables with masked columns proven masked; \d+ table"))
    ).to_be_visible()
    plain = tables.get_by_role("row").filter(has=page.get_by_text("none has a rule"))
    expect(plain.get_by_role("cell", name="equal", exact=True)).to_have_count(2 * plain.count())
    lobs = tables.get_by_title(re.compile(r"^checksum \S+"))
    expect(lobs.first).to_contain_text("equal")
    coverage = part(page, "Masking coverage")
    expect(
        coverage.get_by_role("img", name=re.compile(r"^[1-9]\d* masked .* 0 sensitive, not covered"))
    ).to_be_visible()
    coverage.get_by_text(re.compile("^Which .* columns$")).click()
    expect(coverage.get_by_role("row", name=re.compile(r"APP\.CUSTOMERS\.EMAIL rule")).first).to_be_visible()
    proof = part(page, "Proof of the target")
    expect(proof.get_by_text(re.compile("expectations met"))).to_be_visible()
    proof.get_by_text(re.compile("^Expectations of ")).click()
    expect(proof.get_by_role("region", name="Expectations by table")).to_be_visible()
    page.locator(".oracle-refresh").evaluate("element => { element.scrollTop = 0; }")
    expect(page.get_by_text("Success", exact=True).first).to_be_visible()
    picture(page, "refresh-tab.png", TALL)


def test_the_published_report_is_one_click_away(page: Page) -> None:
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Report", exact=True).first.click()
    report = opened.value
    expect(report.get_by_role("heading", name="demo: published")).to_be_visible()
    expect(report.get_by_role("row", name=re.compile(r"^APP\.CUSTOMERS .* equal$"))).to_be_visible()
    expect(report.get_by_role("heading", name="What went wrong")).to_have_count(0)
    failed = report.get_by_role("row").filter(has=report.get_by_text("mended", exact=True))
    expect(failed.filter(has_text=f"shard.export {JOB}").filter(has_text="ORA-27040")).to_have_count(1)
    tries = report.locator("table", has=report.get_by_role("columnheader", name="error, and what to do"))
    assert tries.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth"), "nothing is cut"
    expect(report.get_by_text(re.compile(r"s of work since it first began .* its 2 passes"))).to_be_visible()
    picture(report, "report.png", PAPER)
    report.close()


def test_the_list_leads_to_a_run_and_the_run_to_airflow(page: Page) -> None:
    page.get_by_role("button", name="Browse").click()
    page.get_by_role("menuitem", name="Oracle refreshes").click()
    row = page.get_by_role("region", name="Latest runs").get_by_role("row", name=re.compile(f"^{RUN} "))
    expect(row.get_by_text("done", exact=True)).to_be_visible()
    row.get_by_role("link", name=RUN, exact=True).click()
    expect(part(page, "Tables")).to_be_visible()
    # Nothing was loaded anew: what leads back is the browser's own way too.
    page.go_back()
    row.get_by_role("link", name=RUN, exact=True).click()
    page.get_by_role("link", name="All refreshes").click()
    row.get_by_role("link", name=RUN, exact=True).click()
    page.get_by_role("link", name="This run in Airflow").click()
    page.wait_for_url(f"**{TAB}")
    expect(part(page, "Tables")).to_be_visible()


#: Which of the elements nobody can see or touch: another one lies over its middle, or it stands out.
HIDDEN = """place => [...place.querySelectorAll('h1, h2, .tile, .trail a, .head .button')].filter(one => {
    one.scrollIntoView({block: 'center'});
    const {left, right, top, bottom} = one.getBoundingClientRect();
    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left < 0 || right > innerWidth + 1 || !(one === found || one.contains(found));
}).map(one => one.textContent)"""


def test_a_phone_shows_a_run_at_full_width(browser: Browser, airflow: str) -> None:
    phone = {"width": 390, "height": 844}
    with visiting(browser, airflow, viewport=phone, is_mobile=True, has_touch=True) as visitor:
        page = visitor.page()
        visitor.log_in(page, "victor", "looks_only")
        # Beside Airflow's panels the tab is out of sight, but not the way to where it is alone.
        page.goto(airflow + TAB)
        widen = page.get_by_role("link", name="Show at full width")
        expect(widen).to_be_in_viewport(ratio=1)
        widen.tap()
        expect(part(page, "Tables")).to_be_visible()
        until_styled(page)
        page.get_by_role("link", name="All refreshes").tap()
        place = page.locator(".oracle-refresh")
        expect(place.get_by_role("link", name=RUN, exact=True).first).to_be_visible()
        assert place.evaluate(HIDDEN) == []
        place.get_by_role("link", name=RUN, exact=True).first.tap()
        expect(part(page, "Tables")).to_be_visible()
        assert place.evaluate(HIDDEN) == []
        assert place.evaluate("element => element.scrollWidth - element.clientWidth") <= 0
        # Beside it stands the navigation of Airflow and nothing else.
        assert place.evaluate("element => element.getBoundingClientRect().width") >= 390 - 64 - 32
        place.evaluate("element => { element.scrollTop = 0; }")
        picture(page, "refresh-phone.png")
        assert visitor.complaints == []


def test_dark_mode_and_little_motion(browser: Browser, airflow: str) -> None:
    settings = {"viewport": SCREEN, "reduced_motion": "reduce"}
    with visiting(browser, airflow, color_scheme="dark", **settings) as visitor:
        page = visitor.page()
        visitor.log_in(page, "victor", "looks_only")
        page.evaluate("localStorage.setItem('theme', 'dark')")
        page.goto(airflow + TAB)
        expect(part(page, "Tables")).to_be_visible()
        until_styled(page)
        place = page.locator(".oracle-refresh")
        paper, ink = (
            sum(map(int, re.findall(r"\d+", place.evaluate(f"one => getComputedStyle(one).{name}"))[:3]))
            for name in ("backgroundColor", "color")
        )
        assert paper < 150 < 600 < ink
        moves = "getComputedStyle(one).animationName != 'none'"
        assert place.evaluate(f"all => [...all.querySelectorAll('*')].filter(one => {moves}).length") == 0
        picture(page, "refresh-dark.png")
        assert visitor.complaints == []


def test_who_is_logged_out_sees_why(browser: Browser, airflow: str) -> None:
    with visiting(browser, airflow) as visitor:
        page = visitor.page()
        name, _, password = USERS[1]
        visitor.log_in(page, name, password)
        page.goto(airflow + TAB)
        expect(part(page, "Tables")).to_be_visible()
        visitor.context.clear_cookies()
        answer = page.request.get(f"{airflow}/oracle-refresh/api/runs/{DAG}/{RUN}", max_retries=RESET)
        assert answer.status == 401


def a_clone(home: Home) -> str:
    """Return the definition of what was refreshed as a clone, of which one table has still to be masked."""
    document = yaml.safe_load(home.definition.read_text())
    rules = {"TEST.TESTTABLE": {"LABEL": {"algorithm": "redaction", "text": "[removed]"}}}
    ruleset, definition = home.folder / "clone_rules.yaml", home.definition.with_name("clone.yaml")
    ruleset.write_text(yaml.safe_dump({"name": "clone", "tables": rules}))
    masking = {"ruleset": str(ruleset), "sensitive_from": 1.0}
    fields = ("target", "schemas", "exclude_tables", "application_accounts")
    clone = {name: document[name] for name in fields} | {"name": "clone", "database": "TARGET"}
    clone["masking"] = masking | {"key_conn_id": document["masking"]["key_conn_id"]}
    definition.write_text(yaml.safe_dump(clone | {"dag": False, "purge_statistics_history": True}))
    with home.connect("target", "SYS") as system:
        system.cursor().execute("GRANT ANALYZE ANY DICTIONARY TO REFRESH_TARGET")
    return definition.stem


def test_a_clone_is_watched_while_it_is_masked(home: Home, page: Page, airflow: str) -> None:
    run = home.api.trigger("mask_database", {"definition": a_clone(home)})
    page.goto(f"{airflow}/dags/mask_database/runs/{quote(run)}/plugin/oracle-refresh")
    expect(page.locator(".oracle-refresh h1")).to_contain_text("clone done", timeout=LONG)
    expect(page.get_by_text("released after everything was proven").first).to_be_visible()
    expect(page.get_by_text("exported", exact=False)).to_have_count(0)
    for stage in ("suspend", "record", "restore objects"):
        expect(part(page, "Stages").get_by_text(stage, exact=True).first).to_be_visible()
    expect(
        part(page, "Timeline").get_by_role("link", name=re.compile("TEST.TESTTABLE")).first
    ).to_be_visible()
    masked = part(page, "Tables").get_by_role("row", name=re.compile(r"^TEST\.TESTTABLE "))
    expect(masked.get_by_role("cell", name="masked", exact=True)).to_be_visible()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Report", exact=True).first.click()
    report = opened.value
    expect(report.get_by_role("heading", name="clone: published")).to_be_visible()
    expect(report.get_by_text("Masked where it is")).to_be_visible()
    expect(report.get_by_role("heading", name="Jobs")).to_have_count(0)
    report.close()


def test_the_browser_had_nothing_to_complain_about(ada: Visitor) -> None:
    assert ada.complaints == []
