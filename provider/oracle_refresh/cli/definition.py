"""The command group `airflow oracle-refresh`. Airflow reads it for all its commands: it imports little."""

from __future__ import annotations

from typing import Any

from airflow.cli import cli_config
from airflow.cli.cli_config import ActionCommand, CLICommand, GroupCommand, lazy_load_command


def _argument(*flags: str, help: str, **options: Any) -> cli_config.Arg:
    """Return an argument. Airflow prints its help as rich markup, in which `[section]` is a style."""
    escaped = help.replace("[", r"\[")
    return cli_config.Arg(flags, help=escaped, **options)  # type: ignore[no-untyped-call]


DAG = "test_data_refresh"
DEFINITION = _argument(
    "-d",
    "--definition",
    required=True,
    help="name of a refresh definition in [oracle_refresh] definitions_directory, or a path ending in .yaml",
)
RUN = _argument("-r", "--run-id", required=True, help="id of the DAG run")
ANY_RUN = _argument("-r", "--run-id", help="id of the DAG run; default: the changes of all runs")
DUMPS_RUN = _argument(
    "-r", "--run-id", help="id of the DAG run; default: all runs but the one that holds the target"
)
GONE = _argument(
    "--gone",
    action="store_true",
    help="with --run-id: they are gone by your word, and nobody looks: for places that do not exist any more",
)
DAG_ID = _argument("--dag-id", default=DAG, help="default: %(default)s")
RESUMED = _argument("run_id", metavar="RUN", help="id of the DAG run")
RESUMED_DAG = _argument("--dag-id", help="default: the DAG that has this run")
RUN_NAME = _argument(
    "-r", "--run-id", default="by_hand", help="names of jobs and files derive from it; default: %(default)s"
)
SOURCE_ONLY = _argument(
    "--source-only", action="store_true", help="by the source's limits alone; the target is not asked"
)
MAX_JOBS = _argument("--max-jobs", type=int, help="default: Airflow's [core] max_map_length")
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
    help="name under exemptions for 30 days of columns that look personal and that no algorithm fits, and of"
    " unclassified texts in tables of personal data; default: none, and the refresh is refused until they are"
    " decided",
)
LOOKUPS = _argument(
    "--lookups", metavar="FOLDER", help="folder of lookup files; default: ../lookups from the definition"
)
OVERWRITE = _argument("--overwrite", action="store_true", help="replace the files that are there")
PROFILE = _argument("--profile", metavar="FILE", help="tuning profile (YAML) in place of the definition's")
PHASE = _argument("--phase", choices=("load", "mask"), action="append", help="default: both, as the DAG does")
PROFILED = _argument("source", help="Airflow connection of the database; its user needs SELECT_CATALOG_ROLE")
PROFILED_SCHEMAS = _argument("schemas", nargs="+", metavar="SCHEMA", help="schemas to profile")
ROWS = _argument(
    "--rows",
    type=int,
    default=300,
    help="sampled rows per table; 0: names and types only. Default: %(default)s",
)
THRESHOLD = _argument(
    "--threshold",
    type=float,
    default=0.6,
    help="confidence from which a rule is proposed; default: %(default)s",
)
EXCLUDE = _argument(
    "--exclude", action="append", default=[], metavar="OWNER.TABLE", help="leave a table out; repeatable"
)
PROFILE_LOOKUPS = _argument(
    "--lookups",
    metavar="FOLDER",
    help="folder of lookup files; default: ../lookups from [oracle_refresh] definitions_directory",
)
RULESET = _argument("--ruleset", metavar="FILE", help="propose only what this ruleset does not cover")
OUTPUT = _argument("--output", metavar="FILE", help="file for the proposal; default: standard output")

MOUNT_PATH = _argument(
    "--path",
    metavar="FOLDER",
    help="the store's folder as this machine sees it; default: the definition's staging.mounted_path",
)
MOUNT_OPTION = _argument(
    "--option",
    action="append",
    metavar="OPTION",
    help="of dbfs_client, for the printed files; repeatable; default: direct_io and server_readahead=0",
)
PRINT = _argument(
    "--print",
    choices=("commands", "unit", "fstab"),
    help="only what makes the mount: commands of a shell, a unit of systemd, or a line of /etc/fstab",
)

