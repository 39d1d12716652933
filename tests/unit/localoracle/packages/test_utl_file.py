"""UTL_FILE writes no line that is longer than FOPEN permits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from localoracle.errors import OracleError
from localoracle.packages import utl_file


class Call(dict[str, Any]):
    """The arguments of a call in a session."""

    def __init__(self, session: Any, **arguments: Any) -> None:
        super().__init__(dict.fromkeys(("open_mode", "max_linesize", "location", "filename")) | arguments)
        self.session = session

    def new(self, _: str, **fields: Any) -> dict[str, Any]:
        return fields


@pytest.mark.parametrize(
    ("longest", "lines", "refused"),
    [
        (None, [1024], False),
        (None, [1025], True),
        (2000, [2000, 2000], False),
        (None, ["1000 by PUT", 24, "1000 by PUT"], False),
        (None, ["1000 by PUT", "25 by PUT"], True),
    ],
)
def test_a_line_is_as_long_as_fopen_permits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, longest: int | None, lines: list[Any], refused: bool
) -> None:
    async def path(*_: object) -> Path:
        return tmp_path / "f"

    async def write() -> None:
        session = SimpleNamespace(package_state={})
        file = await utl_file.fopen(Call(session, open_mode="w", max_linesize=longest))  # type: ignore[arg-type]
        for line in lines:
            size, _, put = str(line).partition(" by ")
            procedure = utl_file.put if put else utl_file.put_line
            await procedure(Call(session, file=file, buffer="x" * int(size)))  # type: ignore[arg-type]

    monkeypatch.setattr(utl_file, "_path", path)
    if not refused:
        asyncio.run(write())
        return
    with pytest.raises(OracleError) as error:
        asyncio.run(write())
    assert error.value.code == 29285
