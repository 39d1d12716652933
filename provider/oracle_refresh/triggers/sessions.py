"""The trigger of the preflight: opens the sessions that triggers of the run will need, in the triggerer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.hooks.sessions import described
from oracle_refresh.oracle.errors import databases_of
from oracle_refresh.oracle.session import close
from oracle_refresh.triggers import shared

log = logging.getLogger(__name__)


class SessionsTrigger(BaseTrigger):
    """Opens a session of each connection, closes it, and fires with the failures. A restart repeats it.

    :param conn_ids: Airflow connections of the definition.
    """

    def __init__(self, conn_ids: list[str]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.conn_ids = conn_ids

    def serialize(self) -> tuple[str, dict[str, Any]]:
        return f"{type(self).__module__}.{type(self).__qualname__}", {"conn_ids": self.conn_ids}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        began, failures = time.monotonic(), []
        outcomes = await asyncio.gather(*map(_open, self.conn_ids), return_exceptions=True)
        for conn_id, outcome in zip(self.conn_ids, outcomes, strict=True):
            if isinstance(outcome, Exception):
                found = described(outcome, next(iter(databases_of(outcome)), conn_id), "trigger")
                failures.append([found.object_name, found.message, list(found.codes), found.remedy])
        await asyncio.sleep(max(0.0, began + shared.FIRST_LOOK - time.monotonic()))
        yield TriggerEvent({"failures": failures})  # type: ignore[no-untyped-call]


async def _open(conn_id: str) -> None:
    open_session = await OracleRefreshHook(oracle_conn_id=conn_id).aopener("preflight")
    await asyncio.to_thread(lambda: close(open_session()))
    log.info("Opened a session of connection %s in the triggerer", conn_id)
