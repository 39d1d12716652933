"""Quarantine: application accounts of the target stay locked until the refresh is proven."""

from oracle_refresh.target.quarantine.accounts import Quarantine, lock, never_released, open_accounts, release
from oracle_refresh.target.quarantine.holder import (
    held_by,
    require_holder,
    require_quarantine,
    take,
    unproven,
)

__all__ = [
    "Quarantine",
    "held_by",
    "lock",
    "never_released",
    "open_accounts",
    "release",
    "require_holder",
    "require_quarantine",
    "take",
    "unproven",
]
