"""What a refresh has recorded of itself in its target, as far as the trials ask for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

import oracledb

from oracle_refresh.oracle.errors import oracle_codes
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.target.quarantine.accounts import RELEASE
from oracle_refresh.target.quarantine.holder import held_by
from support.home import Home

Answer = TypeVar("Answer")


def holder(home: Home) -> str | None:
    """The run that has locked the target last."""
    return _asked(home, held_by)


def released(home: Home, run_id: str) -> bool:
    return _asked(home, lambda target: Documents(target, run_id).find(RELEASE, WHOLE)) is not None


def scn(home: Home, run_id: str) -> int | None:
    """Of the run; None while it has frozen none."""
    frozen = _asked(home, lambda target: Documents(target, run_id).find(FROZEN, WHOLE))
    return None if frozen is None else frozen.scn


def _asked(home: Home, question: Callable[[oracledb.Connection], Answer]) -> Answer | None:
    """None also where no refresh has made its tables yet."""
    with closing(home.connect("target")) as target:
        try:
            return question(target)
        except oracledb.DatabaseError as error:
            if "ORA-00942" in oracle_codes(error):
                return None
            raise
