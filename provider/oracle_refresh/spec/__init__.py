"""The refresh definition: what a user writes in YAML, read and checked in one place."""

from oracle_refresh.spec.definition import (
    DenyList,
    End,
    Expectations,
    Masking,
    Prepare,
    RefreshDefinition,
    Staging,
)
from oracle_refresh.spec.load import load_definition

__all__ = [
    "DenyList",
    "End",
    "Expectations",
    "Masking",
    "Prepare",
    "RefreshDefinition",
    "Staging",
    "load_definition",
]
