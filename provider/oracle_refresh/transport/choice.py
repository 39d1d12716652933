"""Which transport brings the files of one dump set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from oracle_refresh.oracle.session import row
from oracle_refresh.transport import statements
from oracle_refresh.transport.registry import FILE_TRANSPORTS

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.datapump.dumpset import DumpFile
    from oracle_refresh.definition import Staging
    from oracle_refresh.transport.base import FileTransport


def choose(staging: Staging, files: Sequence[DumpFile], granted: Collection[str]) -> FileTransport:
    """The first of the transports that the definition leaves open which can bring all the files. Pure.

    :param granted: packages that the target's user may execute.
    :raises StagingError: if none can, such as the only one that the definition allows.
    """
    possible = [FILE_TRANSPORTS[name] for name in staging.transports]
    refusals = [transport.refusal(files, granted) for transport in possible]
    for transport, refusal in zip(possible, refusals, strict=True):
        if refusal is None:
            return transport
    raise next(filter(None, refusals))


def granted_packages(target: oracledb.Connection, packages: Iterable[str]) -> frozenset[str]:
    """Those packages of SYS that the target's user may execute."""
    return frozenset(package for package in packages if row(target, statements.MAY_EXECUTE, package=package))
