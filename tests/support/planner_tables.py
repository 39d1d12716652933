"""Tables for the planner's tests."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from oracle_refresh.catalog import Catalogue, Column, DatabaseIdentity, Lob, Table
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.run.freeze import Frozen

MB = 1024 * 1024
SOURCE = DatabaseIdentity(
    1, 1, "SOURCE", "SOURCE", "SOURCE", None, "host", "19.0.0.0.0", "READ WRITE", "PRIMARY", "REFRESH_SOURCE"
)
FROZEN = Frozen(4711, datetime(2026, 1, 2), SOURCE)


def table(
    name: str, size: int, lob_size: int = 0, owner: str = "APP", *, securefile: bool = False, **more: Any
) -> Table:
    columns = [Column("ID", "NUMBER", 22, 0, None, 12, 0, False)]
    lobs = []
    if lob_size:
        columns.append(Column("BODY", "BLOB", 4000, 0, None, None, None, True))
        lobs.append(Lob("BODY", f"SYS_LOB_{name}", "BLOB", securefile, True, 8192, lob_size))
    if more.pop("long", False):
        columns.append(Column("NOTE", "LONG", 0, 0, None, None, None, True))
    blocks = more.pop("blocks", max(1, size // 8192))
    rows = more.pop("rows", 10)
    return Table(owner, name, rows, size, blocks, tuple(columns), tuple(lobs), **more)


def catalogue(*tables: Table) -> Catalogue:
    return Catalogue(tuple(sorted({one.owner for one in tables})) or ("APP",), tables)


def definition(**more: Any) -> RefreshDefinition:
    fields: dict[str, Any] = {
        "name": "demo",
        "source": {"conn_id": "a"},
        "target": {"conn_id": "b"},
        "schemas": ["APP"],
        "staging": {"source_directory": "D", "store": "S", "mount": "/S", "target_directory": "T"},
        "masking": {"ruleset": Path("/rules.yaml"), "key_conn_id": "key"},
        **more,
    }
    return RefreshDefinition.model_validate(fields)
