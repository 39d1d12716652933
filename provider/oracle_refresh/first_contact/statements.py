"""The statements of the ladder itself. Source: Database Reference 19c, the view named in each."""

from __future__ import annotations

OPTIONS = "SELECT PARAMETER, VALUE FROM V$OPTION ORDER BY PARAMETER"
#: The refresh's own tables that are there; all begin alike.
OWN_TABLES = "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%'"
