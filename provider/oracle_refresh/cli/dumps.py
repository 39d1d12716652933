"""`airflow oracle-refresh drop-dumps`: dump files of runs that will not go on."""

from __future__ import annotations

import argparse
import sys

from oracle_refresh.cli.command import Connections, command, read_definition
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.target.quarantine import held_by
from oracle_refresh.transport.dump_files import drop_dumps as dropped
from oracle_refresh.transport.former_dumps import drop_former_dumps, runs_with_dumps


@command
def drop_dumps(options: argparse.Namespace) -> int:
    """What `DropDumps` does, for runs that were lost; a run that goes on would have to export again."""
    definition = read_definition(options.definition)
    with Connections.of(definition).both() as (source, target):
        ensure_ledger(target)
        if options.run_id:
            gone = dropped(source, target, definition, options.run_id)
            print(f"ended {len(gone.jobs)} jobs, removed {len(gone.files)} dump files of the source")
            left = [str(check) for check in gone.checks if not check.holds]
        else:
            holder = held_by(target)
            runs = [run_id for run_id in runs_with_dumps(target) if run_id != holder]
            former = drop_former_dumps(source, target, definition, runs)
            print("\n".join(former.removed) or "nothing was left")
            left = list(former.left)
    for each in left:
        print(f"left: {each}", file=sys.stderr)
    return 1 if left else 0
