"""Which settings of change capture suit the target, found by trials, as one DAG.

The trials have tables, queue, capture and apply of their own, which are removed in the end.
"""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.integration import settings
from oracle_refresh.integration.forms import definition_param, optional
from oracle_refresh.integration.laboratories import BY_HAND, task_defaults
from oracle_refresh.operators.cdc_trials import (
    AdviseCapture,
    PlanCapture,
    PrepareCapture,
    RecommendCapture,
    RemoveCapture,
    RunTrial,
)

ABOUT = """\
Runs the seven scenarios of a published test of change capture on the **target**, to a scale: large and small
transactions, thresholds of the apply reader, sizes of the streams pool, degrees of apply; then its three
tests of a table that is not captured. An advisor starts from the slowest settings and follows its own
recommendations. The report has each trial's ratio beside the published one, as table and plot, and a model
fitted to the trials. It is in the run's tab *Refresh*.

The target must not be a container database, must have ENABLE_GOLDENGATE_REPLICATION set, which takes a
licence of Oracle GoldenGate, and must be in ARCHIVELOG mode: **where it is not, the instance is restarted**
by the definition's `log_mode_command`, and once more at the end; without such a command the run says what a
DBA would do.
`streams_pool_size` is changed in memory while trials run, and brought back. Nothing else of the target is
touched: tables, queue, capture and apply of the trials are their own.
"""


def numbers(default: list[int], title: str, description: str, least: int = 1) -> Param:
    return optional(
        default,
        type="array",
        items={"type": "integer", "minimum": least},
        title=title,
        description=description,
        section="What is tried",
    )


with DAG(
    "cdc_tuning",
    description="Find out which settings of change capture suit the target",
    doc_md=ABOUT,
    tags=["oracle", "tuning"],
    **BY_HAND,
    params={
        "definition": definition_param(
            settings.definitions_directory(),
            settings.default_definition(),
            "Refresh definition",
            "Names the target",
            "Where",
        ),
        "prefix": Param(
            "CDC_TUNING",
            type="string",
            pattern="^[A-Z][A-Z0-9_]{0,19}$",
            title="Prefix",
            description="Of tables, queue, capture and apply, which are made for the trials and removed",
            section="Where",
        ),
        "scale": Param(
            0.2,
            type="number",
            exclusiveMinimum=0,
            maximum=100,
            title="Scale",
            description="Of rows and thresholds, pools in proportion; 1: scenario 5 has 99,000 rows",
            section="What is tried",
        ),
        "scenarios": numbers([1, 2, 3, 4, 5, 6, 7], "Scenarios", "Of the published test"),
        "batches": numbers([1000], "Rows per commit", "Besides: scenario 5 with other sizes of transactions"),
        "thresholds": numbers([], "Thresholds", "Besides: scenario 5 with other txn_lcr_spill_threshold"),
        "parallelisms": numbers([1, 2], "Degrees of apply", "Besides: scenario 7 with other parallelism"),
        "pools_mb": numbers(
            [], "Pools, MB", "Besides: scenario 5 kept in the queue, with pools of these sizes"
        ),
        "unrelated": numbers(
            [1, 2, 3],
            "Unrelated tables",
            "Of the published tests of a table that is not captured: 1 in one commit, 2 a commit each,"
            " 3 no rows",
        ),
        "single_rows": Param(
            10_000,
            type=["null", "integer"],
            minimum=1,
            title="Rows with a commit each",
            description="Of scenario 7 and unrelated test 2, which take their time; empty: by the scale",
            section="What is tried",
        ),
        "start": Param(
            2,
            type="integer",
            minimum=1,
            maximum=7,
            title="Advisor starts from",
            description="Scenario whose settings the advisor has to improve",
            section="How it is tried",
        ),
        "limit_minutes": Param(
            60,
            type="number",
            exclusiveMinimum=0,
            title="Limit, minutes",
            description="After which a trial is given up",
            section="How it is tried",
        ),
    },
    default_args=task_defaults(settings.target_pool()),
):
    plan = PlanCapture(task_id="plan", prefix="{{ params.prefix }}").as_setup()
    prepare = PrepareCapture(
        task_id="prepare",
        scale="{{ params.scale }}",
        scenarios="{{ params.scenarios or [] }}",
        batches="{{ params.batches or [] }}",
        thresholds="{{ params.thresholds or [] }}",
        parallelisms="{{ params.parallelisms or [] }}",
        pools_mb="{{ params.pools_mb or [] }}",
        unrelated="{{ params.unrelated or [] }}",
        single_rows="{{ params.single_rows or '' }}",
        limit_minutes="{{ params.limit_minutes }}",
    ).as_setup()
    tried = RunTrial.partial(
        task_id="trial",
        limit_minutes="{{ params.limit_minutes }}",
        max_active_tis_per_dagrun=1,
        map_index_template="{{ task.trial }}",
    ).expand(trial=prepare.output)
    advise = AdviseCapture(
        task_id="advise",
        scenario="{{ params.start }}",
        scale="{{ params.scale }}",
        limit_minutes="{{ params.limit_minutes }}",
        trigger_rule="all_done",
    )
    recommend = RecommendCapture(task_id="recommend", trigger_rule="all_done")
    # Its setups are both: it runs also where the first small trial of `prepare` failed.
    remove = RemoveCapture(task_id="remove").as_teardown(setups=[plan, prepare], on_failure_fail_dagrun=True)
    plan >> prepare
    tried >> advise >> [recommend, remove]
