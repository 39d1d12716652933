"""What a lock and a release log: which accounts and jobs, and how many."""

from __future__ import annotations

from oracle_refresh.target.quarantine import Quarantine

MANY = tuple(f"U{number:02}" for number in range(1, 14))


def test_lock_names_its_accounts_and_jobs() -> None:
    assert Quarantine(("APP", "DOCS"), sessions_killed=1, jobs=("APP.NIGHTLY",)).lock_text == (
        "Locked 2 accounts (APP, DOCS), disabled 1 job (APP.NIGHTLY), ended 1 session"
    )
    assert Quarantine(MANY).lock_text == (
        "Locked 13 accounts (U01, U02, U03, U04, U05, U06, U07, U08, U09, U10 and 3 more), disabled 0 jobs,"
        " ended 0 sessions"
    )


def test_release_names_the_accounts_that_it_leaves_locked() -> None:
    assert Quarantine(("APP",), ("APP",)).release_text == "Unlocked 1 account (APP), enabled 0 jobs"
    assert Quarantine(("APP", "OLD"), ("APP",), ("OLD",), jobs=("APP.A", "APP.B")).release_text == (
        "Unlocked 1 account (APP), enabled 2 jobs (APP.A, APP.B); left 1 account (OLD) locked, as before the"
        " refresh"
    )
