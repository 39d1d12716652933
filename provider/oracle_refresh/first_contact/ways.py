"""The transports that the definition and the databases allow to be tried, and why others are not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.transport.base import Obstacle, RowTransport
from oracle_refresh.transport.choice import granted_packages
from oracle_refresh.transport.registry import PACKAGES, TRANSPORTS, transport_of

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Way:
    """One transport, insisted upon.

    :ivar definition: that of the user, but for what would bring its files elsewhere or leave anything behind.
    """

    transport: RowTransport
    definition: RefreshDefinition

    @property
    def name(self) -> str:
        return self.transport.name.value


def open_ways(target: oracledb.Connection, definition: RefreshDefinition) -> tuple[Way, ...]:
    """Every transport that can be tried with the grants of the target's user, the definition's own first."""
    closed = closed_ways(target, definition)
    possible = [each for each in TRANSPORTS if each.name.value not in closed]
    possible.sort(key=lambda each: not _named(each, definition))
    return tuple(Way(each, _tidy(definition, each)) for each in possible)


def closed_ways(target: oracledb.Connection, definition: RefreshDefinition) -> dict[str, Obstacle]:
    """The transports that are not tried, each with why, and what to do where it is wanted."""
    granted = granted_packages(target, PACKAGES)
    obstacles = ((each.name.value, _obstacle(each, definition, granted)) for each in TRANSPORTS)
    return {name: obstacle for name, obstacle in obstacles if obstacle is not None}


def _named(transport: RowTransport, definition: RefreshDefinition) -> bool:
    """Whether the definition insists on it."""
    return transport is transport_of(definition) and (
        not transport.dump_files or definition.staging.transport is not StagingTransport.AUTO
    )


def _obstacle(
    transport: RowTransport, definition: RefreshDefinition, granted: Collection[str]
) -> Obstacle | None:
    if _named(transport, definition):
        return None
    if transport.dump_files and transport_of(definition).excludes_others:
        return transport_of(definition).excludes_others
    return transport.obstacle(definition, granted)


def _tidy(definition: RefreshDefinition, transport: RowTransport) -> RefreshDefinition:
    """Jobs are started by the API, which has no TRACE; their logs show methods only with METRICS."""
    document = definition.to_json()
    if transport.dump_files:
        document["staging"]["transport"] = transport.name.value
    document["staging"]["store"]["keep"] = False
    document["datapump"] |= {"runner": "api", "trace": None, "metrics": True, "keep_master": False}
    return RefreshDefinition.from_json(document)
