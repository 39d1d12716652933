"""What a stand-in database does beyond SQL: SCN snapshots, Data Pump, the DBFS store, change capture."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.server.database import Database


async def start(database: Database) -> None:
    """Start the services that live as long as the server; it closes them when it stops."""
    from localoracle.capture.manager import SERVICE, CaptureManager
    from localoracle.datapump.manager import DataPump
    from localoracle.server.control import Control
    from localoracle.server.database import CONTROL

    pump = database.services["datapump"] = DataPump(database)
    await pump.start()
    capture = database.services[SERVICE] = CaptureManager(database)
    await capture.start()
    if CONTROL not in database.services:
        control = database.services[CONTROL] = Control(database)
        await control.start()
