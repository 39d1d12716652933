"""What is remembered about the instance as a whole (localoracle.instance_facts)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.session.session import Session


async def set_fact(session: Session, name: str, value: str) -> None:
    """Store one fact; V$DATABASE and V$INSTANCE show it."""
    await session.database.system(
        "INSERT INTO localoracle.instance_facts VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value ="
        " excluded.value",
        [name, value],
    )
