"""A Data Pump log as it may leave the database's host: without the values of rows.

Where rows are rejected, Data Pump prints them: ORA-02372 "data for row: ..." (Error Messages 19c), and
ORACLE_LOADER KUP-11009 "data for row: ...". Everything else in a log is names, counts, times and codes.
"""

from __future__ import annotations

import re

_ROW = re.compile(r"((?:ORA-02372|KUP-11009): ).*", re.IGNORECASE)


def without_rows(text: str) -> str:
    """The log with the values of rejected rows left out, to the end of their lines."""
    return _ROW.sub(r"\1(the row is left out of this copy)", text)
