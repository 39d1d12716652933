"""U'...': what clients make of N'...', so that its characters outlast the database's character set.

Oracle Call Interface Programmer's Guide, OCI_NCHAR_LITERAL_REPLACE_ON; Globalization Support Guide, "Using
SQL NCHAR String Literals in JDBC". The escapes are those of UNISTR.
"""

from __future__ import annotations

import re

from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError

_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{4})|(\\)|)")


def national_string(token: Token) -> Token:
    """The token of such a literal as that of N'...'.

    :raises OracleError: ORA-30186 for a backslash before anything but four digits or another one.
    """
    text = _decoded(token.text, token.start)
    return Token(TokenType.NATIONAL_STRING, text, token.line, token.col, token.start, token.end, [])


def _decoded(text: str, position: int) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        if match[2]:
            return "\\"
        raise OracleError(
            30186, "'\\' must be followed by four hexdecimal characters or another '\\'", position
        )

    units = _ESCAPE.sub(character, text)
    # Characters beyond the first 65,536 are written as the two halves that UTF-16 has for them.
    return units.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "replace")
