"""The same dump files of the source, brought to the target by each transport that its staging leaves open.

The matrix tells what a store takes. A database link is no way into the store, and its transport reads at the
source too; so here every transport does all that a refresh would have of it: it is the same code, with as
many files at a time, and both ends hash. The files hold a sample that Data Pump unloads into the source's
DIRECTORY, as the calibration of Data Pump does; nothing else happens there.

Safe to repeat: names derive from the run, the sample is kept before its files are made, and what a killed try
has left at either end is removed first.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.datapump.dumpset import DumpSet
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.experience.store_advice import StoreAdvice, settled, way_of
from oracle_refresh.labs.datapump_degree import measure
from oracle_refresh.labs.datapump_degree.dumps import announce, remove_announced
from oracle_refresh.labs.datapump_degree.measure import Place, specs
from oracle_refresh.labs.datapump_degree.plan import Trial
from oracle_refresh.labs.datapump_degree.sample import take_sample
from oracle_refresh.labs.store.advice import advise
from oracle_refresh.labs.store.model import BROUGHT, STORE_SAMPLE, Calibration, Phase
from oracle_refresh.labs.store.plan import transports
from oracle_refresh.labs.store.run import StoreRun
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.transport.choice import granted_packages
from oracle_refresh.transport.stage import clean_staged, stage
from oracle_refresh.transport.transfer import Transfer

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition

log = logging.getLogger(__name__)


def may_transfer(target: oracledb.Connection) -> bool:
    """Whether the target's user may execute DBMS_FILE_TRANSFER."""
    return bool(granted_packages(target, StagingTransport.FILE_TRANSFER.packages))


def sample_for(source: oracledb.Connection, definition: RefreshDefinition, plan: Calibration) -> Sample:
    """About as many bytes as the flat files have, of the definition's largest plain table; reads only.

    :raises PlanError: if there is no table that can be unloaded in parts.
    """
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    return take_sample(source, catalogue, plan.flat_bytes)


def measure_transports(run: StoreRun) -> tuple[Phase, ...]:
    """Unload the sample, and stage its dump files by one transport after the other; nothing is left.

    :raises DataPumpError: if the sample cannot be unloaded.
    :raises StagingError: if a transport does not bring it.
    """
    plan, refresh, documents = run.plan, run.refresh, run.documents
    source, target, definition = refresh.source, refresh.target, refresh.refresh_definition
    start = run.starter(definition.datapump)
    clean_transports(run)
    sample = sample_for(source, definition, plan)
    documents.put(STORE_SAMPLE, WHOLE, sample)
    log.info("%.1f MB of %s.%s", sample.bytes / 1e6, sample.owner, sample.name)
    points = run.points()
    advice = advise(plan, points) if points else None
    jobs = _unloads(plan, sample, definition)
    everywhere = _staging(definition, plan, StagingTransport.AUTO, None)
    announce(source, target, everywhere, plan.run_id, jobs, staged=True)
    connect = run.opener(definition.source.conn_id)
    unloaded = measure.unload(connect, source, jobs, refresh.progress, start)
    phases = []
    for transport in transports(plan):
        dump_set = DumpSet(
            job_id=transport.value,
            job_name=transport.value,
            scn=sample.scn,
            directory=jobs[0].directory,
            log_file=jobs[0].log_file,
            files=unloaded.files,
            tables=(),
            seconds=unloaded.seconds,
        )
        staged = _staging(definition, plan, transport, advice)
        began = time.monotonic()
        transfer = Transfer(source, target, dump_set, staged, plan.run_id)
        stage(transfer, refresh.progress, connect=refresh.open_both)
        seconds = time.monotonic() - began
        _clean_target(run, jobs)
        count, at_a_time = len(dump_set.files), staged.staging.parallel_files
        note = f"{count} dump files, {at_a_time} at a time, hashed at both ends"
        phases.append(Phase(f"{BROUGHT}{transport.value}", seconds, dump_set.bytes, count, note))
    measure.clean(source, jobs)
    return tuple(phases)


def clean_transports(run: StoreRun) -> bool:
    """End the jobs of the run's sample and remove its files at both ends, finished or not. May be repeated.

    :returns: False where they are of another source than the definition's.
    :raises StagingError: if a dump file is left.
    """
    sample, origin = run.documents.find(STORE_SAMPLE, WHOLE), run.plan.origin
    if sample is None or origin is None:
        return True
    if origin.conn_id != run.refresh.refresh_definition.source.conn_id:
        log.warning(
            "what run %s has left at %s is removed when its definition is calibrated again",
            *(run.plan.run_id, origin.conn_id),
        )
        return False
    refresh = run.refresh
    everywhere = _staging(refresh.refresh_definition, run.plan, StagingTransport.AUTO, None)
    remove_announced(refresh.source, refresh.target, everywhere, run.plan.run_id)
    measure.clean(refresh.source, _unloads(run.plan, sample, refresh.refresh_definition))  # the logs, too
    return True


def _unloads(plan: Calibration, sample: Sample, definition: RefreshDefinition) -> tuple[JobSpec, ...]:
    assert plan.origin is not None, "transports are planned where there is one"
    place = Place(plan.origin.refresh, plan.run_id, plan.origin.directory, definition.datapump)
    return specs(sample, Trial(plan.flat_files, 1), place)


def _clean_target(run: StoreRun, jobs: Sequence[JobSpec]) -> None:
    # AUTO with a link: it looks wherever one of the transports may have put something.
    staged = _staging(run.refresh.refresh_definition, run.plan, StagingTransport.AUTO, None)
    names = [name for spec in jobs for name in spec.dump_files]
    clean_staged(run.refresh.target, staged, run.plan.run_id, names)


def _staging(
    definition: RefreshDefinition,
    plan: Calibration,
    transport: StagingTransport,
    advice: StoreAdvice | None,
) -> RefreshDefinition:
    """The definition, staging by this transport as the matrix has found best."""
    assert plan.origin is not None, "transports are planned where there is one"
    staging = definition.staging.model_copy(
        update={
            "transport": transport,
            "source_directory": plan.origin.directory,
            "target_directory": plan.directory,
            "database_link": plan.origin.link,
            "mounted_path": Path(plan.mounted_path) if plan.mounted_path else None,
        }
    )
    way = advice.of(way_of(staging)) if advice else None
    return definition.model_copy(update={"staging": settled(staging, way if way and way.trusted else None)})
