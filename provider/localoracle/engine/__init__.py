"""What a stand-in database does beyond SQL: SCN snapshots, Data Pump, the DBFS store."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.server import Database


async def start(database: Database) -> None:
    """Start the services that live as long as the server; it closes them when it stops."""
    from localoracle.engine.datapump.manager import DataPump

    pump = DataPump(database)
    database.services["datapump"] = pump
    await pump.start()
