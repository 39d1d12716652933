"""Quarantine: application accounts of the target stay locked until the refresh is proven."""

from oracle_refresh.target.quarantine.accounts import (
    Quarantine,
    lock,
    never_released,
    open_accounts,
    release,
    require_lockable,
)
from oracle_refresh.target.quarantine.closed import (
    Watch,
    close_again,
    end_tries,
    never_held,
    require_closed,
    require_held,
    require_quarantine,
)
from oracle_refresh.target.quarantine.holder import (
    built,
    has_released,
    held_by,
    require_holder,
    take,
    unproven,
)
from oracle_refresh.target.quarantine.others import held_by_others
from oracle_refresh.target.quarantine.turns import Claim, ahead_of, passed

__all__ = [
    "Claim",
    "Quarantine",
    "Watch",
    "ahead_of",
    "built",
    "close_again",
    "end_tries",
    "has_released",
    "held_by",
    "held_by_others",
    "lock",
    "never_held",
    "never_released",
    "open_accounts",
    "passed",
    "release",
    "require_closed",
    "require_held",
    "require_holder",
    "require_lockable",
    "require_quarantine",
    "take",
    "unproven",
]
