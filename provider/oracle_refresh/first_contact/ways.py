"""The transports that the definition and the databases allow to be tried, and why others are not. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.definition.transports import StagingTransport
from oracle_refresh.transport.base import Obstacle, RowTransport
from oracle_refresh.transport.registry import TRANSPORTS, transport_of


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


def ways(definition: RefreshDefinition, granted: Collection[str]) -> tuple[Way, ...]:
    """Every transport that can be tried, the definition's own first.

    :param granted: packages that the target's user may execute, of those that transports do.
    """
    possible = [each for each in TRANSPORTS if _obstacle(each, definition, granted) is None]
    return tuple(
        Way(each, _tidy(definition, each))
        for each in sorted(possible, key=lambda each: not _named(each, definition))
    )


@dataclass(frozen=True)
class Closed:
    """A transport that is not tried."""

    name: str
    obstacle: Obstacle


def closed(definition: RefreshDefinition, granted: Collection[str]) -> tuple[Closed, ...]:
    """Every transport that `ways` leaves out. Parameters as there."""
    obstacles = ((each.name.value, _obstacle(each, definition, granted)) for each in TRANSPORTS)
    return tuple(Closed(name, obstacle) for name, obstacle in obstacles if obstacle is not None)


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
    """Jobs are started by the API, which has no TRACE; their logs tell methods only with METRICS."""
    document = definition.to_json()
    if transport.dump_files:
        document["staging"]["transport"] = transport.name.value
    document["staging"]["store"]["keep"] = False
    document["datapump"] |= {"runner": "api", "trace": None, "metrics": True, "keep_master": False}
    return RefreshDefinition.from_json(document)
