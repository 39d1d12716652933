"""What is read about change capture. Views and columns: Database Reference 19c (V$STREAMS_CAPTURE: 18c).

The three families have the same columns under other names. What only some of them have is not read, but for
what sends changes to a client: V$XSTREAM_OUTBOUND_SERVER and columns of V$GOLDENGATE_CAPTURE.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """Names of the views of Streams, XStream or GoldenGate integrated capture and apply."""

    name: str
    capture: str
    reader: str
    coordinator: str
    server: str
    support: str
    """Tables that are not captured, or not wholly."""
    not_unique: str
    """Tables without a primary key or another unique one without NULLs."""
    transaction: str | None = None
    """Transactions that processes are at; that of Streams is not documented in 19c."""

    @property
    def views(self) -> tuple[str, ...]:
        return (self.reader, self.coordinator, self.server)


#: In the order in which they are looked at: an apply process shows in one of them only.
FAMILIES = (
    Family(
        "STREAMS",
        "V$STREAMS_CAPTURE",
        "V$STREAMS_APPLY_READER",
        "V$STREAMS_APPLY_COORDINATOR",
        "V$STREAMS_APPLY_SERVER",
        "DBA_STREAMS_UNSUPPORTED",
        "DBA_LOGSTDBY_NOT_UNIQUE",
    ),
    Family(
        "XSTREAM",
        "V$XSTREAM_CAPTURE",
        "V$XSTREAM_APPLY_READER",
        "V$XSTREAM_APPLY_COORDINATOR",
        "V$XSTREAM_APPLY_SERVER",
        "DBA_XSTREAM_OUT_SUPPORT_MODE",
        "DBA_LOGSTDBY_NOT_UNIQUE",
        "V$XSTREAM_TRANSACTION",
    ),
    Family(
        "GG",
        "V$GOLDENGATE_CAPTURE",
        "V$GG_APPLY_READER",
        "V$GG_APPLY_COORDINATOR",
        "V$GG_APPLY_SERVER",
        "DBA_GOLDENGATE_SUPPORT_MODE",
        "DBA_GOLDENGATE_NOT_UNIQUE",
        "V$GOLDENGATE_TRANSACTION",
    ),
)

APPLY = """\
SELECT QUEUE_OWNER, QUEUE_NAME, STATUS, ERROR_NUMBER, ERROR_MESSAGE, PURPOSE
FROM DBA_APPLY WHERE APPLY_NAME = :apply_name"""
APPLY_OF_QUEUE = """\
SELECT APPLY_NAME FROM DBA_APPLY
WHERE QUEUE_OWNER = :queue_owner AND QUEUE_NAME = :queue_name ORDER BY APPLY_NAME"""
CAPTURE = """\
SELECT QUEUE_OWNER, QUEUE_NAME, STATUS, ERROR_NUMBER, ERROR_MESSAGE, PURPOSE, CAPTURE_TYPE, CLIENT_NAME,
       CLIENT_STATUS
