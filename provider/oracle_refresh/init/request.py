"""What a first definition is to be about, as the command line or the terminal has said it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from oracle_refresh.init.files import Files


@dataclass(frozen=True)
class Request:
    """:ivar source: its Airflow connection.
    :ivar target: its Airflow connection.
    :ivar key: Airflow connection whose password is the masking key.
    :ivar signed_by: who answers for columns that no algorithm fits or nothing classifies; None: nobody yet.
    :ivar lookups: folder of lookup files; None: that of the layout.
    """

    files: Files
    source: str
    target: str
    key: str
    schemas: tuple[str, ...]
    signed_by: str | None = None
    lookups: Path | None = None
    overwrite: bool = False
