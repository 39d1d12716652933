"""Every statement and anonymous block of the DBFS room.

The content calls are overloaded on the type of `properties`, so each block declares a variable of that type.
Source: DBMS_DBFS_CONTENT and DBMS_DBFS_SFS in PL/SQL Packages and Types Reference 19c; "Using DBFS" in
SecureFiles and Large Objects Developer's Guide 19c; DBMS_FILE_TRANSFER, UTL_FILE, DBMS_LOB and DBMS_CRYPTO in
the same Reference; DBA_TAB_PRIVS in Database Reference 19c. The set-up is what the supplied script
dbfs_create_filesystem.sql does; its options nocompress, nodeduplicate, noencrypt and non-partition are the
defaults.
"""

from __future__ import annotations

DIRECTORY_MODE = 16895  # a directory that everybody may use (0o40777): the mount runs as another user
SHA256 = 4  # DBMS_CRYPTO.HASH_SH256
TYPE_FILE = 1  # DBMS_DBFS_CONTENT.TYPE_FILE

STORES = "SELECT S_NAME FROM SYS.DBFS$_STORES WHERE S_NAME = :store"
MOUNTS = "SELECT S_NAME, S_MOUNT FROM SYS.DBFS$_MOUNTS"

CREATE_FILE_SYSTEM = """\
BEGIN
  DBMS_DBFS_SFS.CREATEFILESYSTEM(store_name => :store, tbl_name => :table_name);
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

OPEN_MOUNT_TO_ALL = f"""\
BEGIN
  DBMS_FUSE.FS_CHMOD(:path, {DIRECTORY_MODE});
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

GET_FILE = "DBMS_FILE_TRANSFER.GET_FILE"

MAY_TRANSFER = """\
SELECT 1 FROM DBA_TAB_PRIVS P
WHERE P.OWNER = 'SYS' AND P.TABLE_NAME = 'DBMS_FILE_TRANSFER' AND P.PRIVILEGE = 'EXECUTE'
  AND (P.GRANTEE IN (USER, 'PUBLIC') OR P.GRANTEE IN (SELECT R.ROLE FROM SESSION_ROLES R))"""

# TRUE: a former try, or an export that was repeated, may have left a file of that name.
RENAME_FILE = """\
BEGIN
  UTL_FILE.FRENAME(:directory, :old_name, :directory, :new_name, TRUE);
END;"""

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
