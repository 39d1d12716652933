"""The types of dictionary columns (Database Reference): rules by name, and the exceptions to them."""

from __future__ import annotations

import re

_DATES = re.compile(
    r"^(CREATED|CREATION_TIME|CREATION_DATE|LAST_DDL_TIME|LAST_ANALYZED|LOCK_DATE|EXPIRY_DATE|PASSWORD_CHANGE_DATE|"
    r"LAST_CHANGE|START_TIME|LAST_UPDATE_TIME|LOGON_TIME|STARTUP_TIME|BEGIN_TIME|END_TIME|FIRST_TIME|NEXT_TIME|"
    r"COMPLETION_TIME|RESETLOGS_TIME|PRIOR_RESETLOGS_TIME|CONTROLFILE_TIME|CONTROLFILE_CREATED|VERSION_TIME|OPEN_TIME|"
    r"CHECKPOINT_TIME|ENABLE_TIME|DISABLE_TIME|LAST_REDO_TIME|LAST_REFRESH_DATE|LAST_REFRESH_END_TIME|STALE_SINCE|START_DATE|"
    r"SQL_EXEC_START|PREV_EXEC_START|UNRECOVERABLE_TIME|LAST_TIME|ONLINE_TIME|FIRST_NONLOGGED_TIME|IM_STAT_UPDATE_TIME|"
    r"FAIL_DATE|OLDEST_FLASHBACK_TIME|LAST_ACTIVE_TIME|UNDO_TIMESTAMP)$"
)
_NUMBERS = re.compile(
    r"#$|^(NUM|AVG|MAX|MIN|PCT|CNT|COUNT|DEF_PCT|DEF_INI|DEF_MAX_TRANS|TOTAL|CURRENT_(SCN|SIZE|UTILIZATION)|TIME_|SECONDS|ELAPSED|ESTD)_?|"
    r"(_ID|_COUNT|_NUMBER|_POSITION|_LENGTH|_SIZE|_BYTES|_BLOCKS|_ROWS|_SCN|_HASH|_LEN|_TRANS|_EXTENTS?|_FNO|_TIME_MICRO|_MEM|"
    r"_ET|_SECS|_MINS|_VERSION#|_ADDR_NUM)$|"
    r"^(BYTES|BLOCKS|EXTENTS|INITIAL_EXTENT|NEXT_EXTENT|BLEVEL|LEAF_BLOCKS|DISTINCT_KEYS|CLUSTERING_FACTOR|SAMPLE_SIZE|DENSITY|CHUNK|"
    r"PCTVERSION|RETENTION|FREEPOOLS|DATA_PRECISION|DATA_SCALE|DATA_LENGTH|DEFAULT_LENGTH|CHAR_LENGTH|CHAR_COL_DECL_LENGTH|"
    r"TEXT_LENGTH|QUERY_LEN|POSITION|LAST_NUMBER|CACHE_SIZE|INCREMENT_BY|DBID|CON_DBID|CON_UID|NUM|ORDINAL|HASH|TYPE#|LINE|"
    r"SID|SERIAL#|AUDSID|COMMAND|OWNERID|PID|SOFAR|TOTALWORK|CONTEXT|QCSID|P1|P2|P3|VALUE#|DEGREE#|INST_ID|NAMESPACE#|CLASS|"
    r"LMODE|REQUEST|CTIME|BLOCK|ID1|ID2|XIDUSN|XIDSLOT|XIDSQN|SESSION_ID#|LOCKED_MODE|BLOCKSIZE|MEMBERS|GROUPS|FREELISTS|"
    r"FREELIST_GROUPS|MAXBYTES|MAXBLOCKS|USER_BYTES|USER_BLOCKS|HEADER_FILE|HEADER_BLOCK|MINRETENTION|USED_SPACE|FREE_SPACE|"
    r"ALLOCATED_SPACE|USED_PERCENT|ATTACHED_SESSIONS|DATAPUMP_SESSIONS|INSERTS|UPDATES|DELETES|CHAIN_CNT|EMPTY_BLOCKS|"
    r"FLAG|USED_UBLK|USED_UREC|LOG_IO|PHY_IO|UNDOTSN|UNDOBLKS|TXNCOUNT|MAXQUERYLEN|MAXCONCURRENCY|TUNED_UNDORETENTION|"
    r"ACTIVEBLKS|UNEXPIREDBLKS|EXPIREDBLKS|[A-Z]*ERRCNT|[A-Z]*(STEAL|REL|REU)CNT|SESSIONS_[A-Z]+|USERS_MAX|CPU_[A-Z_]*COUNT[A-Z_]*|"
    r"SERVICE_ID|NAME_HASH|SCHEMA#|USER#|BLOCKING_INSTANCE|BLOCKING_SESSION|FINAL_BLOCKING_INSTANCE|FINAL_BLOCKING_SESSION|"
    r"WAIT_TIME|SEQ#|EVENT#|PIECE|EXECUTIONS|SORTS|FETCHES|LOADS|DISK_READS|BUFFER_GETS|CPU_TIME|ESTIMATE|SPILL_MSGS|"
    r"CNUM_MSGS|CSPILL_MSGS|BLOCKS_[A-Z]+)$"
)
_LONGS = {
    "DATA_DEFAULT",
    "SEARCH_CONDITION",
    "TRIGGER_BODY",
    "COLUMN_EXPRESSION",
    "QUERY",
}
_RAWS = re.compile(
    r"^(SADDR|PADDR|TADDR|KADDR|ADDR|SES_ADDR|CREATOR_ADDR|SQL_ADDRESS|PREV_SQL_ADDR|LOCKWAIT|XID|P[123]RAW|PRV_XID|PTX_XID|LATCHWAIT|LATCHSPIN)$"
)
_TEXT_SIZES = {
    "DATA_TYPE": 128,
    "STATUS": 30,
    "OWNER": 128,
    "COMMENTS": 4000,
    "VALUE": 4000,
    "DISPLAY_VALUE": 4000,
    "DEFAULT_VALUE": 255,
    "SEARCH_CONDITION_VC": 4000,
    "TEXT_VC": 4000,
    "DESCRIPTION": 4000,
    "WHEN_CLAUSE": 4000,
    "COLUMN_NAME": 4000,
    "DIRECTORY_PATH": 4000,
    "FILE_NAME": 513,
    "MEMBER": 513,
    "MESSAGE": 512,
    "BANNER": 80,
    "BANNER_FULL": 160,
    "HOST_NAME": 64,
    "NULLABLE": 1,
    "DEGREE": 40,
    "INSTANCES": 40,
    "CACHE": 20,
    "IDENTITY_OPTIONS": 298,
    "PROPERTY_VALUE": 4000,
    "TRIGGERING_EVENT": 246,
    "LIMIT": 128,
    "REFERENCING_NAMES": 422,
    "TEXT": 4000,
    "HIGH_VALUE_TEXT": 4000,
    "INTERVAL": 1000,
    "UPDATE_COMMENT": 255,
    "LIMIT_VALUE": 10,
    "SQL_TEXT": 1000,
    "QUALIFIED_COL_NAME": 4000,
}
_EXCEPTIONS = {
    ("DB_LINKS", "HOST"): "varchar(2000)",
    ("V$STANDBY_LOG", "DBID"): "varchar(40)",
    ("V$STANDBY_LOG", "USED"): "numeric",
    ("V$RESTORE_POINT", "SCN"): "numeric",
    ("V$RESTORE_POINT", "TIME"): "timestamp",
    ("V$RESTORE_POINT", "RESTORE_POINT_TIME"): "timestamp",
    ("V$SYSTEM_EVENT", "AVERAGE_WAIT"): "numeric",
    ("V$SYSTEM_EVENT", "AVERAGE_WAIT_FG"): "numeric",
    ("V$SESSION_EVENT", "AVERAGE_WAIT"): "numeric",
    ("V$LOG_HISTORY", "RECID"): "numeric",
    ("V$LOG_HISTORY", "STAMP"): "numeric",
    ("V$ARCHIVED_LOG", "RECID"): "numeric",
    ("V$ARCHIVED_LOG", "STAMP"): "numeric",
    ("V$TEMPSEG_USAGE", "SESSION_ADDR"): "ora.raw(8)",
    ("V$TEMPSEG_USAGE", "SESSION_NUM"): "numeric",
    ("V$TEMPSEG_USAGE", "SQL_ID"): "varchar(13)",
    ("RESUMABLE", "TIMEOUT"): "numeric",
    ("RESUMABLE", "START_TIME"): "varchar(20)",
    ("RESUMABLE", "NAME"): "varchar(4000)",
    ("RESUMABLE", "SQL_TEXT"): "varchar(1000)",
    ("RESUMABLE", "ERROR_MSG"): "varchar(4000)",
    # (view without DBA_/ALL_/USER_/GV$ prefix, column): type
    ("TAB_COLUMNS", "LOW_VALUE"): "ora.raw(1000)",
    ("TAB_COLUMNS", "HIGH_VALUE"): "ora.raw(1000)",
    ("TAB_COLS", "LOW_VALUE"): "ora.raw(1000)",
    ("TAB_COLS", "HIGH_VALUE"): "ora.raw(1000)",
    ("TAB_COL_STATISTICS", "LOW_VALUE"): "ora.raw(1000)",
    ("TAB_COL_STATISTICS", "HIGH_VALUE"): "ora.raw(1000)",
    ("TAB_PARTITIONS", "HIGH_VALUE"): "ora.long",
    ("IND_PARTITIONS", "HIGH_VALUE"): "ora.long",
    ("TAB_SUBPARTITIONS", "HIGH_VALUE"): "ora.long",
    ("VIEWS", "TEXT"): "ora.long",
    ("USERS", "LAST_LOGIN"): "timestamptz",
    ("TAB_MODIFICATIONS", "TIMESTAMP"): "ora.oradate",
    ("V$SESSION_LONGOPS", "TIMESTAMP"): "ora.oradate",
    ("V$TRANSACTION", "START_TIME"): "varchar(20)",
    ("V$OSSTAT", "VALUE"): "numeric",
    ("V$SYSSTAT", "VALUE"): "numeric",
    ("V$MYSTAT", "VALUE"): "numeric",
    ("V$SESSTAT", "VALUE"): "numeric",
    ("V$PGASTAT", "VALUE"): "numeric",
    ("V$PARAMETER", "TYPE"): "numeric",
    ("V$PARAMETER2", "TYPE"): "numeric",
    ("V$SYSTEM_PARAMETER", "TYPE"): "numeric",
    ("V$SYSTEM_PARAMETER2", "TYPE"): "numeric",
    ("V$UNDOSTAT", "MAXQUERYID"): "varchar(13)",
    ("SEGMENTS", "RETENTION"): "varchar(7)",
    ("SEGMENTS", "MAX_SIZE"): "numeric",
    ("TABLESPACES", "RETENTION"): "varchar(11)",
    ("DATA_FILES", "INCREMENT_BY"): "numeric",
    ("V$SESSION", "SQL_ID"): "varchar(13)",
    ("V$SESSION", "PREV_SQL_ID"): "varchar(13)",
    ("V$SESSION_LONGOPS", "SQL_ID"): "varchar(13)",
    ("V$SQL", "SQL_ID"): "varchar(13)",
    ("V$PROCESS", "PID"): "numeric",
    ("V$LOCKED_OBJECT", "SESSION_ID"): "numeric",
    ("SYSTEM_PRIVILEGE_MAP", "PRIVILEGE"): "numeric",
    ("V$INSTANCE", "DATABASE_STATUS"): "varchar(17)",
    ("REGISTRY", "COMP_ID"): "varchar(30)",
    ("V$SERVICES", "RETENTION_TIME"): "numeric",
    ("V$SPPARAMETER", "SID"): "varchar(80)",
    ("V$SESSION", "CLIENT_IDENTIFIER"): "varchar(64)",
    ("V$SESSION", "ECID"): "varchar(64)",
    ("V$SQL", "SQL_FULLTEXT"): "ora.clob",
    ("PART_TABLES", "DEF_INITIAL_EXTENT"): "varchar(40)",
    ("PART_TABLES", "DEF_NEXT_EXTENT"): "varchar(40)",
    ("PART_TABLES", "DEF_MIN_EXTENTS"): "varchar(40)",
    ("PART_TABLES", "DEF_MAX_EXTENTS"): "varchar(40)",
    ("PART_TABLES", "DEF_MAX_SIZE"): "varchar(40)",
    ("PART_TABLES", "DEF_PCT_INCREASE"): "varchar(40)",
    ("V$DATABASE", "FS_FAILOVER_CURRENT_TARGET"): "varchar(30)",
    ("V$RESOURCE_LIMIT", "INITIAL_ALLOCATION"): "varchar(10)",
    ("V$STATNAME", "CLASS"): "numeric",
    ("OBJECTS", "NAMESPACE"): "numeric",
    ("V$DATABASE", "ARCHIVELOG_COMPRESSION"): "varchar(8)",
    ("DBFS_CONTENT", "FILEDATA"): "ora.blob",
    ("V$LOCK", "TYPE"): "varchar(2)",
    ("LOBS", "RETENTION_TYPE"): "varchar(7)",
    ("V$SESSION", "MODULE_HASH"): "numeric",
    ("DATAPUMP_JOBS", "DEGREE"): "numeric",
    ("PART_INDEXES", "PARTITION_COUNT"): "numeric",
    ("SEQUENCES", "MIN_VALUE"): "numeric",
    ("SEQUENCES", "MAX_VALUE"): "numeric",
    ("PARALLEL_EXECUTE_CHUNKS", "START_ROWID"): "ora.rowid",
    ("PARALLEL_EXECUTE_CHUNKS", "END_ROWID"): "ora.rowid",
    ("PARALLEL_EXECUTE_CHUNKS", "ERROR_CODE"): "numeric",
    ("PARALLEL_EXECUTE_CHUNKS", "START_TS"): "timestamp(6)",
    ("PARALLEL_EXECUTE_CHUNKS", "END_TS"): "timestamp(6)",
    ("PARALLEL_EXECUTE_TASKS", "LANGUAGE_FLAG"): "numeric",
    ("PARALLEL_EXECUTE_TASKS", "PARALLEL_LEVEL"): "numeric",
    ("PARALLEL_EXECUTE_TASKS", "SQL_STMT"): "ora.clob",
}

