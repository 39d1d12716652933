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


class BenchmarkDefinition(LaboratoryDefinition):
    """Which target is measured, and under which settings. Phases are those of tuning profiles."""

    key_conn_id: str = Field(min_length=1)
    baseline: WrittenPhase
    switches: Annotated[Mapping[str, Switch], Field(min_length=1)]
    log_mode_command: LogModeCommand = ()
    log_mode_seconds: int = Field(default=300, ge=1)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        reserved = sorted({BASELINE, ALL} & self.switches.keys())
        if reserved:
            raise ValueError(f"no name for a switch: {', '.join(reserved)}")
        return self
