"""What the definition says of a capture or an apply process that is watched, or tuned, while a run works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from oracle_refresh.definition.fields import Model, OracleName, as_text

#: As DBA_APPLY_PARAMETERS and DBA_CAPTURE_PARAMETERS spell it; those that begin with an underscore are not
#: documented.
ProcessParameter = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,127}$"), AfterValidator(str.upper)
]
#: SET_PARAMETER takes every value as a text, numbers too.
ProcessValue = Annotated[str, BeforeValidator(as_text), StringConstraints(min_length=1, max_length=4000)]


class ProcessParameters(Model):
    """Parameters of the two ends, by what DBMS_APPLY_ADM and DBMS_CAPTURE_ADM call them."""

    apply: Mapping[ProcessParameter, ProcessValue] = Field(default_factory=dict)
    capture: Mapping[ProcessParameter, ProcessValue] = Field(default_factory=dict)


class Capture(Model):
    """Processes that are diagnosed before, while and after a run works, and tuned for that time.

    :ivar end: where they are. Those of a source are diagnosed only: it is never changed.
    :ivar apply_name: as in DBA_APPLY; without it what stands at the other end of the capture, if anything.
    :ivar capture_name: as in DBA_CAPTURE; without it what feeds the apply process, if this database has it.
    :ivar seconds: how long they are watched before and after; in between it is as long as the work takes.
    :ivar recommended: whether what the diagnosis before recommends is set.
    :ivar parameters: set in any case, also where something else is recommended.
    """

    end: Literal["source", "target"] = "target"
    apply_name: OracleName | None = None
    capture_name: OracleName | None = None
    seconds: int = Field(default=60, ge=1, le=3600)
    recommended: bool = False
    parameters: ProcessParameters = ProcessParameters()

    @property
    def names(self) -> dict[str, str | None]:
        """The arguments that name them."""
        return {"apply_name": self.apply_name, "capture_name": self.capture_name}

    @property
    def given(self) -> dict[str, str | None]:
        """The values that are written out, by `apply.PARALLELISM` or `capture.MAX_SGA_SIZE`."""
        return {
            f"{end}.{name}": value
            for end in ("apply", "capture")
            for name, value in getattr(self.parameters, end).items()
        }

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        tuned = self.recommended or bool(self.given)
        for wrong, reason in (
            (not (self.apply_name or self.capture_name), "name an apply_name, a capture_name, or both"),
            (
                self.end == "source" and tuned,
                "the source is only read: with end source nothing can be set, neither parameters nor what is"
                " recommended",
            ),
        ):
            if wrong:
                raise ValueError(reason)
        return self
