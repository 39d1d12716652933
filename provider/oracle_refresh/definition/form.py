"""What the trigger form of a refresh says: which definition, what it changes of it, and how far the run goes.

Each field is checked by its own schema when the form is sent (`forms.py`); what does not fit together is
refused here, by the first task that reads the definition, before anything has started.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from oracle_refresh.definition.load import load_definition
from oracle_refresh.definition.model import Prepare, RefreshDefinition
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import table_key

#: The choice that leaves a field to the definition.
AS_DEFINED: Final = "as_defined"
STEP = "trigger form"


def _text(value: Any) -> Any:
    return "" if value is None else value


class RefreshForm(BaseModel):
    """The fields of the form of `test_data_refresh`; empty ones leave the definition's."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    definition: str = Field(min_length=1)
    exclude_tables: tuple[str, ...] = ()
    prepare: str = AS_DEFINED
    degree: int | None = Field(default=None, ge=1, le=256)
    index_sessions: int | None = Field(default=None, ge=1, le=32)
    masking_degree: int | None = Field(default=None, ge=1, le=64)
    staging_transport: str = AS_DEFINED
    dry_run: bool = False
    approve_target: bool = False
    approve_publish: bool = False
    reason: Annotated[str, BeforeValidator(_text)] = Field(default="", max_length=2000)

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
        fields = self.model_dump(mode="json")
        kept = ("exclude_tables", "prepare", "degree", "index_sessions", "masking_degree")
        return {
            name: fields[name]
            for name in (*kept, "staging_transport")
            if fields[name] not in (None, [], AS_DEFINED)
        }


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


def definition_by_form(path: Path, form: RefreshForm) -> RefreshDefinition:
    """The definition of a run: that of the file, with what the form changes of it.

    Excluded tables can only become more: what a run may touch is decided by the file.

    :raises PreflightError: if the file or what the form makes of it is no valid definition.
    """
    written = load_definition(path)
    fields: dict[str, Any] = {
        name: value for name, value in form.changes.items() if name in ("prepare", "degree", "index_sessions")
    }
    if form.exclude_tables:
        former = [table_key(*table) for table in written.exclude_tables]
        fields["exclude_tables"] = [*former, *form.exclude_tables]
    if form.masking_degree is not None:
        fields["masking"] = {**written.to_json()["masking"], "degree": form.masking_degree}
    if form.staging_transport != AS_DEFINED:
        fields["staging"] = {**written.to_json()["staging"], "transport": form.staging_transport}
        if written.datapump.over_link:
            raise _refused(
                f"staging_transport: {form.staging_transport} has no effect, because the definition"
                " moves rows over a database link and has no dump files to stage"
            )
    return load_definition(path, fields) if fields else written


#: The choices of the two fields that have some, in the order of the form.
PREPARE_CHOICES = (AS_DEFINED, *(str(choice) for choice in Prepare))
TRANSPORT_CHOICES = (AS_DEFINED, *(str(choice) for choice in StagingTransport))


def _message(item: Mapping[str, Any]) -> str:
    return str(item["msg"]).removeprefix("Value error, ")


def _refused(problem: str) -> PreflightError:
    return PreflightError(
        problem, object_name=STEP, step="definition", remedy="trigger a new run with a corrected form"
    )
