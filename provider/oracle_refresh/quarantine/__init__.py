"""Quarantine: application accounts of the target stay locked until the refresh is proven."""

from oracle_refresh.quarantine.accounts import Quarantine, lock, release

__all__ = ["Quarantine", "lock", "release"]
