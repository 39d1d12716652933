"""`airflow oracle-refresh plan-tuning`, `show-tuning` and `restore`: settings of the target's instance."""

from __future__ import annotations

import argparse
from pathlib import Path

from oracle_refresh.cli.command import Connections, command, read_definition
from oracle_refresh.cli.display import show_changes, show_records
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import load_profile
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.restore import restore as restored


@command
def plan_tuning(options: argparse.Namespace) -> int:
    """What a profile would change. Reads the target, changes nothing."""
    definition = read_definition(options.definition)
    path = definition.tuning.profile if definition.tuning else None
    if options.profile:
        path = Path(options.profile)
    if path is None:
        print("the definition names no tuning profile: nothing is to be changed")
        return 0
    phase = load_profile(path).combined(options.phase or ("load", "mask"))
    with Connections.of(definition).target_session() as target:
        show_changes(plan_changes(phase, read_instance(target), definition.deny_list.databases))
    return 0


@command
def show_tuning(options: argparse.Namespace) -> int:
    """What runs have changed and not restored."""
    with Connections.of(read_definition(options.definition)).target_session() as target:
        show_records(Records(target).open(options.run_id))
    return 0


@command
def restore(options: argparse.Namespace) -> int:
    """What `RestoreTarget` does, for runs that were lost."""
    with Connections.of(read_definition(options.definition)).target_session() as target:
        print(restored(target, options.run_id).text)
        left = Records(target).open(options.run_id)
    return 1 if left else 0
