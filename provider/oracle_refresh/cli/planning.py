"""`airflow oracle-refresh plan` and `explain`."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from oracle_refresh.cli.command import Connections, command, print_json, read_definition
from oracle_refresh.cli.display import show_plan
from oracle_refresh.datapump.by_hand import parameter_files
from oracle_refresh.definition import CloneDefinition, require_refresh
from oracle_refresh.experience.informed_plan import plan_clone, plan_refresh
from oracle_refresh.integration import settings
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan.model import Plan
from oracle_refresh.plan.storage import read_plan
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.freeze import freeze


@command
def plan(options: argparse.Namespace) -> int:
    """A new plan, as of now. Reads the databases, changes neither."""
    definition = read_definition(options.definition, options.degree)
    connections = Connections.of(definition)
    max_jobs = options.max_jobs or settings.max_map_length()
    if isinstance(definition, CloneDefinition):
        with connections.target_session() as clone:
            slots = settings.tasks_at_once()
            _print(plan_clone(clone, definition, options.run_id, max_jobs, slots).plan, options)
        return 0
    definition = require_refresh(definition)
    with ExitStack() as sessions:
        source = sessions.enter_context(connections.source_session())
        target = None if options.source_only else sessions.enter_context(connections.target_session())
        frozen = freeze(source)
        slots = settings.tasks_at_once()
        planned = plan_refresh(source, target, definition, frozen, options.run_id, max_jobs, slots).plan
    _print(planned, options)
    if options.parfiles:
        folder = Path(options.parfiles)
        folder.mkdir(parents=True, exist_ok=True)
        files = [file for job in planned.jobs for file in parameter_files(job, frozen, definition)]
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8")
        print(f"{len(files)} parameter files are in {folder}", file=sys.stderr)
    return 0


@command
def explain(options: argparse.Namespace) -> int:
    """The plan of a run."""
    definition = read_definition(options.definition)
    with Connections.of(definition).target_session() as target:
        documents = Documents(target, options.run_id)
        if not documents.exists():
            raise PlanError(
                "no run has planned anything on this target yet",
                object_name=definition.target.conn_id,
                step="explain",
                remedy="trigger a run, with Dry run if it shall end with its plan; or plan as of now: airflow"
                f" oracle-refresh plan --definition {options.definition}",
            )
        planned = read_plan(documents)
    _print(planned, options)
    return 0


def _print(planned: Plan, options: argparse.Namespace) -> None:
    print_json(planned.to_json()) if options.json else show_plan(planned)
