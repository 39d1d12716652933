"""DBMS_DBFS_SFS and DBMS_FUSE: making and dropping file systems, their permissions
(rdbms/admin/dbmsfspi.sql).

The table of a file system is there, in its tablespaces, and stays empty: the content is a folder, see
`localoracle.dbfs.stores`. Compression, encryption and partitioning are accepted without effect.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

from localoracle.dbfs import stores
from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram

PACKAGE = "DBMS_DBFS_SFS"


def identifier(text: Any, code: int = 64007) -> str:
    """A store's name as stored: upper case as SQL identifiers, at most 32 characters, no path in it."""
    name = str(text or "")
    if not name or len(name) > 32 or "/" in name or name.startswith("."):
        raise stores.dbfs_error(code, name)
    return name


@subprogram(PACKAGE, "CREATEFILESYSTEM")
async def create_file_system(call: Call) -> None:
    session = call.session
    store = identifier(call["store_name"])
    schema = call.get("schema_name") or session.current_schema
    table = call.get("tbl_name") or f"SFS$_FST_{store}"
    await session.transaction.commit()
    existing = await session.pg_system(
        "SELECT 1 FROM localoracle.dbfs_filesystems WHERE store_owner = %s AND store_name = %s",
        (session.user, store),
    )
    if existing:
        raise stores.dbfs_error(64007, f"{store} already exists")
    await _create_table(call, schema, table)
    # Before its row: a session that sees the store finds its folder, and empty.
    stores.remove_store(session.instance.dbfs_directory, session.user, store)
    stores.make_store(session.instance.dbfs_directory, session.user, store)
    if not call.get("create_only", False) or schema:
        properties = call["properties"]
        await session.pg_system(
            "INSERT INTO localoracle.dbfs_filesystems (store_owner, store_name, schema_name, table_name, "
            "properties)"
            " VALUES (%s, %s, %s, %s, %s)",
            (
                session.user,
                store,
                schema,
                table,
                "; ".join(f"{p['propname']}={p['propvalue']}" for p in properties or ()),
            ),
        )


#: The columns of a store's table that hold a path and its content.
_COLUMNS = """\
"VOL_ID" NUMBER NOT NULL, "CSNAP#" NUMBER NOT NULL, "LSNAP#" NUMBER, "PATHNAME" VARCHAR2(1024) NOT NULL,
"ITEM" VARCHAR2(256) NOT NULL, "PATHTYPE" NUMBER NOT NULL, "FILEDATA" BLOB"""


async def _create_table(call: Call, schema: str, table: str) -> None:
    """The store's table. One that a killed server has left without its store is taken up."""
    session = call.session
    left = await session.pg_system(
        "SELECT 1 FROM dictionary.tables WHERE owner = %s AND table_name = %s", (schema, table)
    )
    if left:
        return
    rows, files = (
        f" TABLESPACE {_quoted(call[name])}" if call.given(name) and call[name] else ""
        for name in ("tbl_tbs", "lob_tbs")
    )
    await session.run(
        f"CREATE TABLE {_quoted(schema)}.{_quoted(table)} ({_COLUMNS}){rows}"
        f' LOB ("FILEDATA") STORE AS SECUREFILE ({files.strip() or "ENABLE STORAGE IN ROW"})'
    )


def _quoted(name: Any) -> str:
    text = str(name)
    if not text or '"' in text:
        raise stores.dbfs_error(64004, text)
    return f'"{text}"'


@subprogram(PACKAGE, "DROPFILESYSTEM")
async def drop_file_system(call: Call) -> None:
    """Drops the store's content. ORA-64007 when there is no such file system, ORA-64008 while it is
    mounted.
    """
    session = call.session
    await session.transaction.commit()
    values: tuple[Any, ...]
    if call.given("store_name"):
        condition, values = "store_name = %s", (identifier(call["store_name"]),)
    else:
        condition, values = (
            "schema_name = %s AND table_name = %s",
            (call["schema_name"] or session.current_schema, call["tbl_name"]),
        )
    rows = await session.pg_system(
        "SELECT number, store_owner, store_name, schema_name, table_name FROM localoracle.dbfs_filesystems"
        f" WHERE {condition} AND (store_owner = %s OR %s)",
        (*values, session.user, session.user == "SYS"),
    )
    if not rows:
        raise stores.dbfs_error(64007, str(values[-1]))
    number, owner, store, schema, table = (str(name) for name in rows[0])
    if await session.pg_system(
        "SELECT 1 FROM localoracle.dbfs_mounts WHERE s_owner = %s AND s_name = %s", (owner, store)
    ):
        raise stores.dbfs_error(64008, f"{store} is still mounted")
    if await session.pg_system(
        "SELECT 1 FROM dictionary.tables WHERE owner = %s AND table_name = %s", (schema, table)
    ):
        await session.run(f"DROP TABLE {_quoted(schema)}.{_quoted(table)} PURGE")
    # As long as there is its row the call can be repeated.
    stores.remove_store(session.instance.dbfs_directory, owner, store)
    await session.pg_system("DELETE FROM localoracle.dbfs_filesystems WHERE number = %s::integer", (number,))


