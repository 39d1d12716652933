"""A staged file that somebody exchanges behind its last hash, before the import reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from oracle_refresh.operators import transfer
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import VerifyCopy
from oracle_refresh.oracle.errors import QuarantineError, ValidationError
from oracle_refresh.plan.model import JOB
from oracle_refresh.transport.stage import verify_staged
from support.demo import DemoDatabase
from support.small_run import SmallRun

TABLE = "APP.COUNTRIES"


def rename(source: DemoDatabase, old: str, new: str) -> None:
    with source.system() as connection, connection.cursor() as cursor:
        cursor.execute(f"UPDATE {TABLE} SET NAME = :1 WHERE NAME = :2", [new, old])
        assert cursor.rowcount == 1
        connection.commit()


def exported(run: SmallRun) -> None:
    run.until_planned()
    for job in run.jobs:
        run.execute(ExportShard, job=job)


def test_it_is_found_by_its_rows_and_the_target_stays_locked(
    new_run: Callable[..., SmallRun],
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A whole dump file of the same tables with as many rows: Data Pump and its log are content."""
    rename(demo_source, "Andorra", "Elsewhere")
    other = new_run(degree=1)  # one worker writes one file
    try:
        exported(other)
    finally:
        rename(demo_source, "Elsewhere", "Andorra")
    name = other.documents(lambda documents: documents.all(JOB))[0].job_name
    prefix = name.removesuffix(other.jobs[0])
    theirs = {
        file.name.removeprefix(prefix): file.read_bytes()
        for file in demo_source.server.instance.dump_directory.rglob(f"{prefix}*.dmp")
    }
    run = new_run(degree=1).until_built()
    exchanged = []
    own = run.documents(lambda documents: documents.all(JOB))[0].job_name.removesuffix(run.jobs[0])

    def exchange(*words: Any) -> None:
        verify_staged(*words)
        for staged in demo_target.server.instance.dbfs_directory.rglob(f"{own}*.dmp"):
            (content,) = (theirs[end] for end in theirs if staged.name.endswith(end))
            staged.write_bytes(content)
            exchanged.append(staged)

    monkeypatch.setattr(transfer, "verify_staged", exchange)
    for job in run.jobs:
        for operator in (ExportShard, StageDump, LoadShard):
            run.execute(operator, job=job)
    assert exchanged
    with pytest.raises(ValidationError, match="COUNTRIES"):
        run.execute(VerifyCopy, unit=TABLE)
    with pytest.raises(QuarantineError, match="the target stays locked"):
        run.execute(ReleaseTarget)
    run.execute(DropDumps)
