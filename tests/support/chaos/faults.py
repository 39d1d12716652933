"""How each fault strikes, and how it is over: what was killed is started again, what was full has room."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import oracledb
import psutil

from support.both_ends import Ends
from support.chaos.components import Components
from support.chaos.plan import Fault
from support.chaos.watch import Task
from support.home import Home
from support.swallowing_proxy import SwallowingProxy

#: What is done when the time of a fault is over; None where nothing is left to do.
Over = Callable[[], None] | None
Item = TypeVar("Item")
DIRECTORY, TABLESPACE = "REFRESH_DUMPS", "USERS"
DAG, SECOND_DAG = "test_data_refresh", "second_refresh"
LOCKABLE = "SELECT OWNER, TABLE_NAME FROM DBA_TABLES WHERE OWNER IN ('APP', 'DOCS', 'TEST') ORDER BY 1, 2"


class NotYet(Exception):
    """There is nothing that the fault could strike at this moment."""


@dataclass
class Struck:
    """One run as a fault finds it."""

    dag_id: str
    run_id: str
    definition: str
    tasks: list[Task]
    #: Reads the source as of the run's SCN before it forgets it.
    remember: Callable[[], None]
    #: Runs that were started beside it, by DAG.
    others: dict[str, str] = field(default_factory=dict)


@dataclass
class Injector:
    """Strikes the processes, databases and networks of one home."""

    home: Home
    components: Components
    networks: Mapping[str, SwallowingProxy]

    @property
    def ends(self) -> Ends:
        return Ends.of_home(self.home)

    def strike(self, fault: Fault, run: Struck) -> Over:
        """:raises NotYet: to be tried again in a moment."""
        result: Over = getattr(self, f"_{fault.kind.name.lower()}")(fault, run)
        return result

    def _kill_task(self, fault: Fault, run: Struck) -> Over:
        supervisor = self._supervisor(fault, run)
        _kill([supervisor, *supervisor.children(recursive=True)])
        return None

    def _kill_task_alone(self, fault: Fault, run: Struck) -> Over:
        supervisor = self._supervisor(fault, run)
        children = supervisor.children(recursive=True)
        if not children:
            raise NotYet
        _kill(children)
        return None

    def _kill_supervisor(self, fault: Fault, run: Struck) -> Over:
        """The task goes on, until it has something to say; Airflow gives it up when no heartbeats come."""
        supervisor = self._supervisor(fault, run)
        self._let_go(supervisor)
        _kill([supervisor])
        return None

    def _freeze_task(self, fault: Fault, run: Struck) -> Over:
        """As a worker's host does that stands still: the task finds its successor at work, or done."""
        supervisor = self._supervisor(fault, run)
        frozen = [supervisor, *self._let_go(supervisor)]
        _signal(frozen, signal.SIGSTOP)
        return lambda: _signal(frozen, signal.SIGCONT)

    def _let_go(self, supervisor: psutil.Process) -> list[psutil.Process]:
        """What it has started, which may go on without Airflow's knowing."""
        children = supervisor.children(recursive=True)
        if not children:
            raise NotYet
        self.components.orphans += children
        return children

    def _supervisor(self, fault: Fault, run: Struck) -> psutil.Process:
        """That of a task of the run; where the moment is one of a task, of that task."""
        kind, _, name = fault.moment.event.partition(" ")
        tasks = [task for task in run.tasks if task.state == "running"]
        named = [task for task in tasks if task.task_id == name] if kind == "task" else tasks
        return _chosen(self.components.supervisors({task.id for task in named}), fault)

    def _kill_component(self, fault: Fault, run: Struck) -> Over:
        self.components.kill(fault.subject)
        return lambda: self.components.start(fault.subject)

    def _kill_component_alone(self, fault: Fault, run: Struck) -> Over:
        self.components.kill_alone(fault.subject)
        return lambda: self.components.start(fault.subject)

    def _kill_database(self, fault: Fault, run: Struck) -> Over:
        self.components.kill_database(fault.subject)
        return lambda: self.components.start_database(fault.subject)

    def _freeze(self, fault: Fault, run: Struck) -> Over:
        self.components.signal(fault.subject, signal.SIGSTOP)
        return lambda: self.components.signal(fault.subject, signal.SIGCONT)

    def _swallow(self, fault: Fault, run: Struck) -> Over:
        network = self.networks[fault.subject]
        network.swallow()

        def over() -> None:
            if fault.forgets:
                network.reset()
            network.resume()

        return over

    def _full_directory(self, fault: Fault, run: Struck) -> Over:
        self._control("source", "fill-directory", DIRECTORY)
        return lambda: self._control("source", "empty-directory", DIRECTORY)

    def _full_tablespace(self, fault: Fault, run: Struck) -> Over:
        self._control("target", "fill-tablespace", TABLESPACE)
        return lambda: self._control("target", "empty-tablespace", TABLESPACE)

    def _expire_undo(self, fault: Fault, run: Struck) -> Over:
        run.remember()
        self._control("source", "expire-undo")
        return None

    def _lock_table(self, fault: Fault, run: Struck) -> Over:
        try:
            connection = oracledb.connect(user="SYSTEM", password="system_demo", dsn=self.home.dsn("target"))
        except oracledb.Error as error:
            raise NotYet from error
        try:
            with connection.cursor() as cursor:
                owner, name = _chosen(cursor.execute(LOCKABLE).fetchall(), fault)
                cursor.execute(f'LOCK TABLE "{owner}"."{name}" IN EXCLUSIVE MODE NOWAIT')
        except (oracledb.Error, NotYet) as error:
            connection.close()
            raise NotYet from error

        def over() -> None:
            with suppress(oracledb.Error):
                connection.close()

        return over

    def _clear_task(self, fault: Fault, run: Struck) -> Over:
        task = _chosen([task for task in run.tasks if task.state == "success"], fault)
        downstream = fault.subject == "downstream"
        self._asked(lambda: self.clear(run.dag_id, run.run_id, [task], downstream=downstream))
        return None

    def _second_run(self, fault: Fault, run: Struck) -> Over:
        other = f"{run.run_id}_second"
        self._asked(lambda: self.home.api.trigger(SECOND_DAG, {"definition": run.definition}, other))
        run.others[SECOND_DAG] = other
        return None

    def clear(self, dag_id: str, run_id: str, tasks: list[Task], *, downstream: bool = False) -> None:
        named = [[task.task_id, task.map_index] if task.map_index >= 0 else task.task_id for task in tasks]
        body = {
            "dry_run": False,
            "dag_run_id": run_id,
            "task_ids": named,
            "only_failed": False,
            "only_running": False,
            "include_downstream": downstream,
            "reset_dag_runs": True,
        }
        self.home.api.request("POST", f"/api/v2/dags/{dag_id}/clearTaskInstances", body)

    def _asked(self, request: Callable[[], Any]) -> None:
        """What is asked of Airflow, where that answers."""
        try:
            request()
        except OSError as error:
            raise NotYet from error

    def _control(self, name: str, *words: str) -> None:
        done = self.home.localoracle("control", name, *words)
        if done.returncode:
            raise NotYet(done.stdout)


def _chosen(found: list[Item], fault: Fault) -> Item:
    if not found:
        raise NotYet
    return found[int(fault.choice * len(found))]


def _signal(processes: list[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
