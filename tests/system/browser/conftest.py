"""A stack, a second API server that asks who one is, and a browser before it: all of it once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from support.browsing import CHROMIUM, PATIENCE, a_browser
from support.demo import MOST_OF_APP
from support.home import ROOT, SCALE, Home, a_home
from support.stand_in import free_port

#: Users of the second API server: name, role, password.
USERS = (("ada", "admin", "lovelace"), ("victor", "viewer", "looks_only"))
#: Tables of APP that the story does without; what stays is masked or plain, whole or cut into shards.
LEFT_OUT = sorted({*MOST_OF_APP} - {"ACCOUNTS", "CUSTOMERS", "ORDERS"})
#: Seconds that a server may take to start: at a load of 30 it took more than 300 of them.
START = 900

#: Airflow's page draws its spinners sixty times a second, also for those who want little motion: a fifth of a
#: processor for as long as a page is open.
STANDSTILL = """addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = "*, *::before, *::after { animation: none !important }";
  document.head.append(style);
})"""

if CHROMIUM is None:
    pytest.skip("needs Chromium (Debian's package `chromium`)", allow_module_level=True)

expect.set_options(timeout=PATIENCE)
#: The first test of each file that failed.
FAILED = pytest.StashKey[dict[Path, str]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note the first step of a story that failed: what comes after it would only wait in vain."""
    report = yield
    if report.failed and "home" in item.fixturenames:
        item.session.stash.setdefault(FAILED, {}).setdefault(item.path, item.name)
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    before = item.session.stash.get(FAILED, {}).get(item.path)
    if before:
        pytest.skip(f"{before} failed before")


@pytest.fixture(scope="package")
def home() -> Iterator[Home]:
    with a_home("browser_", leaving_out=LEFT_OUT) as made:
        document = yaml.safe_load(made.definition.read_text())
        document |= {"max_shards": 3} if pictures() else {}
        made.definition.write_text(yaml.safe_dump(document))
        done = made.stack("up", "--scale", SCALE)
        assert done.returncode == 0, done.stdout[-4000:]
        yield made


@pytest.fixture(scope="package")
def airflow(home: Home) -> Iterator[str]:
    """The address of an API server on the home's database with a log-in form: the stack's own lets all in."""
    port, passwords = free_port(), home.folder / "secrets" / "users.json"
    passwords.write_text(json.dumps({name: password for name, _, password in USERS}))
    described = "import json; from stack import settings; print(json.dumps(settings.airflow_environment()))"
    found = subprocess.run(
        [sys.executable, "-c", described], cwd=ROOT, env=home.environment, capture_output=True, text=True
    )
    environment = json.loads(found.stdout) | {
        "AIRFLOW__API__PORT": str(port),
        # Airflow's own part of the page asks for everything anew every three seconds otherwise.
        "AIRFLOW__API__AUTO_REFRESH_INTERVAL": "10",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "False",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": ",".join(f"{name}:{role}" for name, role, _ in USERS),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
    }
    address = f"http://127.0.0.1:{port}"
    log = home.folder / "log" / "airflow-api-server-with-users.log"
    with log.open("ab") as out:
        server = subprocess.Popen(
            [sys.executable, "-m", "airflow", "api-server"], cwd=ROOT, env=environment, stdout=out, stderr=out
        )
    try:
        end = time.monotonic() + START
        while not _answers(f"{address}/api/v2/version"):
            assert server.poll() is None, log.read_text()[-4000:]
            assert time.monotonic() < end, "the API server did not answer"
            time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:  # it waits for whoever still asks
            server.kill()
            server.wait()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=60):
            return True
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with a_browser() as browser:
        yield browser


@dataclass
class Visitor:
    """Somebody at the browser: pages with what the browser complained about."""

    context: BrowserContext
    address: str
    complaints: list[str] = field(default_factory=list)

    def page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        return page

    def log_in(self, page: Page, name: str, password: str) -> None:
        page.goto(self.address)
        page.locator("input[name=username]").fill(name)
        page.locator("input[name=password]").fill(password)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("link", name="Dags").first).to_be_visible()

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "/oracle-refresh/" in message.location.get("url", ""):
            self.complaints.append(f"{message.type}: {message.text}")


@contextmanager
def visiting(browser: Browser, address: str, **settings: object) -> Iterator[Visitor]:
    context = browser.new_context(locale="en", **settings)  # type: ignore[arg-type]
    # Of the context: what a page asks for by itself, and what it opens, does not know the page's own limit.
    context.set_default_timeout(PATIENCE)
    visitor = Visitor(context, address)
    yield visitor
    context.close()


def until_styled(page: Page) -> None:
    """Places and colours are what they are once the style sheet is there, which comes by itself."""
    page.wait_for_function(
        "[...document.styleSheets].some(one => one.href?.endsWith('/oracle-refresh/static/style.css'))"
    )


def pictures() -> Path | None:
    """Where screenshots go: nowhere, unless somebody asks for them by REFRESH_SCREENSHOTS."""
    wanted = os.environ.get("REFRESH_SCREENSHOTS")
    return Path(wanted) if wanted else None