async def _chmod(call: Call, path: str, mode: Any) -> None:
    item = await stores.resolve(call.session, path)
    item.require_writable()
    if not item.path.exists():
        raise stores.dbfs_error(64002, item.full)
    if mode is None or mode < 0:
        raise stores.dbfs_error(64004, "st_mode")
    # The server's own processes must still reach the file, whoever the owner on the client is.
    item.path.chmod(int(mode) & 0o777)


@subprogram("DBMS_FUSE", "FS_CHMOD")
async def fuse_chmod(call: Call) -> int:
    """Returns an errno, 0 for success, as file systems in user space do (rdbms/admin/dbmsfuse.sql)."""
    if call.given("ret_ino"):
        raise not_supported("DBMS_FUSE.FS_CHMOD with the attributes of the path")
    try:
        await _chmod(call, call["path"], call["st_mode"])
    except OracleError as error:
        if error.code != 64002:
            raise
        return errno.ENOENT
    return 0


_DF = "sfs:props:df"
_DF_CACHE = "sfs:props:df_cache"


@subprogram(PACKAGE, "ADDFSPROPERTIES")
async def add_fs_properties(call: Call) -> None:
    """Adds or replaces. sfs:props:df and the like tune the store's own bookkeeping: kept, without effect."""
    await _change_properties(call, lambda present, given: present | given)


@subprogram(PACKAGE, "SETFSPROPERTIES")
async def set_fs_properties(call: Call) -> None:
    """Replaces all of them."""
    await _change_properties(call, lambda present, given: given)


@subprogram(PACKAGE, "DELETEFSPROPERTIES")
async def delete_fs_properties(call: Call) -> None:
    """Removes those that are named."""
    await _change_properties(
        call,
        lambda present, given: {name: value for name, value in present.items() if name not in given},
        values=False,
    )


async def _change_properties(
    call: Call,
    change: Callable[[dict[str, str], dict[str, str]], dict[str, str]],
    *,
    values: bool = True,
) -> None:
    session, store = call.session, identifier(call["store_name"])
    given = {str(record["propname"]): str(record["propvalue"] or "") for record in call["properties"] or ()}
    if values:
        _check_properties(given)
    rows = await session.pg_system(
        "SELECT number, properties FROM localoracle.dbfs_filesystems"
        " WHERE store_owner = %s AND store_name = %s FOR UPDATE",
        (session.user, store),
        write=True,
    )
    if not rows:
        raise stores.dbfs_error(64007, store)
    number, present = rows[0]
    changed = change(_read_properties(present), given)
    await session.pg_system(
        "UPDATE localoracle.dbfs_filesystems SET properties = %s WHERE number = %s",
        ("; ".join(f"{name}={value}" for name, value in changed.items()) or None, number),
        write=True,
    )


def _read_properties(text: str | None) -> dict[str, str]:
    return dict(entry.split("=", 1) for entry in (text or "").split("; ") if "=" in entry)


def _check_properties(given: dict[str, str]) -> None:
    """ORA-64004 for what the shipped properties do not take (rdbms/admin/dbmsfspi.sql)."""
    if any("; " in name + value or "=" in name or not name for name, value in given.items()):
        raise stores.dbfs_error(64004, "properties")
    if given.get(_DF, "full") not in ("full", "fast", "none"):
        raise stores.dbfs_error(64004, f"{_DF} => {given[_DF]}")
    if not given.get(_DF_CACHE, "0").isdigit():
        raise stores.dbfs_error(64004, f"{_DF_CACHE} => {given[_DF_CACHE]}")
