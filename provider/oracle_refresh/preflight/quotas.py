"""Whether the owners of the target's schemas may fill the tablespaces that their tables are built in.

The quota that counts is that of the schema's owner, whoever builds the table or loads it.

Sources: SQL Language Reference 19c, CREATE TABLE, "Prerequisites", and CREATE USER, "QUOTA Clause"; Database
Reference 19c, DBA_TS_QUOTAS; Error Messages 19c, ORA-01950 and ORA-01536.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.definition import Prepare, RefreshDefinition
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight import statements

if TYPE_CHECKING:
    import oracledb

#: MAX_BYTES of a quota without a limit.
UNLIMITED = -1


@dataclass(frozen=True)
class Quotas:
    """What the owners of the schemas may use at the target."""

    tablespaces: dict[str, str] = field(hash=False)
    """Default tablespace by schema; schemas without an owner are not in it."""
    bytes: dict[tuple[str, str], int] = field(hash=False)
    """By owner and tablespace; `UNLIMITED` where there is no limit."""
    used: dict[tuple[str, str], int] = field(hash=False)
    """Bytes that are charged to the owner already, by owner and tablespace."""
    unlimited: frozenset[str]
    """Owners with UNLIMITED TABLESPACE."""


def read_quotas(target: oracledb.Connection, schemas: tuple[str, ...]) -> Quotas:
    """Read what the owners may use. Needs SELECT_CATALOG_ROLE."""
    quotas = list(rows(target, statements.OWNERS_QUOTAS, names=schemas))
    return Quotas(
        dict(rows(target, statements.DEFAULT_TABLESPACES, names=schemas)),
        {(owner, name): int(most) for owner, name, most, _ in quotas},
        {(owner, name): int(used) for owner, name, _, used in quotas},
        frozenset(owner for (owner,) in rows(target, statements.WITHOUT_QUOTAS, names=schemas)),
    )


def read_placed(source: oracledb.Connection, schemas: tuple[str, ...]) -> list[tuple[str, str, int]]:
    """Owner, tablespace and bytes of what the schemas hold at the source."""
    return [
        (owner, name, int(size)) for owner, name, size in rows(source, statements.PLACED_BYTES, names=schemas)
    ]


def check_quotas(
    definition: RefreshDefinition, placed: Iterable[tuple[str, str, int]], quotas: Quotas
) -> list[Finding]:
    """A finding per owner and tablespace whose quota is missing, or smaller than what the source holds. Where
    this comes beside the former tables, what is used already counts as well.

    Segments go to the owner's default tablespace, unless `storage.tablespaces` names another. Pure.
    """
    wanted: Counter[tuple[str, str]] = Counter()
    for owner, tablespace, size in placed:
        if owner in quotas.tablespaces and owner not in quotas.unlimited:
            there = definition.storage.tablespaces.get(tablespace, quotas.tablespaces[owner])
            wanted[owner, there] += size
    beside = definition.prepare is Prepare.BESIDE
    findings = []
    for (owner, tablespace), size in sorted(wanted.items()):
        quota = quotas.bytes.get((owner, tablespace), 0)
        used = quotas.used.get((owner, tablespace), 0) if beside else 0
        user, name = Identifier(owner).written, Identifier(tablespace).written
        mend = f"ALTER USER {user} QUOTA UNLIMITED ON {name}"
        if quota == 0:
            findings.append(
                error(
                    "NO_QUOTA",
                    f"{user} of the target has no quota on tablespace {name}, in which its tables are built"
                    " (ORA-01950)",
                    "let a DBA grant one",
                    mend,
                )
            )
        elif quota != UNLIMITED and quota < used + size:
            findings.append(
                warning(
                    "LITTLE_QUOTA",
                    f"the quota of {user} on tablespace {name} of the target is {quota:,} bytes, and the"
                    f" source holds {size:,} (ORA-01536)"
                    + (f", which come beside the {used:,} that are used already" if beside else ""),
                    "let a DBA raise it" + (", or let `prepare` replace the tables" if beside else ""),
                    mend,
                )
            )
    return findings
