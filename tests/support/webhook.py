"""A webhook of a chat: keeps what is posted to it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

SECRET = "T0P/s3cr3t"


class Webhook(HTTPServer):
    """Keeps what is posted, and answers with a status of one's choice."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status, self.posts = 200, list[tuple[str, Any]]()

    @property
    def connection(self) -> str:
        """An Airflow connection to it, as JSON: the end of the URL is the password."""
        host = f"http://127.0.0.1:{self.server_port}/hooks/"
        return json.dumps({"conn_type": "http", "host": host, "password": SECRET})

    @property
    def texts(self) -> list[str]:
        return [str(body["text"]) for _, body in self.posts]


class _Handler(BaseHTTPRequestHandler):
    server: Webhook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append((self.path, json.loads(body)))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def a_webhook() -> Iterator[Webhook]:
    server = Webhook()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
