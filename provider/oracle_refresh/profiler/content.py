"""What a LOB holds, told by its first bytes. Pure.

Sources: the published signatures of the formats (PDF ISO 32000-1 7.5.2, PNG ISO 15948 5.2, JPEG ISO 10918-1
B.1, ZIP APPNOTE 4.3.7, Compound File MS-CFB 2.2, TIFF 6.0 section 2, RTF 1.9, DICOM PS3.10 7.1).
"""

from __future__ import annotations

import string

from oracle_refresh.profiler.recognise import contents

BEGINNING = 512
"""Bytes of a BLOB, or characters of a CLOB, that are looked at."""
LONG = 240
"""A text of more characters is prose or a document, not a field."""

_SIGNATURES: tuple[tuple[str, bytes], ...] = (
    ("file pdf", b"%PDF-"),
    ("file png", b"\x89PNG\r\n\x1a\n"),
    ("file jpeg", b"\xff\xd8\xff"),
    ("file gif", b"GIF8"),
    ("file tiff", b"II*\x00"),
    ("file tiff", b"MM\x00*"),
    ("file office", b"PK\x03\x04"),
    ("file office", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("file rtf", b"{\\rtf"),
    ("file bmp", b"BM"),
    ("file archive", b"\x1f\x8b"),
    ("file postscript", b"%!PS"),
)
_PRINTABLE = frozenset(string.printable.encode())


def marks(beginning: bytes) -> set[str]:
    """`file` and its format, `file text` for readable text with what it contains, or `unknown bytes`."""
    for mark, signature in _SIGNATURES:
        if beginning.startswith(signature):
            return {"file", mark}
    if beginning[4:8] == b"ftyp" or beginning[128:132] == b"DICM" or beginning[8:12] == b"WEBP":
        return {"file", "file media"}
    text = _text(beginning)
    if text is None:
        return {"unknown bytes"}
    return {"file text"} | text_marks(text) | contents(text)


def text_marks(text: str) -> set[str]:
    """Marks of a long text: `text`, and `markup` where it is XML, HTML or JSON."""
    start = text.lstrip()[:1]
    return {"text"} | ({"markup"} if start in ("<", "{", "[") else set())


def is_long(text: str) -> bool:
    return len(text) > LONG


def _text(beginning: bytes) -> str | None:
    if not beginning or b"\0" in beginning:
        return None
    for cut in range(4):  # the last character may have been cut in two
        try:
            return beginning[: len(beginning) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
    readable = sum(octet in _PRINTABLE for octet in beginning) / len(beginning)
    return beginning.decode("latin-1") if readable > 0.9 else None
