"""The parameters of a capture and an apply process as one of the changes that tuning makes and takes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.tuning.cdc.change import Keep, Record, read_values, settle, shown
from oracle_refresh.tuning.cdc.change import restore as restored

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class ProcessChange(Jsonable):
    """Both ends are one change, as apply is stopped while values are set and started again afterwards."""

    kind: ClassVar[str] = "processes"

    record: Record
    wanted: dict[str, str | None] = field(hash=False)
    """By `apply.PARALLELISM` or `capture.MAX_SGA_SIZE`, as in the record."""

    @property
    def item(self) -> str:
        return (
            f"change capture {' and '.join(filter(None, (self.record.capture_name, self.record.apply_name)))}"
        )

    @property
    def text(self) -> str:
        names = self.record.former
        return f"{self.item}: {shown(names, names)} -> {shown(self.wanted, names)}"

    def merged(self, new: Self) -> Self:
        """What is found by a repeated try may be what the former one has set, and apply as it left it."""
        mine, other = self.record, new.record
        intended = {
            name: list(dict.fromkeys((*mine.intended.get(name, ()), *other.intended.get(name, ()))))
            for name in {**mine.intended, **other.intended}
        }
        record = replace(mine, former={**other.former, **mine.former}, intended=intended)
        return replace(new, record=record, wanted={**self.wanted, **new.wanted})

    def make(self, connection: oracledb.Connection, keep: Callable[[Self], None]) -> None:
        """Set what is not set yet; `keep` stores what is on record of it from then on, durably."""
        settle(connection, self.record, self.wanted, self._keeping(keep))

    def shown(self, connection: oracledb.Connection) -> str:
        """What is set now of all that this is about."""
        present = read_values(connection, self.record.apply_name, self.record.capture_name)
        return shown(present, self.record.former)

    def restore(self, connection: oracledb.Connection, keep: Callable[[Self], None]) -> tuple[str, ...]:
        """Bring the former values back; a line for whatever somebody else has changed, which stays so."""
        return restored(connection, self.record, self._keeping(keep))

    def _keeping(self, keep: Callable[[Self], None]) -> Keep:
        return lambda record: keep(replace(self, record=record))
