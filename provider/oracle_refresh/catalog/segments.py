"""What the segments of the schemas hold: bytes, blocks, kind of tablespace, also by partition.

Source: Database Reference 19c, DBA_SEGMENTS, DBA_TAB_PARTITIONS, DBA_LOB_PARTITIONS. Partitions have segments
of their own under the name of the table, index or LOB; those of a LOB have names of their own besides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.model import Partition
from oracle_refresh.catalog.rows import Read
from oracle_refresh.oracle.identifiers import ObjectName, TableName


@dataclass(frozen=True)
class Size:
    """Of one segment, or of all those that share owner, name and kind."""

    bytes: int = 0
    blocks: int = 0
    bigfile: bool = False

    def __add__(self, other: Size) -> Size:
        return Size(self.bytes + other.bytes, self.blocks + other.blocks, self.bigfile or other.bigfile)


class Segments:
    """Sizes by owner, name and what the segment belongs to: TABLE, INDEX, LOB, CLUSTER ..."""

    def __init__(self, read: Read) -> None:
        self._whole: dict[tuple[str, str, str], Size] = defaultdict(Size)
        self._parts: dict[tuple[str, str, str, str], Size] = {}
        for owner, name, kind, partition, size, blocks, bigfile in read(statements.SEGMENTS):
            key = (owner, name, kind.split()[0].removesuffix("SEGMENT"))
            segment = Size(int(size or 0), int(blocks or 0), bigfile == "YES")
            self._whole[key] += segment
            if partition is not None:
                self._parts[*key, partition] = segment

    def table(self, table: TableName) -> Size:
        return self._whole[*table, "TABLE"]

    def index(self, index: ObjectName) -> Size:
        return self._whole[*index, "INDEX"]

    def lob_bytes(self, owner: str, segment: str) -> int:
        return self._whole[owner, segment, "LOB"].bytes

    def part(self, owner: str, name: str, kind: str, partition: str) -> int:
        """Bytes of one partition; 0 where it has no segment yet, and for composite partitions."""
        return self._parts.get((owner, name, kind, partition), Size()).bytes


class Partitions:
    """The partitions of every table with what their LOBs hold."""

    def __init__(self, read: Read, segments: Segments) -> None:
        self._segments = segments
        self._rows: dict[TableName, list[tuple[str, int, bool, bool]]] = defaultdict(list)
        closed = set(read(statements.READ_ONLY_SUBPARTITIONS))
        for owner, table, partition, position, composite, read_only in read(statements.PARTITIONS):
            whole = (owner, table, partition) in closed if composite == "YES" else read_only == "YES"
            row = (partition, int(position), composite == "YES", whole)
            self._rows[TableName(owner, table)].append(row)
        self._lobs: dict[tuple[str, str, str], int] = defaultdict(int)
        for owner, table, lob, lob_partition, partition in read(statements.LOB_PARTITIONS):
            self._lobs[owner, table, partition] += segments.part(owner, lob, "LOB", lob_partition)

    def of(self, table: TableName, tops: Sequence[ObjectName]) -> tuple[Partition, ...]:
        """The partitions of a table; `tops` are the indexes that an index-organized table lives in."""
        segments = [(*index, "INDEX") for index in tops] or [(*table, "TABLE")]
        return tuple(
            Partition(
                name=name,
                position=position,
                composite=composite,
                bytes=sum(self._segments.part(*segment, name) for segment in segments),
                lob_bytes=self._lobs[*table, name],
                read_only=read_only,
            )
            for name, position, composite, read_only in self._rows.get(table, ())
        )
