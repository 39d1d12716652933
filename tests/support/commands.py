"""`airflow oracle-refresh ...` in the process of the test, by Airflow's own parser."""

from __future__ import annotations

from airflow.cli.cli_parser import get_parser


def command(*words: str) -> int:
    """The exit code."""
    try:
        options = get_parser().parse_args(["oracle-refresh", *words])
        options.func(options)
    except SystemExit as ended:
        return int(ended.code or 0)
    raise AssertionError("a command ends with an exit code")
