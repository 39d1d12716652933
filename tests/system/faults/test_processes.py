"""Processes that are killed, and packets that are swallowed, while a refresh of a real Airflow is under way.

However it goes, it is published in the end and leaves nothing (`support.what_must_hold`).
"""

from __future__ import annotations

import re
import signal
import urllib.request
from dataclasses import dataclass, field

from support.chaos.faults import Injector, NotYet, Over, Struck
from support.chaos.plan import Fault, Kind, Moment, last_moments
from support.chaos.rig import LIMITS, Rig, a_rig
from support.chaos.trial import Trial
from support.waiting import until

#: One after the other. Tests without Airflow cover faults of a single task or session: `tests/system/`
#: `kill_and_resume`, `datapump_kills`, `masking_kills`, and `oracle_refresh/hooks/test_silence.py`.
FAULTS = (
    Fault(Kind.KILL_COMPONENT, Moment("task shard.export", 3), "api-server"),
    Fault(Kind.KILL_SUPERVISOR, Moment("task shard.stage", 2)),
    Fault(Kind.FREEZE_TASK, Moment("task shard.load", 3), seconds=60.0),
    Fault(Kind.KILL_COMPONENT, Moment("task unit.await_loaded", 3), "triggerer", 1.0),
    Fault(Kind.SWALLOW, Moment("task unit.mask", 2), "target", LIMITS["call_timeout"] * 3.0, choice=0.9),
    Fault(Kind.KILL_DATABASE, Moment("task unit.mask", 4), "target", 3.0),
    # Not earlier: no task has more than three retries.
    Fault(Kind.KILL_COMPONENT, Moment("task unit.verify_masked", 2), "scheduler", 1.0),
)
#: Milliseconds per LOB of an export that must not end before it is released.
ENDLESS = "600000"
#: Jobs that export a part of one table: the rig cuts none but those with LOBs.
SHARD = re.compile(r"_S\d+$")


@dataclass
class ExportsAtWork(Injector):
    """Kills the API server during exports and restarts it when their supervisors have ended the tasks.

    A supervisor ends its task after one failed heartbeat (`support.chaos.rig.NOTICED`). The scheduler is
    stopped meanwhile: on a slow machine, attempts without a server would use up the retries.
    """

    struck: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)

    def at_work(self) -> set[str]:
        query = "SELECT JOB_NAME FROM DBA_DATAPUMP_JOBS WHERE STATE = 'EXECUTING'"
        return {str(name) for (name,) in self.ends.source.rows(query)}

    def slow(self, milliseconds: str) -> None:
        self._control("source", "delay-lobs", milliseconds)

    def _kill_component(self, fault: Fault, run: Struck) -> Over:
        if fault.subject != "api-server":
            return super()._kill_component(fault, run)
        self.struck = self.at_work()
        if not any(map(SHARD.search, self.struck)):
            raise NotYet
        exporting = {task.id for task in run.tasks if task.state == "running"}
        self.components.signal_alone("scheduler", signal.SIGSTOP)
        start = super()._kill_component(fault, run)

        def over() -> None:
            try:
                until(lambda: not self.components.supervisors(exporting), "for the supervisors to give up")
                self.kept = self.struck & self.at_work()
                if start is not None:
                    start()
                until(self.answers, "for the API server")
            finally:
                self.components.signal_alone("scheduler", signal.SIGCONT)
            self.slow("0")

        return over

    def answers(self) -> bool:
        """Whether the API server answers tasks; the first answer takes seconds."""
        url = f"http://127.0.0.1:{self.home.environment['AIRFLOW_PORT']}/execution/health"
        try:
            with urllib.request.urlopen(url, timeout=60):
                return True
        except OSError:
            return False


def test_refresh_struck_by_faults_is_published_and_exports_nothing_twice() -> None:
    """Export jobs continue when the API server is killed; later attempts take them over."""
    with a_rig() as rig:
        injector = ExportsAtWork(rig.home, rig.injector.components, rig.injector.networks)
        injector.slow(ENDLESS)
        outcome = Trial(rig.home, injector, 1, FAULTS).outcome()
        assert not outcome.violation, f"{outcome}\n{rig.logs()}"
        assert all(outcome.struck), f"the refresh ended before all faults had struck: {outcome}"
        counted = outcome.counted
        never = [str(moment) for moment in last_moments() if counted.get(moment.event, 0) < moment.number]
        assert not never, (
            f"faults of random refreshes are drawn at moments that never come: {never} of {counted}"
        )
        assert_each_was_exported_once(rig, injector)


def assert_each_was_exported_once(rig: Rig, injector: ExportsAtWork) -> None:
    """Require that the jobs at work when the API server was killed were not started again."""
    endless = {name for name in injector.struck if SHARD.search(name)}
    assert endless <= injector.kept, f"{endless - injector.kept} were gone when Airflow came back"
    logs = [path.name for path in rig.home.folder.joinpath("source", "dumps").rglob("*.log")]
    starts = {job: [name for name in logs if name.startswith(f"{job.lower()}_")] for job in endless}
    assert all(len(names) == 1 for names in starts.values()), f"each must be started once: {starts}"
    texts = (path.read_text(errors="replace") for path in rig.home.folder.glob("airflow/logs/**/*.log"))
    assert any("goes on: nobody has ended this try on purpose" in text for text in texts)
