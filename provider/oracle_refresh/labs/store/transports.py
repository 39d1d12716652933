"""The same dump files of the source, brought to the target by each transport that its staging leaves open.

The matrix tells what a store takes. A database link is no way into the store, and its transport reads at the
source too; so here every transport does all that a refresh would have of it: it is the same code, with as
many files at a time, and both ends hash. The files hold a sample that Data Pump unloads into the source's
DIRECTORY, as the calibration of Data Pump does; nothing else happens there.

Safe to repeat: names derive from the run, the sample is kept before its files are made, and what a killed try
has left at either end is removed first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.datapump.dumpset import DumpSet
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.labs.datapump_degree import measure
from oracle_refresh.labs.datapump_degree.measure import Place, specs
from oracle_refresh.labs.datapump_degree.plan import Trial
from oracle_refresh.labs.datapump_degree.sample import take_sample
from oracle_refresh.labs.store.model import BROUGHT, Calibration, Phase
from oracle_refresh.labs.store.plan import transports
from oracle_refresh.planning.degree_advice import Sample
from oracle_refresh.planning.store_advice import StoreAdvice, settled, way_of
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.transport.choice import granted_packages
from oracle_refresh.transport.stage import clean_staged, stage
from oracle_refresh.transport.transfer import Transfer

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition


@dataclass(frozen=True)
class Ends:
    """Open sessions of both ends, and what opens further ones from any thread."""

    source: oracledb.Connection
    target: oracledb.Connection
    connect_source: Callable[[], oracledb.Connection]
    both: Callable[[], AbstractContextManager[tuple[oracledb.Connection, oracledb.Connection]]]


def may_transfer(target: oracledb.Connection) -> bool:
    """Whether the target's user may execute DBMS_FILE_TRANSFER."""
    return bool(granted_packages(target, StagingTransport.FILE_TRANSFER.packages))


def sample_for(source: oracledb.Connection, definition: RefreshDefinition, plan: Calibration) -> Sample:
    """About as many bytes as the flat files have, of the definition's largest plain table; reads only.

    :raises PlanError: if there is no table that can be unloaded in parts.
    """
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    return take_sample(source, catalogue, plan.flat_bytes)


def measure_transports(
    ends: Ends,
    definition: RefreshDefinition,
    plan: Calibration,
    sample: Sample,
    advice: StoreAdvice | None,
    progress: Progress = silent,
) -> tuple[Phase, ...]:
    """Unload the sample, and stage its dump files by one transport after the other; nothing is left.

    :param advice: what the matrix has shown, for files at a time and pieces.
    :raises DataPumpError: if the sample cannot be unloaded.
    :raises StagingError: if a transport does not bring it.
    """
    wanted = _unloads(plan, sample)
    unloaded = measure.unload(ends.connect_source, ends.source, wanted, progress)
    ensure_ledger(ends.target)
    phases = []
    for transport in transports(plan):
        dump_set = DumpSet(
            job_id=transport.value,
            job_name=transport.value,
            scn=sample.scn,
            directory=wanted[0].directory,
            log_file=wanted[0].log_file,
            files=unloaded.files,
            tables=(),
            seconds=unloaded.seconds,
        )
        staged = _staging(definition, plan, transport, advice)
        began = time.monotonic()
        transfer = Transfer(ends.source, ends.target, dump_set, staged, plan.run_id)
        stage(transfer, progress, connect=ends.both)
        seconds = time.monotonic() - began
        _clean_target(ends.target, definition, plan, wanted)
        lanes = staged.staging.parallel_files
        phases.append(
            Phase(
                f"{BROUGHT}{transport.value}",
                seconds,
                dump_set.bytes,
                len(dump_set.files),
                f"{len(dump_set.files)} dump files, {lanes} at a time, hashed at both ends",
            )
        )
    measure.clean(ends.source, wanted)
    return tuple(phases)


def clean_transports(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    plan: Calibration,
    sample: Sample,
) -> None:
    """End the jobs of the sample and remove its files at both ends, finished or not. May be repeated."""
    wanted = _unloads(plan, sample)
    _clean_target(target, definition, plan, wanted)
    measure.clean(source, wanted)


def _unloads(plan: Calibration, sample: Sample) -> tuple[JobSpec, ...]:
    assert plan.origin is not None, "transports are planned where there is one"
    place = Place(plan.origin.refresh, plan.run_id, plan.origin.directory)
    return specs(sample, Trial(plan.flat_files, 1), place)


def _clean_target(
    target: oracledb.Connection, definition: RefreshDefinition, plan: Calibration, wanted: Sequence[JobSpec]
) -> None:
    # AUTO with a link: it looks wherever one of the transports may have put something.
    staged = _staging(definition, plan, StagingTransport.AUTO, None)
    clean_staged(target, staged, plan.run_id, [name for spec in wanted for name in spec.dump_files])


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
            "database_link": plan.origin.link,
            "mounted_path": Path(plan.mounted_path) if plan.mounted_path else None,
        }
    )
    found = advice.of(way_of(staging)) if advice else None
    return definition.model_copy(
        update={"staging": settled(staging, found if found and found.trusted else None)}
    )
