"""What the tasks of a load do; each of them is safe to repeat."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from oracle_refresh.catalog import identify
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.degree import batches, choose, next_degree
from oracle_refresh.labs.data_load.evidence import Loaded, of_degree
from oracle_refresh.labs.data_load.host import HOST, Reading, of_batch, of_trial, read_host, series
from oracle_refresh.labs.data_load.instances import (
    INSTANCES,
    InstanceReading,
    instance_reader,
    instance_series,
)
from oracle_refresh.labs.data_load.load import SCHEMAS, Loader, Sessions, drop_schemas
from oracle_refresh.labs.data_load.model import (
    BATCH,
    DEGREE,
    PLAN,
    SEED,
    STEP,
    TRIAL,
    BatchLoad,
    Chosen,
    DegreeTrial,
    Plan,
    Seed,
    Work,
)
from oracle_refresh.labs.data_load.sampling import sampled
from oracle_refresh.labs.data_load.seed import make_seed
from oracle_refresh.labs.data_load.space import estimate, measured, require_loadable, require_room
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import DELETE_ITEM, DONE, Ledger, ensure_ledger
from oracle_refresh.run.progress import Progress, silent

log = logging.getLogger(__name__)


def plan_load(documents: Documents, definition: LoadDefinition, work: Work, *, drop_afterwards: bool) -> None:
    """Check the target and what is to be loaded; changes nothing but the run store.

    :raises PreflightError: if this database may not be loaded, a schema is somebody else's, or the tablespace
        has not the room.
    """
    connection = documents.connection
    identity = identify(connection)
    block = require_loadable(connection, identity, definition)
    documents.ensure()
    ensure_ledger(connection)
    for schema in (work.seed_schema, *work.all_schemas, *work.trial_schemas):
        SCHEMAS.require_own(documents, schema)
    needed, given = require_room(connection, work, estimate(work, definition, block))
    plan = Plan(
        run_id=documents.run_id,
        conn_id=definition.target.conn_id,
        database=f"{identity.db_unique_name} {identity.version}",
        work=work,
        drop_afterwards=drop_afterwards,
    )
    documents.put(PLAN, WHOLE, plan)
    log.info("about %.0f of the %.0f MB that %s takes are needed", needed / 1e6, given / 1e6, work.tablespace)


@dataclass(frozen=True)
class Observed:
    """What has been read of the worker's host and of the database's instances while schemas were loaded."""

    host: list[Reading]
    instances: list[InstanceReading]

    def put(self, documents: Documents, what: str) -> None:
        """Store both series.

        :param what: was loaded, by `host.of_trial` or `host.of_batch`.
        """
        documents.put(HOST, what, series(self.host))
        documents.put(INSTANCES, what, instance_series(self.instances))


@dataclass(frozen=True)
class LoadRun:
    """A load that has been planned."""

    sessions: Sessions
    run_id: str
    progress: Progress = silent

    @contextmanager
    def documents(self) -> Iterator[Documents]:
        with self.sessions.session() as connection:
            yield Documents(connection, self.run_id)

    def make_seed(self, definition: LoadDefinition) -> Seed:
        """Make the schema that all others are copied from; what a killed try has left is dropped first."""
        with self.documents() as documents:
            seed = make_seed(documents, documents.get(PLAN, WHOLE).work, definition)
            documents.put(SEED, WHOLE, seed)
        log.info("seed: %s rows, %.1f MB in %.2f s", seed.rows, seed.bytes / 1e6, seed.seconds)
        return seed

    def find_degree(self) -> int:
        """How many schemas at the same time are worth it, unless the plan says it; the number of batches.

        :raises PreflightError: if the tablespace has not the room, going by the seed that is there now.
        :raises DataLoadError: if a trial failed.
        """
        with self.documents() as documents:
            work = documents.get(PLAN, WHOLE).work
            require_room(documents.connection, work, measured(work, documents.get(SEED, WHOLE)))
        chosen = Chosen(work.degree, "as the form says") if work.degree else self._by_trial(work)
        with self.documents() as documents:
            documents.put(DEGREE, WHOLE, chosen)
        log.info("%d schemas at the same time: %s", chosen.degree, chosen.reason)
        return len(batches(work.all_schemas, chosen.degree))

    def load(self, number: int) -> BatchLoad:
        """Load the schemas of a batch at the same time; batches are counted from 1."""
        with self.documents() as documents:
            work = documents.get(PLAN, WHOLE).work
            degree = documents.get(DEGREE, WHOLE).degree
        schemas = batches(work.all_schemas, degree)[number - 1]
        with self._observed() as observed:
            loaded = self._loader(work).batch(number, schemas, work.rows)
        with self.documents() as documents:
            observed.put(documents, of_batch(number))
            documents.put(BATCH, f"{number:06}", loaded)
        log.info("%d schemas, %.1f MB in %.2f s", len(loaded.schemas), loaded.bytes / 1e6, loaded.seconds)
        return loaded

    @contextmanager
    def _observed(self) -> Iterator[Observed]:
        with (
            instance_reader(self.sessions) as read_instances,
            sampled(read_host) as host,
            sampled(read_instances) as instances,
        ):
            yield Observed(host, instances)

    def _loader(self, work: Work) -> Loader:
        return Loader(self.sessions, work, self.run_id, self.progress)

    def _by_trial(self, work: Work) -> Chosen:
        """Batches of growing degree, of small schemas, until more sessions bring no more. A trial that was
        finished is kept in the run store, and a killed one is made anew."""
        with self.documents() as documents:
            trials = documents.all(TRIAL)
        while (degree := next_degree(trials, min(work.most_degree, work.schemas))) is not None:
            trial = self._try(work, degree)
            with self.documents() as documents:
                documents.put(TRIAL, f"{degree:04}", trial)
            log.info(
                "%d at the same time: %.1f MB in %.2f s, %.1f MB/s",
                *(degree, trial.bytes / 1e6, trial.seconds, trial.bytes_per_second / 1e6),
            )
            trials.append(trial)
        return choose(trials)

    def _try(self, work: Work, degree: int) -> DegreeTrial:
        schemas = work.trial_schemas[:degree]
        with self.documents() as documents:
            drop_trials(documents, schemas)
        with self._observed() as observed:
            loaded = self._loader(work).batch(degree, schemas, min(work.trial_rows, work.rows))
        with self.documents() as documents:
            drop_trials(documents, schemas)
            observed.put(documents, of_trial(degree))
        return DegreeTrial(loaded.seconds, loaded.rows, loaded.bytes, degree)


def drop_trials(documents: Documents, schemas: tuple[str, ...]) -> None:
    """Drop the schemas of trials and what the ledger knows of them. DDL commits."""
    drop_schemas(documents, schemas)
    rows = [{"run_id": documents.run_id, "step": STEP, "item": schema} for schema in schemas]
    with documents.connection.cursor() as cursor:
        cursor.executemany(DELETE_ITEM, rows)
    documents.connection.commit()


def read_load(documents: Documents) -> Loaded:
    """The batches that went through, at the degree that was chosen last."""
    plan, chosen = documents.get(PLAN, WHOLE), documents.find(DEGREE, WHOLE)
    loaded = of_degree(plan.work, chosen.degree, documents.all(BATCH)) if chosen else ()
    trials = chosen.trials if chosen else ()
    measured_on = [
        *(of_trial(trial.degree) for trial in trials),
        *(of_batch(batch.number) for batch in loaded),
    ]
    host, instances = documents.some(HOST, measured_on), documents.some(INSTANCES, measured_on)
    return Loaded(plan, documents.find(SEED, WHOLE), chosen, loaded, host, instances)


def drop_load(documents: Documents) -> list[str]:
    """Drop the seed, what trials left and schemas that were not finished; also the loaded ones where the plan
    says so. A load that found no more space gives back what it took."""
    plan = documents.get(PLAN, WHOLE)
    drop_trials(documents, plan.work.trial_schemas)
    states = Ledger(documents.connection, documents.run_id).states(STEP)
    others = [
        schema for schema in plan.work.all_schemas if plan.drop_afterwards or states.get(schema, DONE) != DONE
    ]
    dropped = drop_schemas(documents, (plan.work.seed_schema, *others))
    log.info("dropped: %s", ", ".join(dropped) or "nothing")
    return dropped
