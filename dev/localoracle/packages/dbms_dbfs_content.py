"""DBMS_DBFS_CONTENT: stores, mounts, files and directories (rdbms/admin/dbmscapi.sql; SecureFiles Guide,
"DBFS").

Content goes in and out through BLOB locators on the store's file; a client that writes pieces of some MB to
the
locator that CREATEFILE or GETPATH(forupdate => TRUE) returns does not hold the file in memory anywhere.
`filter`, `asof`, `principal` and soft deletes are refused when given.
"""

from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, datetime
from typing import Any

from localoracle.dbfs import stores
from localoracle.errors import not_supported
from localoracle.lobs.lob import Lob
from localoracle.packages.dbms_dbfs_sfs import identifier
from localoracle.packages.registry import Call, subprogram
from localoracle.supplied.types import Record

PACKAGE = "DBMS_DBFS_CONTENT"
PIECE = 1 << 20
MAXIMUM_RAW = 32767
_VARCHAR2, _NUMBER, _TIMESTAMP = 9, 2, 187


def _refuse(call: Call) -> None:
    for name in ("filter", "asof", "principal", "soft_delete"):
        if call.get(name):
            raise not_supported(f"{PACKAGE}.{call.name}({name} => ...)")


async def _item(call: Call, name: str = "path") -> stores.Item:
    _refuse(call)
    return await stores.resolve(call.session, call[name], call["store_name"])


# --- stores and mounts ---


@subprogram(PACKAGE, "REGISTERSTORE")
async def register_store(call: Call) -> None:
    session, store = call.session, identifier(call["store_name"])
    await session.transaction.commit()
    package = str(call["provider_package"] or "").upper().removeprefix("SYS.")
    if package != "DBMS_DBFS_SFS":
        raise stores.dbfs_error(64009, package)
    existing = await session.pg_system(
        "SELECT 1 FROM localoracle.dbfs_filesystems WHERE store_owner = %s AND store_name = %s",
        (session.user, store),
    )
    registered = await _registered(call, store)
    if not existing or registered:
        raise stores.dbfs_error(64007, f"{store} is registered already" if registered else store)
    await session.pg_system(
        "INSERT INTO localoracle.dbfs_stores (s_owner, s_name, p_name, p_pkg) VALUES (%s, %s, %s, %s)",
        (session.user, store, call["provider_name"], package),
    )


async def _registered(call: Call, store: str) -> bool:
    return bool(
        await call.session.pg_system(
            "SELECT 1 FROM localoracle.dbfs_stores WHERE s_owner = %s AND s_name = %s",
            (call.session.user, store),
        )
    )


@subprogram(PACKAGE, "UNREGISTERSTORE")
async def unregister_store(call: Call) -> None:
    session, store = call.session, identifier(call["store_name"])
    await session.transaction.commit()
    if await session.pg_system(
        "SELECT 1 FROM localoracle.dbfs_mounts WHERE s_owner = %s AND s_name = %s", (session.user, store)
    ):
        raise stores.dbfs_error(64008, f"{store} is still mounted")
    gone = await session.pg_system(
        "DELETE FROM localoracle.dbfs_stores WHERE s_owner = %s AND s_name = %s RETURNING 1",
        (session.user, store),
    )
    if not gone and not call.get("ignore_unknown", False):
        raise stores.dbfs_error(64007, store)


@subprogram(PACKAGE, "MOUNTSTORE")
async def mount_store(call: Call) -> None:
    session, store = call.session, identifier(call["store_name"])
    _refuse(call)
    await session.transaction.commit()
    singleton = bool(call.get("singleton", False))
    mount = "" if singleton else str(call.get("store_mount") or store).strip("/")
    if not singleton:
        identifier(mount, 64008)
    if not await _registered(call, store):
        raise stores.dbfs_error(64007, store)
    mounted = await session.pg_system(
        "SELECT s_mount FROM localoracle.dbfs_mounts WHERE s_owner = %s", (session.user,)
    )
    # A singleton mount is the whole name space: there can be nothing beside it.
    if (mount,) in mounted or ("",) in mounted or (singleton and mounted):
        raise stores.dbfs_error(64008, f"/{mount} is mounted already")
    if mount:
        stores.link_mount(session.instance.dbfs_directory, session.user, store, mount)
    await session.pg_system(
        "INSERT INTO localoracle.dbfs_mounts (s_owner, s_name, s_mount, read_only, owner, acl) VALUES (%s, "
        "%s, %s, %s, %s, %s)",
        (session.user, store, mount, bool(call.get("read_only", False)), call.get("owner"), call.get("acl")),
    )


