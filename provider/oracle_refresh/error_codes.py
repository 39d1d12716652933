"""What each Oracle code means for a repeated try, and what to do about it: one table.

Sources: Oracle Database Error Messages 19c; Utilities 19c, chapters "Data Pump Export" and "The Data Pump
API". The classes are this provider's reading of those pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Disposition = Literal["retry", "rename", "attach", "space", "fatal"]


@dataclass(frozen=True)
class Reaction:
    """How to treat one code.

    :ivar disposition: `retry` may pass by itself; `rename`: the name is taken; `attach`: the job is there, go
        on with it; `space`: goes on when a DBA has made room; `fatal` does not heal by waiting.
    :ivar remedy: what a person can do.
    :ivar wrapper: it only says "see the next code", which then decides.
    :ivar once: a second failure of this kind is final.
    """

    disposition: Disposition
    remedy: str | None = None
    wrapper: bool = False
    once: bool = False


_ADD_SPACE = "add space to the tablespace, or raise the user's quota; a waiting job then goes on by itself"
_NEW_SCN = "start a new run: all shards and the validation need one new SCN"
_DIRECTORY = "check the DIRECTORY, the grants on it, and that the database can write to its path"
_DUMP_FILE = "check that the dump file is there and complete under the DIRECTORY's path"
_GRANT = "grant the missing privilege; the preflight lists the statements"
_PLAN = "check the names in the definition (upper case unless quoted), then plan again in a new run"
_CODE_BELOW = "the code after this one says why"
_READ_ON = "read the codes after this one; GET_STATUS and the log file name the argument"
_PROVIDER = "this is an error of the provider: report it with the task's log"
_STATISTICS = "leave statistics out of the job (EXCLUDE=STATISTICS) and gather them on the target"
_RESTART = "clear the task: it attaches to the job and starts it again from its master table"
_EXISTED = "the table existed and was left as it was: load with table_exists_action append or truncate"


def _of(disposition: Disposition, remedy: str | None, *codes: int, once: bool = False) -> dict[str, Reaction]:
    return {f"ORA-{code:05d}": Reaction(disposition, remedy, once=once) for code in codes}


def _wrapping(disposition: Disposition, remedy: str | None, *codes: int) -> dict[str, Reaction]:
    return {f"ORA-{code:05d}": Reaction(disposition, remedy, wrapper=True) for code in codes}


_DATABASE = {
    **_of(
        "retry", "somebody holds a lock on the object; wait, or find the session in V$LOCKED_OBJECT", 54, 4021
    ),
    **_of("retry", None, 60, 8177),
    **_of("retry", None, 18, 20, 28, 1013, 3113, 3114, 3135),  # sessions
    **_of("retry", None, 1033, 1034, 1089, 12170, 12516, 12519, 12520, 12528, 12537, 12547, 12570, 12571),
    **_of("retry", "check the service name of the Airflow connection and that the database is open", 12514),
    **_of("retry", "check host and port of the Airflow connection and that the listener runs", 12541),
    **_of("space", _ADD_SPACE, 1536, 1652, 1653, 1654, 1658, 1659, 1683, 1688, 1691, 1692),
    **_of("space", "enlarge the undo tablespace", 30036),
    **_of("rename", "the name is taken: the next try uses another, or drops what an ended job left", 955),
    **_of("fatal", _GRANT, 942, 1031),
    **_of("fatal", "correct user name and password of the Airflow connection", 1017),
    **_of(
        "fatal",
        f"the table's definition changed after the SCN. {_NEW_SCN[0].upper()}{_NEW_SCN[1:]}",
        1466,
    ),
    **_of("fatal", f"raise UNDO_RETENTION (and RETENTION or PCTVERSION of the LOBs), then {_NEW_SCN}", 1555),
    **_of("fatal", f"raise RETENTION or PCTVERSION of the LOB, then {_NEW_SCN}", 22924),
    **_of("fatal", "make the tablespace READ WRITE, or give the user another default tablespace", 1647),
    **_of("fatal", "create the user, or correct its name in the refresh definition", 1918),
    **_of("fatal", "grant the user a quota on its default tablespace, or UNLIMITED TABLESPACE", 1950),
    **_of("fatal", "open the database READ WRITE: a Data Pump job needs its master table", 16000),
    **_of("fatal", "unlock the account of the Airflow connection (ALTER USER ... ACCOUNT UNLOCK)", 28000),
    **_of("fatal", "set a new password for the account and put it into the Airflow connection", 28001),
    **_of("fatal", "use an ordinary user; SYS is not meant for Data Pump", 28009),
    **_of("fatal", _DIRECTORY, 6564, 19504, 29283),
    **_of("space", "make room on the file system behind the target's DIRECTORY", 19502),
    **_of(
        "fatal", "DBMS_FILE_TRANSFER copies multiples of 512 bytes; choose another staging.transport", 27046
    ),
    **_of("fatal", _DUMP_FILE, 27037),
    **_of("fatal", _PROVIDER, 2095, 2096, 12838, 30926, 38104, 65040),
    **_of(
        "fatal",
        "a value is longer than its column; check the rule's length and the length semantics",
        12899,
    ),
    **_of("fatal", _STATISTICS, 31011),
    "LPX-00225": Reaction("fatal", _STATISTICS),
    **_wrapping("retry", _CODE_BELOW, 604, 4088, 6512, 12801, 29400, 29913),
}

_DATA_PUMP = {
    **_wrapping("retry", "the job has ended: its log file says how", 31626),
    **_wrapping("retry", "the master table cannot be made: the code after this one says why", 31633),
    **_wrapping("retry", "rows of the table named were left out: the code after this one says why", 31693),
    **_wrapping("retry", _CODE_BELOW, 2354, 39097),
    **_wrapping("fatal", _READ_ON, 39000, 39001, 39002, 39006),
    **_wrapping("fatal", "an object could not be created: the code after this one says why", 39083),
    **_of(
        "attach", "attach again: the handle belongs to another session, or the job ended", 31623, once=True
    ),
    **_of("attach", _RESTART, 31634, 31671, 39014, 39029, 39065),
    **_of("retry", "not an error: GET_STATUS and the log file say more", 31627),
    **_of("retry", "nothing to do: the object or table was there, as a load expects", 31684, 39111, 39152),
    **_of("retry", f"an internal error; if it comes again, {_STATISTICS}", 39125, 39126, 39127, once=True),
    **_of("space", "add a dump file with a wildcard to the job and start it again", 39095),
    **_of("space", _ADD_SPACE, 39171),
    **_of("fatal", _GRANT, 31631, 39122, 39161),
    **_of("fatal", _READ_ON, 39005),
    **_of("fatal", _PROVIDER, 39004),
    **_of("fatal", _DIRECTORY, 39070, 39087),
    **_of("fatal", _DUMP_FILE, 31619, 31640),
    **_of("fatal", _PLAN, 31655, 39165, 39166, 39170),
    **_of("fatal", _EXISTED, 39151),
    **_of("fatal", "create the object type on the target first, or take it into the import", 39117),
    **_of(
        "fatal",
        "rows were hidden by a security policy: grant EXEMPT ACCESS POLICY to the exporting user",
        39181,
    ),
    **_of("fatal", "the target's character set does not hold the source's characters: use AL32UTF8", 39346),
}

_DRIVER = {
    **dict.fromkeys(("DPY-1001", "DPY-4024", "DPY-6000", "DPY-6003"), Reaction("retry")),
    "DPY-4011": Reaction(
        "retry", "the connection was closed; look into the database's alert log if it happens again"
    ),
    "DPY-6001": Reaction(
        "retry", "check the service name of the Airflow connection and that the database is open"
    ),
    "DPY-6005": Reaction("retry", "check host and port of the Airflow connection and that the listener runs"),
}

CODES: dict[str, Reaction] = dict(sorted({**_DATABASE, **_DATA_PUMP, **_DRIVER}.items()))

#: What a full or read-only tablespace means below ORA-31633: without a master table no job waits for space.
_MASTER_TABLE = "ORA-31633"
_NO_ROOM = Reaction("fatal", "make room for the master table in the default tablespace of the job's user")


def plain(code: str) -> str:
    """The code itself; that of the database for what expdp and impdp pass on (`UDE-28009`)."""
    return f"ORA-{code[4:]}" if code[:4] in ("UDE-", "UDI-") and len(code) == 9 else code


def reaction(code: str) -> Reaction | None:
    """What is known of one code."""
    return CODES.get(plain(code))


def deciding(codes: Iterable[str]) -> Reaction | None:
    """The reaction to an error stack; None where nothing is known of it, or where it is empty.

    A code that is known to be fatal decides wherever it stands. Otherwise the first code that is no wrapper
    does; below an internal error (`once`) another known code tells more. A stack of nothing but wrappers is
    treated as its first one.
    """
    stack = [plain(code) for code in codes]
    known = [(code, CODES[code]) for code in stack if code in CODES]
    if not known:
        return None
    telling = [found for _, found in known if not found.wrapper]
    for found in telling:
        if found.disposition == "fatal":
            return found
    if _MASTER_TABLE in stack and any(found.disposition == "space" for found in telling):
        return _NO_ROOM
    first = next((code for code in stack if code not in CODES or not CODES[code].wrapper), None)
    if first is None:
        return known[0][1]
    if first not in CODES:
        return None
    if CODES[first].once:
        return next((found for found in telling if not found.once), CODES[first])
    return CODES[first]
