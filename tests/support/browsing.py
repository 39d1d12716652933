"""A browser, and what it must not have to complain about in a page that a run has written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
#: A page under load may take its time; nothing waits longer than it has to. Milliseconds.
PATIENCE = 300_000
#: Wider than the sheet, or than what can be scrolled by itself.
BEYOND = """() => [...document.querySelectorAll('body *')].filter(one =>
    one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.wide, pre')
).map(one => one.outerHTML.slice(0, 99))"""
#: Plots that show nothing: without size, or as images that did not load.
EMPTY_PLOTS = """() => [...document.querySelectorAll('svg, img')].filter(one =>
    one.getBoundingClientRect().width < 10 || one.getBoundingClientRect().height < 10
    || (one.tagName === 'IMG' && one.naturalWidth === 0)
).map(one => one.outerHTML.slice(0, 99))"""
#: Values that nobody has formatted, and templates that nobody has filled.
UNFORMATTED = """() => [...document.querySelectorAll('td, dd, li, p')].map(one =>
    one.textContent.trim()
).filter(text =>
    /^(undefined|NaN|nan|None|Infinity|inf)$|\\{\\{|\\}\\}/.test(text)
).map(text => text.slice(0, 99))"""


@contextmanager
def a_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            yield browser
        finally:
            browser.close()


def complaints(browser: Browser, file: Path, *, plots: int) -> list[str]:
    """What is wrong with a page, seen on a desk.

    :param plots: how many it has to have at least.
    """
    said: list[str] = []
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    try:
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(file.as_uri())
        said += [f"beyond the page: {each}" for each in page.evaluate(BEYOND)]
        said += [f"an empty plot: {each}" for each in page.evaluate(EMPTY_PLOTS)]
        said += [f"not formatted: {each}" for each in page.evaluate(UNFORMATTED)]
        if page.locator("h1").count() != 1:
            said.append("it has not one heading")
        if (found := page.locator("svg, img").count()) < plots:
            said.append(f"it has {found} plots")
        headless = page.locator("table:not(:has(> thead th[scope]))").count()
        if headless:
            said.append(f"{headless} tables have no headers")
    finally:
        page.close()
    return said
