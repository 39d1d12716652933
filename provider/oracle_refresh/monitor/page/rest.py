"""Airflow's public REST API, asked in its own process with the credentials of the request being served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import httpx
from fastapi import HTTPException

if TYPE_CHECKING:
    from fastapi import Request

#: Airflow's own default of `[api] maximum_page_limit`; where it is lower, pages are shorter.
PAGE = 100
#: Requests at the same time: each takes a thread and a database session of the API server.
AT_ONCE = 4
#: Headers by which Airflow recognises a user: a token, or the cookie of the UI.
CREDENTIALS = ("authorization", "cookie")

BASE = "http://airflow"
Answer = TypeVar("Answer")

# A look at a run takes up to 50 requests, each of which httpx would log.
logging.getLogger("httpx").addFilter(lambda record: f"{BASE}/" not in record.getMessage())


class AirflowApi:
    """The REST API for one user. Get it with `asked_by`."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def get(self, *path: str, **parameters: Any) -> dict[str, Any]:
        """Return the answer of `/api/v2/PATH`.

        :raises HTTPException: with the status by which Airflow refuses it, such as 401, 403 or 404.
        """
        return self._taken(await self._asked("GET", path, params=parameters))

    async def find(self, *path: str, **parameters: Any) -> dict[str, Any] | None:
        """Return the answer of `/api/v2/PATH`, None where there is none such."""
        try:
            return await self.get(*path, **parameters)
        except HTTPException as refused:
            if refused.status_code == 404:
                return None
            raise

    async def collect(self, entries: str, *path: str, **parameters: Any) -> list[dict[str, Any]]:
        """Return all entries of a collection, page by page.

        :param entries: the name that the collection has in the answer.
        """
        first = await self.get(*path, limit=PAGE, **parameters)
        found: list[dict[str, Any]] = first[entries]
        step, total = len(found), first["total_entries"]
        pages = await self.all(
            self.get(*path, limit=step, offset=offset, **parameters)
            for offset in (range(step, total, step) if step else ())
        )
        return [*found, *(each for page in pages for each in page[entries])]

    async def run(self, dag_id: str, run_id: str) -> dict[str, Any]:
        """Return a DAG run.

        From a list: for a single run, Airflow 3.3 reads all its task instances (0.3 s for 3,000).

        :raises HTTPException: 404 where there is no such run.
        """
        found = await self.collect("dag_runs", "dags", dag_id, "dagRuns", run_id_pattern=run_id)
        for each in found:
            if each["dag_run_id"] == run_id:
                return each
        raise HTTPException(404, "there is no such run")

    async def latest_runs(self, dag_ids: list[str], most: int, **filters: str) -> list[dict[str, Any]]:
        """Return the latest runs of some DAGs, the latest first."""
        body = {"dag_ids": dag_ids, "order_by": "-run_after", "page_limit": most, **filters}
        found = self._taken(await self._asked("POST", ("dags", "~", "dagRuns", "list"), json=body))
        runs: list[dict[str, Any]] = found["dag_runs"]
        return runs

    async def all(self, asked: Iterable[Awaitable[Answer]]) -> list[Answer]:
        """Return the answers of several requests, in their order."""
        return list(await asyncio.gather(*asked))

    @staticmethod
    def _taken(answer: httpx.Response) -> dict[str, Any]:
        if answer.status_code != 200:
            raise HTTPException(answer.status_code, "Airflow refuses to answer")
        found: dict[str, Any] = answer.json()
        return found

    async def _asked(self, method: str, path: tuple[str, ...], **given: Any) -> httpx.Response:
        address = "/api/v2/" + "/".join(quote(part, safe="~") for part in path)
        async with self._slots:
            return await self._client.request(method, address, **given)


@asynccontextmanager
async def asked_by(request: Request) -> AsyncIterator[AirflowApi]:
    """The REST API for the user who makes this request."""
    headers = {name: request.headers[name] for name in CREDENTIALS if name in request.headers}
    transport = httpx.ASGITransport(app=request.scope["airflow"], raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        yield AirflowApi(client)
