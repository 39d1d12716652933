"""What closes a call on a statement: rows, parameters and the end record."""

from __future__ import annotations

from collections.abc import Sequence

from localoracle.errors import OracleError
from localoracle.session.last_rows import RowPlace
from localoracle.session.session import Session
from localoracle.wire import messages
from localoracle.wire.channel import Channel
from localoracle.wire.cursors import Cursor
from localoracle.wire.rows import RowEncoder


class Answers:
    """The answers to one client's calls."""

    def __init__(self, channel: Channel, session: Session) -> None:
        self._channel = channel
        self._session = session

    def status(self) -> messages.CallStatus:
        return messages.CallStatus(self._channel.call, self._session.transaction.is_open)

    def parameters(self, cursor: Cursor, counts: Sequence[int] | None = None) -> bytes:
        record = messages.parameters(cursor.number, self._session.changes, counts)
        self._session.changes.clear()
        return record

    async def send_rows(self, cursor: Cursor, wanted: int, *, executed: bool = True) -> None:
        result = cursor.result
        if result is None or result.columns is None:
            raise OracleError(1002, "fetch out of sequence")
        encoder = RowEncoder(result.columns, cursor.defines, self._session.lobs)
        pending = messages.row_header(len(result.columns), wanted)
        left = wanted
        ended = False
        while left and not ended:
            count = min(left, encoder.rows_per_slice)
            if cursor.scroll is None:
                rows = await result.fetch_raw(count)
            else:
                rows = await cursor.scroll.rows(cursor.rows_sent, count)
            ended = len(rows) < count
            left -= len(rows)
            cursor.rows_sent += len(rows)
            data = await encoder.encode(rows)
            if left and not ended:
                self._channel.write(pending + data)
                pending = b""
                await self._channel.drain()
            else:
                pending += data
        if executed:
            pending += self.parameters(cursor)
        # Rows that are just enough are no end: the client learns of it from the fetch that returns fewer.
        closing = messages.no_more_rows if ended else messages.end_record
        self._channel.write(pending + closing(self.status(), cursor=cursor.number, rowcount=cursor.rows_sent))

    def end(
        self,
        cursor: Cursor,
        answer: Sequence[bytes] = (),
        *,
        rowcount: int = 0,
        warning: int = 0,
        counts: Sequence[int] | None = None,
        last_row: RowPlace | None = None,
        failure: tuple[int, OracleError] | None = None,
        batch_errors: Sequence[tuple[int, OracleError]] = (),
    ) -> None:
        """What closes an execution; `failure`: the row at which array DML stopped, and why."""
        position, number, text = 0, 0, ""
        if failure is not None:
            position, number, text = failure[0], failure[1].code, str(failure[1])
            batch_errors = ()
        elif batch_errors:
            number, text = messages.BATCH_ERRORS, "ORA-24381: error(s) in array DML"
        self._channel.write(
            b"".join(answer)
            + self.parameters(cursor, counts)
            + messages.end_record(
                self.status(),
                cursor=cursor.number,
                rowcount=rowcount,
                number=number,
                text=text,
                position=position,
                warning=warning,
                batch_errors=batch_errors,
                last_row=last_row,
            )
        )
