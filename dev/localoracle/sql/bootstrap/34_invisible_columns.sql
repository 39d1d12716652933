-- INVISIBLE columns (SQL Language Reference, CREATE TABLE). The attribute `visibility` of a column is NO while it is invisible;
-- one that was made visible again has a number instead: it comes behind the columns up to that.

CREATE FUNCTION ora.set_visibility(relation regclass, column_name text, visible boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before text := localoracle.attribute(relation, localoracle.column_number(relation, column_name), 'visibility');
BEGIN
  IF NOT visible AND (localoracle.attribute(relation, 0, 'temporary') IS NOT NULL OR (SELECT relkind FROM pg_class WHERE oid = relation) NOT IN ('r', 'p')) THEN
    PERFORM ora.raise('ORA-54042: Invisible column is not supported on this type of table.');
  END IF;
  IF NOT visible THEN
    PERFORM localoracle.set_attribute(relation, column_name, 'visibility', 'NO');
  ELSIF before = 'NO' THEN
    PERFORM localoracle.set_attribute(relation, column_name, 'visibility', (
      SELECT (max(greatest(a.attnum, nullif(v.value, 'NO')::numeric)) + 0.0001)::text FROM pg_attribute a
      LEFT JOIN localoracle.object_attributes v ON v.relation = a.attrelid AND v.column_number = a.attnum AND v.attribute = 'visibility'
      WHERE a.attrelid = $1));
  END IF;
  IF ora.columns_shown(relation) = '{}' THEN
    PERFORM ora.raise('ORA-54039: table must have at least one column that is not invisible');
  END IF;
END $$;

-- The names of a table's visible columns in the order of COLUMN_ID.
CREATE FUNCTION ora.columns_shown(relation oid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(a.attname::text ORDER BY coalesce(v.value::numeric, a.attnum)), '{}')
  FROM pg_attribute a
  LEFT JOIN localoracle.object_attributes v ON v.relation = a.attrelid AND v.column_number = a.attnum AND v.attribute = 'visibility'
  WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped AND v.value IS DISTINCT FROM 'NO'
$$;

-- COLUMN_ID, NULL for an invisible column. Few tables have a column whose visibility was ever said.
CREATE FUNCTION ora.column_id(relation oid, number int2) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (SELECT FROM localoracle.object_attributes v WHERE v.relation = $1 AND v.attribute = 'visibility')
    THEN array_position(ora.columns_shown($1), (SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = $1 AND a.attnum = number))
    ELSE number - (SELECT count(*) FROM pg_attribute g WHERE g.attrelid = $1 AND g.attnum > 0 AND g.attnum < number AND g.attisdropped)::int END
$$;

-- The tables with such columns and the synonyms for them, and index-organized tables with their primary keys; hidden_in: schemas where a public synonym's name is another object.
-- archival: TABLE or SYNONYM for one where rows may be archived.
CREATE FUNCTION ora.shown_columns() RETURNS TABLE (owner text, name text, columns text[], archival text, key text[], hidden_in text[]) LANGUAGE sql STABLE AS $$
  WITH told AS (
    SELECT n.nspname::text AS owner, c.relname::text AS name, ora.columns_shown(c.oid) AS columns,
      localoracle.attribute(c.oid, 0, 'row_archival') IS NOT NULL AS archival
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid IN (SELECT v.relation FROM localoracle.object_attributes v WHERE v.attribute = 'visibility')
  )
  SELECT coalesce(t.owner, i.owner), coalesce(t.name, i.name), t.columns, CASE WHEN t.archival THEN 'TABLE' END, coalesce(i.key, '{}'), '{}'::text[]
  FROM told t FULL JOIN (
    SELECT n.nspname::text AS owner, c.relname::text AS name,
      ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(number, place)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.number ORDER BY u.place) AS key
    FROM localoracle.object_attributes o JOIN pg_class c ON c.oid = o.relation JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
    WHERE o.attribute = 'organization' AND o.value = 'INDEX'
  ) i ON (i.owner, i.name) = (t.owner, t.name)
  UNION ALL
  SELECT s.owner, s.synonym_name, t.columns, CASE WHEN t.archival THEN 'SYNONYM' END, '{}',
    ARRAY(SELECT n.nspname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = s.synonym_name AND n.nspname <> 'PUBLIC')
  FROM told t JOIN localoracle.synonyms s ON s.table_owner = t.owner AND s.table_name = t.name AND s.db_link IS NULL
$$;
