"""Streams dump files from the source's DIRECTORY through this process into the target's DBFS store.

The next bytes are read from the source (BFILE) while the last ones are written to the target (a locator of
the DBFS file), so memory is two reads whatever the size. When a piece (`digests.PIECE_BYTES`) is complete it
is committed, the target hashes what it has stored, and where that is what was read from the source the ledger
says so: a later try goes on behind the last piece that was verified, and reads nothing before it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from oracle_refresh.dbfs import statements, store
from oracle_refresh.dbfs.digests import Checked, in_store
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.oracle.errors import oracle_codes, overall_disposition
from oracle_refresh.transport.areas import StoreArea
from oracle_refresh.transport.base import FileTransport, Obstacle
from oracle_refresh.transport.pieces import read_pieces, verify_piece

if TYPE_CHECKING:
    from collections.abc import Generator

    import oracledb

    from oracle_refresh.datapump.dumpset import DumpFile
    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.transport.transfer import OnBytes, Transfer


class Stream(FileTransport):
    """Needs the store alone, so it is what is left where nothing else can be."""

    name = StagingTransport.STREAM
    area = StoreArea

    def obstacle(self, definition: RefreshDefinition, granted: Collection[str]) -> Obstacle | None:
        if definition.staging.uses_store:
            return None
        return Obstacle(
            "the definition's transport does not write through the store",
            "climb with staging.transport: stream, if it is wanted",
        )

    def copy(self, transfer: Transfer, file: DumpFile, on_bytes: OnBytes, read_bytes: int) -> str:
        target, definition = transfer.target, transfer.definition
        final = f"{definition.staging.mount}/{store.path_element(file.name)}"
        directory = store.job_directory(definition, transfer.run_id, transfer.dump_set.job_name)
        part = f"{directory}/{store.path_element(file.name + '.part')}"
        attempt, begun = transfer.begin(file)
        with _removed_without_space(target, part):
            if begun.size > (store.file_bytes(target, part) or 0):
                begun = Checked()
            if not begun.size:
                store.drop_file(target, part)
                store.ensure_directory(target, directory)
                _create(target, part)
            checked = begun
            for checked in _written(transfer, file, part, begun, on_bytes, read_bytes):
                transfer.note_verified(file, attempt, checked)
        transfer.require_latest(file, attempt)
        store.replace_file(target, part, final)  # that of a former try, or of an export that was repeated
        transfer.finish(file, attempt, checked.digest)  # commits the new name with the record
        return checked.digest


TRANSPORT = Stream()


@contextmanager
def _removed_without_space(target: oracledb.Connection, part: str) -> Iterator[None]:
    """Gives back the space of an unfinished file that found no more of it."""
    try:
        yield
    except Exception as error:
        if overall_disposition(oracle_codes(error)) == "space":
            with suppress(Exception):  # the error to raise is the one that led here
                target.rollback()
                store.drop_file(target, part)
        raise


def _written(
    transfer: Transfer, file: DumpFile, part: str, checked: Checked, on_bytes: OnBytes, read_bytes: int
) -> Generator[Checked, None, None]:
    """Write what lies behind `checked`; gives what has been verified after each piece."""
    target = transfer.target
    locator: oracledb.LOB | None = None
    reads = read_pieces(transfer.source, transfer.dump_set.directory, file, checked.size, read_bytes)
    with closing(reads):
        for position, data, piece in reads:
            if locator is None:
                locator = _open(target, part)
            locator.write(data, position + 1)
            on_bytes(position + len(data))
            if piece is not None:
                target.commit()
                locator = None  # the commit released the row that it may write to
                checked = verify_piece(file, checked, position + len(data), piece, in_store(target, part))
                yield checked


def _create(target: oracledb.Connection, path: str) -> None:
    import oracledb

    with target.cursor() as cursor:
        cursor.execute(statements.CREATE_FILE, path=path, content=cursor.var(oracledb.DB_TYPE_BLOB))
    target.commit()


def _open(target: oracledb.Connection, path: str) -> oracledb.LOB:
    """A locator of the file that may be written until the next commit."""
    import oracledb

    with target.cursor() as cursor:
        content = cursor.var(oracledb.DB_TYPE_BLOB)
        cursor.execute(statements.OPEN_FILE, path=path, content=content)
        locator: oracledb.LOB = content.getvalue()
    return locator
