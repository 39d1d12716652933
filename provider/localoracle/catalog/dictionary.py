"""The dictionary views: which there are, their columns, and who may read them.

Columns come from the documented dictionary; the lists here are those of views of the Database
Reference that it leaves out.
The rows come from the base views of the bootstrap scripts 42 to 45 (schema `dictionary`).
"""

from __future__ import annotations

from localoracle.catalog.column_types import family, postgres_type
from localoracle.errors import dictionary

# Views that are documented as DBA_, ALL_ and USER_; USER_ has no OWNER.
_IN_THREE_SCOPES = """
TABLES TAB_COLUMNS TAB_COLS OBJECTS INDEXES IND_COLUMNS IND_EXPRESSIONS IND_PARTITIONS IND_STATISTICS
CONSTRAINTS CONS_COLUMNS LOBS LOB_PARTITIONS LOB_SUBPARTITIONS PART_TABLES PART_INDEXES PART_LOBS
PART_KEY_COLUMNS TAB_PARTITIONS TAB_SUBPARTITIONS SEQUENCES VIEWS MVIEWS MVIEW_COMMENTS MVIEW_LOGS
TRIGGERS SYNONYMS TAB_COMMENTS COL_COMMENTS TAB_IDENTITY_COLS TAB_STATISTICS TAB_COL_STATISTICS
TAB_MODIFICATIONS DEPENDENCIES SOURCE PROCEDURES ARGUMENTS TYPES DB_LINKS COL_PRIVS EXTERNAL_TABLES
NESTED_TABLES OBJECT_TABLES CLUSTERS QUEUES QUEUE_TABLES ENCRYPTED_COLUMNS LOG_GROUPS POLICIES
SCHEDULER_JOBS SCHEDULER_RUNNING_JOBS XML_TABLES ERRORS TAB_HISTOGRAMS
"""

