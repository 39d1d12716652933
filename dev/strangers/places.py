"""Where things are: what is fetched, what runs, what is found, all below `.local/strangers`."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".local" / "strangers"
CLIENTS = Path(__file__).resolve().parent / "clients"
RESULTS = FOLDER / "results.json"


def folder(suite: str) -> Path:
    place = FOLDER / suite
    place.mkdir(parents=True, exist_ok=True)
    return place


def environment(**variables: str) -> dict[str, str]:
    """Of a stranger's process: nothing of this project's environment is to be seen in it."""
    kept = {
        name: text
        for name, text in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV") and not name.startswith(("AIRFLOW", "LOCALORACLE"))
    }
    return {**kept, **variables}
