"""What masking gains from NOARCHIVELOG, larger redo logs, commits that do not wait, and undo, as one DAG."""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.integration import settings
from oracle_refresh.integration.forms import definition_param, optional
from oracle_refresh.integration.laboratories import BY_HAND, number, task_defaults
from oracle_refresh.operators.masking_benchmark import (
    MakeTables,
    MeasureTrial,
    PlanTrials,
    ReportBenchmark,
    RestoreInstance,
)

ABOUT = """\
Masks tables of its own on the **target** under one setting of the instance after the other: a baseline, the
baseline with each **switch** on, and with all of them on, and compares the times. A **series** measures one
thing in several sizes, such as the redo logs; it is measured when it is asked for.

The tables stand in a schema that the run makes and drops; nothing else is changed but the instance's
settings, which come back after each trial and, whatever happened, at the end. Run it while nobody else works
on the target: **a change of the log mode restarts the instance**, by the command of the definition. Without
such a command that switch is not measured, and the report says what a DBA would do. Table, plot and waits are
in the run's tab *Refresh*, beside a published series.

**When a task failed:** clear it; a trial begins by taking back what its former try has left.
"""

with DAG(
    "masking_benchmark",
    description="Find out what masking gains from the settings of the target's instance",
    doc_md=ABOUT,
    tags=["oracle", "masking", "benchmark"],
    **BY_HAND,
    params={
        "definition": definition_param(
            settings.benchmarks_directory(),
            "masking",
            "Benchmark definition",
            "Target, ruleset and switches",
            "What is measured",
        ),
        "schema": Param(
            "MASKING_BENCHMARK",
            type="string",
            minLength=1,
            title="Schema",
            description="Made and dropped by the run; one that exists already and is not its own is refused",
            section="What is measured",
        ),
        "switches": optional(
            [],
            type="array",
            items={"type": "string"},
            title="Switches and series",
            description="Names of the definition's switches and series; none means all switches, and all of"
            " them together",
            section="What is measured",
        ),
        "jobs": number(5, 64, "Jobs", "That mask at the same time", "Work"),
        "tables": number(1, 100, "Tables", "Of each job, masked one after the other", "Work"),
        "rows": number(
            10_000, 100_000_000, "Rows", "Of each table; best so many that a trial takes a minute", "Work"
        ),
        "commit_rows": number(250, 100_000_000, "Rows per commit", "That one transaction masks", "Work"),
        "repetitions": number(
            3, 20, "Repetitions", "How often each switch is measured; one tells nearly nothing", "Work"
        ),
    },
    default_args=task_defaults(settings.target_pool()),
):
    plan = PlanTrials(
        task_id="plan_trials",
        schema="{{ params.schema }}",
        jobs="{{ params.jobs }}",
        tables="{{ params.tables }}",
        rows="{{ params.rows }}",
        commit_rows="{{ params.commit_rows }}",
        repetitions="{{ params.repetitions }}",
        switches="{{ (params.switches or []) | join(' ') }}",
    ).as_setup()
    make = MakeTables(task_id="make_tables").as_setup()
    measured = MeasureTrial.partial(
        task_id="measure", max_active_tis_per_dagrun=1, map_index_template="{{ task.trial }}"
    ).expand(trial=plan.output)
    # Its setups are both: it runs also where the tables found no room.
    restore = RestoreInstance(task_id="restore_instance").as_teardown(
        setups=[plan, make], on_failure_fail_dagrun=True
    )
    report = ReportBenchmark(task_id="report", trigger_rule="all_done")
    plan >> make >> measured >> [restore, report]
