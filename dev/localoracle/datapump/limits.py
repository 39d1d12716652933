"""What an instance lets Data Pump do: its edition, and the parameters that bound jobs.

MAX_DATAPUMP_JOBS_PER_PDB, MAX_DATAPUMP_PARALLEL_PER_JOB: Database Reference. What needs Enterprise Edition:
the parameters' pages in Oracle Database Utilities, and ORA-39094. The edition is switched with
`python -m localoracle control NAME edition standard|enterprise` and stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from localoracle.datapump.errors import stack

if TYPE_CHECKING:
    from localoracle.server.database import Database

EDITIONS = ("enterprise", "standard")
_COMPRESSION = ("ALL", "DATA_ONLY")


async def is_standard(database: Database) -> bool:
    """Whether the instance plays Standard Edition 2."""
    rows = await database.system("SELECT localoracle.fact('edition')")
    return bool(rows and rows[0][0] == "standard")


async def set_edition(database: Database, edition: str) -> None:
    """:raises ValueError: when there is no such edition."""
    if edition not in EDITIONS:
        raise ValueError(f"no edition {edition}; there are: {', '.join(EDITIONS)}")
    await database.system(
        "INSERT INTO localoracle.instance_facts VALUES ('edition', %s)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [edition],
    )


async def check_jobs(database: Database, running: int, owner: str, name: str) -> None:
    """Before one more job begins.

    Raises ORA-31626 over ORA-39391 when there are as many as may be.
    """
    limit = await _limit(database, "max_datapump_jobs_per_pdb")
    if running >= limit:
        raise stack((31626,), (31637, name, owner), (39391, limit))


async def degree(database: Database, wanted: int) -> int:
    """The degree that a job gets: the wanted one, or the instance's limit.

    Raises ORA-39002 over ORA-39094 for more than one in Standard Edition.
    """
    if wanted > 1 and await is_standard(database):
        raise stack((39002,), (39094,))
    return min(wanted, await _limit(database, "max_datapump_parallel_per_job"))


async def check_parameter(database: Database, operation: str, name: str, value: Any) -> None:
    """Raises ORA-39002 over ORA-00439 for a parameter that Standard Edition does not have."""
    compressed = name == "COMPRESSION" and str(value).upper() in _COMPRESSION
    encrypted = name == "ENCRYPTION_PASSWORD" or (name == "ENCRYPTION" and str(value).upper() != "NONE")
    if operation == "EXPORT" and (compressed or encrypted) and await is_standard(database):
        raise stack((39002,), (439, "Advanced Compression" if compressed else "Dump File Encryption"))


async def _limit(database: Database, parameter: str) -> int:
    """A limit in numbers; AUTO is half of SESSIONS. Raises ORA-39400 for what is no limit."""
    rows = await database.system(
        "SELECT (SELECT value FROM localoracle.parameters WHERE name = %s),"
        " (SELECT value FROM localoracle.parameters WHERE name = 'sessions')",
        [parameter],
    )
    text, sessions = str(rows[0][0] or "AUTO"), int(rows[0][1])
    if text.upper() == "AUTO":
        return sessions // 2
    if not text.isdigit():
        raise stack((39400, text, parameter))
    return int(text)
