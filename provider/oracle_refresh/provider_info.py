"""What Airflow's provider manager is told about this package."""

from __future__ import annotations

from typing import Any

DOCUMENTATION = "https://docs.oracle.com/en/database/oracle/oracle-database/19/sutil/oracle-data-pump.html"
INTEGRATION = "Oracle refresh"
#: Pages of the repository that registries of providers link to.
GUIDES = ["/docs/how-to/real-oracle.md", "/docs/how-to/own-dag.md", "/docs/how-to/datapump-jobs.md"]
#: Served by the plugin's application.
LOGO = "/oracle-refresh/static/icon.svg"


def get_provider_info() -> dict[str, Any]:
    return {
        "package-name": "airflow-provider-oracle-refresh",
        "name": INTEGRATION,
        "description": "Refreshes Oracle test databases: frozen, sharded, masked, proven, published.",
        "integrations": [
            {
                "integration-name": INTEGRATION,
                "external-doc-url": DOCUMENTATION,
                "how-to-guide": GUIDES,
                "logo": LOGO,
                "tags": ["service"],
            }
        ],
        "operators": [{"integration-name": INTEGRATION, "python-modules": OPERATOR_MODULES}],
        "hooks": [{"integration-name": INTEGRATION, "python-modules": ["oracle_refresh.hooks.oracle"]}],
        "sensors": [{"integration-name": INTEGRATION, "python-modules": ["oracle_refresh.sensors.source"]}],
        "triggers": [{"integration-name": INTEGRATION, "python-modules": TRIGGER_MODULES}],
        "connection-types": [CONNECTION_TYPE],
        "extra-links": [f"oracle_refresh.links.files.{name}" for name in LINKS],
        "notifications": ["oracle_refresh.notifications.webhook.RefreshNotifier"],
        "asset-uris": [
            {
                "schemes": ["oracle-refresh"],
                "handler": "oracle_refresh.integration.assets.sanitize_uri",
                "factory": "oracle_refresh.integration.assets.refresh_asset",
                "to_openlineage_converter": "oracle_refresh.integration.lineage.asset_lineage",
            }
        ],
        "task-decorators": [
            {
                "name": "refresh_target",
                "class-name": "oracle_refresh.operators.decorators.refresh_target_task",
            }
        ],
        "cli": ["oracle_refresh.cli.definition.get_cli_commands"],
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
        "version_added": "1.0.0",
        "type": kind,
        "example": None,
        "default": default,
    }


def _field(label: str, description: str, **schema: Any) -> dict[str, Any]:
    return {"label": label, "description": description, "schema": {"type": ["string", "null"], **schema}}


SERVERS = ["dedicated", "shared", "pooled"]
LINKS = ("ReportLink", "PlanLink", "LogFileLink")

#: The form of a connection; the fields besides Airflow's own land in its extra, where the hook reads them.
CONNECTION_TYPE: dict[str, Any] = {
    "connection-type": "oracle_refresh",
    "hook-class-name": "oracle_refresh.hooks.oracle.OracleRefreshConnection",
    "hook-name": "Oracle for refreshes",
    "ui-field-behaviour": {
        "hidden-fields": ["schema"],
        "relabeling": {"login": "User"},
        "placeholders": {"host": "db.example.com", "port": "1521", "login": "REFRESH_TARGET"},
    },
    "conn-fields": {
        "refresh_role": _field(
            "Role",
            "What the database is to refreshes: a source is read and exported, only a target is ever changed",
            enum=["source", "target"],
        ),
        "service_name": _field("Service name", "As the listener knows it"),
        "sid": _field("SID", "Instead of a service name, for databases that have none"),
        "dsn": _field("Connect string", "Instead of host, port and service: a TNS alias or descriptor"),
        "config_dir": _field("Folder of tnsnames.ora", "On every worker and triggerer"),
        "thick_mode": {
            "label": "Thick mode",
            "description": "Needs Oracle Client libraries on every worker and triggerer. Set it for both"
            " source and target",
            "schema": {"type": ["boolean", "null"]},
        },
        "thick_mode_lib_dir": _field("Folder of the Oracle Client libraries", "For thick mode"),
        "wallet_location": _field("Wallet folder", "On every worker and triggerer, for TLS and mTLS"),
        "wallet_password": _field("Wallet password", "Of the PEM file in the wallet", format="password"),
        "ssl_server_cert_dn": _field("Certificate name", "Distinguished name that the server has to show"),
        "proxy_user": _field("Proxied user", "User whose schema the session gets; the login is the proxy"),
        "edition": _field("Edition", "Of the session, for edition-based redefinition"),
        "server_type": _field("Server process", "As in SERVER= of a descriptor", enum=SERVERS),
        "expire_time": {
            "label": "Keep-alive, minutes",
            "description": "Of silence before the database's host is probed; 2 by default, 0: never. It ends"
            " sessions of a host that is gone, and keeps firewalls from cutting long work",
            "schema": {"type": ["integer", "null"], "minimum": 0},
        },
        "connect_timeout": {
            "label": "Connect timeout, seconds",
            "description": "In which a session has to be open, login included; 60 by default, 0: no limit",
            "schema": {"type": ["number", "null"], "minimum": 0},
        },
        "call_timeout": {
            "label": "Timeout of short calls, seconds",
            "description": "For looks at a job and the refresh's own tables; 60 by default, 0: no limit",
            "schema": {"type": ["number", "null"], "minimum": 0},
        },
    },
}

OPTIONS = {
    "definitions_directory": (
        "string",
        "include/refreshes",
        "Folder of the refresh definitions. A trigger form takes the name of one of them.",
    ),
    "default_definition": (
        "string",
        "demo",
        "Name of the refresh definition that the trigger form proposes, and that is refreshed by schedule.",
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
    "notify_conn_id": (
        "string",
        "",
        "Airflow connection of a webhook that is told when a refresh was published, has failed or is late; "
        "empty: nobody is told.",
    ),
    "deadline_minutes": (
        "float",
        "0",
        "Minutes after which a refresh that is not over is called late, through notify_conn_id; 0: never.",
    ),
    "benchmarks_directory": (
        "string",
        "include/benchmarks",
        "Folder of the definitions of benchmarks. A trigger form takes the name of one of them.",
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
    "calibration_queues": (
        "string",
        "",
        "Queues of the workers, one of each node, that dbfs_calibration may measure on at the same time, "
        "separated by commas; empty: one worker.",
    ),
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
    "schedule": (
        "string",
        "",
        "Cron expression or preset for test_data_refresh; empty: by hand only.",
    ),
}

TRIGGER_MODULES = [f"oracle_refresh.triggers.{name}" for name in ("ledger", "datapump", "sessions", "turns")]
OPERATOR_MODULES = [
    f"oracle_refresh.operators.{name}"
    for name in (
        "planning",
        "clone",
        "approval",
        "profiling",
        "calibration",
        "dbfs_calibration",
        "cdc",
        "cdc_trials",
        "quarantine",
        "store",
        "transfer",
        "datapump",
        "units",
        "tables",
        "tuning",
        "scripts",
        "masking",
        "masking_benchmark",
        "data_load",
        "validation",
        "publishing",
    )
]
