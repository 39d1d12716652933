"""Change capture on the stand-in: where messages wait, servers, unrelated changes, and the advisor.

The scenarios of the published test (docs/how-to/tune-change-capture.md) to a scale: 20,000 rows instead of
99,000, pools in proportion to the size of messages here. Each trial is a backlog: rows are written while
capture is stopped, and the clock begins with its start. Every ratio compares trials of the same run. Short
trials are made twice, turn about, and the faster one counts; those of scenarios 2 and 3 take long enough.
It runs in a home of its own, on a port of its own. Needs nothing that runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import oracledb

from benchmarks.own_database import PASSWORD, localoracle, own_database
from benchmarks.result import Result
from benchmarks.size import sized
from localoracle.instance.config import Instance
from oracle_refresh.labs.change_capture.advisor import advise
from oracle_refresh.labs.change_capture.charts import fit_chart
from oracle_refresh.labs.change_capture.evaluation import Result as Evaluation
from oracle_refresh.labs.change_capture.evaluation import evaluate
from oracle_refresh.labs.change_capture.fit import errors
from oracle_refresh.labs.change_capture.grid import Scale, scaled
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.objects import TrialObjects, set_up
from oracle_refresh.labs.change_capture.page import table
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY, TRIALS
from oracle_refresh.labs.change_capture.trial import Trials
from oracle_refresh.tuning.cdc.change import Record, change, values_of
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.picture import combined_memory
from oracle_refresh.tuning.cdc.rules import CaptureReadings

NAME, PORT = "cdc", 15316
SCALE, SINGLE_ROWS, ROUNDS = sized(0.2, 0.1), sized(3_000, 100), sized(2, 1)
UNRELATED_TIMES = 1
LIMIT_SECONDS = 600.0


@dataclass(frozen=True)
class CaptureResult(Result):
    """The plot is the model's: fitted to these trials, beside the published ones."""

    evaluation: Evaluation | None = field(default=None)

    def document(self) -> dict[str, object]:
        return {key: value for key, value in super().document().items() if key != "evaluation"}

    def plot(self) -> str:
        return fit_chart(self.evaluation)


class Bench:
    """Trials one after the other on one capture."""

    def __init__(self, connection: oracledb.Connection) -> None:
        self._connection = connection
        self._bench = Trials(connection, TrialObjects("SYSTEM", "BENCH_CDC"), LIMIT_SECONDS)
        set_up(connection, self._bench.objects)
        self.memory = self._bench.probe()
        self._record: Record | None = None
        self._seen: list[Memory] = []
        self.trials: list[TriedScenario] = []

    def _keep(self, record: Record) -> None:
        self._record = record

    def run(self, scenario: Scenario) -> tuple[TriedScenario, CaptureReadings]:
        """One trial; every row must have arrived, which `Trials` sees to."""
        names = self._bench.objects
        wanted = values_of(scenario.settings)
        change(self._connection, names.apply, names.capture, wanted, self._record, self._keep)
        trial, readings = self._bench.run(scenario, self.memory)
        self._seen.append(readings.memory)
        self.trials.append(trial)
        print(
            f"  {scenario.name:28} {trial.seconds:8.2f} s, spilled by queue {trial.queue_spilled:6},"
            f" by reader {trial.reader_spilled:6}, {trial.busy_servers} servers",
            flush=True,
        )
        return trial, readings

    def fastest(self, scenarios: list[Scenario], rounds: int) -> dict[str, TriedScenario]:
        """The fastest of each scenario's trials."""
        found: dict[str, TriedScenario] = {}
        for _ in range(rounds):
            for scenario in scenarios:
                trial, _ = self.run(scenario)
                if scenario.name not in found or trial.seconds < found[scenario.name].seconds:
                    found[scenario.name] = trial
        return found

    def memory_seen(self) -> Memory:
        return combined_memory(self._seen, self.memory)


