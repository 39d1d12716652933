"""What the definition says of single tables: how they are cut, and how their Data Pump jobs are run."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from oracle_refresh.definition.fields import Model

AccessMethod = Literal["automatic", "direct_path", "external_table"]
#: Schemes that a definition may choose; see `plan.schemes`.
ChosenScheme = Literal["partition", "rowid_range", "rowid_block_modulo", "ora_hash", "ntile"]
#: Data Pump's trace flags in hexadecimal.
TraceFlags = Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{1,7}$")]


class TableChoice(Model):
    """What is chosen for one table; what is not named is the planner's choice, or that of `datapump`.

    :ivar shards: exactly so many, whatever `max_shards` says; 1: a job of its own.
    :ivar scheme: how the rows of its shards are told apart, if it is cut.
    """

    shards: int | None = Field(default=None, ge=1)
    scheme: ChosenScheme | None = None
    access_method: AccessMethod | None = None
    metrics: bool | None = None
    trace: TraceFlags | None = None

    @property
    def of_jobs(self) -> dict[str, str | bool]:
        """Fields of `datapump` that are chosen otherwise: they need jobs that carry this table only."""
        return self.model_dump(include={"access_method", "metrics", "trace"}, exclude_none=True)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not self.model_dump(exclude_none=True):
            raise ValueError("nothing is chosen: name shards, scheme, access_method, metrics or trace")
        if self.scheme and self.shards == 1:
            raise ValueError("a scheme tells the rows of several shards apart; shards is 1")
        return self


NOTHING_CHOSEN = TableChoice.model_construct()
