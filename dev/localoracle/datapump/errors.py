"""Error stacks of Data Pump: the message texts, and how several lines make one error."""

from __future__ import annotations

import re
from typing import Any

from localoracle.dictionary.documentation import message
from localoracle.errors import OracleError

# What the operating system adds to a message.
_SYSTEM = {27037: "Linux-x86_64 Error: 2: No such file or directory"}


def text(code: int, *arguments: object) -> str:
    """The documented text of a code with its variable parts filled in; what is left over are lines below."""
    values = list(arguments) or ([_SYSTEM[code]] if code in _SYSTEM else [])

    def argument(match: re.Match[str]) -> str:
        # A line that is only a variable stands for the messages that follow in the stack.
        return f"{match.group(1)}{values.pop(0)}" if values else ""

    filled = re.sub(r"(\n?)\{\}", argument, message(f"ORA-{code:05d}") or "message not found")
    return "\n".join([filled, *map(str, values)])


def line(code: int, *arguments: object) -> str:
    return f"ORA-{code:05d}: {text(code, *arguments)}"


def stack(*entries: tuple[Any, ...]) -> OracleError:
    """An error of several messages, the outermost first: `stack((39000,), (31640, path), (27037,))`."""
    first, *rest = entries
    lines = [text(*first), *(line(*entry) for entry in rest)]
    return OracleError(int(first[0]), "\n".join(lines))


def below(error: OracleError, *entries: tuple[Any, ...]) -> OracleError:
    """The same error with more messages above it."""
    outer = stack(*entries)
    return OracleError(outer.code, f"{outer.text}\nORA-{error.code:05d}: {error.text}")
