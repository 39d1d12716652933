"""What lets an SCN outlive the server: undo of an Oracle database is there again after a restart.

PostgreSQL forgets exported snapshots when it ends, but a prepared transaction survives, and while it is there
nothing that was visible when it began is removed. So each SCN has one that was prepared just before, and the
text of its exported snapshot in a file. After a restart the text is given to a transaction of that time and
imported from it, by PostgreSQL's own checks: it refuses what is no longer there.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.instance.access import share

if TYPE_CHECKING:
    from localoracle.instance.cluster import Cluster

Connection = psycopg.AsyncConnection[Any]

VISIBLE = """\
SELECT pg_snapshot_xmax(now)::text || ':' || coalesce((
  SELECT string_agg(xid::text, ',' ORDER BY xid) FROM pg_snapshot_xip(now) xid
  WHERE xid::text NOT IN (SELECT transaction::text FROM pg_prepared_xacts)), '')
FROM pg_current_snapshot() now"""
"""Equal texts see the same rows: what is prepared here has written none, whether it is there or not."""


class Undo:
    """The SCNs of a cluster that can be had again."""

    def __init__(self, cluster: Cluster) -> None:
        self._folder = cluster.data / "localoracle_undo"
        self._exported = cluster.data / "pg_snapshots"

    async def prepare(self, connection: Connection, scn: int) -> int:
        """Keep what is visible from now on; the number of the transaction that does. In no transaction."""
        await connection.execute("BEGIN")
        row = await (await connection.execute("SELECT pg_current_xact_id()::text")).fetchone()
        await connection.execute(f"PREPARE TRANSACTION '{_name(scn)}'")
        assert row is not None
        return int(row[0])

    async def save(self, connection: Connection, scn: int, prepared: int, name: str) -> bool:
        """Note the snapshot that `connection` has exported as `name`.

        False where the SCN ends with the server: a transaction older than the prepared one was still at work,
        or a younger one has ended between the two.
        """
        text = (self._exported / name).read_text()
        rows = await (await connection.execute("SELECT transaction::text FROM pg_prepared_xacts")).fetchall()
        own = {row[0] for row in rows}
        running = [xid for xid in re.findall(r"^xip:(\d+)$", text, re.MULTILINE) if xid not in own]
        if running or f"xmax:{prepared}\n" not in text or "sof:1\n" in text:
            return False
        # Prepared ones have written nothing, so they may count as ended.
        text = re.sub(r"^xip:.*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^xmin:.*$", f"xmin:{prepared}", text, flags=re.MULTILINE)
        text = re.sub(r"^xcnt:.*$", "xcnt:0", text, flags=re.MULTILINE)
        self._folder.mkdir(exist_ok=True)
        # Whole or not at all: a server may be killed while it writes.
        new = self._folder.with_name("localoracle_undo.new")
        new.write_text(text)
        new.rename(self._folder / str(scn))
        return True

    async def others_at_work(self, connection: Connection) -> bool:
        """Whether a client's transaction has changed something and is open. In no transaction."""
        cursor = await connection.execute(
            "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND backend_xid IS NOT NULL"
        )
        return await cursor.fetchone() is not None

    def ages(self) -> dict[int, float]:
        """Seconds since each SCN was taken."""
        now = time.time()
        paths = self._folder.iterdir() if self._folder.exists() else ()
        return {int(path.name): now - path.stat().st_mtime for path in paths}

    async def restore(self, helper: Connection, connection: Connection, scn: int) -> bool:
        """Begin a transaction on `connection` that sees the state at `scn`; False when it cannot be had."""
        path = self._folder / str(scn)
        if not path.exists():
            return False
        await helper.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        row = await (await helper.execute("SELECT pg_export_snapshot()")).fetchone()
        assert row is not None
        own = (self._exported / row[0]).read_text()
        text = path.read_text()
        for field in ("vxid", "pid"):
            (line,) = re.findall(rf"^{field}:.*$", own, re.MULTILINE)
            text = re.sub(rf"^{field}:.*$", line, text, flags=re.MULTILINE)
        given = self._exported / f"{row[0]}0"
        given.write_text(text)
        share(given)
        try:
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            await connection.execute(f"SET TRANSACTION SNAPSHOT '{given.name}'")
        except psycopg.Error:
            return False
        finally:
            given.unlink()
            await helper.execute("ROLLBACK")
        return True

    async def clear_away(self, connection: Connection) -> None:
        """Give up what there is no text of: its server ended, or was killed between the two. In no
        transaction."""
        rows = await (await connection.execute("SELECT gid FROM pg_prepared_xacts")).fetchall()
        prepared = {row[0] for row in rows}
        for name in prepared - {_name(scn) for scn in self.ages()}:
            await connection.execute(f"ROLLBACK PREPARED '{name}'")
        for scn in self.ages():
            if _name(scn) not in prepared:
                (self._folder / str(scn)).unlink()

    async def forget(self, connection: Connection, scn: int) -> None:
        """Give the SCN's old row versions up. In no transaction."""
        (self._folder / str(scn)).unlink(missing_ok=True)
        with suppress(psycopg.errors.UndefinedObject):
            await connection.execute(f"ROLLBACK PREPARED '{_name(scn)}'")


def _name(scn: int) -> str:
    return f"scn_{scn}"