# view: columns
_ADDITIONAL = """
DBA_VIEWS: OWNER VIEW_NAME TEXT_LENGTH TEXT TEXT_VC TYPE_TEXT_LENGTH TYPE_TEXT OID_TEXT_LENGTH OID_TEXT
  VIEW_TYPE_OWNER VIEW_TYPE SUPERVIEW_NAME EDITIONING_VIEW READ_ONLY CONTAINER_DATA BEQUEATH ORIGIN_CON_ID
  DEFAULT_COLLATION CONTAINERS_DEFAULT CONTAINER_MAP EXTENDED_DATA_LINK EXTENDED_DATA_LINK_MAP
  HAS_SENSITIVE_COLUMN ADMIT_NULL PDB_LOCAL_ONLY
DBA_TAB_COMMENTS: OWNER TABLE_NAME TABLE_TYPE COMMENTS ORIGIN_CON_ID
DBA_COL_COMMENTS: OWNER TABLE_NAME COLUMN_NAME COMMENTS ORIGIN_CON_ID
DBA_MVIEW_COMMENTS: OWNER MVIEW_NAME COMMENTS ORIGIN_CON_ID
DBA_PART_KEY_COLUMNS: OWNER NAME OBJECT_TYPE COLUMN_NAME COLUMN_POSITION COLLATED_COLUMN_ID
DBA_SOURCE: OWNER NAME TYPE LINE TEXT ORIGIN_CON_ID
DBA_PROCEDURES: OWNER OBJECT_NAME PROCEDURE_NAME OBJECT_ID SUBPROGRAM_ID OVERLOAD OBJECT_TYPE AGGREGATE
  PIPELINED IMPLTYPEOWNER IMPLTYPENAME PARALLEL INTERFACE DETERMINISTIC AUTHID RESULT_CACHE ORIGIN_CON_ID
  POLYMORPHIC
DBA_ARGUMENTS: OWNER OBJECT_NAME PACKAGE_NAME OBJECT_ID OVERLOAD SUBPROGRAM_ID ARGUMENT_NAME POSITION
  SEQUENCE DATA_LEVEL DATA_TYPE DEFAULTED DEFAULT_VALUE DEFAULT_LENGTH IN_OUT DATA_LENGTH DATA_PRECISION
  DATA_SCALE RADIX CHARACTER_SET_NAME TYPE_OWNER TYPE_NAME TYPE_SUBNAME TYPE_LINK TYPE_OBJECT_TYPE
  PLS_TYPE CHAR_LENGTH CHAR_USED ORIGIN_CON_ID
DBA_TYPES: OWNER TYPE_NAME TYPE_OID TYPECODE ATTRIBUTES METHODS PREDEFINED INCOMPLETE FINAL INSTANTIABLE
  PERSISTABLE SUPERTYPE_OWNER SUPERTYPE_NAME LOCAL_ATTRIBUTES LOCAL_METHODS TYPEID
DBA_XML_TABLES: OWNER TABLE_NAME XMLSCHEMA SCHEMA_OWNER ELEMENT_NAME STORAGE_TYPE ANYSCHEMA NONSCHEMA
DBA_ERRORS: OWNER NAME TYPE SEQUENCE LINE POSITION TEXT ATTRIBUTE MESSAGE_NUMBER
DBA_TAB_HISTOGRAMS: OWNER TABLE_NAME COLUMN_NAME ENDPOINT_NUMBER ENDPOINT_VALUE ENDPOINT_ACTUAL_VALUE
  ENDPOINT_ACTUAL_VALUE_RAW ENDPOINT_REPEAT_COUNT SCOPE
ALL_USERS: USERNAME USER_ID CREATED COMMON ORACLE_MAINTAINED INHERITED DEFAULT_COLLATION IMPLICIT
  ALL_SHARD
USER_USERS: USERNAME USER_ID ACCOUNT_STATUS LOCK_DATE EXPIRY_DATE DEFAULT_TABLESPACE TEMPORARY_TABLESPACE
  LOCAL_TEMP_TABLESPACE CREATED INITIAL_RSRC_CONSUMER_GROUP EXTERNAL_NAME PROXY_ONLY_CONNECT COMMON
  ORACLE_MAINTAINED INHERITED DEFAULT_COLLATION IMPLICIT ALL_SHARD
DBA_ROLES: ROLE ROLE_ID PASSWORD_REQUIRED AUTHENTICATION_TYPE COMMON ORACLE_MAINTAINED INHERITED IMPLICIT
  EXTERNAL_NAME
ROLE_ROLE_PRIVS: ROLE GRANTED_ROLE ADMIN_OPTION COMMON INHERITED
USER_TAB_PRIVS_MADE: GRANTEE TABLE_NAME GRANTOR PRIVILEGE GRANTABLE HIERARCHY COMMON TYPE INHERITED
USER_TAB_PRIVS_RECD: OWNER TABLE_NAME GRANTOR PRIVILEGE GRANTABLE HIERARCHY COMMON TYPE INHERITED
USER_FREE_SPACE: TABLESPACE_NAME FILE_ID BLOCK_ID BYTES BLOCKS RELATIVE_FNO
SYSTEM_PRIVILEGE_MAP: PRIVILEGE NAME PROPERTY
GLOBAL_NAME: GLOBAL_NAME
DICTIONARY: TABLE_NAME COMMENTS
DICT_COLUMNS: TABLE_NAME COLUMN_NAME COMMENTS
USER_RECYCLEBIN: OBJECT_NAME ORIGINAL_NAME OPERATION TYPE TS_NAME CREATETIME DROPTIME DROPSCN
  PARTITION_NAME CAN_UNDROP CAN_PURGE RELATED BASE_OBJECT PURGE_OBJECT SPACE
DBA_RECYCLEBIN: OWNER OBJECT_NAME ORIGINAL_NAME OPERATION TYPE TS_NAME CREATETIME DROPTIME DROPSCN
  PARTITION_NAME CAN_UNDROP CAN_PURGE RELATED BASE_OBJECT PURGE_OBJECT SPACE
V$OPEN_CURSOR: SADDR SID USER_NAME ADDRESS HASH_VALUE SQL_ID SQL_TEXT LAST_SQL_ACTIVE_TIME SQL_EXEC_ID
  CURSOR_TYPE CHILD_ADDRESS CON_ID
V$NLS_VALID_VALUES: PARAMETER VALUE ISDEPRECATED CON_ID
V$ARCHIVE: GROUP# THREAD# SEQUENCE# ISCURRENT CURRENT FIRST_CHANGE# CON_ID
"""
# Where the USER_ view lacks or adds more than the owner.
_USER_COLUMNS = {
    "SYNONYMS": "SYNONYM_NAME TABLE_OWNER TABLE_NAME DB_LINK ORIGIN_CON_ID",
    "COL_PRIVS": "GRANTEE OWNER TABLE_NAME COLUMN_NAME GRANTOR PRIVILEGE GRANTABLE COMMON INHERITED",
}
_OWNER_NAMES = {
    "IND_COLUMNS": {"INDEX_OWNER", "TABLE_OWNER"},
    "IND_EXPRESSIONS": {"INDEX_OWNER", "TABLE_OWNER"},
    "TAB_PARTITIONS": {"TABLE_OWNER"},
    "IND_PARTITIONS": {"INDEX_OWNER"},
    "LOB_PARTITIONS": {"TABLE_OWNER"},
    "LOB_SUBPARTITIONS": {"TABLE_OWNER"},
    "PART_LOBS": {"TABLE_OWNER"},
    "SEQUENCES": {"SEQUENCE_OWNER"},
    "TAB_SUBPARTITIONS": {"TABLE_OWNER"},
    "TAB_MODIFICATIONS": {"TABLE_OWNER"},
    "CONS_COLUMNS": set(),
}
_CLUSTERED = (
    "INSTANCE SESSION SESSION_LONGOPS PARAMETER SYSTEM_PARAMETER SPPARAMETER OSSTAT LOCK PROCESS TRANSACTION"
    " SQL SYSSTAT LOG UNDOSTAT SERVICES"
)
# Readable by everybody; the others need SELECT_CATALOG_ROLE or SELECT ANY DICTIONARY.
_PUBLIC_FIXED = {
    "V$NLS_PARAMETERS",
    "V$NLS_VALID_VALUES",
    "V$OPTION",
    "V$VERSION",
    "V$SESSION_LONGOPS",
    "V$TIMEZONE_FILE",
    "V$MYSTAT",
    "V$STATNAME",
    "V$PQ_SESSTAT",
}
_PUBLIC = (
    "DICTIONARY DICT_COLUMNS GLOBAL_NAME PRODUCT_COMPONENT_VERSION SESSION_PRIVS SESSION_ROLES"
    " SYSTEM_PRIVILEGE_MAP DATABASE_PROPERTIES DATABASE_EXPORT_OBJECTS SCHEMA_EXPORT_OBJECTS"
    " TABLE_EXPORT_OBJECTS DBFS_CONTENT DBFS_CONTENT_PROPERTIES"
)

