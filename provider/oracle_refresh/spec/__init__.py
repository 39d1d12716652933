"""The refresh definition: what a user writes in YAML, read and checked in one place."""

from oracle_refresh.spec.definition import (
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
from oracle_refresh.spec.load import load_definition

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
