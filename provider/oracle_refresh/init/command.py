"""`airflow oracle-refresh init`: read both ends, write definition and ruleset, say what is left to do.

Changes neither database. What it writes is a proposal that passes the preflight as far as files can: what
databases lack is told with the statements that mend it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import oracledb

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import load_definition
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.init.choices import choose
from oracle_refresh.init.facts import link_to, read_end, read_schemas, read_users
from oracle_refresh.init.files import Files, definition_text, written
from oracle_refresh.init.proposal import Proposal, propose
from oracle_refresh.init.questions import ask, ask_schemas
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.preflight_command import Examined, examine, show
from oracle_refresh.profiler.__main__ import shown
from oracle_refresh.profiler.coverage import coverage, ruled_columns
from oracle_refresh.profiler.profile import profile
from oracle_refresh.profiler.propose import lookup_files
from oracle_refresh.profiler.sampling import Bounds

ACTION = "init"


@dataclass(frozen=True)
class Wishes:
    """What the command line says; None is asked for."""

    files: Files
    source: str | None = None
    target: str | None = None
    key: str | None = None
    schemas: str | None = None
    signed_by: str | None = None
    lookups: Path | None = None
    overwrite: bool = False


@dataclass(frozen=True)
class Written:
    """What was written, what somebody has to decide, and what the preflight says about it."""

    files: Files
    proposal: Proposal
    left: tuple[str, ...]
    examined: Examined

    @property
    def ready(self) -> bool:
        """Whether a dry run would get as far as the plan."""
        return self.examined.ready and not self.left


def init(wishes: Wishes) -> Written:
    """Write definition and ruleset.

    :raises RefreshError: if files would be overwritten, an answer is missing, or a database refuses.
    """
    if not wishes.overwrite:
        wishes.files.require_free()
    conn_ids = (
        wishes.source or ask("Airflow connection of the source", "--source", "oracle_source"),
        wishes.target or ask("Airflow connection of the target", "--target", "oracle_target"),
    )
    key = wishes.key or ask(
        "Airflow connection whose password is the masking key", "--key", "refresh_masking_key"
    )
    hooks = [OracleRefreshHook(oracle_conn_id=conn_id) for conn_id in conn_ids]
    roles = (hooks[0].refresh_role, hooks[1].refresh_role)
    with hooks[0].session(None, ACTION) as source, hooks[1].session(None, ACTION) as target:
        return _written(wishes, conn_ids, key, roles, source, target)


def _written(
    wishes: Wishes,
    conn_ids: tuple[str, str],
    key: str,
    roles: tuple[str | None, str | None],
    source: oracledb.Connection,
    target: oracledb.Connection,
) -> Written:
    files, today = wishes.files, datetime.now(UTC).date()
    ends = read_end(source, conn_ids[0]), read_end(target, conn_ids[1])
    schemas = _names(wishes.schemas or ask_schemas(read_schemas(source)))
    signed_by = wishes.signed_by or ask(
        "Who answers for columns that no algorithm fits, and that stay as they are? (Enter: nobody yet)",
        "--signed-by",
        "",
    )
    chosen = choose(
        files.name,
        conn_ids,
        key,
        ends,
        schemas,
        read_users(source, target, schemas),
        link_to(target, ends[0].identity),
        files.ruleset_from_definition,
    )
    with written(files.definition, definition_text(chosen.document), wishes.overwrite) as draft:
        definition = load_definition(draft)
        masking = definition.masking
        catalogue = read_catalogue(source, schemas, ())
        with shown() as report:
            found = profile(source, catalogue, Bounds(rows=masking.profile_rows), today, report)
        proposal = propose(
            found,
            catalogue,
            lookup_files(wishes.lookups or files.lookups),
            masking.sensitive_from,
            files.ruleset,
            signed_by or None,
            today,
        )
        with written(files.ruleset, proposal.text, wishes.overwrite) as rules:
            ruleset = load_ruleset(rules)
    covered = coverage(
        found,
        catalogue,
        ruled_columns(ruleset, catalogue),
        ruleset.exemptions,
        masking.sensitive_from,
        today,
    )
    left = [*chosen.left]
    left += [
        f"{one.column} looks like {one.kind}, and no algorithm fits it: sign its exemption in"
        f" {files.ruleset}, or name its table under `exclude_tables`"
        for one in covered.uncovered
    ]
    left += [f"{table}, judged by names and types" for table in covered.unread]
    definition = load_definition(files.definition)
    examined = examine(source, target, definition, roles, check_secrets(definition))
    return Written(files, proposal, tuple(left), examined)


def _names(text: str) -> tuple[str, ...]:
    """Names by commas, each as Oracle reads it."""
    parts = re.findall(r'\s*("[^"]*"|[^,]+)', text)
    return tuple(dict.fromkeys(Identifier.parse(part.strip()).name for part in parts if part.strip()))


def tell(result: Written) -> None:
    """Print what was written, what is left, and the next command."""
    files, proposal = result.files, result.proposal
    print(f"{files.definition}: the definition")
    print(
        f"{files.ruleset}: {len(proposal.ruled)} rules, {len(proposal.doubtful)} doubtful columns commented"
        f" out, {len(proposal.unfit)} that no algorithm fits"
    )
    show(result.examined)
    name = files.name
    if result.left:
        print("\nLeft to you:")
        for sentence in result.left:
            print(f"- {sentence}")
    if not result.ready:
        print(f"\nThen: airflow oracle-refresh preflight --definition {name}")
        return
    print(
        f"\nReview every line of {files.ruleset}. Then, for the plan and nothing else:\n"
        f"""  airflow dags trigger test_data_refresh --conf '{{"definition": "{name}", "dry_run": true}}'\n"""
        "and the same without dry_run for the refresh."
    )
