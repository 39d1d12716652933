"""A home of its own for the whole stack: two databases, an Airflow, their ports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import oracledb
import yaml

from stack.airflow import Api
from support.demo import as_demo_user
from support.session_folder import command_line, marked
from support.stand_in import free_port

ROOT = Path(__file__).parents[2]
SCALE = "0.05"
#: Fixed, so that the masked values are the same in every test run, and so that it can be looked for.
MASKING_KEY = "5d1f2e8a" * 8
Found = TypeVar("Found")


@dataclass(frozen=True)
class Home:
    """Where one stack lives, and how to talk to it.

    :ivar definition: a definition next to copies of those in `include`; trigger forms name it by its stem.
    """

    folder: Path
    definition: Path
    environment: dict[str, str] = field(repr=False)

    def stack(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m stack ...` as make does."""
        return self._run("stack", *words)

    def localoracle(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run("localoracle", *words)

    def refresh(self) -> subprocess.CompletedProcess[str]:
        words = ("refresh", "--scale", SCALE, "--definition", self.definition.stem, "--keep")
        return self.stack(*words)

    def _run(self, module: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", module, *words],
            cwd=ROOT,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=1800,
        )

    def dsn(self, name: str) -> str:
        return f"127.0.0.1:{self.environment[f'LOCALORACLE_PORT_{name.upper()}']}/{name.upper()}"

    def connect(self, name: str, user: str = "") -> oracledb.Connection:
        """A connection to `source` or `target`, of the refresh's user or of another demo user."""
        user = user or f"REFRESH_{name.upper()}"
        return as_demo_user(user, self.dsn(name))

    def query(self, name: str, text: str, **binds: Any) -> list[tuple[Any, ...]]:
        with self.connect(name) as connection, connection.cursor() as cursor:
            cursor.execute(text, binds, fetch_lobs=False)
            return cursor.fetchall()

    @property
    def api(self) -> Api:
        return Api(f"http://127.0.0.1:{self.environment['AIRFLOW_PORT']}")

    @property
    def reports(self) -> Path:
        return self.folder / "reports"

    def dump_files(self) -> list[Path]:
        """What Data Pump wrote or DBFS holds at either end, logs apart."""
        folders = self.folder / "source" / "dumps", self.folder / "target" / "dbfs"
        return [
            path
            for folder in folders
            for path in folder.rglob("*")
            if not path.is_dir() and path.suffix != ".log"
        ]

    def processes(self) -> list[str]:
        """Command lines of all processes that run with this home."""
        return [words for process in marked(self.folder) if (words := command_line(process))]


def until(look: Callable[[], Found], seconds: float = 1800) -> Found:
    """The first true answer of `look`, which asks a home's Airflow.

    One that answers late, or with a failure of its own as a busy SQLite causes it, is asked again.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if found := look():
                return found
        except TimeoutError:
            continue
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise
        time.sleep(0.5)
    raise AssertionError("not within the time")


@contextmanager
def a_home(prefix: str, leaving_out: Sequence[str] = ()) -> Iterator[Home]:
    """A fresh home with nothing running in it; everything in it is stopped at the end.

    :param leaving_out: tables that its definition does not refresh: OWNER.NAME, or NAME for a table of APP.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    ports = {"LOCALORACLE_PORT_SOURCE", "LOCALORACLE_PORT_TARGET", "AIRFLOW_PORT"}
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("AIRFLOW")}
    environment = {
        **inherited,
        **{name: str(free_port()) for name in sorted(ports)},
        "LOCALORACLE_HOME": str(folder),
        "STACK_DEFINITIONS": str(folder / "definitions"),
    }
    key = folder / "secrets" / "masking_key"
    key.parent.mkdir()
    key.write_text(MASKING_KEY)
    key.chmod(0o600)
    made = Home(folder, _definition(folder, leaving_out), environment)
    try:
        yield made
    finally:
        made.stack("down")
        shutil.rmtree(folder, ignore_errors=True)


def _scripts(folder: Path) -> dict[str, list[str]]:
    """What the refresh's user notes before and after the masking; each run notes it once."""
    note = "BEGIN\n  INSERT INTO SCRIPT_NOTES SELECT '{}', COUNT(*) FROM APP.CUSTOMERS;\nEND;\n/\n"
    make = (
        "DECLARE\n  ALREADY EXCEPTION;\n  PRAGMA EXCEPTION_INIT(ALREADY, -955);\nBEGIN\n"
        "  EXECUTE IMMEDIATE 'CREATE TABLE SCRIPT_NOTES (MOMENT VARCHAR2(10), NUMBER_OF_ROWS NUMBER)';\n"
        "EXCEPTION\n  WHEN ALREADY THEN NULL;\nEND;\n/\n"
    )
    texts = {
        "before": f"-- Notes\n{make}DELETE FROM SCRIPT_NOTES;\n{note.format('before')}",
        "after": note.format("after"),
    }
    for name, text in texts.items():
        (folder / f"{name}.sql").write_text(text)
    return {name: [str(folder / f"{name}.sql")] for name in texts}


def _definition(folder: Path, leaving_out: Sequence[str]) -> Path:
    """The demo's definition, with shards although the data is small, without some tables of APP."""
    document = yaml.safe_load((ROOT / "include" / "refreshes" / "demo.yaml").read_text())
    # Every shard is three tasks, which take longer than its rows.
    document |= {"lob_shard_min_bytes": 500_000, "max_shards": 2, "degree": 8}
    # With the demo's profile the last commits are lost when a server is killed, as some tests do.
    document |= {"tuning": None, "dag": False}
    document["exclude_tables"] = [name if "." in name else f"APP.{name}" for name in leaving_out]
    document["masking"]["ruleset"] = str(ROOT / "include" / "rulesets" / "demo.yaml")
    document["masking"] |= _scripts(folder)
    document["expectations"]["path"] = str(write_suites(folder, document["exclude_tables"]))
    path = folder / "definitions" / "small.yaml"
    path.parent.mkdir()
    for shipped in (ROOT / "include" / "refreshes").glob("*.yaml"):
        (path.parent / shipped.name).write_text(shipped.read_text().replace("../", f"{ROOT}/include/"))
    path.write_text(yaml.safe_dump(document))
    return path


def write_suites(folder: Path, leaving_out: Sequence[str]) -> Path:
    """A new folder with what is expected of the other tables; a refresh may write suites of its own to it."""
    suites = folder / "expectations"
    suites.mkdir()
    for file in (ROOT / "include" / "expectations").glob("*.yaml"):
        suite = yaml.safe_load(file.read_text())
        suite["tables"] = {name: found for name, found in suite["tables"].items() if name not in leaving_out}
        (suites / file.name).write_text(yaml.safe_dump(suite))
    return suites
