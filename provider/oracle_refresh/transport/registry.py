"""Every transport, by the name that a definition gives it.

A new one is a member of `StagingTransport` and a module of this package with that name, whose TRANSPORT it
is; a missing module, or one of another kind, is found when this module is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.transport import network_link
from oracle_refresh.transport.base import FileTransport, RowTransport

if TYPE_CHECKING:
    from oracle_refresh.definition import RefreshDefinition


def _file_transport(name: StagingTransport) -> FileTransport:
    transport = import_module(f"{__package__}.{name.value}").TRANSPORT
    if not isinstance(transport, FileTransport) or transport.name is not name:
        raise TypeError(f"transport/{name.value}.py holds no transport of that name")
    return transport


FILE_TRANSPORTS: Mapping[StagingTransport, FileTransport] = {
    name: _file_transport(name) for name in StagingTransport if name is not StagingTransport.AUTO
}
TRANSPORTS: tuple[RowTransport, ...] = (network_link.TRANSPORT, *FILE_TRANSPORTS.values())
#: What any of them executes, of `StagingTransport.packages`.
PACKAGES = tuple(dict.fromkeys(package for name in FILE_TRANSPORTS for package in name.packages))


def transport_of(definition: RefreshDefinition) -> RowTransport:
    """The transport of a definition; where `auto` has a choice, the one that it prefers."""
    if definition.datapump.over_link:
        return network_link.TRANSPORT
    return FILE_TRANSPORTS[definition.staging.transports[0]]
