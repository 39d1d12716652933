"""What the commands of `airflow oracle-refresh` do: connections in, one call into a room, text out."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial, wraps
from pathlib import Path

import oracledb

from oracle_refresh.cli.dag_runs import DagRuns
from oracle_refresh.cli.definition import DAG
from oracle_refresh.cli.progress import PrintedProgress
from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.first_contact.bundle import files as bundle_files
from oracle_refresh.first_contact.bundle import lines, make_bundle
from oracle_refresh.first_contact.ladder import climb
from oracle_refresh.first_contact.model import NotClimbed, Step
from oracle_refresh.first_contact.refreshing import Asked
from oracle_refresh.first_contact.steps import REFRESH, WRITE, rungs
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.init.command import Wishes, tell
from oracle_refresh.init.command import init as written
from oracle_refresh.init.files import Files
from oracle_refresh.integration import settings
from oracle_refresh.oracle.errors import PlanError, RefreshError
from oracle_refresh.plan_command import json_text, make_plan, write_parameter_files
from oracle_refresh.preflight_command import examine, show
from oracle_refresh.report.model import Report
from oracle_refresh.report.summary import summary
from oracle_refresh.run_store import RunStore
from oracle_refresh.terminal import show_plan
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.restore import restore as restored

Command = Callable[[argparse.Namespace], int]
ACTION, PACKAGE = "command line", "oracle_refresh"


def _command(command: Command) -> Callable[[argparse.Namespace], None]:
    """Ends with the command's exit code: 0 done; 1 refused, or something is left to do."""

    @wraps(command)
    def run(options: argparse.Namespace) -> None:
        try:
            code = command(options)
        except (RefreshError, oracledb.Error) as error:
            print(error, file=sys.stderr)
            code = 1
        sys.exit(code)

    return run


@_command
def init(options: argparse.Namespace) -> int:
    """A first definition with its ruleset. Reads both databases, changes neither."""
    result = written(
        Wishes(
            Files(settings.definition_path(options.definition)),
            options.source,
            options.target,
            options.key,
            options.schemas,
            options.signed_by,
            Path(options.lookups) if options.lookups else None,
            options.overwrite,
        )
    )
    tell(result)
    return 0 if result.ready else 1


@_command
def preflight(options: argparse.Namespace) -> int:
    """What the task `preflight` checks. Reads both databases, changes neither."""
    definition = _definition(options.definition)
    source, target = _hooks(definition)
    roles = (source.refresh_role, target.refresh_role)
    with source.session(None, ACTION) as one, target.session(None, ACTION) as other:
        examined = examine(one, other, definition, roles, check_secrets(definition))
    print(json.dumps(examined.to_json(), indent=2)) if options.json else show(examined)
    return 0 if examined.ready else 1


@_command
def plan(options: argparse.Namespace) -> int:
    """A new plan, as of now. Reads both databases, changes neither."""
    definition = _definition(options.definition, options.degree)
    source, target = _hooks(definition)
    with source.session("source", ACTION) as one, target.session("target", ACTION) as other:
        made, frozen = make_plan(one, other, definition, "by_hand", settings.max_map_length())
    print(json_text(made)) if options.json else show_plan(made)
    if options.parfiles:
        written = write_parameter_files(made, frozen, definition, Path(options.parfiles))
        print(f"{written} parameter files are in {options.parfiles}", file=sys.stderr)
    return 0


@_command
def explain(options: argparse.Namespace) -> int:
    """The plan of a run."""
    definition = _definition(options.definition)
    target = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
    with target.session("target", ACTION) as connection:
        store = RunStore(connection)
        if not store.exists():
            raise PlanError(
                "no run has planned anything on this target yet",
                object_name=definition.target.conn_id,
                step="explain",
                remedy="trigger a run, with Dry run if it shall end with its plan; or plan as of now: airflow"
                f" oracle-refresh plan --definition {options.definition}",
            )
        kept = store.plan(options.run_id)
    print(json_text(kept)) if options.json else show_plan(kept)
    return 0


@_command
def restore(options: argparse.Namespace) -> int:
    """What `RestoreTarget` does, for runs that were lost."""
    definition = _definition(options.definition)
    target = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
    with target.session("target", ACTION) as connection:
        print(restored(connection, options.run_id).text)
        left = Records(connection).open(options.run_id)
    return 1 if left else 0


@_command
def report(options: argparse.Namespace) -> int:
    """The report of a run, by its figures or as it is."""
    reports = settings.report_directory()
    content = reports.read(options.dag_id, options.run_id, "report.json")
    if content is None:
        raise PlanError(
            f"run {options.run_id} of {options.dag_id} has written no report",
            step="report",
            remedy="check both names; a run writes its report at its end, and a dry run writes none",
        )
    document = json.loads(content)
    page = reports.address(options.run_id, "report.html", options.dag_id)
    if options.json:
        print(json.dumps(document, indent=2, ensure_ascii=False))
    elif "status" not in document:
        raise PlanError(
            f"run {options.run_id} of {options.dag_id} was no refresh, its report has other figures",
            step="report",
            remedy=f"print it with --json, or open {page}",
        )
    else:
        for name, value in summary(Report.from_json(document)).items():
            print(f"{name.replace('_', ' ')}: {value}")
        print(f"report: {page}")
    return 0 if document.get("status", "published") == "published" else 1


@_command
def first_contact(options: argparse.Namespace) -> int:
    """The ladder to two databases; each step is printed when it is done, the bundle is written at the end."""
    definition = _definition(options.definition)
    source, target = (OracleRefreshHook(oracle_conn_id=name) for name in (options.source, options.target))
    found: list[Step | NotClimbed] = []
    began = datetime.now(UTC)
    try:
        connect = partial(target.session, "target", ACTION)
        path = str(settings.definition_path(options.definition))
        said = ((WRITE, options.write), (REFRESH, options.refresh))
        permissions = [option for option, given in said if given]
        asked = Asked(definition, path, 60.0 * options.wait)
        steps = rungs(partial(_both, source, target), connect, asked, DagRuns(DAG), PrintedProgress())
        with _quiet():
            for step in climb(steps, permissions):
                found.append(step)
                print("\n".join(lines(step)), flush=True)
    finally:
        bundle = make_bundle(options.source, options.target, definition.name, options.write, began, found)
        folder = Path(options.folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in bundle_files(bundle).items():
            (folder / name).write_text(text, encoding="utf-8")
            print(f"bundle: {folder / name}")
    return 1 if bundle.failed else 0


@contextmanager
def _quiet() -> Iterator[None]:
    """What rooms log of each table would hide what a command prints of each step; warnings are told."""
    own = logging.getLogger(PACKAGE)
    level = own.level
    own.setLevel(logging.WARNING)
    try:
        yield
    finally:
        own.setLevel(level)


@contextmanager
def _both(
    source: OracleRefreshHook, target: OracleRefreshHook
) -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
    with source.session("source", ACTION) as one, target.session("target", ACTION) as other:
        yield one, other


def _hooks(definition: RefreshDefinition) -> tuple[OracleRefreshHook, OracleRefreshHook]:
    return (
        OracleRefreshHook(oracle_conn_id=definition.source.conn_id),
        OracleRefreshHook(oracle_conn_id=definition.target.conn_id),
    )


def _definition(name: str, degree: int | None = None) -> RefreshDefinition:
    return load_definition(settings.definition_path(name), {"degree": degree})
