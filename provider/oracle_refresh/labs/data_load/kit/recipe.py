"""The test that a kit repeats, and the statements it runs. Pure.

A kit is somebody else's file: its definition is checked field by field before anything is made of it, and no
statement of it is ever run. A replay makes its own of the definition, and compares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from oracle_refresh.definition.fields import Model, OracleName
from oracle_refresh.definition.model import End
from oracle_refresh.labs.data_load import statements
from oracle_refresh.labs.data_load.definition import LoadDefinition, People, Trials
from oracle_refresh.labs.data_load.kit.archive import refused
from oracle_refresh.labs.data_load.model import MOST_ROWS, Work
from oracle_refresh.labs.data_load.profiles import PROFILES
from oracle_refresh.oracle.identifiers import Identifier, TableName


class Recipe(Model):
    """A load without the connection that it ran on, and without the names of other databases.

    Names are written as in a statement: `USERS`, but `"users"`. Bounds are those of the DAG's form.
    """

    prefix: OracleName
    tablespace: OracleName
    schemas: int = Field(ge=1, le=100_000)
    rows: int = Field(ge=1, le=MOST_ROWS)
    degree: int = Field(ge=0, le=256)
    """0 where it was found by trial, and is again."""
    profile: str
    blocks: Literal["sparse", "filled"]
    seed_degree: int = Field(ge=1, le=256)
    people: People
    trials: Trials

    @field_validator("profile")
    @classmethod
    def _known(cls, profile: str) -> str:
        if profile not in PROFILES:
            raise ValueError(f"there is no such profile of LOBs; possible are {', '.join(PROFILES)}")
        return profile

    @model_validator(mode="after")
    def _nameable(self) -> Self:
        _ = self.work  # refuses a prefix with which a schema's name is too long
        return self

    @classmethod
    def of(cls, work: Work, definition: LoadDefinition) -> Self:
        """The recipe of a load that was planned.

        :raises PreflightError: if it is larger than the form of the DAG allows.
        """
        return cls.read(
            {
                "prefix": Identifier(work.prefix).written,
                "tablespace": Identifier(work.tablespace).written,
                "schemas": work.schemas,
                "rows": work.rows,
                "degree": work.degree,
                "profile": work.profile,
                "blocks": "sparse" if work.sparse else "filled",
                "seed_degree": definition.seed_degree,
                "people": definition.people,
                "trials": {"rows": work.trial_rows, "most_degree": work.most_degree},
            },
            "the load",
        )

    @classmethod
    def read(cls, document: Mapping[str, Any], name: str) -> Self:
        """The inverse of `document`.

        :param name: of the member, for the error.
        :raises PreflightError: with the first field that is wrong.
        """
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = [".".join(map(str, first["loc"]))] if first["loc"] else []
            raise refused(": ".join((name, *where, first["msg"]))) from error

    def document(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    def definition(self, name: str, conn_id: str) -> LoadDefinition:
        """What a replay on this connection goes by."""
        return LoadDefinition(
            name=name,
            target=End(conn_id=conn_id),
            tablespace=Identifier(self.tablespace).written,
            seed_degree=self.seed_degree,
            people=self.people,
            trials=self.trials,
        )

    @property
    def work(self) -> Work:
        return Work(
            prefix=self.prefix,
            tablespace=self.tablespace,
            schemas=self.schemas,
            rows=self.rows,
            degree=self.degree,
            profile=self.profile,
            sparse=self.blocks == "sparse",
            trial_rows=self.trials.rows,
            most_degree=self.trials.most_degree,
        )


def listing(recipe: Recipe) -> str:
    """The statements of the seed and of the first schema, in their order, as a script to read.

    All other schemas have the same ones with their own names. Bind variables stand as in the statements.
    """
    return "\n".join(f"{statement}\n/" for statement in _statements(recipe)) + "\n"


def _statements(recipe: Recipe) -> Iterator[str]:
    work = recipe.work
    seed, schema = work.seed_schema, work.all_schemas[0]
    people, pieces = TableName(seed, statements.PEOPLE).sql, TableName(seed, statements.PIECES).sql
    yield statements.CREATE_PEOPLE.format(table=people)
    yield statements.INSERT_PERSON.format(table=people)
    if work.lobs.datatype:
        yield statements.CREATE_PIECES.format(table=pieces, datatype=work.lobs.datatype)
        yield statements.INSERT_PIECE.format(table=pieces)
    yield statements.create_seed(work, recipe.seed_degree, recipe.people.number)
    yield statements.GATHER
    names = {
        "table": TableName(schema, statements.TABLE).sql,
        "seed": TableName(seed, statements.SEED).sql,
    }
    yield statements.create_table(work, schema)
    if work.sparse:
        for statement in (statements.FIRST_ROW, statements.MINIMIZE, statements.TRUNCATE):
            yield statement.format(**names)
    yield statements.LOAD.format(**names)
    yield statements.create_index(work, schema)
    yield statements.GATHER
