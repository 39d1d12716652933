"""Error stacks of Data Pump: the message texts, and how several lines make one error."""

from __future__ import annotations

import re
from typing import Any

import psycopg

from localoracle.errors import OracleError, dictionary

# Documented elsewhere than in Database Error Messages, or with a text that depends on the system.
_TEXTS = {
    27037: "unable to obtain file status\nLinux-x86_64 Error: 2: No such file or directory",
    27038: "created file already exists",
    27040: "file create error, unable to create file\n%s",
    27041: "unable to open file\n%s",
    31603: "object %s of type %s not found in schema %s",
    31638: "cannot attach to job %s for user %s",
    39034: "Table %s does not exist.",
    39055: "The %s feature is not supported in version %s.",
    39094: "Parallel execution not supported in this database edition.",
    39391: "maximum number of Data Pump jobs (%s) exceeded",
    39400: "invalid value %s for parameter %s",
    39120: "Table %s can't be truncated, data will be skipped. Failing error is:",
    2068: "following severe error from %s",
    39174: "Encryption password must be supplied.",
    39175: "Encryption password is not needed.",
    39176: "Encryption password is incorrect.",
    39188: "unable to encrypt dump file set",
    30032: "the suspended (resumable) statement has timed out",
    31679: "Table data object %s has long columns, and longs can not be loaded/unloaded using a network link",
    39149: "cannot link privileged user to non-privileged user",
    39071: "Value for %s is badly formed.\n%s",
}


def text(code: int, *arguments: object) -> str:
    """The documented text of a code with its `string` placeholders filled in."""
    known = _TEXTS.get(code)
    if known is not None:
        return known % arguments if "%s" in known else known
    template = str(dictionary()["errors"].get(f"ORA-{code:05d}") or "message not found").replace("\\n", "\n")
    values = list(arguments)

    def argument(match: re.Match[str]) -> str:
        # A line that is only a placeholder stands for the messages that follow in the stack.
        return f"{match.group(1)}{values.pop(0)}" if values else ""

    return re.sub(r"(\n|\b|(?<=operation))string\b", argument, template)


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


def from_postgres(error: psycopg.Error) -> OracleError:
    """What a failed COPY or INSERT means in Oracle."""
    try:
        from localoracle.session.pg_errors import oracle_error
    except ImportError:
        return OracleError(600 if error.sqlstate == "XX000" else 39097, str(error).splitlines()[0])
    return oracle_error(error)
