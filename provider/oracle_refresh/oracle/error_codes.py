"""What each Oracle code means for a repeated try, and what to do about it: one table.

Sources: Oracle Database Error Messages 19c; Utilities 19c, chapters "Data Pump Export" and "The Data Pump
API"; Net Services Reference 19c, "Parameters for the sqlnet.ora File"; Security Guide 19c, "Configuring
Authentication"; python-oracledb's documentation, "Troubleshooting Errors". The classes are this provider's
reading of those pages.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.oracle import remedies

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


#: What the operating system calls a file system without room, or a quota that is used up.
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})

#: After these nobody knows whether the call or the COMMIT took effect, although the session lives on.
EFFECT_UNKNOWN = frozenset({"ORA-25405", "ORA-25408"})


def _of(disposition: Disposition, remedy: str | None, *codes: int, once: bool = False) -> dict[str, Reaction]:
    return {f"ORA-{code:05d}": Reaction(disposition, remedy, once=once) for code in codes}


def _wrapping(disposition: Disposition, remedy: str | None, *codes: int) -> dict[str, Reaction]:
    return {f"ORA-{code:05d}": Reaction(disposition, remedy, wrapper=True) for code in codes}


_DATABASE = {
    **_of("retry", "somebody holds a lock on the object; wait, or find the session in V$LOCKED_OBJECT", 54),
    # Library objects have no row locks: V$LOCKED_OBJECT does not know who holds them.
    **_of("retry", "somebody uses the object; wait, or find the session in DBA_DDL_LOCKS", 4021),
    **_of("retry", None, 60, 8177),
    **_of("retry", remedies.UNDO_IN_USE, 30013),
    **_of("retry", "see whether archiving hangs: V$ARCHIVE_DEST.ERROR", 350),
    **_of("retry", remedies.LOG_IN_USE, 1623, 1624),
    **_of("retry", "raise SESSIONS of the instance, or lower the degrees", 18),
    **_of("retry", "another session holds the row: wait, or end it (BLOCKING_SESSION of V$SESSION)", 30006),
    **_of("retry", "raise PROCESSES of the instance, or lower the degrees", 20),
    **_of("retry", None, 28, 1012, 1013, 3113, 3114, 3135, 12153),  # sessions
    **_of(
        "retry",
        "wait until a DBA has opened the database: it is starting, shutting down or mounted only",
        *(1033, 1034, 1089, 1090, 1109),
    ),
    **_of("retry", "the instance ended: look into its alert log if it happens again", 1092),
    # The session failed over to another instance: what was under way there has to be begun again.
    **_of("retry", None, 25401, 25402, 25409),
    # The manual leaves it to the user to find out what took effect. The next try does: it asks the ledger,
    # whose row is in the same transaction, or looks whether the object is there, as after a lost connection.
    **_of("retry", remedies.EFFECT_UNKNOWN, *sorted(int(code[4:]) for code in EFFECT_UNKNOWN)),
    **_of("retry", "raise SESSIONS_PER_USER in the profile of the user, or lower the degrees", 2391),
    **_of("retry", "raise IDLE_TIME in the profile of the user", 2396),
    **_of(
        "retry", "raise CONNECT_TIME in the profile of the user above the length of a task", 2399, once=True
    ),
    # The state of a package is per session, and every try has a new one.
    **_of("retry", None, 4061, 4068),
    **_of("retry", "raise PGA_AGGREGATE_LIMIT of the instance, or lower the degrees", 4036),
    **_of("retry", remedies.GONE_WHILE_READ, 8103, once=True),
    **_of("space", remedies.ARCHIVER, 257),
    **_of("space", remedies.ADD_QUOTA, 1536),
    **_of("space", remedies.ADD_SPACE, 1652, 1653, 1654, 1658, 1659, 1683, 1688, 1691, 1692),
    **_of("space", "enlarge the undo tablespace", 30036),
    **_of("rename", "the name is taken: the next try uses another, or drops what an ended job left", 955),
    **_of("fatal", remedies.GRANT, 942, 1031),
    **_of(
        "fatal",
        f"the table's definition changed after the SCN, so {remedies.NEW_SCN}",
        1466,
    ),
    **_of(
        "fatal",
        f"raise UNDO_RETENTION (and RETENTION or PCTVERSION of the LOBs), then {remedies.NEW_SCN}",
        1555,
    ),
    **_of("fatal", f"raise RETENTION or PCTVERSION of the LOB, then {remedies.NEW_SCN}", 22924),
    **_of("fatal", "make the tablespace READ WRITE, or give the user another default tablespace", 1647),
    **_of("fatal", "create the user, or correct its name in the refresh definition", 1918),
    **_of("fatal", "grant the user a quota on its default tablespace, or UNLIMITED TABLESPACE", 1950),
    **_of("fatal", remedies.DISABLE_VALIDATED, 25128),
    **_of("fatal", "open the database READ WRITE: a Data Pump job needs its master table", 16000),
    **_of("fatal", remedies.DIRECTORY, 6564, 22285, 29280, 29283, 29289),
    **_of("space", remedies.FILE_WRITE, 19502, 29285),
    **_of("fatal", remedies.HOST_PATH, 27040, 27041),
    **_of("fatal", remedies.NFS, 27054),
    **_of("fatal", remedies.FILE_THERE, 27038),
    **_of("retry", remedies.FILE_IO, 27061, 27063, 27072, once=True),
    **_wrapping("fatal", remedies.DIRECTORY, 19504, 22288),
    **_wrapping("fatal", remedies.DUMP_FILE, 19505),
    **_of("fatal", remedies.KEYSTORE, 28365),
    **_of("fatal", remedies.KEYSTORE_PATH, 28353),
    **_of("fatal", remedies.LINK, 2019),
    **_of("fatal", remedies.LINK_NAME, 2085),
    **_of("fatal", f"the table was moved or shrunk since it was planned: {remedies.NEW_RUN}", 1410),
    **_of("fatal", remedies.STREAMS_POOL, 832),
    **_of("fatal", remedies.MEMORY, 4031),
    **_of("fatal", "let a DBA restore the block: V$DATABASE_BLOCK_CORRUPTION names it", 1578),
    **_of("fatal", "clear prepare_stage, which makes the store and its mount again", 64007, 64008),
    **_of(
        "fatal", "DBMS_FILE_TRANSFER copies multiples of 512 bytes; choose another staging.transport", 27046
    ),
    **_of("fatal", remedies.FILE_GONE, 27037),
    **_of("fatal", remedies.PROVIDER, 2095, 2096, 12838, 30926, 38104),
    **_of("fatal", remedies.ROOT_ONLY, 65040),
    **_of(
        "fatal",
        "a value is longer than its column; check the rule's length and the length semantics",
        12899,
    ),
    **_of("fatal", remedies.XML, 31011),
    "LPX-00225": Reaction("fatal", remedies.XML),
    **_wrapping("retry", remedies.CODE_BELOW, 604, 12801, 29400, 29913),
    # Written behind the error as the stack is unwound.
    **_wrapping("retry", remedies.CODE_ABOVE, 4088, 6512),
    **_wrapping("retry", "the codes before this one came from the other end of a database link", 2063),
    # A block that calls a package without a grant on it does not compile.
    **_wrapping("fatal", remedies.CODE_BELOW, 6550),
    **dict.fromkeys(("PLS-00201", "PLS-00904"), Reaction("fatal", remedies.GRANT)),
    **_of("fatal", remedies.STATISTICS_LOCKED, 38029),
    # Of DBMS_STATS; a trigger or a procedure may raise it as well (RAISE_APPLICATION_ERROR).
    **_of("fatal", f"where DBMS_STATS has raised it: {remedies.STATISTICS_LOCKED}", 20005),
    **_of("retry", "the Scheduler's locks are held for moments; wait", 27468),
    **_of("retry", remedies.JOB_STOPPING, 27365),
    **_of("fatal", remedies.SCHEDULER_GRANTS, 27486),
}

_LISTENER = {
    **_of("retry", remedies.SERVICE, 12514),
    **_of("retry", remedies.SID, 12505),
    **_of("fatal", "add service_name to the extra of the Airflow connection", 12504),
    **_of("retry", remedies.INSTANCE_NAME, 12521, 12522, 12523),
    **_of("retry", remedies.HANDLERS, 12516, 12519),
    **_of("retry", f"correct server_type in the connection's extra; or {remedies.HANDLERS}", 12520),
    **_of("retry", "see whether the listener's host has processes and memory left: its log says why", 12518),
    **_of("retry", "see whether the database's host has processes and memory left", 12500, 12540, 12549),
    **_of("retry", remedies.RESTRICTED, 1035, 12526),
    **_of("retry", remedies.BLOCKED, 12527, 12528),
    **_of("fatal", "let the administrator of Connection Manager permit this connection", 12529),
    **_of("retry", remedies.LISTENER, 12224, 12541, 12542, 12560),
    **_of("retry", remedies.TIMEOUT, 12170, 12525, 12535, 12543, 12609),
    **_of("retry", remedies.LOST, 12537, 12547, 12564, 12570, 12571, 12637),
    **_of("retry", remedies.HOST_NAME, 12545, 12262, once=True),
    **_of("fatal", remedies.ADDRESS, 12162, 12163, 12198, 12203, 12261, 12502, 12533, 12550),
    **_of("fatal", remedies.CONNECT_IDENTIFIER, 12154, 12263),
    **_of("fatal", remedies.ENCRYPTION, 12660),
    **_of("fatal", remedies.ENCRYPTION_TYPES, 12649, 12650, 12651),
    **_of("fatal", "use TLS or native network encryption, not both (sqlnet.ora)", 12696),
    **_of("fatal", remedies.PATCH_CLIENT, 12268, 12269),
    **_of(
        "retry", "see whether a device between worker and database changes packets", 12569, 12599, once=True
    ),
    **_of("fatal", remedies.CREDENTIALS, 12638, 12641),
    **_of("fatal", remedies.WALLET, 28759, 28860, 28862, 29024),
}

_LOGIN = {
    **_of("fatal", remedies.PASSWORD, 1017),
    **_of("fatal", "set login and password of the Airflow connection", 1004, 1005),
    **_of("fatal", "grant CREATE SESSION to the user of the Airflow connection", 1045),
    **_of("fatal", "unlock the account of the Airflow connection (ALTER USER ... ACCOUNT UNLOCK)", 28000),
    **_of("fatal", "set a new password for the account and put it into the Airflow connection", 28001, 28032),
    **_of(
        "retry", "set a new password before it expires and put it into the Airflow connection", 28002, 28011
    ),
    **_of("fatal", "use an ordinary user; SYS is not meant for Data Pump", 28009),
    **_of("fatal", remedies.PROTOCOL, 28035, 28040),
    **_of("fatal", "let a DBA permit it: ALTER USER ... GRANT CONNECT THROUGH the login", 28150),
    **_of("retry", "see whether the database reaches its directory server", 28030),
}

_DATA_PUMP = {
    **_wrapping("retry", remedies.NO_JOB, 31626),
    **_wrapping("retry", "the master table cannot be made: the code after this one says why", 31633),
    **_wrapping("retry", "rows of the table named were left out: the code after this one says why", 31693),
    **_wrapping("retry", remedies.CODE_BELOW, 2354, 39097),
    **_wrapping("fatal", remedies.READ_ON, 39000, 39001, 39002, 39006),
    **_wrapping("fatal", "an object could not be created: the code after this one says why", 39083),
    **_of(
        "attach", "attach again: the handle belongs to another session, or the job ended", 31623, once=True
    ),
    **_of("attach", remedies.RESTART, 31634, 31671, 39014, 39029, 39065),
    **_of("retry", "not an error: GET_STATUS and the log file say more", 31627),
    **_of("retry", "nothing to do: the object or table was there, as a load expects", 31684, 39111, 39152),
    **_of("retry", remedies.INTERNAL, 39125, 39126, 39127, once=True),
    **_of("space", "make room under the path of the DIRECTORY, then clear the task", 39095),
    **_of("space", remedies.ROOM_OR_QUOTA, 39171),
    **_of("fatal", remedies.GRANT, 31631, 39122, 39161),
    **_of("fatal", remedies.READ_ON, 39005),
    **_of("fatal", remedies.PROVIDER, 39004),
    **_of("fatal", remedies.DIRECTORY, 39087),
    **_wrapping("fatal", remedies.DIRECTORY, 31617, 31641, 39070),
    **_wrapping("fatal", remedies.DUMP_FILE, 31640, 31645),
    **_of("fatal", remedies.DUMP_FILE, 31619, 39059),
    **_of("fatal", remedies.FOREIGN_FILE, 39143),
    **_of("fatal", remedies.PLAN, 31655, 39170),
    **_of("fatal", remedies.NOT_FOUND, 39165, 39166),
    **_of("fatal", remedies.EXISTED, 39151),
    **_of("fatal", "create the object type on the target first, or take it into the import", 39117),
    **_of(
        "fatal",
        "rows were hidden by a security policy: grant EXEMPT ACCESS POLICY to the exporting user",
        39181,
    ),
    **_of("fatal", "only Enterprise Edition runs jobs in parallel: set degree: 1 in the definition", 39094),
    **_of("fatal", remedies.OTHER_VERSION, 39142),
    **_of("fatal", remedies.EQUALLY_PRIVILEGED, 39149),
    **_of("fatal", remedies.TIME_ZONES, 39405),
    **_of("fatal", "the target's character set does not hold the source's characters: use AL32UTF8", 39346),
}

_DRIVER = {
    "DPY-1001": Reaction("retry", remedies.CONNECTION),
    "DPY-6000": Reaction("retry", "the listener refused: the ORA code in the message says why", wrapper=True),
    "DPY-4024": Reaction("retry", remedies.NO_ANSWER),
    "DPY-4011": Reaction(
        "retry",
        "the connection was closed; look into the database's alert log if it happens again; if no session can"
        " be opened at all, see whether the database demands native network encryption: it needs thick_mode",
    ),
    **dict.fromkeys(("DPY-2017", "DPY-2019", "DPY-2053"), Reaction("fatal", remedies.ONE_CLIENT)),
    "DPY-2018": Reaction("fatal", remedies.WALLET),
    **dict.fromkeys(("DPY-2031", "DPY-2032", "DPY-2033"), Reaction("fatal", remedies.TOKEN)),
    "DPY-2034": Reaction("fatal", "use a dsn with the protocol TCPS: tokens are sent over TLS only"),
    "DPY-2056": Reaction("fatal", remedies.RESOLVED_BY_CLIENT),
    "DPY-3001": Reaction("fatal", f"where thin mode lacks the feature: {remedies.THICK}"),
    "DPY-3010": Reaction("fatal", f"thin mode needs Oracle Database 12.1 or later: {remedies.THICK}"),
    "DPY-3015": Reaction("fatal", f"{remedies.VERIFIERS} 11G or 12C; or {remedies.THICK}"),
    "DPY-3016": Reaction("fatal", "install the Python package cryptography on every worker and triggerer"),
    **dict.fromkeys(("DPY-4000", "DPY-4026", "DPY-4027", "DPY-4030"), Reaction("fatal", remedies.TNSNAMES)),
    "DPY-4001": Reaction("fatal", remedies.NO_LOGIN),
    **dict.fromkeys(
        ("DPY-2020", "DPY-2049", "DPY-4017", "DPY-4018", "DPY-4021"), Reaction("fatal", remedies.ADDRESS)
    ),
    "DPY-4019": Reaction("fatal", remedies.REDIRECT),
    "DPY-4028": Reaction("fatal", "set server_type in the extra to dedicated, shared or pooled"),
    "DPY-4032": Reaction("fatal", "correct SSL_VERSION of the connect descriptor"),
    "DPI-1047": Reaction(
        "fatal",
        "install the Oracle Client libraries on this machine, and name their folder as thick_mode_lib_dir in"
        " the connection's extra",
    ),
    "DPI-1072": Reaction("fatal", remedies.NEWER_CLIENT),
    "DPY-6001": Reaction("retry", remedies.SERVICE),
    "DPY-6003": Reaction("retry", remedies.SID),
    **dict.fromkeys(("DPY-6002", "DPY-6006"), Reaction("fatal", remedies.CERTIFICATE_NAME)),
    "DPY-6004": Reaction("retry", "see whether the https_proxy of the connect descriptor permits the host"),
    # The line behind it says why: another code, or an error of the operating system.
    "DPY-6005": Reaction("retry", remedies.LISTENER, wrapper=True),
    "DPY-6008": Reaction("fatal", remedies.SERVER_UNPROVEN),
}

#: Of the ORACLE_DATAPUMP access driver, below ORA-29913 or ORA-29400.
_ACCESS_DRIVER = {
    f"KUP-{code}": Reaction("fatal", remedies.DUMP_FILE)
    for code in (
        *(11000, 11001, 11002, 11003, 11004, 11005, 11006, 11010, 11011, 11013, 11014, 11016, 11017, 11018),
        *(11019, 11020, 11021, 11026, 11028),
    )
} | {f"KUP-{code}": Reaction("fatal", remedies.DIRECTORY) for code in (11022, 11023)}

#: Remedies of codes that only point to another code.
READ_ON = frozenset({remedies.CODE_BELOW, remedies.CODE_ABOVE, remedies.READ_ON})

CODES: dict[str, Reaction] = dict(
    sorted({**_DATABASE, **_LISTENER, **_LOGIN, **_DATA_PUMP, **_DRIVER, **_ACCESS_DRIVER}.items())
)

#: What a full or read-only tablespace means below ORA-31633: without a master table no job waits for space.
_MASTER_TABLE = "ORA-31633"
_NO_ROOM = Reaction("fatal", "make room for the master table in the default tablespace of the job's user")
#: What an object of the same name means there; an ending job may be about to drop it.
_NAME_TAKEN = Reaction(
    "rename",
    "a table of the job's user has the name of the master table: drop or rename it, then clear the task",
)


def plain(code: str) -> str:
    """Return the code itself, or the database's for `UDE-28009` of expdp and `TNS-12541` of Oracle Net."""
    return f"ORA-{code[4:]}" if code[:4] in ("UDE-", "UDI-", "TNS-") and len(code) == 9 else code


