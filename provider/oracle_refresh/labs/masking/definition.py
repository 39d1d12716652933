"""The benchmark's definition: which target, what its settings are. Reference for users:
docs/how-to/benchmark-masking.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from oracle_refresh.definition.fields import Model
from oracle_refresh.definition.model import LogModeCommand
from oracle_refresh.labs.harness.definition import LaboratoryDefinition
from oracle_refresh.labs.masking.model import ALL, BASELINE
from oracle_refresh.tuning.profile import Phase


def _phase(phase: Mapping[str, Any]) -> Mapping[str, Any]:
    # Kept as it is written: a switch is laid over the baseline key by key, without the defaults of a phase.
    Phase.model_validate(phase)
    return phase


WrittenPhase = Annotated[Mapping[str, Any], AfterValidator(_phase)]


class Switch(Model):
    """One thing that is set otherwise than in the baseline."""

    title: str = Field(min_length=1)
    phase: Annotated[WrittenPhase, Field(min_length=1)]


#: What stands behind the name of its series, in tables and in the ids of trials.
StepName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 .,_-]{0,19}$")]


class Step(Model):
    """One step of a series."""

    phase: WrittenPhase = Field(default_factory=dict)
    commit_rows: int | None = Field(default=None, ge=1)
    """In place of what the trials are planned with."""

    @model_validator(mode="after")
    def _differs(self) -> Self:
        if not self.phase and self.commit_rows is None:
            raise ValueError("a step says by phase or commit_rows what is otherwise than in the baseline")
        return self


class Series(Model):
    """One thing in several sizes, each of them beside the baseline."""

    title: str = Field(min_length=1)
    baseline: StepName
    """What the baseline has of it."""
    steps: Annotated[Mapping[StepName, Step], Field(min_length=1)]


class BenchmarkDefinition(LaboratoryDefinition):
    """Which target is measured, and under which settings. Phases are those of tuning profiles."""

    key_conn_id: str = Field(min_length=1)
    baseline: WrittenPhase
    switches: Annotated[Mapping[str, Switch], Field(min_length=1)]
    series: Mapping[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,29}$")], Series] = {}
    log_mode_command: LogModeCommand = ()
    log_mode_seconds: int = Field(default=300, ge=1)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for what, names in (("switch", self.switches), ("series", self.series)):
            if reserved := sorted({BASELINE, ALL} & names.keys()):
                raise ValueError(f"no name for a {what}: {', '.join(reserved)}")
        if both := sorted(self.switches.keys() & self.series.keys()):
            raise ValueError(f"a switch and a series have the same name: {', '.join(both)}")
        for name, series in self.series.items():
            if series.baseline in series.steps:
                raise ValueError(f"{series.baseline!r} is the baseline of {name}, and one of its steps")
        return self
