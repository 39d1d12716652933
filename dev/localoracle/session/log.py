"""The statement log: every statement that clients sent, without values and passwords."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from localoracle.session.secrets import without_passwords
from localoracle.values import Value

if TYPE_CHECKING:
    from localoracle.session.session import Session

ENVIRONMENT_VARIABLE = "LOCALORACLE_STATEMENT_LOG"


class StatementLog:
    """JSON lines `sql, binds {name: type}, user, program, error`; several servers may append to one file."""

    def __init__(self, path: str | None = None) -> None:
        """`path` falls back to LOCALORACLE_STATEMENT_LOG; without either nothing is written."""
        path = path or os.environ.get(ENVIRONMENT_VARIABLE)
        self._file: TextIO | None = None
        if path:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            self._file = open(path, "a", buffering=1)  # noqa: SIM115 - lives as long as the server

    @property
    def enabled(self) -> bool:
        return self._file is not None

    def write(
        self, session: Session, sql: str, names: Sequence[str], values: Sequence[Value], error: str | None
    ) -> None:
        """One statement; `error` as "ORA-00942" or None."""
        if self._file is None:
            return
        binds = {name: value.datatype.type.name for name, value in zip(names, values, strict=False)}
        entry: dict[str, Any] = {
            "sql": without_passwords(sql),
            "binds": binds,
            "user": session.user,
            "program": session.client.program,
            "error": error,
        }
        self._file.write(json.dumps(entry) + "\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
