"""What an instance can play for clients that have to know it: a pluggable database, a Data Guard primary.

Only the views and the rules of ALTER SYSTEM and ALTER DATABASE take notice: there is neither a container nor
a standby database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.server.database import Database

CONTAINERS = ("pdb", "root", "none")
ROLES = ("primary-with-standby", "primary")


async def play_container(database: Database, name: str) -> str:
    """SYS_CONTEXT shows it in new sessions. Raises ValueError when there is no such container."""
    await _play(database, "container", name, CONTAINERS)
    database.container = name
    return name


async def restore(database: Database) -> None:
    """At the start of the server: play on."""
    ((database.container,),) = await database.system("SELECT localoracle.container()")


def context(container: str, database_name: str) -> dict[str, str]:
    """CON_ID and CON_NAME of SYS_CONTEXT('USERENV', ...)."""
    number, name = {"none": ("0", database_name), "root": ("1", "CDB$ROOT"), "pdb": ("3", database_name)}[
        container
    ]
    return {"con_id": number, "con_name": name}


async def play_role(database: Database, name: str) -> str:
    """:raises ValueError: when there is no such role."""
    return await _play(database, "role", name, ROLES)


async def _play(database: Database, fact: str, name: str, names: tuple[str, ...]) -> str:
    if name not in names:
        raise ValueError(f"no {fact} {name}; there are: {', '.join(names)}")
    await database.system(
        "INSERT INTO localoracle.instance_facts VALUES (%s, %s)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [fact, name],
    )
    return name
