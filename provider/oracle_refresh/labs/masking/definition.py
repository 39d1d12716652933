"""The benchmark's definition: which target, what its settings are. Reference for users:
docs/how-to/benchmark-masking.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from oracle_refresh.definition.fields import OracleName
from oracle_refresh.definition.load import read_model
from oracle_refresh.definition.model import DenyList, End, LogModeCommand
from oracle_refresh.labs.masking.model import ALL, BASELINE
from oracle_refresh.tuning.profile import Phase


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


def _phase(phase: Mapping[str, Any]) -> Mapping[str, Any]:
    # Kept as it is written: a switch is laid over the baseline key by key, without the defaults of a phase.
    Phase.model_validate(phase)
    return phase


WrittenPhase = Annotated[Mapping[str, Any], AfterValidator(_phase)]


class Switch(_Model):
    """One thing that is set otherwise than in the baseline."""

    title: str = Field(min_length=1)
    phase: Annotated[WrittenPhase, Field(min_length=1)]


class BenchmarkDefinition(_Model):
    """Which target is measured, and under which settings. Phases are those of tuning profiles."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,62}$")
    target: End
    key_conn_id: str = Field(min_length=1)
    tablespace: OracleName = "USERS"
    deny_list: DenyList = DenyList()
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


def load_benchmark(path: Path) -> BenchmarkDefinition:
    """Read and check a definition.

    :raises PreflightError: with file, line, field and reason of everything that is wrong.
    """
    return read_model(Path(path), BenchmarkDefinition)
