"""What Airflow's provider manager is told about this package."""

from __future__ import annotations

from typing import Any

DOCUMENTATION = "https://docs.oracle.com/en/database/oracle/oracle-database/19/sutil/oracle-data-pump.html"
INTEGRATION = "Oracle refresh"


def get_provider_info() -> dict[str, Any]:
    return {
        "package-name": "airflow-provider-oracle-refresh",
        "name": INTEGRATION,
        "description": "Refreshes Oracle test databases: frozen, sharded, masked, proven, published.",
        "integrations": [
            {"integration-name": INTEGRATION, "external-doc-url": DOCUMENTATION, "tags": ["service"]}
        ],
        "operators": [{"integration-name": INTEGRATION, "python-modules": OPERATOR_MODULES}],
        "hooks": [{"integration-name": INTEGRATION, "python-modules": ["oracle_refresh.hooks.oracle"]}],
        "triggers": [{"integration-name": INTEGRATION, "python-modules": TRIGGER_MODULES}],
        "config": {
            "oracle_refresh": {
                "description": "Settings of the Oracle refresh provider.",
                "options": {name: _option(*facts) for name, facts in OPTIONS.items()},
            }
        },
    }


def _option(kind: str, default: str, description: str) -> dict[str, Any]:
    return {
        "description": description,
        "version_added": "0.1.0",
        "type": kind,
        "example": None,
        "default": default,
    }


OPTIONS = {
    "definitions_directory": (
        "string",
        "include/refreshes",
        "Folder in which refresh definitions named without a path are looked for.",
    ),
    "default_definition": (
        "string",
        "demo",
        "Refresh definition that the trigger form proposes, and that is refreshed by schedule.",
    ),
    "approvers": (
        "string",
        "",
        "Ids of the users who may approve a run, separated by commas; empty: any user who may answer it.",
    ),
    "approval_hours": (
        "float",
        "24",
        "Hours for which a run waits for an approval; after that it is refused.",
    ),
    "benchmarks_directory": (
        "string",
        "include/benchmarks",
        "Folder in which definitions of masking benchmarks named without a path are looked for.",
    ),
    "report_directory": (
        "string",
        "reports",
        "Folder for the reports, one folder per run, that workers and API server share: a path, or a URL of "
        "Airflow's object storage such as s3://connection@bucket/reports.",
    ),
    "poll_seconds": ("float", "1.0", "Pause between two looks at a running Data Pump job or at the ledger."),
    "source_pool": ("string", "default_pool", "Airflow pool that bounds the work on the source database."),
    "target_pool": ("string", "default_pool", "Airflow pool that bounds the work on the target database."),
    "keep_days": (
        "integer",
        "90",
        "Days for which the target keeps the ledger and the results of former runs; "
        "runs that were never released are kept.",
    ),
    "client_directory": (
        "string",
        "",
        "Folder of Oracle's clients expdp and impdp, for definitions with the runner client; empty: PATH.",
    ),
    "schedule": ("string", "", "Cron expression for the DAG test_data_refresh; empty: by hand only."),
}

TRIGGER_MODULES = [f"oracle_refresh.triggers.{name}" for name in ("ledger", "datapump")]
OPERATOR_MODULES = [
    f"oracle_refresh.operators.{name}"
    for name in (
        "planning",
        "profiling",
        "calibration",
        "cdc",
        "cdc_trials",
        "quarantine",
        "store",
        "transfer",
        "datapump",
        "tables",
        "tuning",
        "scripts",
        "masking",
        "masking_benchmark",
        "validation",
        "publishing",
    )
]