@subprogram(PACKAGE, "UNMOUNTSTORE")
async def unmount_store(call: Call) -> None:
    session = call.session
    await session.transaction.commit()
    conditions, values = ["s_owner = %s"], [session.user]
    if call["store_name"] is not None:
        conditions.append("s_name = %s")
        values.append(call["store_name"])
    if call["store_mount"] is not None:
        conditions.append("s_mount = %s")
        values.append(str(call["store_mount"]).strip("/"))
    if len(conditions) == 1:
        raise stores.dbfs_error(64008, "neither store nor mount is named")
    rows = await session.pg_system(
        f"DELETE FROM localoracle.dbfs_mounts WHERE {' AND '.join(conditions)} RETURNING s_mount", values
    )
    if not rows and not call.get("ignore_unknown", False):
        raise stores.dbfs_error(64008, str(values[-1]))
    for (mount,) in rows:
        stores.unlink_mount(session.instance.dbfs_directory, session.user, str(mount))


# --- properties ---


def _standard(item: stores.Item, owner: str) -> list[tuple[str, str, int]]:
    status = item.path.stat()

    def moment(seconds: float) -> str:
        return datetime.fromtimestamp(seconds, UTC).strftime("%m/%d/%Y %H:%M:%S.%f")

    properties = [
        ("std:canonical_path", item.full, _VARCHAR2),
        ("std:guid", str(status.st_ino), _NUMBER),
        ("std:parent_guid", str(item.path.parent.stat().st_ino), _NUMBER),
        ("std:owner", owner, _VARCHAR2),
        ("std:access_time", moment(status.st_atime), _TIMESTAMP),
        ("std:change_time", moment(status.st_ctime), _TIMESTAMP),
        ("std:modification_time", moment(status.st_mtime), _TIMESTAMP),
    ]
    if item.path.is_dir():
        return [*properties, ("std:children", str(sum(1 for _ in item.path.iterdir())), _NUMBER)]
    return [*properties, ("std:length", str(status.st_size), _NUMBER)]


async def _show_properties(call: Call, item: stores.Item, flags: int) -> None:
    """Fill the IN OUT properties with what prop_flags ask for (1 standard, 2 optional: none, 4
    user-defined).
    """
    listed: list[tuple[str, Any, int]] = []
    if flags & 1:
        listed += _standard(item, call.session.user)
    if flags & 4:
        rows = await call.session.pg_system(
            "SELECT name, value, typecode FROM localoracle.dbfs_properties WHERE store = %s AND path = %s "
            "ORDER BY name",
            (item.mount.number, item.inner),
        )
        listed += [(str(name), value, int(typecode)) for name, value, typecode in rows]
    records = [
        call.new("DBMS_DBFS_CONTENT_PROPERTY_T", propname=name, propvalue=value, typecode=typecode)
        for name, value, typecode in listed
    ]
    call.set("properties", call.collection("DBMS_DBFS_CONTENT_PROPERTIES_T", records))


async def _keep_properties(call: Call, item: stores.Item) -> None:
    """Store the user-defined properties that the caller passed; std: and opt: ones are the store's own."""
    for record in call["properties"] or ():
        assert isinstance(record, Record)
        name = record["propname"]
        if name and not name.startswith(("std:", "opt:")):
            await call.session.pg_system(
                "INSERT INTO localoracle.dbfs_properties VALUES (%s, %s, %s, %s, %s)"
                " ON CONFLICT (store, path, name) DO UPDATE SET value = excluded.value, typecode = "
                "excluded.typecode",
                (item.mount.number, item.inner, name, record["propvalue"], record["typecode"] or _VARCHAR2),
                write=True,
            )


async def _forget_properties(call: Call, item: stores.Item) -> None:
    await call.session.pg_system(
        "DELETE FROM localoracle.dbfs_properties WHERE store = %s AND (path = %s OR starts_with(path, %s))",
        (item.mount.number, item.inner, item.inner.rstrip("/") + "/"),
        write=True,
    )


# --- files ---


@subprogram(PACKAGE, "CREATEFILE")
async def create_file(call: Call) -> None:
    item = await _item(call)
    content = stores.create_file(item, await stores.segment(call.session, item.mount))
    if isinstance(call["content"], Lob):
        await _copy(call["content"], content)
    await _keep_properties(call, item)
    await _show_properties(call, item, int(call.get("prop_flags", 1)))
    call.set("content", content)


async def _copy(source: Lob, target: Lob) -> None:
    place = 1
    while piece := await source.read(place, PIECE):
        await target.write(place, piece)
        place += len(piece)
        await asyncio.sleep(0)  # let other sessions in between


async def _existing_or_new(call: Call, item: stores.Item) -> stores.StoreLob:
    room = await stores.segment(call.session, item.mount)
    return stores.open_file(item, room) if item.path.is_file() else stores.create_file(item, room)


