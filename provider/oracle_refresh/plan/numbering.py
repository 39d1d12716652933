"""Drafts of jobs become jobs: ids, names, files, order of start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.catalog.model import Table
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import ExportJob, Scheme
from oracle_refresh.plan.names import dump_file, job_name
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.schemes import Piece

LETTERS: dict[Scheme, str] = {"bulk": "B", "whole_table": "W"}


@dataclass(frozen=True)
class Draft:
    """A job before it has an id, with the work of each of its workers."""

    tables: tuple[Table, ...]
    scheme: Scheme
    bytes: int
    works: tuple[int, ...]
    piece: Piece | None = None


def number(
    drafts: Sequence[Draft], refresh: str, run_id: str, release: tuple[int, ...], pace: Pace
) -> tuple[ExportJob, ...]:
    """Jobs from drafts that stand in the order in which they start."""
    jobs, taken = [], Counter[str]()
    for position, draft in enumerate(drafts):
        letter = LETTERS.get(draft.scheme, "S")
        taken[letter] += 1
        job_id = f"{letter}{taken[letter]:03d}"
        name = job_name(refresh, run_id, job_id)
        piece = draft.piece or Piece(draft.bytes, None)
        jobs.append(
            ExportJob(
                id=job_id,
                job_name=name,
                kind="shard" if draft.piece else "bulk",
                tables=tuple(TableName(table.owner, table.name) for table in draft.tables),
                scheme=draft.scheme,
                modulus=piece.modulus,
                remainder=piece.remainder,
                predicate=piece.predicate,
                parallel=len(draft.works),
                dump_file=dump_file(name, len(draft.works), release),
                estimate_bytes=draft.bytes,
                priority=len(drafts) - position,
                partitions=piece.partitions,
                expected_seconds=pace.seconds(max(draft.works)),
            )
        )
    return tuple(jobs)
