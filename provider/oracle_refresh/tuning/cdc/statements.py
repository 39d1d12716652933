"""What is read about change capture. Views and columns: Database Reference 19c (V$STREAMS_CAPTURE: 18c).

The three families have the same columns under other names; what only some of them have is not read.
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
    ),
    Family(
        "XSTREAM",
        "V$XSTREAM_CAPTURE",
        "V$XSTREAM_APPLY_READER",
        "V$XSTREAM_APPLY_COORDINATOR",
        "V$XSTREAM_APPLY_SERVER",
    ),
    Family("GG", "V$GOLDENGATE_CAPTURE", "V$GG_APPLY_READER", "V$GG_APPLY_COORDINATOR", "V$GG_APPLY_SERVER"),
)

APPLY = """\
SELECT QUEUE_OWNER, QUEUE_NAME, STATUS, ERROR_NUMBER, ERROR_MESSAGE, PURPOSE
FROM DBA_APPLY WHERE APPLY_NAME = :apply_name"""
CAPTURE_OF_QUEUE = """\
SELECT CAPTURE_NAME, STATUS, ERROR_NUMBER, ERROR_MESSAGE FROM DBA_CAPTURE
WHERE QUEUE_OWNER = :queue_owner AND QUEUE_NAME = :queue_name ORDER BY CAPTURE_NAME"""
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
       ELAPSED_ENQUEUE_TIME, ELAPSED_PAUSE_TIME, ENQUEUE_MESSAGE_CREATE_TIME, ENQUEUE_TIME
FROM {family.capture} WHERE CAPTURE_NAME = :capture_name"""


def reader(family: Family) -> str:
    return f"""\
SELECT STATE, TOTAL_MESSAGES_DEQUEUED, TOTAL_MESSAGES_SPILLED, ELAPSED_DEQUEUE_TIME, ELAPSED_SPILL_TIME,
       SGA_ALLOCATED
FROM {family.reader} WHERE APPLY_NAME = :apply_name"""


def coordinator(family: Family) -> str:
    return f"""\
SELECT STATE, STARTUP_TIME, TOTAL_RECEIVED, TOTAL_APPLIED, TOTAL_WAIT_DEPS, TOTAL_WAIT_COMMITS, TOTAL_ERRORS,
       UNASSIGNED_COMPLETE_TXNS
FROM {family.coordinator} WHERE APPLY_NAME = :apply_name"""


def servers(family: Family) -> str:
    return f"""\
SELECT SERVER_ID, STATE, TOTAL_ASSIGNED, TOTAL_MESSAGES_APPLIED, ELAPSED_APPLY_TIME
FROM {family.server} WHERE APPLY_NAME = :apply_name ORDER BY SERVER_ID"""
