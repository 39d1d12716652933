"""The refresh definition: what a user writes in YAML, read and checked in one place."""

from oracle_refresh.definition.capture import Capture
from oracle_refresh.definition.load import load_definition, load_target_definition, require_refresh
from oracle_refresh.definition.model import (
    USUAL_SHARDS,
    CloneDefinition,
    DataPump,
    DenyList,
    End,
    Expectations,
    Masking,
    Prepare,
    RefreshDefinition,
    Runner,
    Staging,
    TargetDefinition,
)
from oracle_refresh.definition.tables import ChosenScheme, TableChoice
from oracle_refresh.definition.transports import StagingTransport, Transport

__all__ = [
    "USUAL_SHARDS",
    "Capture",
    "ChosenScheme",
    "CloneDefinition",
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
    "TableChoice",
    "TargetDefinition",
    "Transport",
    "load_definition",
    "load_target_definition",
    "require_refresh",
]
