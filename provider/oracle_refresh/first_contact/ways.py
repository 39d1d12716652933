"""The ways of rows to the target that the definition or the databases allow. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.spec import RefreshDefinition
from oracle_refresh.spec.definition import StagingTransport


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


def _tidy(definition: RefreshDefinition, transport: StagingTransport) -> RefreshDefinition:
    """Jobs are started by the API, which has no TRACE; their logs tell methods only with METRICS."""
    document = definition.to_json()
    document["staging"]["transport"] = transport.value
    document["staging"]["store"]["keep"] = False
    document["datapump"] |= {"runner": "api", "trace": None, "metrics": True}
    return RefreshDefinition.from_json(document)
