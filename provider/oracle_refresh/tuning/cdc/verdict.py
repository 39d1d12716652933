"""Whether a change of a capture in use is worth keeping. Pure."""

from __future__ import annotations

from oracle_refresh.tuning.cdc.picture import Movement

#: A change that does not make the work faster by this factor is taken back.
LEAST_GAIN = 1.05


def worth_keeping(before: Movement, after: Movement) -> tuple[bool, str]:
    """Compare two stretches of work that nobody can make alike: first errors, then spills, then pace.

    What arrives in between differs, so that pace alone says little where changes are applied as fast as
    they come. A spill of the queue that is gone, or a smaller share of it, is worth keeping by itself.
    """
    if after.errors:
        return False, f"{after.errors} transactions have failed since"
    if not after.dequeued:
        return False, "nothing was applied since, so that the change cannot be judged"
    former, share = _share(before), _share(after)
    if abs(share - former) > 0.01:
        spills = f"the queue spills {100 * share:.0f} % of the messages, before {100 * former:.0f} %"
        return share < former, spills
    slow, fast = _pace(before), _pace(after)
    if slow and fast >= LEAST_GAIN * slow:
        return True, f"{fast:,.0f} changes per second of the servers' time, before {slow:,.0f}"
    if (
        before.lag_seconds
        and after.lag_seconds is not None
        and after.lag_seconds * LEAST_GAIN < before.lag_seconds
    ):
        return True, f"{after.lag_seconds:,.0f} s behind, before {before.lag_seconds:,.0f} s"
    return False, f"{fast:,.0f} changes per second of the servers' time, before {slow:,.0f}"


def _share(moved: Movement) -> float:
    return moved.queue_spilled / moved.enqueued if moved.enqueued else 0.0


def _pace(moved: Movement) -> float:
    """Changes applied per second; idle servers do not count against it."""
    work = sum(moved.server_messages)
    busy = max(moved.server_seconds, default=0.0)
    return work / busy if busy else 0.0
