"""Rows with LOBs: the real files of the Python installation, and the LOB sizes of a published study."""

from __future__ import annotations

import hashlib
import mimetypes
import os
import random
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from localoracle.demo.people import SEED

DOCUMENT_BYTES = 170_000_000
"""Bytes of LOBs in DOCS.DOCUMENTS at scale 1."""
TEST_ROWS = 25_000
"""Rows of TEST.TESTTABLE at scale 1."""
MAXIMUM_BODY = 4 << 20
MAXIMUM_TEXT = 1 << 20

# The study's TEST.TESTTABLE of a million rows: 641,309 LOBs NULL, 31,459 of up to 4,000 bytes, 327,232 of
# more, at most 8,000; 7,389 bytes on average.
_NULL, _SMALL = 0.641309, 0.031459

Row = tuple[Any, ...]


def files() -> list[str]:
    """The files of the standard library and the installed packages, always in the same, mixed order."""
    roots = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")]
    paths = {f"{os.path.basename(root)}{path[len(root) :]}": path for root in roots for path in _files(root)}
    names = sorted(paths, key=lambda name: hashlib.md5(name.encode()).digest())
    return [paths[name] for name in names]


def _files(folder: str) -> Iterator[str]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                yield entry.path
            elif entry.is_dir(follow_symlinks=False) and entry.name not in ("__pycache__", "site-packages"):
                yield from _files(entry.path)


def documents(scale: float, domains: list[str]) -> Iterator[Row]:
    """The columns of DOCS.DOCUMENTS in their order, until there are enough bytes of LOBs."""
    wanted = DOCUMENT_BYTES * scale
    draw = random.Random(SEED + 6)
    paths = files()
    number = written = 0
    for repetition in range(1_000):
        for path in paths:
            try:
                status = os.stat(path)
                if status.st_size > MAXIMUM_BODY:
                    continue
                with open(path, "rb") as file:
                    body = file.read()
            except OSError:
                continue
            text = _text(body)
            number += 1
            name = path[-900:] if repetition == 0 else f"copy {repetition}/{path[-900:]}"
            kind = mimetypes.guess_type(os.path.basename(path))[0] or "application/octet-stream"
            author = f"author{draw.randrange(500)}@{draw.choice(domains)}" if draw.random() > 0.2 else None
            stored = datetime.fromtimestamp(int(status.st_mtime), UTC).replace(tzinfo=None)
            yield number, name, kind, author, body or None, text, stored
            written += len(body) + (len(text) if text else 0)
            if written >= wanted:
                return


def _text(body: bytes) -> str | None:
    if len(body) > MAXIMUM_TEXT or b"\0" in body:
        return None
    try:
        return body.decode("utf-8") or None
    except UnicodeDecodeError:
        return None


def test_table(scale: float) -> Iterator[Row]:
    """ID, LABEL, PAYLOAD with the study's distribution; the bytes cannot be compressed."""
    draw = random.Random(SEED + 7)
    for number in range(1, max(1, round(TEST_ROWS * scale)) + 1):
        kind = draw.random()
        payload = None
        if kind >= _NULL + _SMALL:
            # Most are nearly 8,000 bytes: the mean of u**42 puts the overall mean where the study found it.
            payload = draw.randbytes(8000 - int(3999 * draw.random() ** 42))
        elif kind >= _NULL:
            payload = draw.randbytes(draw.randrange(1, 4001))
        yield number, f"row {number}", payload
