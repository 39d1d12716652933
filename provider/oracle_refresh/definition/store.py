"""The DBFS store of the target as a refresh definition describes it: `staging.store`.

Bounds: CREATE TABLESPACE, file_specification and physical_attributes_clause in SQL Language Reference 19c.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from oracle_refresh.definition.fields import Model, OracleName, size_bytes

AUTO = "auto"


def _on_host(path: str) -> str:
    if not (path.startswith("+") or PurePosixPath(path).is_absolute()) or "'" in path:
        raise ValueError("an absolute path of the target's host, or a disk group such as +DATA, is needed")
    return path


def _large_enough(size: str) -> str:
    if size_bytes(size) < 1 << 20:
        raise ValueError("at least 1M is needed")
    return size.upper()


_Size = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,9}[KMGTkmgt]?$"), AfterValidator(_large_enough)]


class StoreTablespace(Model):
    """How the tablespace of the store is created where it is not there."""

    file: Annotated[str, AfterValidator(_on_host)] | None = None
    """Path on the target's host or disk group; none: where DB_CREATE_FILE_DEST says."""
    size: _Size | Literal["auto"] = AUTO
    """`auto`: what the dump files of the run need."""
    bigfile: bool = True
    autoextend: _Size | None = "1G"
    """Bytes of one extension; none: the file does not grow."""
    max_size: _Size | Literal["unlimited"] = "unlimited"

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.autoextend is None and self.max_size != "unlimited":
            raise ValueError("max_size needs autoextend")
        sized = self.size != AUTO and self.max_size != "unlimited"
        if sized and size_bytes(self.max_size) < size_bytes(self.size):
            raise ValueError("max_size is smaller than size")
        return self


class Store(Model):
    """A content store, and how it is made where it is not there. A plain name stands for all defaults."""

    name: OracleName
    tablespace: OracleName | None = None
    """Of the store's table and files; none: the default tablespace of the connection's user."""
    create_tablespace: StoreTablespace | None = None
    df: Literal["none", "cached", "full"] = "none"
    """What `df` on the mount costs: nothing, one count in `df_seconds`, or a count of all files each time."""
    df_seconds: int = Field(default=3600, ge=1, le=604_800)
    pctfree: int | None = Field(default=None, ge=0, le=90)
    margin: float = Field(default=1.1, ge=1, le=10)
    """Room in the tablespace over the estimated bytes of the dump files."""
    keep: bool = True
    """Whether a store that a run has made stays for the next one."""

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given

    @model_validator(mode="after")
    def _creatable(self) -> Self:
        if self.create_tablespace and self.tablespace is None:
            raise ValueError("create_tablespace needs the name: tablespace")
        return self
