"""What is struck: one Airflow and two stand-ins with little data, a network between them that can swallow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

from support.both_ends import NIGHTLY
from support.chaos.components import Components
from support.chaos.faults import SECOND_DAG, Injector
from support.chaos.plan import ENDS
from support.demo import MOST_OF_APP
from support.home import Home, a_home
from support.swallowing_proxy import SwallowingProxy

SCALE = "0.02"
#: Of APP: some that are referred to, with a trigger, with a masked key, index-organized, partitioned.
TABLES = {"CUSTOMERS", "ORDERS"}
#: Airflow notices within these seconds what its own settings leave unnoticed for minutes. A busy machine may
#: keep a task that lives silent for half a minute.
NOTICED = {
    "SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "45",
    "SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT_DETECTION_INTERVAL": "2",
    "SCHEDULER__TASK_QUEUED_TIMEOUT": "45",
    "SCHEDULER__TASK_QUEUED_TIMEOUT_CHECK_INTERVAL": "2",
    "SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "10",
    "SCHEDULER__SCHEDULER_HEALTH_CHECK_THRESHOLD": "20",
    "TRIGGERER__TRIGGERER_HEALTH_CHECK_THRESHOLD": "20",
}

#: Seconds after which the refresh gives a session or a short call up: a minute by default. Some silences last
#: longer, with the same time again that a call which is broken off may take, and some do not.
LIMITS = {"connect_timeout": 6, "call_timeout": 6}


@dataclass(frozen=True)
class Rig:
    home: Home
    injector: Injector

    def logs(self) -> str:
        """The ends of what all processes, and the tasks that ended last, have written."""
        components = sorted((self.home.folder / "log").glob("*.log"))
        tasks = sorted(
            (self.home.folder / "airflow" / "logs").rglob("*.log"), key=lambda path: path.stat().st_mtime
        )
        return "\n".join(
            f"--- {path}:\n{path.read_text(errors='replace')[-1500:]}" for path in (*components, *tasks[-8:])
        )


@contextmanager
def a_rig() -> Iterator[Rig]:
    """Everything runs, and everything is ended at the end."""
    left_out = [name for name in MOST_OF_APP if name not in TABLES]
    with a_home("chaos_", left_out) as home:
        ports = {end: int(home.environment[f"LOCALORACLE_PORT_{end.upper()}"]) for end in ENDS}
        with SwallowingProxy(ports["source"]) as source, SwallowingProxy(ports["target"]) as target:
            networks = {"source": source, "target": target}
            home.environment.update(
                {f"STACK_PORT_BEFORE_{end.upper()}": str(network.port) for end, network in networks.items()}
                | {f"AIRFLOW__{name}": value for name, value in NOTICED.items()}
                | {
                    "STACK_EXTRA_DAGS": str(_second_dag(home.folder)),
                    "STACK_CONNECTION_EXTRA": json.dumps(LIMITS),
                    # Also of a database that is started again.
                    "LOCALORACLE_STATEMENT_LOG": str(home.folder / "log" / "statements.jsonl"),
                }
            )
            _adapt(home.definition)
            done = home.stack("up", "--scale", SCALE)
            assert done.returncode == 0, done.stdout[-4000:]
            _table_of_the_scripts(home)
            _a_schedule(home)
            yield Rig(home, Injector(home, Components(home), networks))


def _second_dag(folder: Path) -> Path:
    """The same DAG under another name: Airflow itself lets no two runs of one go on beside each other."""
    text = "# Airflow DAG\nfrom oracle_refresh.bundle import refresh_by_form\n\n"
    place = folder / "second"
    place.mkdir()
    (place / f"{SECOND_DAG}.py").write_text(f'{text}refresh_by_form("{SECOND_DAG}")\n')
    return place


def _adapt(definition: Path) -> None:
    """Ask for the shards that the moments of the plan assume, and for no expectations: loading their library
    takes longer than all else that a task does."""
    document = yaml.safe_load(definition.read_text()) | {"expectations": None, "max_shards": 3}
    definition.write_text(yaml.safe_dump(document))


def _table_of_the_scripts(home: Home) -> None:
    """What the definition's scripts make is no leftover of a refresh."""
    with closing(home.connect("target")) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE SCRIPT_NOTES (MOMENT VARCHAR2(10), NUMBER_OF_ROWS NUMBER)")


def _a_schedule(home: Home) -> None:
    """A job of the application's own, which must not begin while nothing is proven."""
    with closing(home.connect("target", "SYSTEM")) as connection:
        connection.cursor().execute(NIGHTLY)
