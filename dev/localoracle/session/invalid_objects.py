"""What a name that PostgreSQL does not know means: an invalid view, a synonym whose object is not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.session.session import Session

NO_TABLE = 942
_MISSING = re.compile(r'relation "(?:(?P<owner>.*)\.)?(?P<name>.*)" does not exist')
_RAISED = re.compile(r"ORA-(\d{5}): (.*)")


async def refusal(session: Session, error: OracleError) -> OracleError | None:
    """ORA-04063, ORA-00980 or ORA-01775 in the place of ORA-00942; None where no such object has the name."""
    missing = _MISSING.search(str(error.__cause__)) if error.code == NO_TABLE else None
    if missing is None:
        return None
    rows = await session.pg_system(
        "SELECT ora.missing_relation(%s, %s, %s, %s)",
        [session.role, session.current_schema, missing["owner"], missing["name"]],
    )
    told = _RAISED.fullmatch(rows[0][0]) if rows[0][0] else None
    return OracleError(int(told[1]), told[2], error.position) if told else None
