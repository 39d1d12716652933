-- Row archival (SQL Language Reference, CREATE TABLE and ALTER TABLE, ROW ARCHIVAL; ALTER SESSION, ROW ARCHIVAL VISIBILITY; Error Messages,
-- ORA-38353, ORA-38396 to ORA-38400). The table's attribute `row_archival` is YES; a row is archived where ORA_ARCHIVE_STATE is not 0.

CREATE FUNCTION ora.sees_archived_rows() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('localoracle.row_archival_visibility', true) = 'ALL', false);

-- Whether an archived row matches that the session does not see is in no book.
CREATE FUNCTION ora.may_merge_archived_rows() RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF NOT ora.sees_archived_rows() THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: MERGE into a table with row archival by a session that sees active rows only');
  END IF;
  RETURN true;
END $$;

-- Before ALTER TABLE ... [NO] ROW ARCHIVAL. Views and synonyms have the rows and columns of before.
CREATE FUNCTION ora.check_row_archival(relation regclass, wanted boolean) RETURNS void LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  enabled boolean := localoracle.attribute(relation, 0, 'row_archival') IS NOT NULL;
BEGIN
  IF enabled AND wanted THEN
    PERFORM ora.raise('ORA-38396: table is already enabled for the ILM feature');
  ELSIF NOT enabled AND NOT wanted THEN
    PERFORM ora.raise('ORA-38397: table is not enabled for the ILM feature');
  ELSIF (SELECT c.relkind FROM pg_class c WHERE c.oid = relation) NOT IN ('r', 'p') OR localoracle.attribute(relation, 0, 'temporary') IS NOT NULL
        OR EXISTS (SELECT FROM localoracle.external_tables e WHERE e.relation = check_row_archival.relation) THEN
    PERFORM ora.raise('ORA-38353: This table type is not supported by the ROW ARCHIVAL clause.');
  ELSIF localoracle.attribute(relation, 0, 'organization') = 'INDEX' THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: ROW ARCHIVAL of an index-organized table');
  ELSIF wanted AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = 'ORA_ARCHIVE_STATE' AND NOT a.attisdropped) THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: ROW ARCHIVAL of a table with a column of that name');
  ELSIF EXISTS (SELECT FROM dictionary.dependencies d JOIN dictionary.relations r ON r.owner = d.referenced_owner AND r.name = d.referenced_name
                WHERE r.oid = relation AND d.type IN ('VIEW', 'MATERIALIZED VIEW', 'SYNONYM')) THEN
    PERFORM ora.raise('ORA-03001: unimplemented feature: ROW ARCHIVAL of a table that views or synonyms lead to');
  END IF;
END $$;

CREATE FUNCTION ora.refuse_ilm_column(relation regclass, column_name text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF column_name = 'ORA_ARCHIVE_STATE' AND localoracle.attribute(relation, 0, 'row_archival') IS NOT NULL THEN
    PERFORM ora.raise('ORA-38398: DDL not allowed on the system ILM column');
  END IF;
END $$;
