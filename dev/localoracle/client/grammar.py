"""The text of parameters: what stands in a parameter file or behind the command.

NAME=value, NAME=value,value, NAME=(value,value), separated by white space or commas. A value may be
quoted with either kind of quotation marks; a list goes on behind a comma at the end of a line, and any
text behind a backslash or an ampersand there. `#` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from localoracle.client.errors import ClientError

_QUOTES = "\"'"
_CONTINUATION = "\\&"
_SETTING = re.compile(r"\w+\s*=")


@dataclass(frozen=True)
class Value:
    """One value. `quoted`: all of it stood in quotation marks, which are gone; else inner ones are kept."""

    text: str
    quoted: bool = False


@dataclass(frozen=True)
class Setting:
    """NAME=values, the name in upper case. `values` is empty for a name that stands alone."""

    name: str
    values: tuple[Value, ...]


def parse(text: str, alone: Callable[[str], bool] = lambda name: False) -> list[Setting]:
    """The settings of a text in their order. `alone` says which names need no value.

    :raises ClientError: LRM-00108 for a word that is no setting, LRM-00111 for an open quotation, LRM-00110
        and LRM-00116 for what fits nowhere.
    """
    return _Scanner(text).settings(alone)


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def settings(self, alone: Callable[[str], bool]) -> list[Setting]:
        settings: list[Setting] = []
        while True:
            self._skip(",")
            if self._at_end:
                return settings
            name = self._name()
            self._skip()
            if self._take("="):
                self._skip()
                settings.append(Setting(name.upper(), tuple(self._values(name))))
            elif alone(name.upper()):
                settings.append(Setting(name.upper(), ()))
            else:
                raise ClientError(f"LRM-00108: invalid positional parameter value '{name}'")

    @property
    def _at_end(self) -> bool:
        return self._place >= len(self._text)

    @property
    def _next(self) -> str:
        return self._text[self._place : self._place + 1]

    def _take(self, character: str) -> bool:
        if self._next != character or not character:
            return False
        self._place += 1
        return True

    def _continued(self) -> bool:
        """Whether a mark of continuation ends the line here."""
        end = self._text.find("\n", self._place)
        rest = self._text[self._place : end if end >= 0 else None]
        return end >= 0 and rest[:1] in tuple(_CONTINUATION) and not rest[1:].strip()

    def _skip(self, also: str = "") -> None:
        while not self._at_end:
            if self._next == "#":
                end = self._text.find("\n", self._place)
                self._place = end if end >= 0 else len(self._text)
            elif self._next.isspace() or self._next in (also or " ") or self._continued():
                self._place += 1
            else:
                return

    def _name(self) -> str:
        start = self._place
        while not self._at_end and (self._next.isalnum() or self._next in "_$"):
            self._place += 1
        if start == self._place:
            raise ClientError(f"LRM-00110: syntax error at '{self._rest()}'")
        return self._text[start : self._place]

    def _rest(self) -> str:
        return self._text[self._place :].split("\n", 1)[0][:40]

    def _values(self, name: str) -> list[Value]:
        if not self._take("("):
            values = [self._value(in_list=False)]
            while self._goes_on():
                values.append(self._value(in_list=False))
            return values
        values = []
        while True:
            self._skip(",")
            if self._take(")"):
                return values
            if self._at_end:
                raise ClientError(f"LRM-00116: syntax error at ')' following '{name}'")
            values.append(self._value(in_list=True))

    def _goes_on(self) -> bool:
        """Whether a comma and another value follow; a comma may also stand between two settings."""
        before = self._place
        self._skip()
        if self._take(","):
            self._skip()
            if not self._at_end and not _SETTING.match(self._text, self._place):
                return True
        self._place = before
        return False

    def _value(self, *, in_list: bool) -> Value:
        parts: list[str] = []
        quotations = depth = 0
        while not self._at_end:
            character = self._next
            if self._continued():
                self._place = self._text.index("\n", self._place) + 1
            elif character in _QUOTES:
                quotations += 1
                parts.append(self._quotation())
            elif character == "\\" and self._text[self._place + 1 : self._place + 2] in tuple(_QUOTES):
                # As a shell would hand it over: the quotation mark itself.
                self._place += 1
                parts.append(self._quotation())
            elif depth == 0 and (character.isspace() or character == "," or (in_list and character == ")")):
                break
            else:
                depth += (character == "(") - (character == ")")
                parts.append(character)
                self._place += 1
        text = "".join(parts)
        if quotations == 1 and len(parts) == 1:
            return Value(unquoted(text), quoted=True)
        return Value(text)

    def _quotation(self) -> str:
        """A quotation with its marks, as it stands."""
        mark, start = self._next, self._place
        escaped = start > 0 and self._text[start - 1] == "\\"
        self._place += 1
        while not self._at_end:
            if self._next == "\\" and self._text[self._place + 1 : self._place + 2] == mark:
                self._place += 2
                if escaped:
                    return self._text[start : self._place - 2] + mark
            elif self._take(mark):
                return self._text[start : self._place]
            else:
                self._place += 1
        raise ClientError(f"LRM-00111: no closing quote for value '{self._text[start + 1 : start + 41]}'")


def unquoted(text: str) -> str:
    """The text without the quotation marks around it; escaped ones inside become plain."""
    if len(text) >= 2 and text[0] in _QUOTES and text[-1] == text[0]:
        return text[1:-1].replace("\\" + text[0], text[0])
    return text


def split(text: str, separator: str = ":") -> list[str]:
    """The parts of a value between separators outside quotation marks."""
    parts = [""]
    mark = ""
    for place, character in enumerate(text):
        if mark:
            mark = "" if character == mark and text[place - 1] != "\\" else mark
        elif character in _QUOTES:
            mark = character
        elif character == separator:
            parts.append("")
            continue
        parts[-1] += character
    return parts


def identifier(text: str) -> str:
    """A name as Oracle reads it: upper case unless it stands in double quotation marks."""
    text = text.strip()
    if len(text) > 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    return text.upper()
