"""`airflow oracle-refresh drop-dumps`: dump files of runs that will not go on."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from oracle_refresh.cli.command import Connections, command, read_refresh
from oracle_refresh.oracle.counting import counted
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.target.quarantine import held_by
from oracle_refresh.transport import dump_files
from oracle_refresh.transport.former_dumps import drop_former_dumps, runs_with_dumps

if TYPE_CHECKING:
    from oracle_refresh.definition import RefreshDefinition


@command
def drop_dumps(options: argparse.Namespace) -> int:
    """What `DropDumps` does, for runs that were lost; a run that goes on would have to export again."""
    definition = read_refresh(options.definition)
    if options.gone:
        return _declare_gone(definition, options.run_id)
    with Connections.of(definition).both() as (source, target):
        ensure_ledger(target)
        if options.run_id:
            dropped = dump_files.drop_dumps(source, target, definition, options.run_id)
            jobs, files = counted(len(dropped.jobs), "job"), counted(len(dropped.files), "dump file")
            print(f"ended {jobs}, removed {files} of the source")
            print("".join(f"dropped the schema {name} of the target\n" for name in dropped.schemas), end="")
            left = [str(check) for check in dropped.checks if not check.holds]
        else:
            holder = held_by(target)
            runs = [run_id for run_id in runs_with_dumps(target) if run_id != holder]
            former = drop_former_dumps(source, target, definition, runs)
            print("\n".join(former.removed) or "nothing was left")
            left = list(former.left)
    for each in left:
        print(f"left: {each}", file=sys.stderr)
    return 1 if left else 0


def _declare_gone(definition: RefreshDefinition, run_id: str | None) -> int:
    """The source need not exist any more."""
    if run_id is None:
        print("--gone needs a --run-id", file=sys.stderr)
        return 1
    with Connections.of(definition).target_session() as target:
        ensure_ledger(target)
        if not dump_files.declare_gone(Ledger(target, run_id)):
            print(f"no dump files of run {run_id} are expected", file=sys.stderr)
            return 1
    print(f"dump files of run {run_id} are noted as gone, by your word")
    return 0