FROM DBA_CAPTURE WHERE CAPTURE_NAME = :capture_name"""
CAPTURE_OF_QUEUE = """\
SELECT CAPTURE_NAME FROM DBA_CAPTURE
WHERE QUEUE_OWNER = :queue_owner AND QUEUE_NAME = :queue_name ORDER BY CAPTURE_NAME"""
# A server's queue need not be that of its capture: this view alone says which is which.
CAPTURE_OF_OUTBOUND = """\
SELECT CAPTURE_NAME FROM DBA_XSTREAM_OUTBOUND
WHERE SERVER_NAME = :apply_name AND CAPTURE_NAME IS NOT NULL"""
OUTBOUND_OF_CAPTURE = """\
SELECT SERVER_NAME FROM DBA_XSTREAM_OUTBOUND WHERE CAPTURE_NAME = :capture_name ORDER BY SERVER_NAME"""
APPLY_PARAMETERS = """\
SELECT PARAMETER, VALUE FROM DBA_APPLY_PARAMETERS WHERE APPLY_NAME = :apply_name ORDER BY PARAMETER"""
CAPTURE_PARAMETERS = """\
SELECT PARAMETER, VALUE FROM DBA_CAPTURE_PARAMETERS WHERE CAPTURE_NAME = :capture_name ORDER BY PARAMETER"""
APPLY_SET_BY_USER = """\
SELECT PARAMETER FROM DBA_APPLY_PARAMETERS WHERE APPLY_NAME = :apply_name AND SET_BY_USER = 'YES'"""
CAPTURE_SET_BY_USER = """\
SELECT PARAMETER FROM DBA_CAPTURE_PARAMETERS WHERE CAPTURE_NAME = :capture_name AND SET_BY_USER = 'YES'"""
SPILLED_TRANSACTIONS = """\
SELECT XIDUSN, XIDSLT, XIDSQN, MESSAGE_COUNT FROM DBA_APPLY_SPILL_TXN
WHERE APPLY_NAME = :apply_name ORDER BY MESSAGE_COUNT DESC"""
QUEUE = """\
SELECT STARTUP_TIME, NUM_MSGS, SPILL_MSGS, CNUM_MSGS, CSPILL_MSGS FROM V$BUFFERED_QUEUES
WHERE QUEUE_SCHEMA = :queue_owner AND QUEUE_NAME = :queue_name"""
#: Schemas whose changes may be captured: those of tables that are prepared for instantiation.
PREPARED = "SELECT TABLE_OWNER, TABLE_NAME FROM DBA_CAPTURE_PREPARED_TABLES ORDER BY TABLE_OWNER, TABLE_NAME"
OUTBOUND_SERVER = """\
SELECT SERVER_NAME, STATE, STARTUP_TIME, TOTAL_MESSAGES_SENT, BYTES_SENT, ELAPSED_SEND_TIME,
       LAST_SENT_MESSAGE_CREATE_TIME, SEND_TIME
FROM V$XSTREAM_OUTBOUND_SERVER WHERE SERVER_NAME = :apply_name"""
EXTRACT = """\
SELECT EXTRACT_NAME, STATE, STARTUP_TIME, TOTAL_MESSAGES_SENT, BYTES_SENT, ELAPSED_SEND_TIME,
       LAST_SENT_MESSAGE_CREATE_TIME, SEND_TIME
FROM V$GOLDENGATE_CAPTURE WHERE CAPTURE_NAME = :capture_name AND EXTRACT_NAME IS NOT NULL"""
POOL = "SELECT CURRENT_SIZE, TOTAL_MEMORY_ALLOCATED FROM V$STREAMS_POOL_STATISTICS"
POOL_ADVICE = """\
SELECT STREAMS_POOL_SIZE_FOR_ESTIMATE, ESTD_SPILL_COUNT, ESTD_SPILL_TIME, ESTD_UNSPILL_TIME
FROM V$STREAMS_POOL_ADVICE ORDER BY STREAMS_POOL_SIZE_FOR_ESTIMATE"""
# A container's own value stands behind that of the whole CDB (CON_ID 0) and is the one that holds.
SYSTEM_PARAMETERS = """\
SELECT NAME, VALUE, ISSYS_MODIFIABLE, ISPDB_MODIFIABLE FROM V$SYSTEM_PARAMETER
WHERE NAME IN ('streams_pool_size', 'cpu_count', 'sga_max_size')
  AND CON_ID IN (0, TO_NUMBER(SYS_CONTEXT('USERENV', 'CON_ID')))
ORDER BY CON_ID"""
GRANULE = "SELECT BYTES FROM V$SGAINFO WHERE NAME = 'Granule Size'"
CONTAINER = "SELECT SYS_CONTEXT('USERENV', 'CON_ID') FROM DUAL"


def probe(view: str) -> str:
    """Whether a view is there and may be read: ORA-00942 says no."""
    return f"SELECT COUNT(*) FROM {view} WHERE 1 = 0"


def capture(family: Family) -> str:
    return f"""\
