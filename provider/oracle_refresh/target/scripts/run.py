"""Scripts run on the target, statement by statement, each exactly once per run.

INSERT, UPDATE, DELETE and MERGE are committed together with their ledger row. All others may commit by
themselves: their row says `running` before they start and `done` afterwards. What a killed task left
`running` may or may not have taken effect, so nobody guesses: the next try refuses and names the statement.
So it does where the session failed over in the middle of one (ORA-25405, ORA-25408).
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.error_codes import EFFECT_UNKNOWN
from oracle_refresh.oracle.errors import PlanError, from_oracle, oracle_codes
from oracle_refresh.oracle.remedies import LOAD_AGAIN
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import DONE, FAILED
from oracle_refresh.target.scripts.split import STEP, Script, ScriptStatement

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.ledger import Ledger

When = Literal["before", "after"]
#: The line within a PL/SQL block that a compilation or run-time error names.
_LINE = re.compile(r"(?:ORA-06550: line |ORA-06512: at line )(\d+)")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ScriptResult(Jsonable):
    """What became of one script; `statements` counts those that this try has run, `kept` those before it."""

    when: When
    path: str
    statements: int
    kept: int
    seconds: float


SCRIPT: Kind[ScriptResult] = Kind("scripts", ScriptResult)


def run_scripts(
    connection: oracledb.Connection, scripts: Sequence[Script], when: When, ledger: Ledger
) -> list[ScriptResult]:
    """Run what has not been run in this run. Commits.

    :raises PlanError: with file, line and ORA code when a statement fails; when one was interrupted in a
        former try; when a script was changed after statements of it ran.
    """
    results = []
    for place, script in enumerate(scripts, 1):
        started, done = time.monotonic(), 0
        for number, statement in enumerate(script.statements, 1):
            item = f"{when} {place} {script.path.name[-200:]} #{number}"  # read by `begun_scripts`
            done += _once(connection, script, statement, item, ledger)
        kept = len(script.statements) - done
        statements = counted(len(script.statements), "statement")
        log.info("%s: %s, %d of them in an earlier attempt", script.path, statements, kept)
        results.append(ScriptResult(when, str(script.path), done, kept, time.monotonic() - started))
    return results


def begun_scripts(ledger: Ledger) -> tuple[str, ...]:
    """The scripts of which a statement was begun in this run, in their order: `masking.before: accounts.sql`.
    One that has failed counts as well: a block may have committed before."""
    items = (item.rpartition(" #")[0].split(" ", 2) for item in ledger.states(STEP))
    found = {(when != "before", int(place)): f"masking.{when}: {name}" for when, place, name in items}
    return tuple(found[order] for order in sorted(found))


def _once(
    connection: oracledb.Connection,
    script: Script,
    statement: ScriptStatement,
    item: str,
    ledger: Ledger,
) -> bool:
    """Run one statement unless it has been; whether it was."""
    detail = {"line": statement.line, "digest": statement.digest}
    former = ledger.entry(STEP, item)
    if former and former.state != FAILED and former.detail.get("digest") != statement.digest:
        raise _error(script, statement, "was changed after it ran", remedy=LOAD_AGAIN)
    if former and former.state == DONE:
        return False
    if statement.transactional:
        if not ledger.claim(STEP, item, detail):
            return False
    elif not ledger.begin_once(STEP, item, detail):
        raise _error(
            script,
            statement,
            "is at work in another try, or was interrupted and may or may not have taken effect",
            remedy=_look(item),
        )
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement.text)
            warning = cursor.warning
        if warning is not None:  # a procedure or trigger that was created with compilation errors
            raise warning
    except Exception as error:
        if not oracle_codes(error):
            raise
        connection.rollback()
        unknown = not statement.transactional and not EFFECT_UNKNOWN.isdisjoint(oracle_codes(error))
        if not unknown:
            ledger.record(STEP, item, FAILED, detail)
        cause = from_oracle(error, STEP, str(script.path), PlanError)
        line = statement.line + _offset(statement, error)
        raise PlanError(
            f"line {line}: {cause.message}",
            codes=cause.codes,
            object_name=str(script.path),
            step=STEP,
            remedy=_look(item)
            if unknown
            else cause.remedy or "correct the script and repeat the task: what ran before is not repeated",
        ) from error
    if statement.transactional:
        connection.commit()
    else:
        ledger.record(STEP, item, DONE, detail)
    return True


def _look(item: str) -> str:
    """The remedy where nobody knows whether a statement took effect."""
    return (
        f"see whether it did; then set STATE of the row {item!r} in REFRESH$LEDGER to 'done' or 'failed' and"
        " repeat the task"
    )


def _offset(statement: ScriptStatement, error: BaseException) -> int:
    """Lines from the first of the statement to the one that the error is about."""
    if statement.block:
        named = _LINE.search(str(error))
        return int(named[1]) - 1 if named else 0
    offset = getattr(error.args[0] if error.args else None, "offset", 0) or 0
    return statement.text.count("\n", 0, offset)


def _error(script: Script, statement: ScriptStatement, why: str, remedy: str) -> PlanError:
    return PlanError(
        f"line {statement.line}: the statement {why}",
        object_name=str(script.path),
        step=STEP,
        remedy=remedy,
    )