# EXECUTE is not granted to PUBLIC (rdbms/admin scripts).
_CATALOGUE_PACKAGES = (
    "DBMS_FLASHBACK DBMS_LOCK DBMS_FILE_TRANSFER DBMS_REDEFINITION DBMS_CAPTURE_ADM DBMS_APPLY_ADM"
    " DBMS_XSTREAM_ADM DBMS_COMPARISON"
)
_DBFS_PACKAGES = "DBMS_DBFS_CONTENT DBMS_DBFS_SFS"
_UNGRANTED_PACKAGES = "DBMS_CRYPTO DBMS_SQLHASH DBMS_RESUMABLE"


def views() -> dict[str, list[str]]:
    """Every dictionary view and its columns in their order; fixed views under their V$ names."""
    found: dict[str, list[str]] = {
        name.removeprefix("SYS."): list(columns) for name, columns in dictionary()["views"].items()
    }
    for line in _ADDITIONAL.replace("\n  ", " ").strip().splitlines():
        name, listed = line.split(": ")
        found.setdefault(name, listed.split())
    for name in _IN_THREE_SCOPES.split():
        base = found.get(f"DBA_{name}") or found.get(f"ALL_{name}")
        if base is None:
            continue
        found.setdefault(f"DBA_{name}", base)
        found.setdefault(f"ALL_{name}", base)
        hidden = _OWNER_NAMES.get(name, {"OWNER"})
        own = (
            _USER_COLUMNS[name].split()
            if name in _USER_COLUMNS
            else [column for column in base if column not in hidden]
        )
        found.setdefault(f"USER_{name}", own)
    for name in _CLUSTERED.split():
        found[f"GV${name}"] = ["INST_ID", *found[f"V${name}"]]
    return found


