"""`airflow oracle-refresh init`."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from oracle_refresh.cli.command import Connections, command, read_refresh
from oracle_refresh.cli.definition import DAG
from oracle_refresh.cli.display import show_examination
from oracle_refresh.cli.progress import progress_bar
from oracle_refresh.cli.questions import ask, ask_schemas
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.init.facts import read_schemas
from oracle_refresh.init.files import Files
from oracle_refresh.init.request import Request
from oracle_refresh.init.writing import Written, write_files
from oracle_refresh.integration import settings
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.preflight.examination import examine


@command
def init(options: argparse.Namespace) -> int:
    """A first definition with its ruleset. Reads both databases, changes neither."""
    files = Files(settings.new_definition_path(options.definition))
    if not options.overwrite:
        files.require_free()
    source_id = options.source or ask("Airflow connection of the source", "--source", "oracle_source")
    target_id = options.target or ask("Airflow connection of the target", "--target", "oracle_target")
    key = options.key or ask(
        "Airflow connection whose password is the masking key", "--key", "refresh_masking_key"
    )
    connections = Connections.named(source_id, target_id)
    with connections.whatever_roles() as (source, target):
        schemas = _names(options.schemas or ask_schemas(read_schemas(source, source_id)))
        signed_by = options.signed_by or ask(
            "Who answers for columns that stay as they are, because no algorithm fits or nothing classifies"
            " them? (Enter: nobody yet)",
            "--signed-by",
            "",
        )
        request = Request(
            files,
            source_id,
            target_id,
            key,
            schemas,
            signed_by=signed_by or None,
            lookups=Path(options.lookups) if options.lookups else None,
            overwrite=options.overwrite,
        )
        with progress_bar() as report:
            written = write_files(source, target, request, report)
        definition = read_refresh(str(files.definition))
        examined = examine(source, target, definition, connections.roles, check_secrets(definition))
    _tell_files(files, written)
    show_examination(examined)
    ready = examined.ready and not written.left
    _tell_what_follows(files, written, ready)
    return 0 if ready else 1


def _names(text: str) -> tuple[str, ...]:
    """Names by commas, each as Oracle reads it."""
    parts = re.findall(r'\s*("[^"]*"|[^,]+)', text)
    return tuple(dict.fromkeys(Identifier.parse(part.strip()).name for part in parts if part.strip()))


def _tell_files(files: Files, written: Written) -> None:
    proposal = written.proposal
    print(f"{files.definition}: the definition")
    print(
        f"{files.ruleset}: {counted(len(proposal.ruled), 'rule')},"
        f" {counted(len(proposal.doubtful), 'doubtful column')} commented out,"
        f" {len(proposal.unfit)} that no algorithm fits,"
        f" {counted(len(proposal.unclassified), 'unclassified text')} in tables of personal data"
    )


def _tell_what_follows(files: Files, written: Written, ready: bool) -> None:
    """What is left to the user, and the next command."""
    if written.left:
        print("\nLeft to you:")
        for sentence in written.left:
            print(f"- {sentence}")
    if not ready:
        print(f"\nThen: airflow oracle-refresh preflight --definition {files.name}")
        return
    form = json.dumps({"definition": files.name, "dry_run": True})
    print(
        f"\nReview every line of {files.ruleset}. Then, for the plan and nothing else:\n"
        f"  airflow dags trigger {DAG} --conf '{form}'\n"
        "and the same without dry_run for the refresh."
    )
