"""The ways of rows to the target that the definition or the databases allow. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.definition.model import StagingTransport, Transport


@dataclass(frozen=True)
class Way:
    """One transport, insisted upon.

    :ivar definition: that of the user, but for what would bring its files elsewhere or leave anything behind.
    """

    name: str
    definition: RefreshDefinition


def ways(definition: RefreshDefinition, may_transfer: bool) -> tuple[Way, ...]:
    """Every transport that can be tried, the definition's own first.

    Where both ends share the storage a copy would be written over its original, so nothing else is tried.

    :param may_transfer: whether the target's user may execute DBMS_FILE_TRANSFER.
    """
    if definition.datapump.over_link:
        return (Way("network_link", _tidy(definition, definition.staging.transport)),)
    staging = definition.staging
    if staging.transport is StagingTransport.SHARED:
        return (Way("shared", _tidy(definition, StagingTransport.SHARED)),)
    able = {
        StagingTransport.STREAM: staging.uses_store,
        StagingTransport.FILE_TRANSFER: staging.database_link is not None and may_transfer,
        StagingTransport.MOUNTED: staging.mounted_path is not None,
    }
    wished = [transport for transport in able if transport is staging.transport]
    others = [transport for transport, can in able.items() if can and transport not in wished]
    return tuple(Way(one.value, _tidy(definition, one)) for one in (*wished, *others))


@dataclass(frozen=True)
class Closed:
    """A transport that is not tried.

    :ivar reason: what keeps it from being tried.
    :ivar remedy: what to grant or to write in the definition, where it is wanted.
    """

    name: str
    reason: str
    remedy: str


def closed(definition: RefreshDefinition, may_transfer: bool) -> tuple[Closed, ...]:
    """Every transport that `ways` leaves out. Parameters as there."""
    tried = {way.name for way in ways(definition, may_transfer)}
    staged = (one.value for one in StagingTransport if one is not StagingTransport.AUTO)
    names = (Transport.NETWORK_LINK.value, *staged)
    return tuple(_closed(name, definition, may_transfer) for name in names if name not in tried)


def _closed(name: str, definition: RefreshDefinition, may_transfer: bool) -> Closed:
    staging = definition.staging
    if definition.datapump.over_link:
        return Closed(
            name,
            "the definition moves rows over a database link, without dump files",
            "climb with datapump.transport: dump_files, if it is wanted",
        )
    if name == Transport.NETWORK_LINK:
        return Closed(
            name,
            "the definition moves rows in dump files",
            "climb with datapump.transport: network_link and datapump.database_link, if it is wanted",
        )
    if staging.transport is StagingTransport.SHARED:
        return Closed(
            name,
            "both ends share the storage: a copy would be written over its original",
            "climb with another staging.transport and a target_directory of its own, if it is wanted",
        )
    if name == StagingTransport.FILE_TRANSFER and staging.database_link is not None and not may_transfer:
        return Closed(
            name,
            "the target's user may not execute DBMS_FILE_TRANSFER",
            "AS SYSDBA on the target: GRANT EXECUTE ON SYS.DBMS_FILE_TRANSFER TO the target's user",
        )
    reason, remedy = _LACKING[StagingTransport(name)]
    return Closed(name, reason, remedy)


_LACKING = {
    StagingTransport.STREAM: (
        "the definition's transport does not write through the store",
        "climb with staging.transport: stream, if it is wanted",
    ),
    StagingTransport.FILE_TRANSFER: (
        "the definition names no staging.database_link",
        "CREATE DATABASE LINK on the target as its user, and staging.database_link, if it is wanted",
    ),
    StagingTransport.MOUNTED: (
        "the definition names no staging.mounted_path",
        "mount the store on the worker's host, and staging.mounted_path, if it is wanted",
    ),
    StagingTransport.SHARED: (
        "the definition does not say that both ends share the storage",
        "climb with staging.transport: shared, if both DIRECTORYs are one folder",
    ),
}


def _tidy(definition: RefreshDefinition, transport: StagingTransport) -> RefreshDefinition:
    """Jobs are started by the API, which has no TRACE; their logs tell methods only with METRICS."""
    document = definition.to_json()
    document["staging"]["transport"] = transport.value
    document["staging"]["store"]["keep"] = False
    document["datapump"] |= {"runner": "api", "trace": None, "metrics": True, "keep_master": False}
    return RefreshDefinition.from_json(document)
