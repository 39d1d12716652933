"""The FastAPI application behind the tab and the page: static files without data, and routes that ask who."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from oracle_refresh.monitor.page.routes import router

URL_PREFIX = "/oracle-refresh"
STATIC = Path(__file__).parent / "static"


class PluginApp(FastAPI):
    """Remembers the application of Airflow that it is mounted in, whose REST API the routes ask."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope["airflow"] = scope.get("app")
        await super().__call__(scope, receive, send)


def create_app() -> FastAPI:
    """The application. The static files hold no data; every route with data needs a user with the right to
    read it: 401 without one, 403 without the right."""
    app = PluginApp(title="Oracle refresh", docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app
