"""Tuning profiles: what an instance is to be like while rows are exported, loaded and masked.

Reference for users: docs/reference/tuning.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    field_validator,
)

from oracle_refresh.definition.fields import Model, as_text
from oracle_refresh.definition.load import read_model
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning import formula

STEP = "tuning profile"
PhaseName = Literal["export", "load", "mask"]
PHASES: tuple[PhaseName, ...] = ("export", "load", "mask")


def _checked(text: str) -> str:
    if formula.is_formula(text):
        try:
            formula.check(text)
        except TuningError as error:
            raise ValueError(error.message) from error
    return text


def _sized(text: str) -> str:
    if not formula.is_formula(text) and formula.parse_size(text) is None:
        raise ValueError("a number of bytes, with K, M, G or T, or a formula is expected")
    return _checked(text)


#: A value as ALTER SYSTEM takes it, or a formula.
Value = Annotated[
    str, BeforeValidator(as_text), StringConstraints(min_length=1, max_length=512), AfterValidator(_checked)
]
Size = Annotated[str, BeforeValidator(as_text), AfterValidator(_sized)]
ParameterName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,79}$"), AfterValidator(str.lower)
]


class Redo(Model):
    """Groups of online redo logs in each thread; smaller ones are dropped, larger ones if `exact`."""

    groups: int = Field(default=3, ge=2, le=32)
    size: Size = "1G"
    exact: bool = False


class Undo(Model):
    """An undo tablespace of its own for each instance. Figures of the study of in-place masking."""

    size: Size = "4G"
    next: Size = "512M"
    max_size: Size = "1T"
    guarantee: bool = True
    """RETENTION GUARANTEE: a change fails with ORA-30036 rather than a reader with ORA-01555."""


class Temp(Model):
    """Bytes that the temporary tablespace of the refresh's user can grow to at least."""

    size: Size


class Phase(Model):
    """What one phase wants of the instance. What is not said is left as it is."""

    parameters: dict[ParameterName, Value] = Field(default_factory=dict)
    redo: Redo | None = None
    undo: Undo | None = None
    temp: Temp | None = None
    force_logging: bool | None = None
    flashback: bool | None = None
    log_mode: Literal["archivelog", "noarchivelog"] | None = None
    scope: Literal["memory", "both"] = "memory"
    """`both`: parameters survive a restart of the instance in the middle of a refresh."""
    root_parameters: Literal["refuse", "runbook"] = "refuse"
    """What becomes of parameters that cannot be changed in the pluggable database of the connection."""

    @property
    def empty(self) -> bool:
        return self == Phase(scope=self.scope, root_parameters=self.root_parameters)


class Profile(Model):
    """A profile: one phase each for export, load and mask.

    The source is only read: what `export` wants is compared with it and listed for its DBA.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,62}$")]
    export: Phase = Phase()
    load: Phase = Phase()
    mask: Phase = Phase()

    @field_validator("export")
    @classmethod
    def _parameters_only(cls, export: Phase) -> Phase:
        others = sorted(export.model_fields_set - {"parameters"})
        if others:
            raise ValueError(f"for the source only parameters can be proposed, not {', '.join(others)}")
        return export

    def phase(self, name: PhaseName) -> Phase:
        phase: Phase = getattr(self, name)
        return phase

    def combined(self, names: Iterable[PhaseName]) -> Phase:
        """One phase that serves several that overlap in time.

        :raises TuningError: naming every setting for which two of them want different things.
        """
        wanted: dict[str, Any] = {}
        parameters: dict[str, str] = {}
        conflicts: list[str] = []
        for name in names:
            phase = self.phase(name)
            for parameter, value in phase.parameters.items():
                if parameters.setdefault(parameter, value) != value:
                    conflicts.append(f"parameter {parameter}: {parameters[parameter]} and {value}")
            for field in Phase.model_fields.keys() - {"parameters"}:
                value = getattr(phase, field)
                if field in phase.model_fields_set and wanted.setdefault(field, value) != value:
                    conflicts.append(f"{field}: {wanted[field]} and {value}")
        if conflicts:
            raise TuningError(
                "phases that run at the same time want different things: " + "; ".join(sorted(conflicts)),
                object_name=self.name,
                step=STEP,
                remedy="give both phases the same value, or leave it out of one of them",
            )
        return Phase(parameters=parameters, **wanted)


def load_profile(path: Path) -> Profile:
    """Read and check a profile (YAML).

    :raises PreflightError: with file, line, field and reason of everything that is wrong.
    """
    return read_model(Path(path), Profile)
