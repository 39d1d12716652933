"""What is to be measured, out of what somebody wishes and what there is. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from oracle_refresh.catalog.identity import DatabaseIdentity
from oracle_refresh.definition.model import (
    LARGEST_PIECE,
    MOST_FILES_AT_A_TIME,
    RefreshDefinition,
    Staging,
)
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.experience.store_advice import MOUNTED, STREAM
from oracle_refresh.labs.harness.trial import whole_numbers
from oracle_refresh.labs.store.model import KILOBYTE, PARTS, Calibration, Cell, Origin, mounted_ways
from oracle_refresh.oracle.errors import PlanError, PreflightError
from oracle_refresh.tuning.refusals import identity_refusals

STEP = "calibration of the store"
TRANSPORTS = PARTS[-1]
#: Parts that work with LINEITEM of TPC-H.
LINEITEM_PARTS = {"flat files", "dumps"}
MOST_NODES = 16
#: Of one store, with other options each.
MOST_PATHS = 8
#: Staging has no use for more.
MOST_USERS, LARGEST_BLOCK = MOST_FILES_AT_A_TIME, LARGEST_PIECE


def cells(ways: Sequence[str], blocks: Collection[int]) -> tuple[Cell, ...]:
    """Every block size on every way, the ways one after the other.

    :param blocks: bytes; whole KB.
    :raises PlanError: for none, or for sizes that are no whole KB between 1 KB and 64 MB.
    """
    wrong = sorted(block for block in blocks if block % KILOBYTE or not KILOBYTE <= block <= LARGEST_BLOCK)
    if wrong or not blocks:
        raise PlanError(
            f"blocks have whole KB from 1 to 65,536; not {', '.join(map(str, wrong)) or 'none'}",
            step=STEP,
        )
    return tuple(Cell(way, block) for way in ways for block in sorted(set(blocks)))


def ways(staging: Staging, paths: Sequence[str]) -> tuple[str, ...]:
    """The ways into the store that a definition leaves open.

    :param paths: that lead to the mount, each made with other options.
    :raises PlanError: if there is none, such as with storage that both ends share.
    """
    possible = (*((STREAM,) if staging.uses_store else ()), *mounted_ways(len(paths)))
    if not possible:
        raise PlanError(
            f"staging by {staging.transport.value} writes neither to a store nor to a mounted path",
            object_name=staging.mount,
            step=STEP,
            remedy="calibrate a definition whose staging.transport is auto, stream or mounted",
        )
    return possible


def numbers(chosen: Sequence[int] | str, what: str, most: int) -> tuple[int, ...]:
    """Each number once, in order.

    :raises PlanError: for anything but whole numbers from 1 to `most`.
    """
    read = whole_numbers(chosen, what, step=STEP, kind=PlanError, least=1, most=most, required=True)
    return tuple(sorted(set(read)))


def origin(definition: RefreshDefinition) -> Origin | None:
    """Where transports take their dump files from, if the definition leaves it open whether over a link."""
    staging = definition.staging
    if staging.transport is not StagingTransport.AUTO or staging.database_link is None:
        return None
    return Origin(definition.name, definition.source.conn_id, staging.source_directory, staging.database_link)


def transports(calibration: Calibration) -> tuple[StagingTransport, ...]:
    """What brings the same dump files: over the link first, then each way into the store that staging has."""
    planned = {cell.way for cell in calibration.cells}
    ways = (way for way in (STREAM, MOUNTED) if way in planned)
    return (StagingTransport.FILE_TRANSFER, *map(StagingTransport, ways))


def parts(chosen: Sequence[str] | str, linked: bool) -> tuple[str, ...]:
    """What is measured, in order; nothing named means everything. Dumps need the table of the flat files.

    :param chosen: a list, or a text with commas.
    :param linked: whether there is a database link, without which there is no choice of transports.
    :raises PlanError: for a name that is none, or transports without a link.
    """
    names = map(str.strip, (chosen if isinstance(chosen, str) else ",".join(chosen)).split(","))
    wanted = [name for name in names if name]
    if unknown := sorted(set(wanted) - set(PARTS)):
        raise PlanError(
            f"there is no part {', '.join(unknown)}", step=STEP, remedy=f"choose among {', '.join(PARTS)}"
        )
    if TRANSPORTS in wanted and not linked:
        raise PlanError(
            "there is no database link to measure",
            object_name=TRANSPORTS,
            step=STEP,
            remedy="name staging.database_link in the definition and leave staging.transport at auto",
        )
    possible = [part for part in PARTS if linked or part != TRANSPORTS]
    needed = set(wanted or possible) | ({"flat files"} if "dumps" in wanted else set())
    return tuple(part for part in PARTS if part in needed)


def most_bytes(calibration: Calibration) -> int:
    """Bytes that the store holds at a time, at most: parts clear up, but dumps need the flat files."""
    taken = {
        TRANSPORTS: calibration.flat_bytes,
        "blocks": max(len(calibration.nodes), 1) * max(calibration.users) * calibration.file_bytes,
        "small files": calibration.small_files * calibration.small_file_bytes,
        "flat files": calibration.flat_bytes,
        "dumps": 2 * calibration.flat_bytes,
    }
    return max(taken[part] for part in calibration.parts)


def paths(chosen: Sequence[str] | str, of_definition: Path | None) -> tuple[str, ...]:
    """Where this machine sees the mount, each path once: those named, or the definition's `mounted_path`.

    :param chosen: a list, or a text with a path in each line.
    :raises PlanError: for a path that is not absolute, or more than `MOST_PATHS`.
    """
    named = chosen.splitlines() if isinstance(chosen, str) else map(str, chosen)
    wanted = tuple(dict.fromkeys(path for each in named if (path := each.strip())))
    if wrong := [path for path in wanted if not path.startswith("/")]:
        raise PlanError(f"not absolute: {', '.join(wrong)}", object_name="mounted paths", step=STEP)
    if len(wanted) > MOST_PATHS:
        raise PlanError(f"at most {MOST_PATHS} mounts are compared", object_name="mounted paths", step=STEP)
    return wanted or ((str(of_definition),) if of_definition else ())


def nodes(chosen: Sequence[str] | str) -> tuple[str, ...]:
    """The queues of the nodes that measure at the same time, each once; none means that no nodes do.

    :param chosen: a list, or a text with commas.
    :raises PlanError: for one alone, which is what the matrix measures, or more than `MOST_NODES`.
    """
    names = map(str.strip, (chosen if isinstance(chosen, str) else ",".join(chosen)).split(","))
    wanted = tuple(dict.fromkeys(filter(None, names)))
    if len(wanted) == 1 or len(wanted) > MOST_NODES:
        raise PlanError(
            f"2 to {MOST_NODES} nodes measure at the same time, not {len(wanted)}",
            object_name="nodes",
            step=STEP,
        )
    return wanted


def require_permitted(identity: DatabaseIdentity, denied: Collection[str]) -> None:
    """Refuse a database that may not be changed, such as one that answers to a name on the deny list.

    :raises PreflightError: with what speaks against it.
    """
    if refusals := identity_refusals(identity, denied):
        raise PreflightError(
            f"the target may not be calibrated: {'; '.join(refusals)}",
            object_name=identity.db_unique_name,
            step=STEP,
            remedy="name another target, or correct the definition",
        )
