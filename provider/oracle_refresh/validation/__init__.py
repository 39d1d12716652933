"""Validation: is the copy true, is the masking complete, does the data meet expectations."""

from oracle_refresh.validation.checks import Means, verify_copy, verify_masked
from oracle_refresh.validation.model import LobCheck, MaskedCheck, Shard, ShardCheck, TableCheck
from oracle_refresh.validation.reading import FurtherSessions
from oracle_refresh.validation.verdicts import require

__all__ = [
    "FurtherSessions",
    "LobCheck",
    "MaskedCheck",
    "Means",
    "Shard",
    "ShardCheck",
    "TableCheck",
    "require",
    "verify_copy",
    "verify_masked",
]
