"""Commands in the documentation run as printed, against the stand-in with the demo data.

A fenced block `bash` is run by bash, those of a page one after the other, in a folder with `include/` of the
repository. Only the demo's ports are replaced by free ones. What needs something else says so behind the
language, as in `bash needs=oracle`, and is checked as far as that goes without it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import oracledb
import pytest

from oracle_refresh.run.documents import AllRuns
from oracle_refresh.run.ledger import ensure_ledger
from support.demo import as_demo_user
from support.documents import PAGES, ROOT, Block, all_blocks, blocks, name
from support.stand_in import free_port

DEMO_PORTS = {"source": 15211, "target": 15212}
#: What a block may need besides the stand-in: a database or clients of Oracle, Airflow or all of the local
#: stack (which scenarios start), containers, a secrets backend, package registries for a quarter of an hour.
NEEDS = {"oracle", "airflow", "stack", "docker", "vault", "registry"}
RUN = [page for page in PAGES if any(block.options.get("needs") is None for block in blocks(page, "bash"))]
#: It stops the databases in the end.
LAST = ROOT / "docs" / "concepts" / "localoracle.md"


@dataclass
class Workplace:
    """A folder as a reader has it, with both demo databases running."""

    folder: Path
    ports: dict[str, int]

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "LOCALORACLE_HOME": str(self.folder / ".local"),
            "LOCALORACLE_SYSTEM_PASSWORD": "system_demo",
            "AIRFLOW_HOME": str(self.folder / "airflow"),
            **{f"AIRFLOW_CONN_ORACLE_{end.upper()}": self.connection(end) for end in self.ports},
            "AIRFLOW_CONN_REFRESH_MASKING_KEY": json.dumps(
                {"conn_type": "generic", "password": "0123456789abcdef" * 4}
            ),
            **{f"LOCALORACLE_PORT_{end.upper()}": str(port) for end, port in self.ports.items()},
        }

    def connection(self, end: str) -> str:
        """As `python -m stack env` gives it."""
        fields = {
            "conn_type": "oracle",
            "host": "127.0.0.1",
            "port": self.ports[end],
            "login": f"refresh_{end}",
            "password": f"refresh_{end}_demo",
            "extra": {"service_name": end.upper(), "refresh_role": end},
        }
        return json.dumps(fields)

    def here(self, text: str) -> str:
        for end, port in DEMO_PORTS.items():
            text = text.replace(f":{port}/", f":{self.ports[end]}/")
        return text

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self.here(script)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1800,
        )


@pytest.fixture(scope="module")
def workplace() -> Iterator[Workplace]:
    folder = Path(tempfile.mkdtemp(prefix="documented_"))
    shutil.copytree(ROOT / "include", folder / "include")
    place = Workplace(folder, {end: free_port() for end in DEMO_PORTS})
    try:
        started = place.run(
            "python -m localoracle start target & python -m localoracle start source; wait $!\n"
            "python -m localoracle load-demo source --scale 0.02\n"
            "python -m localoracle prepare-target target"
        )
        assert started.returncode == 0, started.stdout + started.stderr
        yield place
    finally:
        place.run("for end in source target; do python -m localoracle stop $end || true; done")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("page", sorted(RUN, key=lambda page: page == LAST), ids=name)
def test_the_commands_of_a_page_run_as_printed(page: Path, workplace: Workplace) -> None:
    for block in blocks(page, "bash"):
        if block.options.get("needs") is None:
            done = workplace.run(block.text)
            assert done.returncode == 0, f"{block}\n{block.text}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("block", [one for one in all_blocks("sql") if "needs" not in one.options], ids=str)
def test_sql_is_what_the_database_takes(block: Block, workplace: Workplace) -> None:
    """On the target, as SYSTEM unless `user=...` names another. A statement ends with its line's semicolon, a
    block with a line of a slash."""
    user = block.options.get("user", "SYSTEM")
    host = f"127.0.0.1:{workplace.ports['target']}/TARGET"
    with as_demo_user(user, host) as connection:
        if user != "SYS":
            ensure_ledger(connection)
            AllRuns(connection).ensure()
        for statement in _statements(block.text):
            connection.cursor().execute(statement)


def _statements(text: str) -> list[str]:
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("--"))
    if re.search(r"^/$", code, re.MULTILINE):
        return [part.strip() for part in re.split(r"^/$", code, flags=re.MULTILINE) if part.strip()]
    return [part.strip() for part in re.split(r";[ \t]*$", code, flags=re.MULTILINE) if part.strip()]


def test_the_users_of_the_readme_can_log_in(workplace: Workplace) -> None:
    rows = re.findall(
        r"^\| (source|target) \| `([^`]+)` \| (.+) \|$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    users = {end: re.findall(r"(\w+) \(`(\w+)`\)", cell) for end, _, cell in rows}
    users["target"] += [
        user for user in users["source"] if user not in users["target"] and user[0] != "REFRESH_SOURCE"
    ]
    for end, dsn, _ in rows:
        assert len(users[end]) == 6
        for user, password in users[end]:
            with oracledb.connect(user=user, password=password, dsn=workplace.here(dsn)) as connection:
                assert connection.username.upper() == user


def test_what_is_not_run_says_what_it_needs() -> None:
    named = {block.options.get("needs") for kind in ("bash", "sql") for block in all_blocks(kind)}
    assert named - {None} <= NEEDS


def test_no_command_hides_in_an_indented_block() -> None:
    command = re.compile(r"^    +(?:\$ )?(?:python -m|make|airflow|docker|export|pip|printf) ", re.MULTILINE)
    fenced = re.compile(r"```.*?```", re.DOTALL)
    hidden = {
        name(page): found
        for page in PAGES
        if (found := command.findall(fenced.sub("", page.read_text(encoding="utf-8"))))
    }
    assert hidden == {}


def _lines(needs: str, program: str) -> list[list[str]]:
    found = [
        shlex.split(line, comments=True)
        for block in all_blocks("bash")
        if block.options.get("needs") == needs
        for line in block.text.replace("\\\n", " ").splitlines()
    ]
    return [words[words.index(program) + 1 :] for words in found if program in words]


def test_targets_of_make_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = [word for words in _lines("stack", "make") for word in words if "=" not in word]
    assert named
    assert set(named) <= targets


def test_commands_of_airflow_are_known_to_it() -> None:
    from airflow.cli.cli_parser import get_parser

    for words in _lines("airflow", "airflow"):
        get_parser().parse_args(words)
