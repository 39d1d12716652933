"""Making the kit of a load, and repeating the load of a kit on another database."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.catalog import identify
from oracle_refresh.labs.data_load.kit.contents import Kit, Results
from oracle_refresh.labs.data_load.kit.recipe import Recipe
from oracle_refresh.labs.data_load.load import Sessions
from oracle_refresh.labs.data_load.run import LoadRun, drop_load, plan_load, read_load
from oracle_refresh.labs.harness.together import Connect
from oracle_refresh.oracle.session import rows
from oracle_refresh.report.installed import installed_versions
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.tuning.statements import PARAMETERS

if TYPE_CHECKING:
    import oracledb

#: A replay's schemas have names of their own: those that a load has left for somebody stay.
PREFIX = "REPLAY_"


@dataclass(frozen=True)
class Surroundings:
    """Where a load runs; parameters and versions as in `Kit`."""

    parameters: dict[str, str | None] = field(hash=False)
    versions: dict[str, str | None] = field(hash=False)

    def kit(self, recipe: Recipe, results: Results) -> Kit:
        """The kit of a load that ran here."""
        return Kit.of(recipe, self.parameters, self.versions, results)


def read_surroundings(connection: oracledb.Connection) -> Surroundings:
    """Read those of a database and of this process. Needs SELECT on V$SYSTEM_PARAMETER, V$DATABASE and
    V$INSTANCE."""
    # Of rows with one name the last one holds for this session.
    held = {name: (value, default) for name, _, value, default, *_ in rows(connection, PARAMETERS)}
    return Surroundings(
        {name: value for name, (value, default) in held.items() if default == "FALSE"},
        {"database": identify(connection).version, **installed_versions()},
    )


def replay(
    connect: Connect,
    recipe: Recipe,
    conn_id: str,
    tablespace: str,
    run_id: str,
    progress: Progress = silent,
) -> Results:
    """Load what the recipe says, in schemas of the replay's own, and drop them whatever happens.

    :param connect: opens sessions of the target; whoever calls has made sure that it is marked as one.
    :param tablespace: where everything stands, by the name that the dictionary has.
    :raises PreflightError: if this database may not be loaded, a schema is somebody else's, or the tablespace
        has not the room.
    :raises DataLoadError: if a statement failed.
    """
    own = recipe.model_copy(update={"prefix": PREFIX, "tablespace": tablespace})
    definition = own.definition("replay", conn_id)
    run = LoadRun(Sessions(connect), run_id, progress)
    with run.documents() as documents:
        plan_load(documents, definition, own.work, drop_afterwards=True)
    try:
        run.make_seed(definition)
        for number in range(1, run.find_degree() + 1):
            run.load(number)
        with run.documents() as documents:
            return Results.of(read_load(documents))
    finally:
        # Those of a load that failed have been stopped.
        with LoadRun(Sessions(connect), run_id).documents() as documents:
            drop_load(documents)