KIT = _argument("kit", help="archive that a run of slob_data_load has left, kit.zip")
REPLAY_TARGET = _argument(
    "target", help="Airflow connection of the database to load, marked as a refresh target"
)
TABLESPACE = _argument("--tablespace", metavar="NAME", help="where everything stands; default: the kit's")


def _command(module: str, name: str, about: str, *arguments: cli_config.Arg) -> ActionCommand:
    """A function of a module of this package, which is imported when it is called."""
    function = f"{__package__}.{module}.{name.replace('-', '_')}"
    return ActionCommand(name=name, help=about, func=lazy_load_command(function), args=arguments)


COMMANDS = (
    _command(
        "first_contact",
        "first-contact",
        "Try two databases step by step, read-only, and write a bundle for a bug report",
        *(SOURCE, TARGET, DEFINITION, WRITE, REFRESH, WAIT, FOLDER),
    ),
    _command(
        "init",
        "init",
        "Write the first definition and ruleset of a refresh, from what both databases say; changes neither",
        *(NEW_DEFINITION, ASKED_SOURCE, ASKED_TARGET, KEY, SCHEMAS, SIGNED_BY, LOOKUPS, OVERWRITE),
    ),
    _command(
        "profiling",
        "profile",
        "Propose a ruleset for the columns that look personal; changes nothing",
        *(PROFILED, PROFILED_SCHEMAS, ROWS, THRESHOLD, EXCLUDE, PROFILE_LOOKUPS, RULESET, OUTPUT),
    ),
    _command(
        "preflight",
        "preflight",
        "Say whether both databases are ready for a refresh, or a clone for its masking; changes nothing",
        *(DEFINITION, JSON),
    ),
    _command(
        "planning",
        "plan",
        "Plan a refresh, or the masking of a clone, as of now, without a run; changes nothing",
        *(DEFINITION, SOURCE_ONLY, DEGREE, RUN_NAME, MAX_JOBS, PARFILES, JSON),
    ),
    _command(
        "planning",
        "explain",
        "Print the plan that a run goes by, as the target keeps it",
        *(DEFINITION, RUN, JSON),
    ),
    _command(
        "tuning",
        "plan-tuning",
        "Say what a tuning profile would change in the target's instance; changes nothing",
        *(DEFINITION, PROFILE, PHASE),
    ),
    _command(
        "tuning",
        "show-tuning",
        "List what runs have changed in the target's instance and not restored",
        *(DEFINITION, ANY_RUN),
    ),
    _command(
        "tuning",
        "restore",
        "Bring the target's instance back to what it was before runs tuned it",
        *(DEFINITION, ANY_RUN),
    ),
    _command(
        "dumps",
        "drop-dumps",
        "End what runs have left at work in Data Pump and remove their dump files, which hold unmasked rows",
        *(DEFINITION, DUMPS_RUN, GONE),
    ),
    _command(
        "mount",
        "check-mount",
        "Say what this machine lacks to mount the store, and whether the target sees what is written there",
        *(DEFINITION, MOUNT_PATH, MOUNT_OPTION, PRINT, JSON),
    ),
    _command(
        "report",
        "report",
        "Print what came out of a run, and where its report is",
        *(RUN, DAG_ID, JSON),
    ),
    _command(
        "resuming",
        "resume",
        "Clear the failed tasks of one run, and what they need again: finished work is not repeated",
        *(RESUMED, RESUMED_DAG),
    ),
    _command(
        "replay",
        "replay",
        "Repeat the data load of a kit on another database, drop it again, and compare the rates",
        *(KIT, REPLAY_TARGET, TABLESPACE),
    ),
)


def get_cli_commands() -> list[CLICommand]:
    """The group, for Airflow's provider manager (`cli` of the provider info)."""
    return [
        GroupCommand(
            name="oracle-refresh",
            help="Set up, check, plan, explain, tune, restore and report refreshes of Oracle test databases",
            subcommands=COMMANDS,
        )
    ]
