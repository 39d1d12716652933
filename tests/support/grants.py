"""include/sql/grants.sql as SQL*Plus runs it: a refresh's users with what is printed there and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from support.privileges import OPTIONAL

if TYPE_CHECKING:
    from support.demo import DemoDatabase

SCRIPT = Path(__file__).parents[2] / "include" / "sql" / "grants.sql"


def section(end: str) -> str:
    """The part of the script for `source` or `target`."""
    source, mark, target = SCRIPT.read_text(encoding="utf-8").partition("-- On the TARGET")
    return source if end == "source" else mark + target


def printed_statements(script: str, **values: str) -> list[str]:
    """The statements of a script, with what stands behind ampersands filled in; comments are left out."""
    code = re.sub(r"^--.*$", "", script, flags=re.MULTILINE)
    filled = re.sub(r"&(\w+)", lambda found: values[found[1]], code)
    return [part.strip() for part in re.split(r";[ \t]*$", filled, flags=re.MULTILINE) if part.strip()]


def make_user_anew(database: DemoDatabase) -> None:
    """Drop the refresh's user of a demo database, and let the script make it with the demo's password."""
    instance = database.server.instance
    folders = {"source": instance.dump_directory / "refresh", "target": instance.dbfs_directory / "REFRESH"}
    folder, password = str(folders[database.name]), f"{database.user.lower()}_demo"
    printed = printed_statements(section(database.name), password=password, tablespace="USERS", folder=folder)
    with database.sys() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM DBA_USERS WHERE USERNAME = :1", [database.user])
        if cursor.fetchone():
            cursor.execute(f"DROP USER {database.user} CASCADE")
        for statement in printed:
            cursor.execute(statement)


@contextmanager
def optional_grants(database: DemoDatabase) -> Iterator[None]:
    """What the script names in comments, for some uses only, is granted meanwhile."""
    named = [names for names in OPTIONAL.findall(section(database.name)) if " ON " not in names]
    with database.system() as connection, connection.cursor() as cursor:
        for names in named:
            cursor.execute(f"GRANT {names} TO {database.user}")
        try:
            yield
        finally:
            for name in sorted({name for names in named for name in names.split(", ")}):
                cursor.execute(f"REVOKE {name} FROM {database.user}")
