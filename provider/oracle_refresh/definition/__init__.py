"""The refresh definition: what a user writes in YAML, read and checked in one place."""

from oracle_refresh.definition.load import load_definition
from oracle_refresh.definition.model import (
    DataPump,
    DenyList,
    End,
    Expectations,
    Masking,
    Prepare,
    RefreshDefinition,
    Runner,
    Staging,
)
from oracle_refresh.definition.transports import StagingTransport, Transport

__all__ = [
    "DataPump",
    "DenyList",
    "End",
    "Expectations",
    "Masking",
    "Prepare",
    "RefreshDefinition",
    "Runner",
    "Staging",
    "StagingTransport",
    "Transport",
    "load_definition",
]
