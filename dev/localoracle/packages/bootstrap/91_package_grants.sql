-- What stands behind views that only roles may read.
GRANT SELECT ON "SYS"."DBFS$_STORES", "SYS"."DBFS$_MOUNTS", "SYS"."DBFS_SFS$_FS", "SYS"."DBFS_SFS$_TAB" TO "DBFS_ROLE", "SELECT_CATALOG_ROLE";
GRANT EXECUTE ON FUNCTION localoracle.dbfs_items(text), localoracle.dbfs_paths(text), localoracle.dbfs_read(text) TO "DBFS_ROLE", "SELECT_CATALOG_ROLE";