def _literal(values: list[str]) -> str:
    return "ARRAY[" + ", ".join("'" + value + "'" for value in values) + "]"


def _scope(name: str) -> str:
    return {"ALL": "all", "USER": "user"}.get(name.split("_", 1)[0], "dba")


def statements() -> str:
    """The script that makes the views of schema SYS; V$SESSION is a second name of V_$SESSION."""
    lines = []
    for name, columns in sorted(views().items()):
        types = [postgres_type(name, column) for column in columns]
        real = name.replace("V$", "V_$", 1) if name.startswith(("V$", "GV$")) else name
        base = "gv$" + name[3:].lower() if name.startswith("GV$") else family(name).lower()
        if name.startswith("GV$"):
            lines.append(
                f"CREATE VIEW dictionary.{base} AS SELECT 1 AS inst_id, v.* FROM"
                f" dictionary.v${name[3:].lower()} v;"
                if name[3:] != "SQL"
                else ""
            )
        lines.append(
            f"SELECT localoracle.make_view('{real}', '{base}', '{_scope(name)}', {_literal(columns)},"
            f" {_literal(types)});"
        )
        if real != name:
            lines.append(f'CREATE VIEW "SYS"."{name}" AS SELECT * FROM "SYS"."{real}";')
    lines.append('CREATE VIEW "SYS"."DICT" AS SELECT * FROM "SYS"."DICTIONARY";')
    lines.append('CREATE VIEW "SYS"."RECYCLEBIN" AS SELECT * FROM "SYS"."USER_RECYCLEBIN";')
    return "\n".join(line for line in lines if line)


def grants() -> str:
    """The script that lets users read them."""
    catalogue: list[str] = []
    everybody = ['"SYS"."DICT"', '"SYS"."RECYCLEBIN"']
    for name in views():
        names = [name, name.replace("V$", "V_$", 1)] if name.startswith(("V$", "GV$")) else [name]
        public = (
            name.startswith(("ALL_", "USER_", "NLS_", "ROLE_"))
            or name in _PUBLIC.split()
            or name in _PUBLIC_FIXED
        )
        (everybody if public else catalogue).extend(f'"SYS"."{each}"' for each in names)
    return (
        f'GRANT SELECT ON {", ".join(catalogue)} TO "SELECT_CATALOG_ROLE", "SELECT ANY DICTIONARY";\n'
        f"GRANT SELECT ON {', '.join(everybody)} TO PUBLIC;\n" + _packages()
    )


def _packages() -> str:
    """Every documented package is a schema; its USAGE is EXECUTE on the package, mostly granted to PUBLIC."""
    lines = []
    for name in sorted(dictionary()["packages"]):
        lines.append(f'CREATE SCHEMA IF NOT EXISTS "{name}";')
        if name in _CATALOGUE_PACKAGES.split():
            lines.append(
                f'REVOKE USAGE ON SCHEMA "{name}" FROM PUBLIC; GRANT USAGE ON SCHEMA "{name}" TO'
                ' "EXECUTE_CATALOG_ROLE";'
            )
        elif name in _DBFS_PACKAGES.split():
            lines.append(
                f'REVOKE USAGE ON SCHEMA "{name}" FROM PUBLIC; GRANT USAGE ON SCHEMA "{name}" TO "DBFS_ROLE";'
            )
        elif name in _UNGRANTED_PACKAGES.split():
            lines.append(f'REVOKE USAGE ON SCHEMA "{name}" FROM PUBLIC;')
        else:
            lines.append(f'GRANT USAGE ON SCHEMA "{name}" TO PUBLIC;')
    lines.append(
        "INSERT INTO localoracle.supplied_packages SELECT nspname FROM pg_namespace WHERE nspname ~"
        " '^(DBMS|UTL)_' ON CONFLICT DO NOTHING;"
    )
    return "\n".join(lines)
