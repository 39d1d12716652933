"""BFILE values: a file in a directory object, read only (SecureFiles and Large Objects Guide, "BFILEs")."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.lobs.lob import FileLob
from localoracle.values import OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session

_SEPARATOR = "\x1f"
_MESSAGES = {
    22285: "non-existent directory or file for {} operation",
    22286: "insufficient privileges on file or directory to perform {} operation",
    22288: "file or LOB operation {} failed\nthe file name may not contain a path",
}


class Bfile(FileLob):
    """A BFILE. A fault of its directory (`failure`, an ORA number) is raised by the first read."""

    def __init__(self, directory: str, name: str, path: Path | None, failure: int | None = None) -> None:
        super().__init__(path or Path("/nonexistent"), directory=directory, name=name)
        self.kind = OracleType.BFILE
        self.failure = (
            22288 if failure is None and (not name or "/" in name or name in (".", "..")) else failure
        )

    @classmethod
    def from_text(cls, text: str) -> Bfile:
        """The value as SQL's `ora.bfile` holds it."""
        directory, name, path = text.split(_SEPARATOR)
        if path.isdigit():
            return cls(directory, name, None, int(path))
        return cls(directory, name, Path(path) / name)

    def check(self, operation: str) -> None:
        """Raise ORA-22285, 22286 or 22288 when the file cannot be reached."""
        if self.failure is not None:
            raise OracleError(self.failure, _MESSAGES[self.failure].format(operation))

    def exists(self) -> bool:
        self.check("FILEEXISTS")
        return super().exists()

    async def size(self) -> int:
        self.check("GETLENGTH")
        return await super().size()

    async def read(self, offset: int = 1, amount: int | None = None) -> bytes | str:
        self.check("FILEREAD")
        return await super().read(offset, amount)

    def readable(self) -> int:
        self.check("FILEREAD")
        return super().readable()


async def bfilename(session: Session, directory: str, name: str) -> Bfile:
    """BFILENAME in PL/SQL."""
    rows = await session.pg_system(
        "SELECT localoracle.directory_path(%s, %s, 'READ'), localoracle.directory_exists(%s)",
        (session.role, directory, directory),
    )
    path, exists = rows[0]
    if path is None:
        return Bfile(directory, name, None, 22286 if exists else 22285)
    return Bfile(directory, name, Path(str(path)) / name)
