"""What the trigger form of a refresh says: which definition, what it changes of it, and how far the run goes.

A field of the form is declared here and nowhere else: how it is shown, which field of the definition it
replaces, and with that field's own type, so that its bounds are the definition's. Airflow's params are made
of it (`integration/forms.py`). What fields have to do with each other is refused by the first task that reads
the definition, before anything has started.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, WithJsonSchema, model_validator

from oracle_refresh.definition.fields import Model
from oracle_refresh.definition.load import load_target_definition
from oracle_refresh.definition.model import (
    Degree,
    IndexSessions,
    MaskingDegree,
    Prepare,
    RefreshDefinition,
    TargetDefinition,
)
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.oracle.errors import PreflightError

STEP = "trigger form"
WHAT, HOW, GOES, WHY = "What is refreshed", "How it is done", "How far it goes", "Why"
#: A name of Oracle, quoted or not, as it is written in a definition.
NAME = r'("[^"]{1,128}"|[A-Za-z][A-Za-z0-9_$#]{0,127})'


@dataclass(frozen=True)
class Shown:
    """How a field of the form is shown.

    :ivar replaces: the field of the definition that it stands for, `masking.degree`; empty: none.
    :ivar labels: of its choices.
    """

    title: str
    description: str
    section: str
    replaces: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


def _choice(choices: type[StrEnum]) -> WithJsonSchema:
    """What the form offers; that it is one of them, the definition's own field checks."""
    return WithJsonSchema({"type": "string", "enum": [*map(str, choices)]})


class RefreshForm(Model):
    """The fields of the form of `test_data_refresh`; empty ones leave the definition's."""

    definition: Annotated[
        str,
        Field(min_length=1, json_schema_extra={"maxLength": 1000}),
        Shown("Refresh definition", "Source, target, schemas and rules", WHAT),
    ]
    exclude_tables: Annotated[
        tuple[Annotated[str, WithJsonSchema({"type": "string", "pattern": rf"^{NAME}\.{NAME}$"})], ...],
        Shown("Exclude tables", "OWNER.NAME, one a line, besides the definition's", WHAT, "exclude_tables"),
    ] = ()
    prepare: Annotated[
        str | None,
        _choice(Prepare),
        Shown(
            *("Tables of the target", "What becomes of tables that are there already", HOW, "prepare"),
            {
                "replace_objects": "Dropped and built anew",
                "beside": "Set aside until the new ones are proven, put back if they are not",
                "truncate": "Kept and emptied",
                "fail_if_present": "The run is refused",
            },
        ),
    ] = None
    degree: Annotated[
        Degree | None,
        Shown(
            "Degree", "Data Pump jobs at the same time; else chosen from calibration or CPUs", HOW, "degree"
        ),
    ] = None
    index_sessions: Annotated[
        IndexSessions | None,
        Shown(
            "Index sessions",
            "Indexes, constraints and statistics made at the same time",
            HOW,
            "index_sessions",
        ),
    ] = None
    masking_degree: Annotated[
        MaskingDegree | None,
        Shown("Masking sessions", "That mask one table, where it is masked by chunks", HOW, "masking.degree"),
    ] = None
    staging_transport: Annotated[
        str | None,
        _choice(StagingTransport),
        Shown(
            *("Transport of dump files", "How files get from the source to the target", HOW),
            "staging.transport",
            {each.value: each.label for each in StagingTransport},
        ),
    ] = None
    dry_run: Annotated[
        bool,
        Shown(
            *("Dry run", "Ends with the plan: checks, profiles and plans, and leaves the target as it is"),
            GOES,
        ),
    ] = False
    approve_target: Annotated[
        bool,
        Shown(
            "Ask before the target is touched", "The run waits for an approval when the plan is there", GOES
        ),
    ] = False
    approve_publish: Annotated[
        bool,
        Shown(
            *(
                "Ask before publishing",
                "The run waits for an approval when all is proven; accounts stay locked",
            ),
            GOES,
        ),
    ] = False
    reason: Annotated[
        str,
        Field(max_length=2000, json_schema_extra={"format": "multiline"}),
        Shown("Reason", "Stands in the report; needed where somebody is asked to approve", WHY),
    ] = ""

    @model_validator(mode="before")
    @classmethod
    def _without_cleared(cls, fields: Any) -> Any:
        """Leave out cleared fields, which Airflow's form sends as null."""
        if not isinstance(fields, Mapping):
            return fields
        return {name: value for name, value in fields.items() if value is not None}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        asked = self.approve_target or self.approve_publish
        for wrong, reason in (
            (
                self.dry_run and asked,
                "a dry run ends before there is anything to approve: untick Dry run, or both approvals",
            ),
            (
                asked and not self.reason,
                "somebody is asked to approve this run and has to know what it is for: fill in Reason",
            ),
        ):
            if wrong:
                raise ValueError(reason)
        return self

    @property
    def changes(self) -> dict[str, Any]:
        """What the form changes of the definition, as it was written; empty where it changes nothing."""
        return {
            name: value
            for name, value in self.model_dump(mode="json").items()
            if shown(name).replaces and value not in (None, [])
        }


def shown(name: str) -> Shown:
    """How a field is shown, by its name."""
    return next(each for each in RefreshForm.model_fields[name].metadata if isinstance(each, Shown))


def read_form(text: str) -> RefreshForm:
    """The form of a run from the JSON of its params.

    :raises PreflightError: naming every field that is wrong, and what does not fit together.
    """
    try:
        return RefreshForm.model_validate(json.loads(text))
    except ValidationError as error:
        problems = [
            ": ".join(filter(None, (".".join(map(str, item["loc"])), _message(item))))
            for item in error.errors()
        ]
        raise _refused("; ".join(problems)) from error
    except ValueError as error:
        raise _refused(f"it is no JSON: {error}") from error


def definition_by_form(path: Path, form: RefreshForm) -> TargetDefinition:
    """The definition of a run: that of the file, with what the form changes of it.

    Excluded tables can only become more: what a run may touch is decided by the file.

    :raises PreflightError: if the file or what the form makes of it is no valid definition.
    """
    written = load_target_definition(path)
    over_link = isinstance(written, RefreshDefinition) and written.datapump.over_link
    if form.staging_transport is not None and over_link:
        raise _refused(
            f"staging_transport: {form.staging_transport} has no effect, because the definition"
            " moves rows over a database link and has no dump files to stage"
        )
    former, fields = written.to_json(), dict[str, Any]()
    for name, value in form.changes.items():
        place, _, inner = shown(name).replaces.partition(".")
        if inner:
            fields[place] = {**fields.get(place, former.get(place, {})), inner: value}
        else:
            fields[place] = [*former[place], *value] if isinstance(value, list) else value
    return load_target_definition(path, fields) if fields else written


def _message(item: Mapping[str, Any]) -> str:
    return str(item["msg"]).removeprefix("Value error, ")


def _refused(problem: str) -> PreflightError:
    return PreflightError(
        problem, object_name=STEP, step="definition", remedy="trigger a new run with a corrected form"
    )
