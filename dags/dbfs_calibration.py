"""What the target's DBFS store can do, and how dump files are best staged into it, as one DAG.

The recommendation is kept in the target; `test_data_refresh` stages by it where its definition says nothing.
"""

from __future__ import annotations

from typing import Any

from airflow.sdk import DAG, Param

from oracle_refresh.integration import settings
from oracle_refresh.integration.forms import definition_param, optional
from oracle_refresh.integration.laboratories import BY_HAND, number, task_defaults
from oracle_refresh.labs.store.model import PARTS
from oracle_refresh.labs.store.plan import MOST_PATHS
from oracle_refresh.operators.dbfs_calibration import (
    CheckMount,
    CleanCalibration,
    MeasureBlocks,
    MeasureDumps,
    MeasureFlatFiles,
    MeasureNode,
    MeasureSmallFiles,
    MeasureTransports,
    PlanStoreCalibration,
    PrepareCalibration,
    RecommendStaging,
)

#: One of each node, of which the form offers a choice: a task's queue stands in the DAG, not in the form.
QUEUES = settings.calibration_queues()
MOUNTED_PATHS = "{{ (params.mounted_paths or []) | join('\\n') }}"

ABOUT = """\
Measures the **store** of a refresh definition on its **target**: users that write and read by blocks of many
sizes, many small files, flat files with TPC-H's LINEITEM and their load through an external table, and an
export and import of Data Pump. Everything is laid beside a published series, as ratios. Where the definition
names a database link, the same dump files of a **sample** of the source are brought over it and by each other
transport.

Files, tables and jobs are the run's own and are removed at the end, whatever happened; nothing else is
touched. Of the source a sample is exported; its DIRECTORY holds the dump files meanwhile. Flat files and
dumps need the program `tpchgen-cli` on the workers (the extra `calibration`): without it the first task says
so, and nothing has begun; choose the other *parts* then. Run it while
nobody else loads the target, with so many seconds that figures do not jump. The report is in the run's tab
*Refresh*. Refreshes into the same store then stage **so many files at a time, by pieces of such a size**,
where their definition says neither, and by the **better transport** where it leaves that open.

**When a task failed:** clear it; it removes what its former try has left, and measures anew.
"""


def _numbers(default: list[int], most: int, title: str, description: str) -> Param:
    items: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": most}
    return Param(
        default,
        type="array",
        items=items,
        minItems=1,
        title=title,
        description=description,
        section="Users and blocks",
    )


with DAG(
    "dbfs_calibration",
    description="Find out what the target's DBFS store can do and how to stage into it",
    doc_md=ABOUT,
    tags=["oracle", "dbfs", "calibration"],
    **BY_HAND,
    params={
        "definition": definition_param(
            settings.definitions_directory(),
            settings.default_definition(),
            "Refresh definition",
            "Names the target, its store, mount and DIRECTORY",
            "What is measured",
        ),
        "parts": optional(
            [],
            type="array",
            items={"enum": list(PARTS)},
            examples=list(PARTS),
            title="Parts",
            description="None means all; dumps need the table of the flat files, transports a database link",
            section="What is measured",
        ),
        "mounted_paths": optional(
            [],
            type="array",
            items={"type": "string", "pattern": "^/[^\\n]*$"},
            maxItems=MOST_PATHS,
            title="Mounted paths",
            description="Where the worker sees the store's mount, one a line: the first as staging takes it,"
            " others mounted with other options, to be compared; none: the definition's, if it has one",
            section="What is measured",
        ),
        **(
            {
                "nodes": optional(
                    [],
                    type="array",
                    items={"enum": QUEUES},
                    examples=QUEUES,
                    title="Nodes",
                    description="Queues of workers that measure the matrix once more, all at the same time",
                    section="What is measured",
                )
            }
            if QUEUES
            else {}
        ),
        "users": _numbers([1, 4, 8], 32, "Users", "That write and read files of their own at the same time"),
        "blocks_kb": _numbers(
            [1, 4, 8, 32, 128, 1024, 4096], 65_536, "Blocks, KB", "What one call writes or reads"
        ),
        "seconds": Param(
            0.5,
            type="number",
            minimum=0.01,
            maximum=3600,
            title="Seconds",
            description="How long each measurement lasts; best 10 or more, below 0.4 no refresh follows it",
            section="Users and blocks",
        ),
        "file_mb": number(
            256, 1_000_000, "File, MB", "What one user writes in a measurement at most", "Users and blocks"
        ),
        "small_files": number(300, 1_000_000, "Small files", "The study had 93,000", "Files and dumps"),
        "small_file_kb": number(32, 10_240, "Small file, KB", "The study had 3 GB in all", "Files and dumps"),
        "flat_mb": number(64, 10_000_000, "LINEITEM, MB", "Of all flat files together", "Files and dumps"),
        "flat_files": number(
            4,
            64,
            "Flat files",
            "Generated and loaded at the same time; also the degree of the dumps",
            "Files and dumps",
        ),
    },
    default_args=task_defaults(settings.target_pool()),
):
    check_mount = CheckMount(task_id="check_mount", mounted_paths=MOUNTED_PATHS)
    plan = PlanStoreCalibration(
        task_id="plan",
        users="{{ params.users }}",
        blocks_kb="{{ params.blocks_kb }}",
        parts="{{ (params.parts or []) | join(',') }}",
        seconds="{{ params.seconds }}",
        file_mb="{{ params.file_mb }}",
        small_files="{{ params.small_files }}",
        small_file_kb="{{ params.small_file_kb }}",
        flat_mb="{{ params.flat_mb }}",
        flat_files="{{ params.flat_files }}",
        mounted_paths=MOUNTED_PATHS,
        nodes="{{ (params.nodes or []) | join(',') }}" if QUEUES else "",
    ).as_setup()
    prepare = PrepareCalibration(task_id="prepare").as_setup()
    measured = MeasureBlocks.partial(
        task_id="measure", max_active_tis_per_dagrun=1, map_index_template="{{ task.cell }}"
    ).expand(cell=plan.output)
    nodes = [
        MeasureNode(
            task_id=f"measure_on_node_{number}",
            task_display_name=f"measure on {queue}",
            node=queue,
            queue=queue,
        )
        for number, queue in enumerate(QUEUES, 1)
    ]
    # One after the other: what overlaps measures each other.
    small_files = MeasureSmallFiles(task_id="small_files", trigger_rule="none_failed")
    flat_files = MeasureFlatFiles(task_id="flat_files", trigger_rule="none_failed")
    dumps = MeasureDumps(task_id="dumps", trigger_rule="none_failed")
    transports = MeasureTransports(task_id="transports", trigger_rule="none_failed")
    # Its setups are both: it runs also where `prepare` was killed in the middle, for good.
    clean = CleanCalibration(task_id="clean").as_teardown(setups=[plan, prepare], on_failure_fail_dagrun=True)
    recommend = RecommendStaging(task_id="recommend", trigger_rule="all_done")
    check_mount >> plan >> prepare >> measured
    measured >> nodes
    [measured, *nodes] >> small_files >> flat_files >> dumps >> transports >> [clean, recommend]
