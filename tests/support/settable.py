"""A database with one apply process and its capture, whose parameters can be set: what its views would say.

It keeps every call, and can die at any of them as if its client had been killed: what was executed stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.tuning.cdc import calls, statements
from support.replicating import Replicating, Row, RowsCursor

APPLY, CAPTURE = "APPLY_SALES", "CAPTURE_SALES"
DEFAULTS = {
    APPLY: {"PARALLELISM": "4", "TXN_LCR_SPILL_THRESHOLD": "10000", "COMMIT_SERIALIZATION": "FULL"},
    CAPTURE: {"MAX_SGA_SIZE": "INFINITE"},
}


class Killed(BaseException):
    """Nobody catches it, as nobody catches a signal."""


@dataclass(eq=False)
class Settable(Replicating):
    """:ivar set_values: by process and parameter; the others have their defaults.
    :ivar calls_left: after so many calls that change something each further one dies, if any number is given.
    """

    answers: dict[str, Any] = field(default_factory=dict)
    set_values: dict[str, dict[str, str]] = field(default_factory=lambda: {APPLY: {}, CAPTURE: {}})
    status: str = "ENABLED"
    calls_left: int | None = None
    made: list[str] = field(default_factory=list)

    def cursor(self) -> Any:
        return _Cursor(self)

    @property
    def state(self) -> tuple[Any, ...]:
        """Everything that may be changed."""
        return {name: dict(values) for name, values in self.set_values.items()}, self.status

    def rows_of(self, sql: str, binds: Mapping[str, Any]) -> list[Row]:
        name = binds.get("apply_name") or binds.get("capture_name")
        known = name in DEFAULTS and (name == APPLY) == ("apply_name" in binds)
        if sql in (statements.APPLY_PARAMETERS, statements.CAPTURE_PARAMETERS):
            return sorted((DEFAULTS[name] | self.set_values[name]).items()) if known else []
        if sql in (statements.APPLY_SET_BY_USER, statements.CAPTURE_SET_BY_USER):
            return [(parameter,) for parameter in sorted(self.set_values[name])] if known else []
        if sql == statements.APPLY:
            return [("STRMADMIN", "Q", self.status, None, None, "Streams")] if known else []
        found: list[Row] = self.answers.get(sql, [])
        return found

    def call(self, sql: str, binds: Mapping[str, Any]) -> None:
        if self.calls_left == 0:
            raise Killed
        if self.calls_left is not None:
            self.calls_left -= 1
        if sql == calls.STOP_APPLY:
            self.status = "DISABLED"
        elif sql == calls.START_APPLY:
            self.status = "ENABLED"
        else:
            values = self.set_values[binds.get("apply_name") or binds["capture_name"]]
            values.pop(binds["parameter"], None)
            if binds["value"] is not None:
                values[binds["parameter"]] = binds["value"]
        self.made.append(sql)


class _Cursor(RowsCursor):
    def execute(self, sql: str, binds: Mapping[str, Any] | None = None, **_: Any) -> None:
        if sql.startswith("BEGIN"):
            self.database.call(sql, binds or {})
        else:
            self.rows = self.database.rows_of(sql, binds or {})