def reaction(code: str) -> Reaction | None:
    """What is known of one code."""
    return CODES.get(plain(code))


def telling(codes: Iterable[str]) -> Reaction | None:
    """The reaction whose remedy says most about an error stack; None where the table has no remedy for it.

    That is the one that decides, unless it is a wrapper or has no remedy. Then it is the first other code
    that is no wrapper, or else the innermost wrapper that says more than "read on".
    """
    stack = [plain(code) for code in codes]
    decisive = deciding(stack)
    if decisive is not None and decisive.remedy and not decisive.wrapper:
        return decisive
    reactions = [CODES[code] for code in stack if code in CODES and CODES[code].remedy]
    wrappers = [each for each in reversed(reactions) if each.wrapper]
    plainly = [each for each in reactions if not each.wrapper]
    return next(iter([*plainly, *(each for each in wrappers if each.remedy not in READ_ON), *wrappers]), None)


def deciding(codes: Iterable[str]) -> Reaction | None:
    """The reaction to an error stack; None where nothing is known of it, or where it is empty.

    A code that is known to be fatal decides wherever it stands. Otherwise the first code that is no wrapper
    does; below an internal error (`once`) another known code tells more. A stack of nothing but wrappers is
    treated as its first one.
    """
    # An access driver's code that is not listed adds nothing to the database's codes above it.
    stack = [code for code in map(plain, codes) if code in CODES or not code.startswith("KUP-")]
    listed = [(code, CODES[code]) for code in stack if code in CODES]
    if not listed:
        return None
    telling = [each for _, each in listed if not each.wrapper]
    for each in telling:
        if each.disposition == "fatal":
            return each
    if _MASTER_TABLE in stack and any(each.disposition == "space" for each in telling):
        return _NO_ROOM
    if _MASTER_TABLE in stack and "ORA-00955" in stack:
        return _NAME_TAKEN
    first = next((code for code in stack if code not in CODES or not CODES[code].wrapper), None)
    if first is None:
        return listed[0][1]
    if first not in CODES:
        return None
    if CODES[first].once:
        return next((each for each in telling if not each.once), CODES[first])
    return CODES[first]
