"""The schema that the calibration of Data Pump loads its samples into: they are rows of the source, unmasked.

What a run that was killed or deleted has left of it goes with its dump files (`transport.dump_files`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from oracle_refresh.run.kind import Kind
from oracle_refresh.target.own_schemas import OwnSchemas, SchemaIntent

if TYPE_CHECKING:
    from oracle_refresh.run.documents import Documents

SCHEMA = "REFRESH$DEGREE"
SCHEMAS = OwnSchemas(
    "calibration",
    "calibration",
    Kind("calibration schema", SchemaIntent),
    re.compile(r"(?:TABLE|INDEX|LOB)(?: (?:SUB)?PARTITION)? .+"),
)


def drop_sample(documents: Documents) -> bool:
    """Drop the schema if this run has made it, and no run since: whether it was there. May be repeated.

    :raises PreflightError: if it is somebody else's by now, or DROP USER is not granted.
    """
    meant = documents.find(SCHEMAS.kind, SCHEMA)
    if meant is None or not meant.wanted or [meant] != documents.latest(SCHEMAS.kind, SCHEMA):
        return False
    return SCHEMAS.drop(documents, SCHEMA)
