"""Every statement and anonymous block of the DBFS room.

The content calls are overloaded on the type of `properties`, so each block declares a variable of that type.
Source: DBMS_DBFS_CONTENT and DBMS_DBFS_SFS in PL/SQL Packages and Types Reference 19c; "Using DBFS" in
SecureFiles and Large Objects Developer's Guide 19c; DBMS_LOB and DBMS_CRYPTO in the same Reference. The
set-up is what the supplied script dbfs_create_filesystem.sql does; its options nocompress, nodeduplicate,
noencrypt and non-partition are the defaults.
"""

from __future__ import annotations

from oracle_refresh.definition.fields import size_bytes
from oracle_refresh.definition.store import StoreTablespace
from oracle_refresh.oracle.identifiers import Identifier, TableName

#: A directory that everybody may use (0o40777): it belongs to root, and the database's processes are others.
#: Who these are on the host is decided by the mount (`mounts`): without allow_other its own user alone.
DIRECTORY_MODE = 16895
SHA256 = 4  # DBMS_CRYPTO.HASH_SH256
TYPE_FILE = 1  # DBMS_DBFS_CONTENT.TYPE_FILE

# Names of stores and of mounts are each user's own: keys of the tables that rdbms/admin/catcapi.sql makes.
STORES = "SELECT S_NAME FROM SYS.DBFS$_STORES WHERE S_OWNER = USER AND S_NAME = :store"
FILE_SYSTEM = "SELECT COUNT(*) FROM SYS.DBFS_SFS$_FS WHERE STORE_OWNER = USER AND STORE_NAME = :store"
MOUNTS = "SELECT S_NAME, S_MOUNT FROM SYS.DBFS$_MOUNTS WHERE S_OWNER = USER"

CREATE_FILE_SYSTEM = """\
BEGIN
  DBMS_DBFS_SFS.CREATEFILESYSTEM(
    store_name => :store, tbl_name => :table_name, tbl_tbs => :tablespace, lob_tbs => :tablespace);
END;"""

REGISTER_STORE = """\
BEGIN
  DBMS_DBFS_CONTENT.REGISTERSTORE(
    store_name => :store, provider_name => 'sample1', provider_package => 'dbms_dbfs_sfs');
END;"""

# Positional: the documentation's syntax lacks the first formal, which the package has.
MOUNT_STORE = """\
BEGIN
  DBMS_DBFS_CONTENT.MOUNTSTORE(:store, :mount);
END;"""

# DBMS_FUSE has no chapter in the Reference; dbfs_create_filesystem.sql calls it so.
OPEN_MOUNT_TO_ALL = f"""\
BEGIN
  :errno := DBMS_FUSE.FS_CHMOD(:path, {DIRECTORY_MODE});
END;"""

# Replaces all properties, which a store that was just made has none of.
SET_PROPERTIES = """\
DECLARE
  p DBMS_DBFS_CONTENT_PROPERTIES_T := DBMS_DBFS_CONTENT_PROPERTIES_T(
    DBMS_DBFS_CONTENT_PROPERTY_T('sfs:props:df', :df, DBMS_TYPES.TYPECODE_VARCHAR2),
    DBMS_DBFS_CONTENT_PROPERTY_T('sfs:props:df_cache', :df_cache, DBMS_TYPES.TYPECODE_VARCHAR2));
BEGIN
  DBMS_DBFS_SFS.SETFSPROPERTIES(store_name => :store, properties => p);
END;"""

UNMOUNT_STORE = """\
BEGIN
  DBMS_DBFS_CONTENT.UNMOUNTSTORE(store_name => :store, store_mount => :mount);
END;"""

UNREGISTER_STORE = """\
BEGIN
  DBMS_DBFS_CONTENT.UNREGISTERSTORE(store_name => :store);
END;"""

DROP_FILE_SYSTEM = """\
BEGIN
  DBMS_DBFS_SFS.DROPFILESYSTEM(store_name => :store);
END;"""

CREATE_DIRECTORY = """\
DECLARE
  p DBMS_DBFS_CONTENT_PROPERTIES_T;
BEGIN
  DBMS_DBFS_CONTENT.CREATEDIRECTORY(path => :path, properties => p, recurse => TRUE);
END;"""

CREATE_FILE = """\
DECLARE
  p DBMS_DBFS_CONTENT_PROPERTIES_T;
  b BLOB;
BEGIN
  DBMS_DBFS_CONTENT.CREATEFILE(path => :path, properties => p, content => b);
  :content := b;
END;"""

OPEN_FILE = """\
DECLARE
  p DBMS_DBFS_CONTENT_PROPERTIES_T;
  b BLOB;
  k INTEGER;
BEGIN
  DBMS_DBFS_CONTENT.GETPATH(path => :path, properties => p, content => b, item_type => k, forupdate => TRUE);
  :content := b;
END;"""

FILE_BYTES = f"""\
DECLARE
  p DBMS_DBFS_CONTENT_PROPERTIES_T;
  b BLOB;
  k INTEGER;
BEGIN
  DBMS_DBFS_CONTENT.GETPATH(path => :path, properties => p, content => b, item_type => k);
  :item_type := k;
  IF k = {TYPE_FILE} THEN
    :bytes := DBMS_LOB.GETLENGTH(b);
  END IF;
END;"""

