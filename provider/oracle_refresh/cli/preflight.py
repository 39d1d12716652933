"""`airflow oracle-refresh preflight`."""

from __future__ import annotations

import argparse
import sys

from oracle_refresh.cli.command import Connections, command, print_json, read_definition
from oracle_refresh.cli.display import show_examination
from oracle_refresh.definition import CloneDefinition, require_refresh
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.hooks.sessions import check_sessions, connections_of
from oracle_refresh.oracle.findings import require
from oracle_refresh.preflight.examination import examine, examine_clone


@command
def preflight(options: argparse.Namespace) -> int:
    """What the task `preflight` checks, and what the databases are. Changes none of them."""
    definition = read_definition(options.definition)
    require(found := check_sessions(connections_of(definition)))
    print("The triggerer's sessions are not checked: only the task `preflight` can ask it.", file=sys.stderr)
    connections, others = Connections.of(definition), [*found, *check_secrets(definition)]
    if isinstance(definition, CloneDefinition):
        with connections.target_session(None) as clone:
            examined = examine_clone(clone, definition, connections.target.refresh_role, others)
    else:
        refresh = require_refresh(definition)
        with connections.whatever_roles() as (source, target):
            examined = examine(source, target, refresh, connections.roles, others)
    print_json(examined.to_json()) if options.json else show_examination(examined)
    return 0 if examined.ready else 1
