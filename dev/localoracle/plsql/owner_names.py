"""Names in a stored unit are those of its owner's schema, whoever creates it; and what counts while it runs.

PL/SQL Language Reference, "PL/SQL Name Resolution", "Invoker's Rights and Definer's Rights".
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


@asynccontextmanager
async def rights_of(session: Session, owner: str, *, definers: bool = True) -> AsyncIterator[None]:
    """While a unit of the owner's is compiled or runs: its names, and with definer's rights no roles."""
    async with names_of(session, owner):
        if not definers:
            yield
            return
        async with session.acting.as_owner(owner):
            yield


async def _look_from(session: Session, schema: str) -> None:
    if session.current_schema != schema:
        session.current_schema = schema
        await session.settings.set("search_path", session.database.search_path(schema))
