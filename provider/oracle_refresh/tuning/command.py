"""`python -m oracle_refresh.tuning show|restore|plan`: without Airflow, as after a lost scheduler.

`show` lists what refreshes have changed in the instance and not restored, `restore` restores it, `plan` says
what a profile would change and changes nothing. Connect as the refresh user of the target: the record is in
its schema. The password is read from the terminal without echo, or from standard input, one line; it is never
an argument.
"""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Sequence
from pathlib import Path

import oracledb

from oracle_refresh.definition import load_definition
from oracle_refresh.oracle import session_state
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.terminal import show_changes, show_records
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import load_profile
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.restore import restore

USER_AT_DSN = "USER@HOST:PORT/SERVICE"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m oracle_refresh.tuning", description=__doc__)
    words = parser.add_subparsers(dest="word", required=True)
    for word, about in (
        ("show", "what is changed and not restored"),
        ("restore", "bring the former state back"),
        ("plan", "what a profile would change"),
    ):
        sub = words.add_parser(word, help=about, description=about)
        sub.add_argument("--target", required=True, metavar=USER_AT_DSN)
        if word == "plan":
            wanted = sub.add_mutually_exclusive_group(required=True)
            wanted.add_argument("--profile", type=Path, metavar="FILE", help="tuning profile (YAML)")
            wanted.add_argument(
                "--definition",
                type=Path,
                metavar="FILE",
                help="refresh definition (YAML): its profile, its deny list",
            )
            sub.add_argument(
                "--phase", choices=("load", "mask"), action="append", help="default: both, as the DAG does"
            )
        else:
            sub.add_argument("--run-id", help="default: the changes of all runs")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """0: done; 1: a database or a file refuses, or something is left to do; 2: wrong arguments."""
    options = arguments().parse_args(words)
    if not all(options.target.partition("@")):
        print(f"{options.target!r} is not {USER_AT_DSN}", file=sys.stderr)
        return 2
    try:
        with _connect(options.target) as connection:
            match options.word:
                case "show":
                    return _show(connection, options.run_id)
                case "restore":
                    return _restore(connection, options.run_id)
                case _:
                    return _plan(connection, options)
    except (RefreshError, oracledb.Error) as error:
        print(error, file=sys.stderr)
        return 1


def _show(connection: oracledb.Connection, run_id: str | None) -> int:
    show_records(Records(connection).open(run_id))
    return 0


def _restore(connection: oracledb.Connection, run_id: str | None) -> int:
    print(restore(connection, run_id).text)
    left = Records(connection).open(run_id)
    return 1 if left else 0


def _plan(connection: oracledb.Connection, options: argparse.Namespace) -> int:
    path: Path = options.profile
    denied: tuple[str, ...] = ()
    if options.definition:
        definition = load_definition(options.definition)
        if definition.tuning is None:
            print("the definition names no tuning profile: nothing is to be changed")
            return 0
        path, denied = definition.tuning.profile, definition.deny_list.databases
    phase = load_profile(path).combined(options.phase or ("load", "mask"))
    show_changes(plan_changes(phase, read_instance(connection), denied))
    return 0


def _connect(login: str) -> oracledb.Connection:
    user, _, dsn = login.partition("@")
    if sys.stdin.isatty():
        password = getpass.getpass(f"Password of {login}: ")
    else:
        password = sys.stdin.readline().rstrip("\n")
    return session_state.settle(oracledb.connect(user=user, password=password, dsn=dsn))
