"""The transports that a definition may name, and what each of them uses. Pure.

What a transport does is a module of `oracle_refresh.transport`, found by the name that stands here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self


class Transport(StrEnum):
    """How rows get from the source to the target."""

    DUMP_FILES = "dump_files"
    NETWORK_LINK = "network_link"


class StagingTransport(StrEnum):
    """How dump files get from the source's DIRECTORY to the target's; `auto` goes by what there is.

    :ivar label: in the trigger form.
    :ivar needs: fields of `staging` without which it cannot be.
    :ivar writes_to: where it puts dump files: the DBFS store, or the target's DIRECTORY past the store.
    :ivar packages: of SYS that the target's user executes for it, beside those of every refresh.
    :ivar rank: where in their order `auto` considers the transports, the first one first; None: never.
    """

    label: str
    needs: tuple[str, ...]
    writes_to: Literal["store", "directory"] | None
    packages: tuple[str, ...]
    rank: int | None

    AUTO = "auto", "By what there is"
    STREAM = "stream", "Streamed by the worker into DBFS", (), "store", (), 2
    FILE_TRANSFER = (
        "file_transfer",
        "From server to server over the database link",
        ("database_link",),
        "directory",
        ("DBMS_FILE_TRANSFER",),
        1,
    )
    MOUNTED = "mounted", "Copied to a path that the worker has mounted", ("mounted_path",), "directory", (), 3
    SHARED = "shared", "Both ends share the folder"

    def __new__(
        cls,
        name: str,
        label: str = "",
        needs: tuple[str, ...] = (),
        writes_to: Literal["store", "directory"] | None = None,
        packages: tuple[str, ...] = (),
        rank: int | None = None,
    ) -> Self:
        if not label:  # the default is for looking up by name, as type checkers see it
            raise TypeError(f"the transport {name} has no label")
        member = str.__new__(cls, name)
        member._value_ = name
        member.label, member.needs, member.writes_to = label, needs, writes_to
        member.packages, member.rank = packages, rank
        return member


#: Those that `auto` chooses among, in its order.
CHOSEN_BY_AUTO = tuple(
    sorted((each for each in StagingTransport if each.rank is not None), key=lambda each: each.rank or 0)
)
