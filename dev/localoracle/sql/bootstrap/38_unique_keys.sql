-- Unique keys of several columns: two rows whose values are the same, some of them NULL, violate them; rows that are all NULL do not
-- (SQL Language Reference, constraint, "Unique Constraints"). PostgreSQL's NULLS NOT DISTINCT is that as long as a column of the key is
-- NOT NULL. Where all may be NULL, its NULLs stay distinct.

-- After DDL on a table or its indexes. ORA-01452 or ORA-02299, by what the caller makes of it, where rows violate such a key.
CREATE FUNCTION ora.settle_unique_keys(relation oid) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  key record;
  violated boolean;
BEGIN
  FOR key IN
    SELECT i.indexrelid, i.indrelid, i.indnullsnotdistinct, k.mandatory, k.columns, k.some_null
    FROM (SELECT relation UNION SELECT t.relid FROM pg_partition_tree(relation) t) AS settled(oid)
    -- OFFSET 0: by the index of pg_index, of which all would be read, as PostgreSQL expects a thousand partitions.
    CROSS JOIN LATERAL (SELECT * FROM pg_index x WHERE x.indrelid = settled.oid OFFSET 0) AS i
    CROSS JOIN LATERAL (
      SELECT bool_or(a.attnotnull) AS mandatory, string_agg(format('%I', a.attname), ', ') AS columns,
             string_agg(format('%I IS NULL', a.attname), ' OR ') FILTER (WHERE NOT a.attnotnull) AS some_null
      FROM unnest((i.indkey::int2[])[0 : i.indnkeyatts - 1]) AS n JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = n) AS k
    WHERE i.indisunique AND NOT i.indisprimary AND i.indnkeyatts > 1 AND i.indexprs IS NULL AND i.indnullsnotdistinct <> k.mandatory
  LOOP
    IF key.mandatory AND key.some_null IS NOT NULL THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s GROUP BY %s HAVING count(*) > 1)', key.indrelid::regclass, key.some_null, key.columns) INTO violated;
      IF violated THEN
        RAISE unique_violation USING MESSAGE = format('could not create unique index "%s"', key.indexrelid::regclass);
      END IF;
    END IF;
    UPDATE pg_index SET indnullsnotdistinct = key.mandatory WHERE indexrelid = key.indexrelid;
  END LOOP;
END $$;
