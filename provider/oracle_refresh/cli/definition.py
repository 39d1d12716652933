"""The command group `airflow oracle-refresh`. Airflow reads it for all its commands: it imports little."""

from __future__ import annotations

from typing import Any

from airflow.cli import cli_config
from airflow.cli.cli_config import ActionCommand, CLICommand, GroupCommand, lazy_load_command


def _argument(*flags: str, **options: Any) -> cli_config.Arg:
    return cli_config.Arg(flags, **options)  # type: ignore[no-untyped-call]


DAG = "test_data_refresh"
DEFINITION = _argument(
    "-d",
    "--definition",
    required=True,
    help="name of a refresh definition in [oracle_refresh] definitions_directory, or a path ending in .yaml",
)
RUN = _argument("-r", "--run-id", required=True, help="id of the DAG run")
ANY_RUN = _argument("-r", "--run-id", help="id of the DAG run; default: the changes of all runs")
DAG_ID = _argument("--dag-id", default=DAG, help="default: %(default)s")
DEGREE = _argument("--degree", type=int, help="in place of the definition's")
PARFILES = _argument(
    "--parfiles", metavar="FOLDER", help="write the parameter files of expdp and impdp there"
)
JSON = _argument("--json", action="store_true", help="as JSON")
SOURCE = _argument("source", help="Airflow connection of the source")
TARGET = _argument("target", help="Airflow connection of the target")
WRITE = _argument(
    "--write", action="store_true", help="climb also the steps that make tables and drop them again"
)
REFRESH = _argument(
    "--refresh",
    action="store_true",
    help="climb also the last step: a refresh of the definition's one small schema by the DAG, which stays",
)
WAIT = _argument(
    "--wait",
    type=float,
    metavar="MINUTES",
    default=60.0,
    help="with --refresh: how long the end of the DAG's run is waited for; it goes on after that. Default:"
    " %(default).0f",
)
FOLDER = _argument("--folder", default=".", help="where the bundle is written; default: here")
NEW_DEFINITION = _argument(
    "-d",
    "--definition",
    required=True,
    help="name of the definition to write in [oracle_refresh] definitions_directory, or a path ending in"
    " .yaml; its ruleset is written to ../rulesets from there",
)
ASKED_SOURCE = _argument(
    "--source", metavar="CONN_ID", help="Airflow connection of the source; default: it is asked for"
)
ASKED_TARGET = _argument(
    "--target", metavar="CONN_ID", help="Airflow connection of the target; default: it is asked for"
)
KEY = _argument(
    "--key",
    metavar="CONN_ID",
    help="Airflow connection whose password is the masking key; default: it is asked for",
)
SCHEMAS = _argument("--schemas", help="schemas to copy, separated by commas; default: they are asked for")
SIGNED_BY = _argument(
    "--signed-by",
    metavar="NAME",
    help="who answers for columns that look personal and that no algorithm fits: they get exemptions for"
    " 30 days; default: nobody, and the refresh is refused until they are decided",
)
LOOKUPS = _argument(
    "--lookups", metavar="FOLDER", help="folder of lookup files; default: ../lookups from the definition"
)
OVERWRITE = _argument("--overwrite", action="store_true", help="replace the files that are there")
COMMANDS = "oracle_refresh.cli.commands"


def get_cli_commands() -> list[CLICommand]:
    """The group, for Airflow's provider manager (`cli` of the provider info)."""
    return [
        GroupCommand(
            name="oracle-refresh",
            help="Set up, check, plan, explain, restore and report refreshes of Oracle test databases",
            subcommands=(
                ActionCommand(
                    name="first-contact",
                    help="Try two databases step by step, read-only, and write a bundle for a bug report",
                    func=lazy_load_command(f"{COMMANDS}.first_contact"),
                    args=(SOURCE, TARGET, DEFINITION, WRITE, REFRESH, WAIT, FOLDER),
                ),
                ActionCommand(
                    name="init",
                    help="Write the first definition and ruleset of a refresh, from what both databases say;"
                    " changes neither",
                    func=lazy_load_command(f"{COMMANDS}.init"),
                    args=(
                        NEW_DEFINITION,
                        ASKED_SOURCE,
                        ASKED_TARGET,
                        KEY,
                        SCHEMAS,
                        SIGNED_BY,
                        LOOKUPS,
                        OVERWRITE,
                    ),
                ),
                ActionCommand(
                    name="preflight",
                    help="Say whether both databases are ready for a refresh, and what mends what is not;"
                    " changes nothing",
                    func=lazy_load_command(f"{COMMANDS}.preflight"),
                    args=(DEFINITION, JSON),
                ),
                ActionCommand(
                    name="plan",
                    help="Plan a refresh as of now, through Airflow's connections; changes nothing",
                    func=lazy_load_command(f"{COMMANDS}.plan"),
                    args=(DEFINITION, DEGREE, PARFILES, JSON),
                ),
                ActionCommand(
                    name="explain",
                    help="Print the plan that a run goes by, as the target keeps it",
                    func=lazy_load_command(f"{COMMANDS}.explain"),
                    args=(DEFINITION, RUN, JSON),
                ),
                ActionCommand(
                    name="restore",
                    help="Bring the target's instance back to what it was before runs tuned it",
                    func=lazy_load_command(f"{COMMANDS}.restore"),
                    args=(DEFINITION, ANY_RUN),
                ),
                ActionCommand(
                    name="report",
                    help="Print what came out of a run, and where its report is",
                    func=lazy_load_command(f"{COMMANDS}.report"),
                    args=(RUN, DAG_ID, JSON),
                ),
            ),
        )
    ]