def run() -> Result:
    with own_database(NAME, PORT) as database:
        localoracle("control", NAME, "log-mode", "archivelog")
        return _measure(database)


def _measure(database: Instance) -> Result:
    with oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn) as connection:
        connection.cursor().execute("ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = TRUE")
        bench = Bench(connection)
        scale = Scale(SCALE, bench.memory.message_bytes, SINGLE_ROWS)
        published = {int(trial.scenario.name): scaled(trial.scenario, scale) for trial in TRIALS}
        second, third, fifth, seventh = (published[number] for number in (2, 3, 5, 7))
        one = replace(fifth, name="5, one server", settings=replace(fifth.settings, parallelism=1))
        single = replace(seventh, name="7, one server", settings=replace(seventh.settings, parallelism=1))
        work = fifth.workload
        other = Workload(work.rows, work.rows_per_commit, unrelated_rows=UNRELATED_TIMES * work.rows)
        unrelated = replace(fifth, name="5, unrelated rows too", workload=other)
        held = replace(second, name="2, all in the pool", settings=_whole(second, bench.memory))
        found = bench.fastest([fifth, one, unrelated, held, seventh, single], ROUNDS)
        found |= bench.fastest([third, second], 1)
        start = published[2]

        def trial(settings: Settings) -> tuple[TriedScenario, CaptureReadings]:
            return bench.run(replace(start, name="advisor", settings=settings))

        advice = advise(trial, start.settings, COSTS)
        evaluation = evaluate("bench", tuple(found.values()), bench.memory_seen(), advice)
    print(table(evaluation))
    seconds = {name: trial.seconds for name, trial in found.items()}
    _check(found)
    return CaptureResult(
        "cdc",
        ratios={
            "queue_spill_over_reader_spill": seconds["2"] / seconds["5"],
            "queue_spill_over_bigger_pool": seconds["2"] / seconds["3"],
            "queue_spill_over_pool_for_all": seconds["2"] / seconds["2, all in the pool"],
            "one_server_over_four_small_transactions": seconds["7, one server"] / seconds["7"],
            "one_server_over_four_one_transaction": seconds["5, one server"] / seconds["5"],
            "unrelated_rows_over_none": seconds["5, unrelated rows too"] / seconds["5"],
            "advisor_gain": advice.gain,
        },
        figures={
            "advisor_trials": float(len(advice.steps)),
            "advisor_ends_at_scenario_5": float(_same(advice.settings, fifth.settings)),
            "advisor_parallelism": float(advice.settings.parallelism),
            "advisor_threshold_rows": float(advice.settings.txn_lcr_spill_threshold),
            "published_model_worst_percent": 100 * _published_worst(),
            "own_model_worst_percent": 100 * (evaluation.model.worst if evaluation.model else 0.0),
            "message_bytes": bench.memory_seen().message_bytes,
            **{
                f"scenario_{name.replace(', ', '_').replace(' ', '_')}_seconds": value
                for name, value in seconds.items()
            },
        },
        evaluation=evaluation,
    )


def _same(one: Settings, other: Settings) -> bool:
    """Whether apply is set alike; the pool stays where it was."""
    return replace(one, streams_pool_bytes=0) == replace(other, streams_pool_bytes=0)


def _whole(scenario: Scenario, memory: Memory) -> Settings:
    """A pool that holds twice the transaction."""
    return replace(
        scenario.settings, streams_pool_bytes=round(2 * scenario.workload.rows * memory.message_bytes)
    )


def _published_worst() -> float:
    return max(abs(error) for error in errors(TRIALS, MEMORY, COSTS))


def _check(found: dict[str, TriedScenario]) -> None:
    """The trials must have been what their names say; otherwise their ratios mean nothing."""
    spilling = {name for name, trial in found.items() if trial.queue_spilled}
    if spilling != {"2", "3"} or found["5"].reader_spilled != found["5"].scenario.workload.rows:
        raise SystemExit(f"messages waited elsewhere than meant: the queue spilled in {sorted(spilling)}")
