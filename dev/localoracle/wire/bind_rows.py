"""The bind values of one request: read as they arrive, decoded when and as they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from localoracle.instance.character_set import converted
from localoracle.lobs.locators import Locators
from localoracle.values import DataType
from localoracle.wire import column_codecs, messages
from localoracle.wire.buffer import SHORT_LENGTH, NeedMore, Reader
from localoracle.wire.channel import MALFORMED, Disconnected
from localoracle.wire.cursors import Cursors
from localoracle.wire.values import decode, is_plain, read_special

T = TypeVar("T")


@dataclass
class BindColumn:
    """The values of one bind, one for each execution (values.BindColumn).

    Of a plain type they are bytes in Oracle's internal format, of another Python values already.
    """

    datatype: DataType
    items: Sequence[Any]

    def __post_init__(self) -> None:
        self.plain = is_plain(self.datatype)

    def value(self, row: int) -> Any:
        return self.values(row, row + 1)[0]

    def values(self, start: int, end: int) -> list[Any]:
        items = self.items[start:end]
        if not self.plain:
            return list(items)
        datatype = self.datatype
        try:
            return [decode(datatype, data) if data else None for data in items]
        except MALFORMED as error:
            raise Disconnected(f"not a bind value: {error}") from error

    def data(self, start: int, end: int) -> Sequence[bytes]:
        return self.items[start:end]

    def utf8(self, start: int, end: int) -> Sequence[bytes]:
        items: Sequence[bytes] = self.items[start:end]
        try:
            joined = b"\0".join(items).decode()
        except UnicodeDecodeError as error:
            raise Disconnected(f"not a bind value: {error}") from error
        text = converted(joined)
        return items if text is joined else text.encode().split(b"\0")

    def number_texts(self, start: int, end: int) -> list[str]:
        return self._converted(column_codecs.number_texts, start, end)

    def microseconds(self, start: int, end: int) -> list[int | None]:
        return self._converted(column_codecs.microseconds, start, end)

    def _converted(self, conversion: Callable[[Sequence[bytes]], list[T]], start: int, end: int) -> list[T]:
        try:
            return conversion(self.items[start:end])
        except MALFORMED as error:
            raise Disconnected(f"not a bind value: {error}") from error


class BindRows:
    """The binds of a statement and its executions (values.BindRows)."""

    def __init__(self, columns: Sequence[BindColumn], executions: int) -> None:
        self.columns = columns
        self._executions = executions

    def __len__(self) -> int:
        return self._executions

    def row(self, number: int) -> list[Any]:
        return [column.value(number) for column in self.columns]


class BindReader:
    """Reads the rows of a request, a piece at a time.

    :param order: the places of the binds that have values, as they follow each other in a row.
    """

    def __init__(self, binds: Sequence[DataType], order: Sequence[int], executions: int) -> None:
        self._binds = binds
        self._order = order
        self._executions = executions
        self._special = [None if is_plain(binds[place]) else binds[place] for place in order]
        self._items: list[Any] = []
        self._in_row = False

    def read(self, reader: Reader, locators: Locators, cursors: Cursors) -> None:
        """Read what has arrived. Raises NeedMore until it is everything; the call is then repeated."""
        items = self._items
        append = items.append
        width = len(self._special)
        if not width:
            return
        if reader.inside_long_value:
            append(reader.long_value() or b"")
            self._in_row = len(items) % width > 0
        begun = len(items) % width
        for _ in range(len(items) // width, self._executions):
            if not self._in_row:
                if reader.u8() != messages.ROW_DATA:
                    raise Disconnected("a row of bind values expected")
                self._in_row = True
            data, position = reader.data, reader.position
            size = len(data)
            for special in self._special[begun:] if begun else self._special:
                # Most values are short, and there are millions of them: read here, without a call.
                if special is None and position < size:
                    length = data[position]
                    end = position + 1 + length
                    if length <= SHORT_LENGTH and end <= size:
                        append(data[position + 1 : end])
                        position = end
                        continue
                reader.position = position
                if special is None:
                    append(reader.long_value() or b"")
                else:
                    append(self._read_special(reader, special, locators, cursors))
                position = reader.position
            reader.position = position
            begun = 0
            self._in_row = False

    @staticmethod
    def _read_special(reader: Reader, datatype: DataType, locators: Locators, cursors: Cursors) -> Any:
        start = reader.position
        try:
            return read_special(reader, datatype, locators, cursors)
        except NeedMore:
            reader.position = start
            raise

    def rows(self) -> BindRows:
        """The rows, once all of them are read; a bind without values is NULL in all of them."""
        values: dict[int, Sequence[Any]] = {
            place: self._items[number :: len(self._order)] for number, place in enumerate(self._order)
        }
        columns = []
        for place, datatype in enumerate(self._binds):
            null = b"" if is_plain(datatype) else None
            columns.append(BindColumn(datatype, values.get(place) or [null] * self._executions))
        return BindRows(columns, self._executions)
