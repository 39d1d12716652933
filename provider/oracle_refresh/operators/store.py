"""The place in the target where dump files are staged: set up before the first, cleared after the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.dbfs.set_up import STORE, StoreSetUp, set_up_store, tear_down_store
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.transport.dump_files import drop_dumps
from oracle_refresh.transport.registry import transport_of

if TYPE_CHECKING:
    from airflow.sdk import Context


class PrepareStage(RefreshOperator):
    """Sets up where dump files are staged: the DBFS store of the target, or a look at the mounted path.

    What is missing of the store is made: tablespace, file system, registration, mount, properties. The
    tablespace has to have room for the dump files that the plan expects. Returns the parts that were made.
    Use it as a setup, and `DropDumps` as its teardown. With the transport `mounted` the mount is looked at
    on the worker that runs the task; the other transports leave nothing to do, nor does a database link that
    the rows travel over.
    """

    def execute(self, context: Context) -> list[str]:
        definition = self.read_refresh()
        staging = definition.staging
        for objection in transport_of(definition).preflight(staging):
            self.log.warning("%s", objection)
        if not definition.uses_store:
            return []
        with self.refresh_run(context) as run:
            estimate = sum(job.estimate_bytes for job in run.documents.all(JOB))
            made = set_up_store(run.target, definition, run.id, estimate)
            run.documents.put(STORE, WHOLE, made)
        self.log.info(
            "store %s: made %s; %.0f of %.0f MB of the tablespace %s are needed",
            made.store,
            ", ".join(made.made) or "nothing",
            made.needed / 1e6,
            made.room.bytes / 1e6,
            made.room.tablespace,
        )
        if not made.visible:
            self._tell_how_to_mount(made, staging.target_directory)
            if definition.transports[0].writes_to == "store":
                raise StagingError(
                    f"the target's server does not see the store's files in its DIRECTORY"
                    f" {staging.target_directory}",
                    object_name=made.store,
                    step="stage",
                    remedy="mount the DBFS on the target's host by the commands in this log, and let the"
                    f" DIRECTORY point at its folder {staging.mount}",
                )
        return list(made.made)

    def _tell_how_to_mount(self, made: StoreSetUp, directory: str) -> None:
        self.log.warning(
            "DIRECTORY %s does not show the store; to mount it:\n%s", directory, "\n".join(made.commands)
        )


class DropDumps(RefreshOperator):
    """Ends what the run has left at work and removes its dump files at both ends: they hold unmasked rows.

    Logs stay. What the run has made of the store goes too, where the definition says
    `staging.store.keep: false`. Use it as a teardown: a run that failed or was marked so leaves no Data Pump
    job behind.
    """

    def execute(self, context: Context) -> int:
        with self.refresh_run(context) as run:
            dropped = drop_dumps(run.source, run.target, run.refresh_definition, run.id)
            parts = (
                tear_down_store(run.target, run.refresh_definition, run.id)
                if run.refresh_definition.uses_store
                else ()
            )
        if dropped.jobs:
            self.log.warning("ended jobs that were still there: %s", ", ".join(dropped.jobs))
        self.log.info("Removed %s", counted(len(dropped.files), "dump file"))
        for check in dropped.checks:
            if not check.holds:
                self.log.warning("unmasked rows may be left: %s", check)
        if parts:
            self.log.info("removed of the store: %s", ", ".join(parts))
        return len(dropped.files)