@subprogram(PACKAGE, "PUTPATH")
async def put_path(call: Call) -> None:
    """Replaces a file's content by a BLOB, or overwrites a part of it with a RAW; makes the file if there is
    none.
    """
    item = await _item(call)
    content = await _existing_or_new(call, item)
    formals = {parameter.name for parameter in call.overload.parameters}
    if "content" in formals:
        source = call["content"]
        if isinstance(source, Lob) and not (
            isinstance(source, stores.StoreLob) and source.path == content.path
        ):
            await content.trim(0)
            await _copy(source, content)
        call.set("content", content)
        call.set("item_type", stores.TYPE_FILE)
    elif "buffers" in formals:
        offset = int(call["offset"] or 1)
        written = 0
        for buffer in call["buffers"] or ():
            if buffer:
                await content.write(offset + written, buffer)
                written += len(buffer)
        call.set("written", written)
    else:
        amount, offset, buffer = call["amount"], call["offset"], call["buffer"]
        if buffer is None or amount is None or offset is None or not 1 <= amount <= len(buffer) or offset < 1:
            raise stores.dbfs_error(64004, "amount, offset or buffer")
        await content.write(int(offset), buffer[: int(amount)])
    await _keep_properties(call, item)
    await _show_properties(call, item, int(call.get("prop_flags", 1)))


@subprogram(PACKAGE, "GETPATH", "GETPATHNOWAIT")
async def get_path(call: Call) -> None:
    """prop_flags defaults to std + opt + data (11); without prop_data no content is returned."""
    item = await _item(call)
    if not item.path.exists():
        raise stores.dbfs_error(64002, item.full)
    flags = int(call.get("prop_flags", 11) if call["prop_flags"] is not None else 11)
    formals = {parameter.name for parameter in call.overload.parameters}
    if "content" in formals:
        is_file = item.path.is_file()
        if is_file and flags & 8:
            room = await stores.segment(call.session, item.mount) if call.get("forupdate", False) else None
            call.set("content", stores.open_file(item, room))
        else:
            call.set("content", None)
        call.set("item_type", stores.TYPE_FILE if is_file else stores.TYPE_DIRECTORY)
    else:
        await _get_pieces(call, item)
    await _show_properties(call, item, flags)


async def _get_pieces(call: Call, item: stores.Item) -> None:
    amount, offset = int(call["amount"] or 0), int(call["offset"] or 0)
    if amount < 1 or offset < 1:
        raise stores.dbfs_error(64004, "amount or offset")
    content = stores.open_file(item)
    if any(parameter.name == "buffer" for parameter in call.overload.parameters):
        piece = await content.read(offset, min(amount, MAXIMUM_RAW))
        call.set("buffer", piece or None)
        call.set("amount", len(piece))
        return
    pieces: list[bytes] = []
    done = 0
    while done < amount and (piece := await content.read(offset + done, min(MAXIMUM_RAW, amount - done))):
        assert isinstance(piece, bytes)
        pieces.append(piece)
        done += len(piece)
    call.set("buffers", call.collection("DBMS_DBFS_CONTENT_RAW_T", pieces))
    call.set("amount", done)


@subprogram(PACKAGE, "DELETEFILE")
async def delete_file(call: Call) -> None:
    item = await _item(call)
    stores.delete_file(item)
    await _forget_properties(call, item)


# --- directories and both ---


@subprogram(PACKAGE, "CREATEDIRECTORY")
async def create_directory(call: Call) -> None:
    item = await _item(call)
    stores.create_directory(item, recurse=bool(call.get("recurse", False)))
    await _keep_properties(call, item)
    await _show_properties(call, item, int(call.get("prop_flags", 1)))


@subprogram(PACKAGE, "DELETEDIRECTORY")
async def delete_directory(call: Call) -> None:
    item = await _item(call)
    stores.delete_directory(item, recurse=bool(call.get("recurse", False)))
    await _forget_properties(call, item)


@subprogram(PACKAGE, "RENAMEPATH")
async def rename_path(call: Call) -> None:
    old, new = await _item(call, "oldpath"), await _item(call, "newpath")
    stores.rename(old, new)
    # First what the replaced file had, then the moved item and everything below it.
    await _forget_properties(call, new)
    await call.session.pg_system(
        "UPDATE localoracle.dbfs_properties SET path = %s || pg_catalog.substr(path, %s::integer)"
        " WHERE store = %s AND (path = %s OR starts_with(path, %s))",
        (new.inner, len(old.inner) + 1, old.mount.number, old.inner, old.inner.rstrip("/") + "/"),
        write=True,
    )
    await _show_properties(call, new, 1)


@subprogram(PACKAGE, "SPACEUSAGE")
async def space_usage(call: Call) -> None:
    """Sizes are those of the volume that the store lies on; files and directories are counted."""
    item = await _item(call)
    root = stores.Item(item.mount, "/")
    usage = shutil.disk_usage(root.path)
    kinds = [child.path.is_dir() for child in stores.children(root, recurse=True)]
    call.set("blksize", 8192)
    call.set("tbytes", usage.total)
    call.set("fbytes", usage.free)
    call.set("nfile", kinds.count(False))
    call.set("ndir", kinds.count(True) + 1)
    call.set("nlink", 0)
    call.set("nref", 0)
