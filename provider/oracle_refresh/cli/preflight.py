"""`airflow oracle-refresh preflight`."""

from __future__ import annotations

import argparse

from oracle_refresh.cli.command import Connections, command, print_json, read_definition
from oracle_refresh.cli.display import show_examination
from oracle_refresh.hooks.secrets import check_secrets
from oracle_refresh.preflight.examination import examine


@command
def preflight(options: argparse.Namespace) -> int:
    """What the task `preflight` checks, and what both databases are. Reads both, changes neither."""
    definition = read_definition(options.definition)
    connections = Connections.of(definition)
    with connections.whatever_roles() as (source, target):
        examined = examine(source, target, definition, connections.roles, check_secrets(definition))
    print_json(examined.to_json()) if options.json else show_examination(examined)
    return 0 if examined.ready else 1
