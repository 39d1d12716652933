"""python-oracledb's own tests, out of its source distribution.

That has no scripts for their schema: `python_oracledb_schema` makes the tables that they use. What it cannot
make, because the stand-in refuses it, is refused to the tests that name it as well.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from strangers import packages, places
from strangers.databases import PASSWORD, database
from strangers.outcomes import Kind, Outcome, Outcomes, read_junit
from strangers.suites import python_oracledb_schema as schema

SUITE = "python_oracledb"
VERSION = "26.1.0"
REQUIREMENTS = (
    f"oracledb=={VERSION}",
    "anyio==4.16.0",
    "numpy==2.4.6",
    "pandas==3.1.1",
    "pyarrow==26.0.1",
    "pytest==9.2.0",
    "pytest-timeout==2.4.0",
)
_MISSING = re.compile(r"ORA-00942|ORA-00904|ORA-00902|ORA-04043|ORA-06550|ORA-24010|ORA-38802|DPY-2035")


def run() -> Outcomes:
    python = packages.environment(SUITE, *REQUIREMENTS)
    sources = packages.sources(SUITE, "oracledb", VERSION)
    report = places.folder(SUITE) / "report.xml"
    with database(SUITE) as own:
        lacking = schema.create(own)
        packages.pytest(
            python,
            report,
            ("--timeout", "60", "tests"),
            directory=sources,
            PYO_TEST_MAIN_USER=schema.USER,
            PYO_TEST_MAIN_PASSWORD=schema.USER_PASSWORD,
            PYO_TEST_PROXY_USER=schema.PROXY,
            PYO_TEST_PROXY_PASSWORD=schema.USER_PASSWORD,
            PYO_TEST_CONNECT_STRING=own.dsn,
            PYO_TEST_ADMIN_USER="system",
            PYO_TEST_ADMIN_PASSWORD=PASSWORD,
        )
    return {name: _judged(name, outcome, lacking, sources) for name, outcome in read_junit(report).items()}


def _judged(name: str, outcome: Outcome, lacking: dict[str, str], sources: Path) -> Outcome:
    """A wrong test that misses an object which the stand-in has refused to make: refused."""
    if outcome.kind is not Kind.WRONG or not _MISSING.search(outcome.reason):
        return outcome
    module, _, test = name.partition("::")
    named = _words(sources / Path(*module.split(".")).with_suffix(".py"), test.partition("[")[0])
    missing = sorted(named & lacking.keys())
    return Outcome(Kind.REFUSED, lacking[missing[0]]) if missing else outcome


@cache
def _functions(module: Path) -> dict[str, str]:
    text = module.read_text()
    return {
        node.name: (ast.get_source_segment(text, node) or "").upper()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


@cache
def _words(module: Path, test: str) -> frozenset[str]:
    """The words of a test's source and of the functions beside it that it calls, in upper case."""
    functions = _functions(module)
    text = functions.get(test, "")
    called = (source for name, source in functions.items() if f"{name.upper()}(" in text)
    return frozenset(re.findall(r"[A-Z_0-9$]+", " ".join((text, *called))))