# Capture, queue and apply: these views have columns of names that elsewhere are of another type.
_CAPTURE_VIEWS = re.compile(
    r"^(V\$(STREAMS|BUFFERED|XSTREAM|GG|GOLDENGATE)_|(CAPTURE|APPLY)(_|$)|XSTREAM_|HIST_(STREAMS|BUFFERED)_)"
)
_CAPTURE_DATES = re.compile(r"^(?!ELAPSED_|ESTD_|.*CPU_TIME$).*(_TIME|_ENQTM)$")
_CAPTURE_NUMBERS = re.compile(
    r"^(STREAMS_POOL_SIZE_FOR_ESTIMATE|STREAMS_POOL_SIZE_FACTOR|SGA_(USED|ALLOCATED|TARGET_VALUE)|SHRINK_PHASE|"
    r"ADVICE_DISABLED|QUEUE_ID|XIDSLT|COMMITSCN|MESSAGE_SEQUENCE|(EXPIRED|UNBROWSED|OVERSPILLED)_MSGS|MEMORY_USAGE|"
    r"MESSAGE_LAG|UNASSIGNED_COMPLETE_TXNS|APPLY_(MESSAGES|BYTES)_SENT|(CAPTURE_)?BYTES_(OF_REDO_MINED|RECEIVED)|"
    r"SOURCE_DBID|(EN|DE)QUEUE_CPU_TIME|LAST_(BROWSE|DEQ|BROWSED|DEQUEUED)_(NUM|SEQ)|CHECKPOINT_RETENTION_TIME)$"
)
_CAPTURE_TEXTS = {"ERROR_MESSAGE": 4000, "FIRST_POSITION": 64, "TRANSACTION_ID": 128, "TYPE_NAME": 128}


def family(view: str) -> str:
    """DBA_TABLES, ALL_TABLES and USER_TABLES are of the family TABLES; GV$SESSION is of V$SESSION."""
    view = view.removeprefix("SYS.").replace("V_$", "V$")
    return re.sub(r"^(DBA_|ALL_|USER_|G(?=V\$))", "", view)


def postgres_type(view: str, column: str) -> str:
    """The PostgreSQL type that a column of a dictionary view has in the stand-in."""
    exception = _EXCEPTIONS.get((family(view), column))
    if exception:
        return exception
    if _CAPTURE_VIEWS.match(family(view)):
        if _CAPTURE_NUMBERS.match(column):
            return "numeric"
        if column in _CAPTURE_TEXTS:
            return f"varchar({_CAPTURE_TEXTS[column]})"
        if column == "APPLY_TAG":
            return "ora.raw(2000)"
        if _CAPTURE_DATES.match(column):
            return "ora.oradate"
    if column in _LONGS:
        return "ora.long"
    if _RAWS.match(column):
        return "ora.raw(8)"
    if _DATES.match(column):
        return "ora.oradate"
    if _NUMBERS.search(column):
        return "numeric"
    return f"varchar({_TEXT_SIZES.get(column, 128)})"
