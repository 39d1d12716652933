"""Attributes of tables that a refresh leaves out: where and how the target stores rows is its own affair.

DDL comes without segment attributes (`objects/statements.py`, TRANSFORMS), so that each of these is told by
name. Source: DBA_TABLES and DBA_PART_TABLES in Database Reference 19c.
"""

from __future__ import annotations

from typing import Any

#: PCTFREE and INITRANS that a table has when nothing is said of them.
USUAL_PCT_FREE, USUAL_INI_TRANS = 10, 1
READ_ONLY = "READ ONLY"


def attributes(row: tuple[Any, ...]) -> tuple[str, ...]:
    """What one row of `statements.TABLE_ATTRIBUTES` says behind owner and name, as far as it is not usual.

    :return: clauses as CREATE TABLE has them, such as `PCTFREE 20`.
    """
    compression, compress_for, pct_free, ini_trans, logging, cache, results, degree, *rest = row
    dependencies, read_only, inmemory, clustering, pool, iot = rest
    said = [
        f"COMPRESS {compress_for or ''}".rstrip() if compression == "ENABLED" else "",
        f"PCTFREE {pct_free}" if not iot and pct_free not in (None, USUAL_PCT_FREE) else "",
        f"INITRANS {ini_trans}" if not iot and (ini_trans or 0) > USUAL_INI_TRANS else "",
        "NOLOGGING" if logging == "NO" else "",
        "CACHE" if (cache or "").strip() == "Y" else "",
        f"RESULT_CACHE (MODE {results})" if results not in (None, "DEFAULT") else "",
        f"PARALLEL {degree.strip()}" if (degree or "1").strip() not in ("", "0", "1") else "",
        "ROWDEPENDENCIES" if dependencies == "ENABLED" else "",
        READ_ONLY if read_only == "YES" else "",
        "INMEMORY" if inmemory == "ENABLED" else "",
        "CLUSTERING" if clustering == "YES" else "",
        f"BUFFER_POOL {pool}" if pool not in (None, "DEFAULT") else "",
    ]
    return tuple(filter(None, said))
