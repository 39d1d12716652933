"""The load's definition: which target, what its rows are made of. Reference for users:
docs/how-to/load-test-data.md."""

from __future__ import annotations

from pydantic import Field

from oracle_refresh.definition.fields import Model
from oracle_refresh.labs.harness.definition import LaboratoryDefinition


class People(Model):
    """The pool of invented people that rows are made of."""

    number: int = Field(default=1000, ge=1, le=100_000)


class Trials(Model):
    """How the best degree is looked for."""

    rows: int = Field(default=500, ge=1)
    """Of each schema of a trial; best so many that a trial takes some seconds."""
    most_degree: int = Field(default=32, ge=1, le=256)


class LoadDefinition(LaboratoryDefinition):
    """Which target is loaded, and from what."""

    seed_degree: int = Field(default=2, ge=1, le=256)
    """Of the parallel query that makes the seed table."""
    people: People = People()
    trials: Trials = Trials()
