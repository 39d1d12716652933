"""What a kit holds: the test, where it ran, and what came out. No secrets, no row data. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.kit.archive import json_bytes, json_object, pack, refused, unpack
from oracle_refresh.labs.data_load.kit.recipe import Recipe, listing
from oracle_refresh.labs.data_load.model import BatchLoad, Chosen, Seed

DEFINITION, PARAMETERS, STATEMENTS, VERSIONS, RESULTS = MEMBERS = (
    "definition.json",
    "parameters.json",
    "statements.sql",
    "versions.json",
    "results.json",
)


@dataclass(frozen=True)
class Results(Jsonable):
    """What was measured; without the names of the connection and of the run."""

    seed: Seed | None
    chosen: Chosen | None
    batches: tuple[BatchLoad, ...]

    @classmethod
    def of(cls, load: Loaded) -> Results:
        return cls(load.seed, load.chosen, load.batches)


@dataclass(frozen=True)
class Kit:
    """A test and one run of it.

    :ivar parameters: values of the initialization parameters that are not the default, by name, as
        V$SYSTEM_PARAMETER.VALUE shows them; None where a parameter has been set to nothing.
    :ivar versions: of the database, the provider, Airflow, the driver and Python, by name; None where it
        is not installed.
    :ivar statements: as they ran; to read and to compare, never to run.
    """

    recipe: Recipe
    parameters: dict[str, str | None] = field(hash=False)
    versions: dict[str, str | None] = field(hash=False)
    statements: str
    results: Results

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        parameters: dict[str, str | None],
        versions: dict[str, str | None],
        results: Results,
    ) -> Kit:
        """The kit of a load by this version of the provider."""
        return cls(recipe, parameters, versions, listing(recipe), results)


def write_kit(kit: Kit) -> bytes:
    """The archive; the same for the same kit.

    :raises PreflightError: if it is larger than a kit may be.
    """
    return pack(
        {
            DEFINITION: json_bytes(kit.recipe.document()),
            PARAMETERS: json_bytes(kit.parameters),
            STATEMENTS: kit.statements.encode(),
            VERSIONS: json_bytes(kit.versions),
            RESULTS: json_bytes(kit.results.to_json()),
        }
    )


def read_kit(content: bytes) -> Kit:
    """The inverse.

    :raises PreflightError: if it is no whole archive, a member was changed, or holds what no kit holds.
    """
    members = unpack(content, MEMBERS)
    recipe = Recipe.read(json_object(members[DEFINITION], DEFINITION), DEFINITION)
    try:
        return Kit(
            recipe,
            _texts(members[PARAMETERS], PARAMETERS),
            _texts(members[VERSIONS], VERSIONS),
            members[STATEMENTS].decode(),
            Results.from_json(json_object(members[RESULTS], RESULTS)),
        )
    except ValueError as error:  # UnicodeDecodeError too
        raise refused(str(error)) from error


def _texts(content: bytes, name: str) -> dict[str, str | None]:
    """Names with their texts, which are shown to people as they are.

    :raises ValueError: if there is anything else in the member.
    """
    texts: dict[str, str | None] = {}
    for key, value in json_object(content, name).items():
        if not (value is None or isinstance(value, str)) or not f"{key}{value or ''}".isprintable():
            raise ValueError(f"{name}: {key} has no text that can be shown")
        texts[key] = value
    return texts
