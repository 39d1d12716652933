"""Quarantine: application accounts of the target stay locked until the refresh is proven."""

from oracle_refresh.quarantine.accounts import Quarantine, lock, release
from oracle_refresh.quarantine.holder import require_holder, require_quarantine, take, unproven

__all__ = ["Quarantine", "lock", "release", "require_holder", "require_quarantine", "take", "unproven"]