# A whole file is hashed where it is, a piece of one by way of a temporary LOB.
HASH_STORED_PIECE = f"""\
DECLARE
  p DBMS_DBFS_CONTENT_PROPERTIES_T;
  b BLOB;
  t BLOB;
  k INTEGER;
  s INTEGER := :position;
  n INTEGER := :amount;
BEGIN
  DBMS_DBFS_CONTENT.GETPATH(path => :path, properties => p, content => b, item_type => k);
  IF s = 1 AND n = DBMS_LOB.GETLENGTH(b) THEN
    :digest := DBMS_CRYPTO.HASH(b, {SHA256});
  ELSE
    DBMS_LOB.CREATETEMPORARY(t, FALSE);
    DBMS_LOB.COPY(t, b, n, 1, s);
    :digest := DBMS_CRYPTO.HASH(t, {SHA256});
    DBMS_LOB.FREETEMPORARY(t);
  END IF;
END;"""

RENAME = """\
DECLARE
  p DBMS_DBFS_CONTENT_PROPERTIES_T;
BEGIN
  DBMS_DBFS_CONTENT.RENAMEPATH(oldpath => :old_path, newpath => :new_path, properties => p);
END;"""

DELETE_FILE = """\
BEGIN
  DBMS_DBFS_CONTENT.DELETEFILE(path => :path);
END;"""

DELETE_DIRECTORY = """\
BEGIN
  DBMS_DBFS_CONTENT.DELETEDIRECTORY(path => :path, recurse => TRUE);
END;"""

TABLESPACE = "SELECT CONTENTS, STATUS FROM DBA_TABLESPACES WHERE TABLESPACE_NAME = :name"
DEFAULT_TABLESPACE = "SELECT DEFAULT_TABLESPACE FROM USER_USERS"
STORE_TABLESPACES = """\
SELECT DISTINCT L.TABLESPACE_NAME
FROM SYS.DBFS_SFS$_FS F
JOIN SYS.DBFS_SFS$_TAB T ON T.TABID = F.TABID
JOIN DBA_LOBS L ON L.OWNER = T.SCHEMA_NAME AND L.TABLE_NAME = T.TABLE_NAME
WHERE F.STORE_OWNER = USER AND F.STORE_NAME = :store AND L.TABLESPACE_NAME IS NOT NULL"""
STORE_TABLE = """\
SELECT T.SCHEMA_NAME, T.TABLE_NAME
FROM SYS.DBFS_SFS$_FS F JOIN SYS.DBFS_SFS$_TAB T ON T.TABID = F.TABID
WHERE F.STORE_OWNER = USER AND F.STORE_NAME = :store"""
FREE_BYTES = "SELECT NVL(SUM(BYTES), 0) FROM DBA_FREE_SPACE WHERE TABLESPACE_NAME = :name"
GROWTH_BYTES = """\
SELECT NVL(SUM(CASE WHEN AUTOEXTENSIBLE = 'YES' AND MAXBYTES > BYTES THEN MAXBYTES - BYTES ELSE 0 END), 0)
FROM DBA_DATA_FILES WHERE TABLESPACE_NAME = :name"""
QUOTA = "SELECT BYTES, MAX_BYTES FROM USER_TS_QUOTAS WHERE TABLESPACE_NAME = :name"
UNLIMITED = "SELECT COUNT(*) FROM SESSION_PRIVS WHERE PRIVILEGE = 'UNLIMITED TABLESPACE'"
SEGMENTS = "SELECT COUNT(*) FROM DBA_SEGMENTS WHERE TABLESPACE_NAME = :name"
DIRECTORY_PATH = "SELECT DIRECTORY_PATH FROM ALL_DIRECTORIES WHERE DIRECTORY_NAME = :name"
DROP_TABLESPACE = "DROP TABLESPACE {name} INCLUDING CONTENTS AND DATAFILES"

HASH_PIECE = f"""\
DECLARE
  f BFILE := BFILENAME(:directory, :name);
  b BLOB;
  d INTEGER := 1;
  s INTEGER := :position;
BEGIN
  DBMS_LOB.CREATETEMPORARY(b, FALSE);
  DBMS_LOB.FILEOPEN(f);
  DBMS_LOB.LOADBLOBFROMFILE(b, f, :amount, d, s);
  DBMS_LOB.FILECLOSE(f);
  :digest := DBMS_CRYPTO.HASH(b, {SHA256});
  DBMS_LOB.FREETEMPORARY(b);
END;"""


def create_tablespace(name: str, wanted: StoreTablespace, size: int) -> str:
    """The statement; `size` in bytes. Never REUSE: a file of that path may be another database's."""
    file = f"'{wanted.file}' " if wanted.file else ""
    grows = " AUTOEXTEND OFF"
    if wanted.autoextend:
        most = "UNLIMITED" if wanted.max_size == "unlimited" else f"{size_bytes(wanted.max_size):d}"
        grows = f" AUTOEXTEND ON NEXT {size_bytes(wanted.autoextend):d} MAXSIZE {most}"
    kind = "BIGFILE" if wanted.bigfile else "SMALLFILE"
    return (
        f"CREATE {kind} TABLESPACE {Identifier(name).sql} DATAFILE {file}SIZE {size:d}{grows}"
        " EXTENT MANAGEMENT LOCAL AUTOALLOCATE SEGMENT SPACE MANAGEMENT AUTO"
    )


def set_pctfree(table: TableName, percent: int) -> str:
    """Applies to blocks that are filled from now on."""
    return f"ALTER TABLE {table.sql} PCTFREE {percent:d}"
