"""What a person can do about a code: the texts of `error_codes`, each one clause.

They say what Oracle's error messages manual (Database Error Messages 19c) says of cause and action, in the
terms of a refresh. Pure.
"""

from __future__ import annotations

EFFECT_UNKNOWN = "whether the statement took effect is not known: the next try looks before it repeats it"
ADD_SPACE = "add space to the tablespace; a waiting job then goes on by itself"
ADD_QUOTA = "raise the user's quota on the tablespace; a waiting job then goes on by itself"
ROOM_OR_QUOTA = (
    "add space to the tablespace, or raise the user's quota on it: the code after this one says which; the"
    " job then goes on by itself"
)
NEW_SCN = "start a new run: all shards and the validation need one new SCN"
NEW_RUN = "start a new run, which plans and freezes again"
LOAD_AGAIN = "start a new run, which builds and loads the tables again"
LOAD_FIRST = "build and load the table in this run before it is masked"
_ANEW = "take the clone anew, then start a new run"
GONE_WHILE_READ = f"the table was dropped, truncated or rebuilt while it was read; on the source, {NEW_RUN}"
DIRECTORY = "check the DIRECTORY, the grants on it, and that the database can read and write its path"
DUMP_FILE = "check that the dump file is there and complete under the DIRECTORY's path"
FILE_GONE = "the file is not there: it was removed, or the DIRECTORY leads to another path"
HOST_PATH = "see that the DIRECTORY's path is there on the database's host, and open to the database's user"
FILE_THERE = "a file of that name is on the database's host already: remove it if it is nobody's"
FOREIGN_FILE = "the file was made by the original export (exp): see whose it is under the DIRECTORY's path"
NFS = (
    "mount the NFS file system of the DIRECTORY's path with the options of the platform's documentation, and"
    " let the database's user read the mount table"
)
FILE_WRITE = (
    "make room on the file system behind the DIRECTORY, where the operating system's error in the message is"
    " that it is full; else see that the file can be written to"
)
FILE_IO = (
    "look at the operating system's error in the message: a full file system, a lost mount or a broken disk"
)
KEYSTORE = "open the database's keystore (ADMINISTER KEY MANAGEMENT SET KEYSTORE OPEN)"
KEYSTORE_PATH = "the keystore cannot be opened: check its path (WALLET_ROOT) and its password"
LINK = "create the database link that the definition names, or correct its name"
LINK_NAME = (
    "GLOBAL_NAMES is TRUE: give the database link the source's GLOBAL_NAME, or set GLOBAL_NAMES to FALSE"
)
THICK = (
    "set thick_mode in the extra of source and target alike, and install the Oracle Client libraries on every"
    " worker and triggerer"
)
ONE_CLIENT = (
    "give source and target the same thick_mode, thick_mode_lib_dir and thick_mode_config_dir: a process"
    " connects in thin or in thick mode, by one set of client libraries"
)
TNSNAMES = (
    "where dsn or host is a TNS alias, put the folder of tnsnames.ora, which every worker and triggerer"
    " needs, into config_dir of the connection's extra; where host is a host, add service_name"
)
NEWER_CLIENT = (
    "install Oracle Client libraries that this release of python-oracledb supports, and name their folder as"
    " thick_mode_lib_dir in the connection's extra"
)
RESOLVED_BY_CLIENT = (
    f"name host and service_name; or, where a directory server resolves the connect string, {THICK}"
)
SERVICE = (
    "check the service name of the Airflow connection and that the database is open: `lsnrctl services` lists"
    " what the listener knows"
)
SID = (
    "check the SID of the Airflow connection, or name a service_name instead: pluggable databases have no"
    " SID; `lsnrctl services` lists what the listener knows"
)
INSTANCE_NAME = "correct INSTANCE_NAME or INSTANCE_ROLE in the connect string, or leave it out"
HANDLERS = (
    "raise PROCESSES of the instance, or lower the degrees, where `lsnrctl services` lists blocked handlers"
)
RESTRICTED = "wait until a DBA ends the restricted mode (ALTER SYSTEM DISABLE RESTRICTED SESSION)"
BLOCKED = "wait until a DBA has opened the database: its instances refuse new connections until then"
LISTENER = (
    "check host and port of the Airflow connection: the name has to be resolved, the listener to run; where"
    " the message names SSL, check protocol and wallet_location"
)
TIMEOUT = (
    "see whether the host of the Airflow connection can be reached and no firewall drops its port, and"
    " whether the database's host is overloaded"
)
LOST = (
    "see the listener's log and the database's alert log: the server ended or refused the connection"
    " (TCP.VALIDNODE_CHECKING in its sqlnet.ora, TLS on one side only, no memory)"
)
ADDRESS = (
    "correct host, port and service_name of the Airflow connection, or its dsn: an Easy Connect string such"
    " as tcps://host:2484/service, or a connect descriptor"
)
REDIRECT = "let a DBA check LOCAL_LISTENER and REMOTE_LISTENER: the listener redirects to an invalid address"
SERVER_UNPROVEN = (
    "check that host and port lead to the right database: it did not prove that it knows the password"
)
ENCRYPTION = (
    "one side demands native network encryption or checksums and the other has none: in thin mode"
    f" {THICK}; in thick mode let SQLNET.ENCRYPTION_CLIENT and SQLNET.CRYPTO_CHECKSUM_CLIENT of its"
    " sqlnet.ora permit it"
)
ENCRYPTION_TYPES = (
    "give client and server a common algorithm: SQLNET.ENCRYPTION_TYPES_CLIENT and"
    " SQLNET.CRYPTO_CHECKSUM_TYPES_CLIENT in the client's sqlnet.ora, ..._SERVER in the server's"
)
PATCH_CLIENT = (
    "patch client and server, or let SQLNET.ALLOW_WEAK_CRYPTO and SQLNET.ALLOW_WEAK_CRYPTO_CLIENTS in their"
    " sqlnet.ora permit the older algorithms"
)
CREDENTIALS = (
    "renew the Kerberos ticket or correct SQLNET.AUTHENTICATION_SERVICES in the sqlnet.ora of the worker"
)
WALLET = (
    "correct wallet_location and wallet_password in the connection's extra: the wallet, ewallet.pem in thin"
    " mode and cwallet.sso in thick mode, needs the certificates that the server's certificate depends on"
)
CERTIFICATE_NAME = (
    "correct ssl_server_cert_dn or the host of the Airflow connection: the server's certificate has another"
    " name"
)
TOKEN = "correct extra_auth_params or access_token in the connection's extra, and renew a token that expired"
VERIFIERS = "let a DBA set the account's password again, so that DBA_USERS.PASSWORD_VERSIONS has"
PASSWORD = (
    "correct user name and password of the Airflow connection, in upper and lower case; if they are right,"
    " the account may lack a verifier that the database uses: let a DBA compare DBA_USERS.PASSWORD_VERSIONS"
    " with SEC_CASE_SENSITIVE_LOGON and SQLNET.ALLOWED_LOGON_VERSION_SERVER, and set the password again"
)
NO_LOGIN = (
    "set login and password of the Airflow connection; without them it needs externalauth in thick mode"
)
PROTOCOL = (
    "update Oracle Client or driver to one that SQLNET.ALLOWED_LOGON_VERSION_SERVER of the database permits;"
    " or let a DBA lower it, and set the account's password again"
)
NO_JOB = (
    "no such job runs: if it ran, its log file says how it ended; without a log file it never started, and"
    " the codes of the call that defined or started it say why"
)
CONNECTION = "the session could not be opened, or was lost: see whether database and listener run"
NO_ANSWER = (
    "the database did not answer in time: see whether it hangs, and whether its host can be reached;"
    " call_timeout in the connection's extra says how long a short call may take"
)
HOST_NAME = "correct the host of the Airflow connection, or see whether its name is resolved there"
ARCHIVER = "make room where redo logs are archived: V$RECOVERY_FILE_DEST and V$ARCHIVE_DEST.ERROR tell where"
UNDO_IN_USE = (
    "an instance uses the undo tablespace (GV$PARAMETER), or transactions that began in it have to end"
    " (V$TRANSACTION)"
)
LOG_IN_USE = "the redo log is needed: ALTER SYSTEM SWITCH LOGFILE and CHECKPOINT free it (V$LOG.STATUS)"
CONNECT_IDENTIFIER = (
    "correct the connect identifier: in the Airflow connection, or in the database link if it was used over"
    " one, whose host resolves it"
)
STREAMS_POOL = "raise STREAMS_POOL_SIZE, which Data Pump's queues live in, or set SGA_TARGET"
MEMORY = (
    "raise the pool that the message names: SHARED_POOL_SIZE, LARGE_POOL_SIZE or STREAMS_POOL_SIZE, which"
    " Data Pump's queues live in; or SGA_TARGET"
)
GRANT = "grant the missing privilege; the preflight lists the statements"
PLAN = "check the names in the definition (upper case unless quoted), then plan again in a new run"
NOT_FOUND = f"check the full-database role of the job's user; {PLAN}"
CODE_BELOW = "the code after this one says why"
CODE_ABOVE = "the code before this one says why"
READ_ON = "read the codes after this one; GET_STATUS and the log file name the argument"
ROOT_ONLY = "only the root container may do this: leave it out of the profile, or connect to the root"
PROVIDER = "this is an error of the provider: report it with the task's log"
XML = (
    "an XML document cannot be parsed: correct it where it is a value of a table; in a Data Pump job of one's"
    " own leave statistics out (EXCLUDE=STATISTICS) and gather them on the target"
)
INTERNAL = (
    "an internal error of Data Pump: if it comes again, report it to Oracle Support with the job's trace"
    " files; where the message is about statistics, leave them out of the job (EXCLUDE=STATISTICS)"
)
RESTART = "clear the task: it attaches to the job and starts it again from its master table"
OTHER_VERSION = (
    "the dump file has another version than this Data Pump reads, mostly a newer one: import it with the"
    " release that exported it, so bring the target to the source's release and COMPATIBLE"
)
EQUALLY_PRIVILEGED = (
    "of the two users of a database link both or none may have the full-database roles: grant"
    " DATAPUMP_EXP_FULL_DATABASE to the user that the link connects to"
)
TIME_ZONES = (
    "bring the target's time zone file to the source's version or a later one (DBMS_DST; V$TIMEZONE_FILE"
    " tells both), or exclude the tables with TIMESTAMP WITH TIME ZONE"
)
DISABLE_VALIDATED = (
    "the table has a constraint that is DISABLE VALIDATE, as it is on the source: let the script set it to"
    " DISABLE NOVALIDATE before the change, and back behind it"
)
STATISTICS_LOCKED = (
    "statistics of refreshed tables are locked until the refresh gathers them: leave them to it; other locks"
    " are their users', who can unlock them (DBMS_STATS.UNLOCK_TABLE_STATS, UNLOCK_PARTITION_STATS)"
)
JOB_STOPPING = (
    "the job has been told to stop, and rolls back or waits for the network: wait for its end"
    " (DBA_SCHEDULER_RUNNING_JOBS)"
)
SCHEDULER_GRANTS = "grant the user of the target CREATE ANY JOB and MANAGE SCHEDULER (include/sql/grants.sql)"
EXISTED = "the table existed and was left as it was: load with table_exists_action append or truncate"


def of_clone(remedy: str) -> str:
    """What a remedy says where a clone is masked: nothing is built or loaded there, so only another clone
    holds originals again, at an SCN that can be read."""
    for copied in (NEW_SCN, LOAD_AGAIN, LOAD_FIRST):
        remedy = remedy.replace(copied, _ANEW)
    return remedy
