"""The trigger forms of the provider's DAGs: fields with title, help, section, choices and limits.

What Airflow checks of a field when the form is sent is its JSON schema; what fields have to do with each
other is checked by `definition/form.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from airflow.sdk import Param

from oracle_refresh.definition.form import AS_DEFINED, PREPARE_CHOICES, TRANSPORT_CHOICES
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.integration import settings

AS_WRITTEN = "As the definition says"
WHAT, HOW, GOES, WHY = "What is refreshed", "How it is done", "How far it goes", "Why"
#: A name of Oracle, quoted or not, as it is written in a definition.
NAME = r'("[^"]{1,128}"|[A-Za-z][A-Za-z0-9_$#]{0,127})'


def definition_param(folder: Path, default: str, title: str, description: str, section: str) -> Param:
    """A field that proposes the YAML files of a folder by name and takes any path besides."""
    return Param(
        default,
        type="string",
        minLength=1,
        maxLength=1000,
        examples=definition_names(folder),
        title=title,
        description=f"{description}. Name of a YAML file in {folder}, or a path that ends in .yaml",
        section=section,
    )


def definition_names(folder: Path) -> list[str]:
    """The names of the YAML files in a folder; none where the folder is not there."""
    return sorted({path.stem for pattern in ("*.yaml", "*.yml") for path in folder.glob(pattern)})


def refresh_params() -> dict[str, Param]:
    """The form of `test_data_refresh`. Reads the names in the definitions folder, nothing else."""
    return {
        "definition": definition_param(
            settings.definitions_directory(),
            settings.default_definition(),
            "Refresh definition",
            "Source, target, schemas and rules",
            WHAT,
        ),
        "exclude_tables": _names(
            rf"^{NAME}\.{NAME}$", "Exclude tables", "OWNER.NAME, one a line, besides the definition's"
        ),
        "prepare": _choice(
            PREPARE_CHOICES,
            "Tables of the target",
            "What becomes of tables that are there already",
            {
                "replace_objects": "Dropped and built anew",
                "truncate": "Kept and emptied",
                "fail_if_present": "The run is refused",
            },
        ),
        "degree": _number(
            256, "Degree", "Data Pump jobs at the same time; else chosen from calibration or CPUs"
        ),
        "index_sessions": _number(32, "Index sessions", "Indexes and constraints built at the same time"),
        "masking_degree": _number(
            64, "Masking sessions", "That mask one table, where it is masked by chunks"
        ),
        "staging_transport": _choice(
            TRANSPORT_CHOICES,
            "Transport of dump files",
            "How files get from the source to the target",
            {each.value: each.label for each in StagingTransport},
        ),
        "dry_run": _switch(
            "Dry run", "Ends with the plan: checks, profiles and plans, and leaves the target as it is"
        ),
        "approve_target": _switch(
            "Ask before the target is touched", "The run waits for an approval when the plan is there"
        ),
        "approve_publish": _switch(
            "Ask before publishing", "The run waits for an approval when all is proven; accounts stay locked"
        ),
        # With null: Airflow's form takes an empty text for a missing one.
        "reason": Param(
            None,
            type=["null", "string"],
            format="multiline",
            maxLength=2000,
            title="Reason",
            description="Stands in the report; needed where somebody is asked to approve",
            section=WHY,
        ),
    }


def _names(pattern: str, title: str, description: str) -> Param:
    items: dict[str, Any] = {"type": "string", "pattern": pattern}
    return Param([], type="array", items=items, title=title, description=description, section=WHAT)


def _choice(choices: tuple[str, ...], title: str, description: str, labels: dict[str, str]) -> Param:
    return Param(
        AS_DEFINED,
        type="string",
        enum=list(choices),
        values_display={AS_DEFINED: AS_WRITTEN, **labels},
        title=title,
        description=description,
        section=HOW,
    )


def _number(most: int, title: str, description: str) -> Param:
    return Param(
        None,
        type=["null", "integer"],
        minimum=1,
        maximum=most,
        title=title,
        description=f"{description}; empty: as the definition says",
        section=HOW,
    )


def _switch(title: str, description: str) -> Param:
    return Param(False, type="boolean", title=title, description=description, section=GOES)