SELECT STATE, STARTUP_TIME, TOTAL_MESSAGES_CAPTURED, TOTAL_MESSAGES_ENQUEUED, ELAPSED_CAPTURE_TIME,
       ELAPSED_ENQUEUE_TIME, ELAPSED_PAUSE_TIME, ENQUEUE_MESSAGE_CREATE_TIME, ENQUEUE_TIME,
       CAPTURE_MESSAGE_CREATE_TIME, CAPTURE_TIME, ELAPSED_RULE_TIME, ELAPSED_LCR_TIME,
       ELAPSED_REDO_WAIT_TIME, BYTES_OF_REDO_MINED
FROM {family.capture} WHERE CAPTURE_NAME = :capture_name"""


def reader(family: Family) -> str:
    return f"""\
SELECT STATE, TOTAL_MESSAGES_DEQUEUED, TOTAL_MESSAGES_SPILLED, ELAPSED_DEQUEUE_TIME, ELAPSED_SPILL_TIME,
       SGA_ALLOCATED, DEQUEUED_MESSAGE_CREATE_TIME, DEQUEUE_TIME
FROM {family.reader} WHERE APPLY_NAME = :apply_name"""


def coordinator(family: Family) -> str:
    return f"""\
SELECT STATE, STARTUP_TIME, TOTAL_RECEIVED, TOTAL_APPLIED, TOTAL_WAIT_DEPS, TOTAL_WAIT_COMMITS, TOTAL_ERRORS,
       UNASSIGNED_COMPLETE_TXNS, LWM_MESSAGE_CREATE_TIME, LWM_TIME
FROM {family.coordinator} WHERE APPLY_NAME = :apply_name"""


def servers(family: Family) -> str:
    return f"""\
SELECT SERVER_ID, STATE, TOTAL_ASSIGNED, TOTAL_MESSAGES_APPLIED, ELAPSED_APPLY_TIME
FROM {family.server} WHERE APPLY_NAME = :apply_name ORDER BY SERVER_ID"""


def transactions(view: str) -> str:
    """Transactions whose end capture has not seen, or that a client has not got yet; the largest first."""
    return f"""\
SELECT XIDUSN, XIDSLT, XIDSQN, CUMULATIVE_MESSAGE_COUNT, FIRST_MESSAGE_TIME
FROM {view} WHERE COMPONENT_NAME = :capture_name AND COMPONENT_TYPE = 'CAPTURE'
ORDER BY CUMULATIVE_MESSAGE_COUNT DESC"""


def unsupported(family: Family) -> str:
    """Tables of schemas that are captured from, and why or how far they are not supported."""
    if family.name == "STREAMS":
        name, reason, condition = "TABLE_NAME", "REASON", ""
    else:
        name, reason, condition = "OBJECT_NAME", "SUPPORT_MODE", "SUPPORT_MODE <> 'FULL' AND "
    return f"""\
SELECT OWNER, {name}, {reason} FROM {family.support}
WHERE {condition}OWNER IN (SELECT TABLE_OWNER FROM DBA_CAPTURE_PREPARED_TABLES) ORDER BY OWNER, {name}"""


def not_unique(family: Family) -> str:
    """Tables of schemas that are captured from, and whether columns of theirs tell no rows apart."""
    return f"""\
SELECT OWNER, TABLE_NAME, BAD_COLUMN FROM {family.not_unique}
WHERE OWNER IN (SELECT TABLE_OWNER FROM DBA_CAPTURE_PREPARED_TABLES) ORDER BY OWNER, TABLE_NAME"""


def session_waits(view: str, name: str, sid: str = "SID", serial: str = "SERIAL#") -> str:
    """What the processes that a view shows have waited for.

    A SID is given to another session when one has ended, so SERIAL# has to be that of V$SESSION too.

    :param name: the column with the name of the process.
    :param sid: the columns with its session.
    """
    bind = "capture_name" if name == "CAPTURE_NAME" else "apply_name"
    return f"""\
SELECT P.{sid}, P.{serial}, E.EVENT, E.WAIT_CLASS, E.TOTAL_WAITS, E.TIME_WAITED_MICRO
FROM {view} P
JOIN V$SESSION S ON S.SID = P.{sid} AND S.SERIAL# = P.{serial}
LEFT JOIN V$SESSION_EVENT E ON E.SID = S.SID
WHERE P.{name} = :{bind} ORDER BY P.{sid}, E.EVENT"""
