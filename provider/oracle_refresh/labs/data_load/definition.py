"""The load's definition: which target, what its rows are made of. Reference for users:
docs/how-to/load-test-data.md."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from oracle_refresh.definition.fields import OracleName
from oracle_refresh.definition.load import read_model
from oracle_refresh.definition.model import DenyList, End


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class People(_Model):
    """The pool of invented people that rows are made of."""

    number: int = Field(default=1000, ge=1, le=100_000)
    locales: Annotated[tuple[str, ...], Field(min_length=1)] = ("en_US",)


class Trials(_Model):
    """How the best degree is looked for."""

    rows: int = Field(default=500, ge=1)
    """Of each schema of a trial; best so many that a trial takes some seconds."""
    most_degree: int = Field(default=32, ge=1, le=256)


class LoadDefinition(_Model):
    """Which target is loaded, and from what."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,62}$")
    target: End
    tablespace: OracleName = "USERS"
    seed_degree: int = Field(default=2, ge=1, le=256)
    """Of the parallel query that makes the seed table."""
    people: People = People()
    trials: Trials = Trials()
    deny_list: DenyList = DenyList()


def load_definition(path: Path) -> LoadDefinition:
    """Read and check a definition.

    :raises PreflightError: with file, line, field and reason of everything that is wrong.
    """
    return read_model(Path(path), LoadDefinition)
