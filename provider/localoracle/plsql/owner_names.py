"""Names in a stored unit are those of its owner's schema, whoever creates it.

PL/SQL Language Reference, "PL/SQL Name Resolution".
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.session.session import Session


@asynccontextmanager
async def names_of(session: Session, owner: str) -> AsyncIterator[None]:
    """The session sees names as the owner does."""
    before = session.current_schema
    await _look_from(session, owner)
    try:
        yield
    finally:
        await _look_from(session, before)


async def _look_from(session: Session, schema: str) -> None:
    if session.current_schema != schema:
        session.current_schema = schema
        await session.configure("search_path", session.database.search_path(schema))
