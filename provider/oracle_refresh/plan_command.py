"""`python -m oracle_refresh.plan`: print the plan of a refresh, without Airflow and without a run.

Reads the source's catalogue and, where it is named, the target's limits and the rates that former runs have
left there. Changes nothing. Passwords are read from the terminal without echo, or from standard input, one
line each, the source's first; they are never arguments.
"""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import oracledb

from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.catalog.survey import read_survey
from oracle_refresh.datapump.by_hand import parameter_files
from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.experience import informed
from oracle_refresh.freeze import Frozen, freeze
from oracle_refresh.masking.fit import require_fit
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle import session_state
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.plan.builder import MAX_MAP_LENGTH, build_plan, survey_wanted
from oracle_refresh.plan.model import Plan
from oracle_refresh.run_store import RunStore
from oracle_refresh.terminal import show_plan

USER_AT_DSN = "USER@HOST:PORT/SERVICE"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m oracle_refresh.plan", description=__doc__)
    parser.add_argument(
        "--definition", type=Path, required=True, metavar="FILE", help="refresh definition (YAML)"
    )
    parser.add_argument("--source", required=True, metavar=USER_AT_DSN)
    parser.add_argument("--target", metavar=USER_AT_DSN, help="default: only the source's limits are known")
    parser.add_argument("--degree", type=int, help="in place of the definition's")
    parser.add_argument("--run-id", default="by_hand", help="names of jobs and files derive from it")
    parser.add_argument(
        "--max-jobs",
        type=int,
        default=MAX_MAP_LENGTH,
        help="Airflow's [core] max_map_length; default: %(default)s",
    )
    parser.add_argument("--parfiles", type=Path, metavar="FOLDER", help="write the parameter files there")
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """0: the plan is printed; 1: there is no plan, or a database refuses; 2: wrong arguments."""
    options = arguments().parse_args(words)
    for login in (options.source, options.target):
        if login is not None and not all(login.partition("@")):
            print(f"{login!r} is not {USER_AT_DSN}", file=sys.stderr)
            return 2
    try:
        definition = load_definition(options.definition, {"degree": options.degree})
        with ExitStack() as opened:
            source = opened.enter_context(_connect(options.source))
            target = opened.enter_context(_connect(options.target)) if options.target else None
            plan, frozen = make_plan(source, target, definition, options.run_id, options.max_jobs)
    except (RefreshError, oracledb.Error) as error:
        print(error, file=sys.stderr)
        return 1
    print(json_text(plan)) if options.json else show_plan(plan)
    if options.parfiles:
        written = write_parameter_files(plan, frozen, definition, options.parfiles)
        print(f"{written} parameter files are in {options.parfiles}", file=sys.stderr)
    return 0


def make_plan(
    source: oracledb.Connection,
    target: oracledb.Connection | None,
    definition: RefreshDefinition,
    run_id: str,
    max_jobs: int = MAX_MAP_LENGTH,
) -> tuple[Plan, Frozen]:
    """The plan as of now, with the SCN it is for.

    :raises PlanError: if there is nothing to copy, or the limits permit no plan.
    :raises MaskingError: listing every rule that does not fit the catalogue.
    """
    frozen = freeze(source)
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    limits = read_limits(source)
    if target is not None:
        limits = limits.combined(read_limits(target))
        store = RunStore(target)
        if store.exists():
            limits = informed(limits, store, definition, frozen)
    survey = read_survey(source, survey_wanted(catalogue, definition, limits, frozen))
    ruleset = load_ruleset(definition.masking.ruleset)
    inherited = require_fit(ruleset, catalogue, definition.exclude_tables).inherited
    masked = ruleset.inheriting(inherited.items).masked_columns()
    return build_plan(catalogue, definition, limits, frozen, run_id, survey, max_jobs, masked), frozen


def write_parameter_files(plan: Plan, frozen: Frozen, definition: RefreshDefinition, folder: Path) -> int:
    """The files with which expdp and impdp run the plan; their number. They hold no password."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [found for job in plan.jobs for found in parameter_files(job, frozen, definition)]
    for name, text in files:
        (folder / name).write_text(text, encoding="utf-8")
    return len(files)


def json_text(plan: Plan) -> str:
    import json

    return json.dumps(plan.to_json(), indent=2, ensure_ascii=False)


def _connect(login: str) -> oracledb.Connection:
    user, _, dsn = login.partition("@")
    if sys.stdin.isatty():
        password = getpass.getpass(f"Password of {login}: ")
    else:
        password = sys.stdin.readline().rstrip("\n")
    return session_state.settle(oracledb.connect(user=user, password=password, dsn=dsn))
