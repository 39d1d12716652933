"""How the CREATE INDEX of the source is written for the target. Pure.

Sources: CREATE INDEX, ALTER INDEX and constraint (using_index_clause) in SQL Language Reference 19c.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from oracle_refresh.catalog.model import Index, Table
from oracle_refresh.target.objects import ddl

#: DBMS_METADATA says COMPUTE STATISTICS of an index that has some. Where the table's are locked that is an
#: error (ORA-38029); they are gathered later anyway.
_PHYSICAL = frozenset({"PARALLEL", "NOPARALLEL", "LOGGING", "NOLOGGING", "COMPUTE", "STATISTICS"})


@dataclass(frozen=True)
class BuildMode:
    """How an index is built: by so many parallel processes, and without redo for its blocks."""

    degree: int

    @property
    def clauses(self) -> str:
        return (f" PARALLEL {self.degree:d}" if self.degree > 1 else "") + " NOLOGGING"


def lasting_clauses(degree: str, logging: str | None) -> str:
    """What an index is to keep, said as it is created.

    :param degree: as in DBA_INDEXES: a number, or DEFAULT.
    :param logging: likewise; None of a partitioned one.
    """
    if degree == "DEFAULT":
        parallel = " PARALLEL"
    else:
        parallel = f" PARALLEL {int(degree):d}" if degree.isdigit() and int(degree) > 1 else ""
    return parallel + (" NOLOGGING" if logging == "NO" else " LOGGING")


def takes_build_mode(table: Table, index: Index) -> bool:
    """Whether PARALLEL and NOLOGGING may be said of an index, by CREATE and by ALTER.

    Not of one on a temporary table (ORA-14451), nor of a domain index (ORA-29850, ORA-29871).
    """
    return not table.temporary and not index.type.endswith("DOMAIN")


def rebuild_mode(table: Table, index: Index, kind: str, mode: BuildMode) -> str:
    """What REBUILD PARTITION or SUBPARTITION may say of how it is done.

    Nothing of a local index's partition where the table is partitioned by hash, nor of a subpartition
    (ALTER INDEX, "Restrictions on Rebuilding Indexes" and "Restriction on Modifying Index Subpartitions").
    """
    silent = kind == "SUBPARTITION" or table.partitioning == "HASH"
    return "" if silent or not takes_build_mode(table, index) else mode.clauses


def create_index(statement: str, table: Table, index: Index, clauses: str) -> str:
    """The source's CREATE INDEX with clauses of `BuildMode` or `lasting_clauses`, where it takes them."""
    if not takes_build_mode(table, index):
        return statement
    return ddl.without_clauses(statement, _PHYSICAL) + clauses


def key_properties(statement: str) -> str:
    """What USING INDEX says of a key's own index, from the source's CREATE INDEX: how it is partitioned.

    Neither its name, which the key gives it, nor PARALLEL, which USING INDEX does not take.
    """
    plain = ddl.without_clauses(statement, _PHYSICAL)
    return plain[ddl.end_of_columns(plain) :].rstrip()


def unlisted(text: str) -> str:
    """A CREATE INDEX, or what USING INDEX says, without the partitions behind LOCAL.

    They are as many as those of the table the text was read of. Another table, or the same one later, may
    have others that rows have made (ORA-14024).
    """
    tokens, depth = list(ddl.tokens(text)), 0
    for token, following in pairwise(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "symbol" else 0
        if not depth and (token.kind, token.text) == ("word", "LOCAL") and following.text == "(":
            return text[: token.end] + text[ddl.end_of_columns(text, following.start) :]
    return text
