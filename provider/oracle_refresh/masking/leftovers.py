"""What killed maskings have left: control tables, which hold originals, and copies of tables.

Only names that derive from a run and a table of its are dropped. A table of another refresh that is at work,
or of a user who calls one so, is nobody's to drop here.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from oracle_refresh.masking import control, statements
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import rows

_NAME = re.compile(r"REFRESH\$[LMRWO]_(?P<stem>[0-9A-F]{12})(_\d+)?")

if TYPE_CHECKING:
    import oracledb

#: A run, and a table of its: OWNER.NAME.
Masked = tuple[str, str]


def drop_leftovers(connection: oracledb.Connection, masked: Collection[Masked]) -> tuple[str, ...]:
    """Drop the control tables that these maskings have left in the connected user's schema, and their copies
    and former tables in any schema, and name them.

    Maps hold originals: call it when no table is being masked, before the target is opened. DDL commits.
    """
    own = {control.stem(run_id, table): TableName.parse(table).owner for run_id, table in masked}
    ends = tuple(f"_{control.run_stem(run_id)}" for run_id, _ in masked)

    def is_own(name: str, schema: str | None = None) -> bool:
        if name.startswith("REFRESH$S_"):
            return name.endswith(ends)
        found = _NAME.fullmatch(name)
        owner = own.get(found["stem"]) if found else None
        return owner is not None and schema in (None, owner)

    copies = [
        TableName(*table) for table in rows(connection, statements.COPIES) if is_own(table[1], table[0])
    ]
    control.drop_tables(connection, tuple(table.sql for table in copies))
    names = control.drop_control_tables(connection, is_own)
    return (*names, *(table.sql for table in copies))
