"""Where a run may have dump files: what the ledger notes of it, whatever becomes of the definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog.identity import identify
from oracle_refresh.datapump.options import counted
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import RUNNING, Ledger
from oracle_refresh.transport.areas import AREAS
from oracle_refresh.transport.stage import areas_written
from oracle_refresh.transport.statements import DUMPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import oracledb

    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.plan.model import ExportJob


@dataclass(frozen=True)
class Places(Jsonable):
    """Where dump files of a run may lie at both ends. The transport and the size of files may be other ones
    in every run, and even in every task of one.

    :ivar source: the source's DIRECTORY.
    :ivar target: the target's DIRECTORY.
    :ivar store: name of the target's DBFS store.
    :ivar mount: where it is mounted.
    :ivar areas: which of the two may have files, of `AREAS`. None: those that the definition writes to, if
        they are there.
    :ivar numbered: whether names were given a counter: where the size of files was limited, where not.
    :ivar reach: the highest number of a file that who removes them has found at the source. Nothing else may
        lead to one that could not be removed.
    """

    source: str
    target: str
    store: str
    mount: str
    areas: tuple[str, ...] | None
    numbered: tuple[bool, ...]
    reach: int = 0

    @classmethod
    def of(cls, definition: RefreshDefinition) -> Places:
        """Those of runs with this definition."""
        staging = definition.staging
        return cls(
            staging.source_directory,
            staging.target_directory,
            staging.store.name,
            staging.mount,
            areas_written(definition),
            (definition.datapump.file_size is not None,),
        )

    def as_noted(self, noted: Mapping[str, Any]) -> Places:
        """The same places, of which areas and counters are noted. What a note does not tell is possible."""
        reach = int(noted.get("reach", 0))
        areas, numbered = noted.get("areas", sorted(AREAS)), noted.get("numbered", [False, True])
        return replace(
            self, areas=None if areas is None else tuple(areas), numbered=tuple(numbered), reach=reach
        )

    def beside(self, other: Places) -> Places:
        """These and the same others."""
        return replace(
            self,
            areas=tuple(sorted({*(self.areas or ()), *(other.areas or ())})),
            numbered=tuple(sorted({*self.numbered, *other.numbered})),
            reach=max(self.reach, other.reach),
        )

    def others(self, noted: Mapping[str, Any]) -> list[str]:
        """The noted places that are not these, in words."""
        words = {
            "source": "DIRECTORY {} of the source",
            "target": "DIRECTORY {} of the target",
            "store": "the store {}",
            "mount": "the mount {}",
        }
        return [
            words[name].format(noted[name])
            for name, place in self.to_json().items()
            if name in words and noted.get(name, place) != place
        ]

    def patterns(self, job: ExportJob) -> Iterator[str]:
        """The templates of a job's dump files."""
        names = (counted(job.dump_file) if each else job.dump_file for each in self.numbered)
        return iter(dict.fromkeys(names))


def noted_places(ledger: Ledger, definition: RefreshDefinition) -> Places:
    """Where the run may have dump files by now.

    :raises StagingError: if the run has noted places that the definition does not name.
    """
    here, entry = Places.of(definition), ledger.entry(DUMPS, WHOLE)
    if entry is None or entry.state != RUNNING:
        return replace(here, areas=None)  # none is known of
    if others := here.others(entry.detail):
        raise elsewhere(ledger.run_id, ", ".join(others))
    return here.as_noted(entry.detail)


def require_its_source(ledger: Ledger, source: oracledb.Connection) -> None:
    """Pass if the run exported from this very database, or has not exported at all.

    :raises StagingError: otherwise.
    """
    if ledger.entry(DUMPS, WHOLE) is None:
        return
    frozen = Documents(ledger.connection, ledger.run_id).find(FROZEN, WHOLE)
    if frozen is not None and not frozen.source.same_database(identify(source)):
        raise elsewhere(ledger.run_id, f"the database {frozen.source.db_unique_name}")


def elsewhere(run_id: str, place: str) -> StagingError:
    """Nobody may look in one place and say that nothing is left in another."""
    return StagingError(
        f"they lie in {place}, where this definition does not lead to",
        object_name=run_id,
        step="dump files",
        remedy="remove them with the definition and the source that the run exported with: airflow"
        f" oracle-refresh drop-dumps --definition NAME --run-id {run_id}; with --gone if there is no such"
        " place any more",
    )
