"""What becomes of characters that the database's character set does not have.

PostgreSQL keeps all text in UTF-8. Where the database was created with a single-byte character set, texts
that come in (statements, VARCHAR2 and CLOB binds, LOB writes) are converted as Oracle converts them: a
character that the set lacks becomes its replacement character (Database Globalization Support Guide,
"Choosing a Character Set", data loss during conversion). NVARCHAR2 and NCLOB keep all characters.
"""

from __future__ import annotations

import codecs

from localoracle.instance.creation import created_with

# Database Globalization Support Guide, "Character Set IDs" of NLS_CHARSET_ID.
NUMBERS = {"AL32UTF8": 873, "WE8MSWIN1252": 178}
_CODECS = {"WE8MSWIN1252": "cp1252"}
_REPLACEMENT = "¿"


def _replaced(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return _REPLACEMENT * (error.end - error.start), error.end


codecs.register_error("oracle", _replaced)


def encoding() -> str:
    """Python's codec for the database's character set."""
    return _CODECS.get(created_with().character_set, "utf-8")


def converted(text: str) -> str:
    """The text as the database's character set holds it."""
    codec = encoding()
    if codec == "utf-8" or text.isascii():
        return text
    return text.encode(codec, "oracle").decode(codec)


def encoded(text: str) -> bytes:
    """The bytes of a VARCHAR2 in the database's character set."""
    return text.encode(encoding(), "oracle")


def decoded(data: bytes) -> str:
    """Bytes as a VARCHAR2; what is no character of the set becomes U+FFFD."""
    return data.decode(encoding(), "replace")
