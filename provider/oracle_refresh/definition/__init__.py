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
    Transport,
)

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
    "Transport",
    "load_definition",
]
