"""`airflow oracle-refresh first-contact`."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from oracle_refresh.cli.command import Connections, command, read_refresh
from oracle_refresh.cli.dag_runs import DagRuns
from oracle_refresh.cli.definition import DAG
from oracle_refresh.cli.progress import PrintedProgress
from oracle_refresh.first_contact.bundle import files, lines, make_bundle
from oracle_refresh.first_contact.ladder import climb
from oracle_refresh.first_contact.model import NotClimbed, Step
from oracle_refresh.first_contact.refreshing import Asked
from oracle_refresh.first_contact.steps import REFRESH, WRITE, rungs
from oracle_refresh.integration import settings

PACKAGE = "oracle_refresh"


@command
def first_contact(options: argparse.Namespace) -> int:
    """The ladder to two databases; each step is printed when it is done, the bundle is written at the end."""
    definition = read_refresh(options.definition)
    path = settings.definition_path(options.definition)
    name = settings.definition_name(path) if options.refresh else path.stem
    connections = Connections.named(options.source, options.target)
    permissions = [option for option, given in ((WRITE, options.write), (REFRESH, options.refresh)) if given]
    climbed: list[Step | NotClimbed] = []
    began = datetime.now(UTC)
    try:
        asked = Asked(definition, name, 60.0 * options.wait)
        steps = rungs(connections.both, connections.target_session, asked, DagRuns(DAG), PrintedProgress())
        with _quiet():
            for step in climb(steps, permissions):
                climbed.append(step)
                print("\n".join(lines(step)), flush=True)
    finally:
        bundle = make_bundle(options.source, options.target, definition.name, options.write, began, climbed)
        folder = Path(options.folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files(bundle).items():
            (folder / name).write_text(text, encoding="utf-8")
            print(f"bundle: {folder / name}")
    return 1 if bundle.failed else 0


@contextmanager
def _quiet() -> Iterator[None]:
    """What rooms log of each table would hide what a command prints of each step; warnings are told."""
    logger = logging.getLogger(PACKAGE)
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
