-- DBMS_METADATA: the DDL of objects as Oracle text, from the dictionary's base views (PL/SQL Packages and Types Reference, DBMS_METADATA).
-- The functions in localoracle.ddl_* see everything; GET_DDL and its like check what the caller may see.
CREATE SCHEMA IF NOT EXISTS "DBMS_METADATA";

CREATE FUNCTION localoracle.transform(parameter text) RETURNS boolean LANGUAGE sql STABLE AS $$
  -- A transform parameter of the session, or its default.
  SELECT coalesce(nullif(current_setting('localoracle.transform_' || lower(parameter), true), '')::boolean,
                  parameter NOT IN ('SQLTERMINATOR', 'CONSTRAINTS_AS_ALTER', 'SIZE_BYTE_KEYWORD', 'OID', 'INHERIT'))
$$;

CREATE FUNCTION localoracle.quoted(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '"' || name || '"' $$;
CREATE FUNCTION localoracle.qualified(owner text, name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN localoracle.transform('EMIT_SCHEMA') THEN '"' || owner || '".' ELSE '' END || '"' || name || '"'
$$;
CREATE FUNCTION localoracle.line(indent text DEFAULT '  ') RETURNS text LANGUAGE sql STABLE AS $$
  -- A new line, or a blank when the text shall not be pretty.
  SELECT CASE WHEN localoracle.transform('PRETTY') THEN E'\n' || indent ELSE ' ' END
$$;

CREATE FUNCTION localoracle.ddl_storage(physical text, tablespace text, segment oid) RETURNS text LANGUAGE sql STABLE AS $$
  -- Physical attributes, STORAGE and TABLESPACE as far as the transform parameters want them.
  SELECT CASE WHEN NOT localoracle.transform('SEGMENT_ATTRIBUTES') THEN '' ELSE
    localoracle.line() || physical
    || CASE WHEN localoracle.transform('STORAGE') THEN localoracle.line() || format('STORAGE(INITIAL %s NEXT 1048576 MINEXTENTS 1 MAXEXTENTS 2147483645', localoracle.storage(segment, 'initial_extent'))
         || localoracle.line() || 'PCTINCREASE 0 FREELISTS 1 FREELIST GROUPS 1'
         || localoracle.line() || format('BUFFER_POOL %s FLASH_CACHE %s CELL_FLASH_CACHE %s)', localoracle.storage(segment, 'buffer_pool'),
                                         localoracle.storage(segment, 'flash_cache'), localoracle.storage(segment, 'cell_flash_cache')) ELSE '' END
    || CASE WHEN localoracle.transform('TABLESPACE') AND tablespace IS NOT NULL THEN localoracle.line() || 'TABLESPACE "' || tablespace || '" ' ELSE '' END
  END
$$;

CREATE FUNCTION localoracle.ddl_of_index(index oid, ini_trans int, pct_free int) RETURNS text LANGUAGE sql STABLE AS $$
  -- Physical attributes of an index. That it has statistics is said as well, unless Data Pump asks, which carries them by itself.
  SELECT format('PCTFREE %s INITRANS %s MAXTRANS 255', pct_free, ini_trans)
    || CASE WHEN localoracle.transform('STATISTICS') AND (localoracle.attribute(index, 0, 'computed') IS NOT NULL OR EXISTS (SELECT FROM localoracle.table_statistics s WHERE s.relation = index))
            THEN ' COMPUTE STATISTICS' ELSE '' END
$$;

CREATE FUNCTION localoracle.ddl_type(c dictionary.tab_cols) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN c.data_type IN ('VARCHAR2', 'CHAR') THEN format('%s(%s %s)', c.data_type, CASE c.char_used WHEN 'B' THEN c.data_length ELSE c.char_length END,
                                                         CASE c.char_used WHEN 'B' THEN 'BYTE' ELSE 'CHAR' END)
    WHEN c.data_type IN ('NVARCHAR2', 'NCHAR') THEN format('%s(%s)', c.data_type, c.char_length)
    WHEN c.data_type = 'RAW' THEN format('RAW(%s)', c.data_length)
    WHEN c.data_type = 'FLOAT' THEN format('FLOAT(%s)', c.data_precision)
    WHEN c.data_type = 'NUMBER' THEN CASE WHEN c.data_precision IS NOT NULL THEN format('NUMBER(%s,%s)', c.data_precision, c.data_scale)
                                          WHEN c.data_scale = 0 THEN 'NUMBER(*,0)' ELSE 'NUMBER' END
    ELSE regexp_replace(c.data_type, '^TIMESTAMP\(', 'TIMESTAMP (')
  END
$$;

CREATE FUNCTION localoracle.ddl_state(status text, validated text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status = 'DISABLED' THEN CASE validated WHEN 'VALIDATED' THEN 'DISABLE VALIDATE' ELSE 'DISABLE' END WHEN validated = 'VALIDATED' THEN 'ENABLE' ELSE 'ENABLE NOVALIDATE' END
$$;

CREATE FUNCTION localoracle.ddl_constraint(c dictionary.constraints) RETURNS text LANGUAGE plpgsql STABLE AS $$
-- An out-of-line constraint, without ALTER TABLE.
DECLARE
  columns text := (SELECT string_agg('"' || k.column_name || '"', ', ' ORDER BY k.position) FROM dictionary.cons_columns k
                   WHERE k.owner = c.owner AND k.constraint_name = c.constraint_name AND k.table_name = c.table_name);
  named text := CASE WHEN c.generated = 'USER NAME' THEN 'CONSTRAINT "' || c.constraint_name || '" ' ELSE '' END;
  deferral text := CASE WHEN c."deferrable" = 'DEFERRABLE' THEN ' DEFERRABLE INITIALLY ' || c.deferred ELSE '' END;
  state text := ' ' || localoracle.ddl_state(c.status, c.validated);
  storage text := '';
BEGIN
  IF c.constraint_type = 'C' THEN
    RETURN named || 'CHECK (' || c.search_condition || ')' || deferral || state;
  ELSIF c.constraint_type = 'R' THEN
    RETURN named || 'FOREIGN KEY (' || columns || ')' || localoracle.line(E'\t  ') || 'REFERENCES '
      || (SELECT localoracle.qualified(k.owner, k.table_name) || ' (' || string_agg('"' || k.column_name || '"', ', ' ORDER BY k.position) || ')'
          FROM dictionary.cons_columns k WHERE k.owner = c.r_owner AND k.constraint_name = c.r_constraint_name AND k.position IS NOT NULL
          GROUP BY k.owner, k.table_name)
      || CASE WHEN c.delete_rule = 'NO ACTION' THEN '' ELSE ' ON DELETE ' || c.delete_rule END || deferral || state;
  END IF;
  IF c.status = 'ENABLED' THEN
    storage := (SELECT localoracle.ddl_storage('USING INDEX ' || localoracle.ddl_of_index(i.object_oid, i.ini_trans, i.pct_free), i.tablespace_name, i.object_oid) || CASE i.partitioned WHEN 'YES' THEN ' LOCAL ' ELSE ' ' END
                FROM dictionary.indexes i WHERE i.owner = c.index_owner AND i.index_name = c.index_name);
  END IF;
  RETURN named || CASE c.constraint_type WHEN 'P' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END || ' (' || columns || ')' || deferral || rtrim(coalesce(storage, '')) || state;
END $$;

CREATE FUNCTION localoracle.ddl_alter_constraint(c dictionary.constraints) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT localoracle.line() || 'ALTER TABLE ' || localoracle.qualified(c.owner, c.table_name) ||
    CASE WHEN c.native_type = 'n' THEN
      ' MODIFY (' || (SELECT '"' || a.attname || '"' FROM pg_attribute a WHERE a.attrelid = c.table_oid AND a.attnum = c.column_numbers[1])
        || CASE WHEN c.generated = 'USER NAME' THEN ' CONSTRAINT "' || c.constraint_name || '"' ELSE '' END
        || ' NOT NULL ' || localoracle.ddl_state(c.status, c.validated) || ')'
    ELSE ' ADD ' || localoracle.ddl_constraint(c) END
$$;

CREATE FUNCTION localoracle.ddl_identity(object oid, column_number int2) RETURNS text LANGUAGE sql STABLE AS $ddl$
  SELECT format(' GENERATED %s AS IDENTITY MINVALUE %s MAXVALUE %s INCREMENT BY %s START WITH %s CACHE %s %s %s NOKEEP NOSCALE',
    localoracle.attribute(object, column_number, 'identity'),
    q.min_value, q.max_value, q.increment_by, q.last_number, greatest(q.cache_size, 20), CASE q.order_flag WHEN 'Y' THEN 'ORDER' ELSE 'NOORDER' END,
    CASE q.cycle_flag WHEN 'Y' THEN 'CYCLE' ELSE 'NOCYCLE' END)
  FROM dictionary.sequences q WHERE q.object_oid = ora.identity_sequence(object, column_number)
$ddl$;

CREATE FUNCTION localoracle.ddl_column(c dictionary.tab_cols, not_null dictionary.constraints) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '"' || c.column_name || '" '
    || CASE WHEN c.virtual_column = 'YES' THEN localoracle.ddl_type(c) || CASE c.hidden_column WHEN 'YES' THEN ' INVISIBLE' ELSE '' END || ' GENERATED ALWAYS AS (' || c.data_default || ') VIRTUAL'
            ELSE localoracle.ddl_type(c) || CASE c.hidden_column WHEN 'YES' THEN ' INVISIBLE' ELSE '' END END
    || CASE WHEN c.identity_column = 'YES' THEN localoracle.ddl_identity(c.object_oid, c.internal_column_id)
            WHEN c.virtual_column = 'NO' AND c.data_default IS NOT NULL
            THEN ' DEFAULT ' || CASE WHEN c.default_on_null = 'YES' THEN 'ON NULL ' ELSE '' END || c.data_default ELSE '' END
    || CASE WHEN not_null.constraint_name IS NULL THEN ''
            ELSE CASE WHEN not_null.generated = 'USER NAME' THEN ' CONSTRAINT "' || not_null.constraint_name || '"' ELSE '' END
                 || ' NOT NULL ' || localoracle.ddl_state(not_null.status, not_null.validated) END
$$;

CREATE FUNCTION localoracle.ddl_lobs(table_owner text, name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(string_agg(
    localoracle.line(' ') || 'LOB ("' || l.column_name || '") STORE AS ' || CASE WHEN l.securefile = 'YES' THEN 'SECUREFILE ' ELSE 'BASICFILE ' END
    || CASE WHEN l.segment_name ~ '^SYS_LOB\d{10}C\d{5}[$][$]$' THEN '(' ELSE '"' || l.segment_name || '" (' END
    || CASE WHEN localoracle.transform('TABLESPACE') THEN localoracle.line() || 'TABLESPACE "' || l.tablespace_name || '" ' ELSE localoracle.line() END
    || CASE WHEN l.in_row = 'YES' THEN 'ENABLE' ELSE 'DISABLE' END || ' STORAGE IN ROW CHUNK ' || l.chunk
    || CASE WHEN l.securefile = 'YES' THEN '' WHEN l.pctversion IS NOT NULL THEN ' RETENTION ' ELSE '' END
    || localoracle.line() || CASE l.cache WHEN 'YES' THEN 'CACHE' WHEN 'CACHEREADS' THEN 'CACHE READS' ELSE 'NOCACHE' END
    || CASE l.logging WHEN 'NO' THEN ' NOLOGGING' ELSE ' LOGGING' END
    || CASE WHEN l.securefile = 'YES' THEN CASE l.compression WHEN 'NO' THEN ' NOCOMPRESS' ELSE ' COMPRESS ' || l.compression END || CASE l.deduplication WHEN 'NO' THEN ' KEEP_DUPLICATES' ELSE ' DEDUPLICATE' END ELSE '' END
    || CASE WHEN localoracle.transform('STORAGE') THEN localoracle.line() || format('STORAGE(INITIAL %s NEXT 1048576 MINEXTENTS 1 MAXEXTENTS 2147483645)', coalesce(localoracle.attribute(l.object_oid, l.column_number, 'initial_extent'), '65536')) ELSE '' END
    || ')', ' ' ORDER BY l.column_number), '')
  FROM dictionary.lobs l
  WHERE l.object_oid = localoracle.relation_oid(table_owner, name) AND l.owner = table_owner AND localoracle.transform('SEGMENT_ATTRIBUTES')
$$;

CREATE FUNCTION localoracle.ddl_logging(relation oid) RETURNS text[] LANGUAGE sql STABLE AS $$
  -- What CREATE TABLE says of supplemental logging, between its parentheses.
  SELECT ARRAY(
    SELECT ' SUPPLEMENTAL LOG GROUP "' || g.log_group_name || '" ('
      || (SELECT string_agg('"' || m.column_name || '"' || CASE m.logging_property WHEN 'NO LOG' THEN ' NO LOG' ELSE '' END, ', ' ORDER BY m.position)
          FROM dictionary.log_group_members m WHERE m.table_oid = g.table_oid AND m.log_group_name = g.log_group_name)
      || ')' || CASE g.always WHEN 'ALWAYS' THEN ' ALWAYS' ELSE '' END
    FROM dictionary.named_log_groups g WHERE g.table_oid = relation ORDER BY g.log_group_name)
  || ARRAY(
    SELECT ' SUPPLEMENTAL LOG DATA (' || substr(a.attribute, length('supplemental_log ') + 1) || ') COLUMNS'
    FROM localoracle.object_attributes a WHERE a.relation = $1 AND a.attribute ^@ 'supplemental_log ' ORDER BY a.attribute)
$$;

CREATE FUNCTION localoracle.ddl_partitions(relation oid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT localoracle.line() || 'PARTITION BY '
    || coalesce(localoracle.attribute(relation, 0, 'partition_by') || CASE WHEN p."interval" IS NOT NULL THEN ' INTERVAL (' || p."interval" || ')' ELSE '' END,
         p.partitioning_type || ' (' || (SELECT string_agg('"' || k.column_name || '"', ', ' ORDER BY k.column_position) FROM dictionary.part_key_columns k
                                         WHERE k.owner = p.owner AND k.name = p.table_name AND k.object_type = 'TABLE') || ')'
         || CASE WHEN p."interval" IS NOT NULL THEN ' INTERVAL (' || p."interval" || ')' ELSE '' END)
    || localoracle.line(' ') || '('
    || (SELECT string_agg('PARTITION "' || t.partition_name || '" '
          || CASE p.partitioning_type WHEN 'RANGE' THEN 'VALUES LESS THAN (' || t.high_value || ')' WHEN 'LIST' THEN 'VALUES (' || t.high_value || ')' ELSE '' END
          || localoracle.ddl_storage('PCTFREE 10 INITRANS 1 MAXTRANS 255', t.tablespace_name, t.object_oid), ', ' || localoracle.line(' ') ORDER BY t.partition_position)
        FROM dictionary.tab_partitions t WHERE t.owner = p.owner AND t.table_name = p.table_name AND t."interval" = 'NO')
    || ') '
  FROM dictionary.part_tables p JOIN dictionary.relations r ON r.owner = p.owner AND r.name = p.table_name
  WHERE r.oid = relation
$$;

CREATE FUNCTION localoracle.ddl_table(table_owner text, name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  t dictionary.tables;
  is_iot boolean;
  inline boolean := localoracle.transform('CONSTRAINTS');
  as_alter boolean := localoracle.transform('CONSTRAINTS_AS_ALTER');
  parts text[];
  constraints text[];
  result text;
BEGIN
  SELECT * INTO t FROM dictionary.tables x WHERE x.object_oid = localoracle.relation_oid(table_owner, name) AND x.owner = table_owner AND x.table_name = name;
  IF t.table_name IS NULL THEN
    RETURN NULL;
  END IF;
  is_iot := coalesce(t.iot_type = 'IOT', false);
  SELECT array_agg(localoracle.ddl_column(c, CASE WHEN inline AND NOT as_alter THEN n END) ORDER BY c.column_id) INTO parts
  FROM dictionary.tab_cols c
  LEFT JOIN LATERAL (SELECT x FROM dictionary.constraints x WHERE x.table_oid = c.object_oid AND x.native_type = 'n'
                     AND x.column_numbers[1] = c.internal_column_id LIMIT 1) v(n) ON true
  WHERE c.object_oid = t.object_oid AND c.user_generated = 'YES';
  SELECT array_agg(' ' || localoracle.ddl_constraint(c) ORDER BY c.constraint_type = 'R', c.constraint_type = 'C', c.constraint_name) INTO constraints
  FROM dictionary.constraints c
  WHERE c.table_oid = t.object_oid AND c.native_type <> 'n'
    AND CASE WHEN is_iot AND c.constraint_type = 'P' THEN true WHEN as_alter THEN false
             WHEN c.constraint_type = 'R' THEN localoracle.transform('REF_CONSTRAINTS') ELSE inline END;
  result := localoracle.line() || 'CREATE ' || CASE WHEN t.temporary = 'Y' THEN 'GLOBAL TEMPORARY ' ELSE '' END || 'TABLE '
    || localoracle.qualified(t.owner, t.table_name) || localoracle.line('   ') || '(' || CASE WHEN localoracle.transform('PRETTY') THEN E'\t' ELSE '' END
    || array_to_string(parts || constraints || localoracle.ddl_logging(t.object_oid), ', ' || localoracle.line(E'\t')) || localoracle.line('   ') || ')';
  IF t.temporary = 'Y' THEN
    result := result || ' ON COMMIT ' || CASE t.duration WHEN 'SYS$SESSION' THEN 'PRESERVE' ELSE 'DELETE' END || ' ROWS';
  ELSIF is_iot THEN
    result := result || ' ORGANIZATION INDEX' || CASE WHEN localoracle.transform('SEGMENT_ATTRIBUTES') THEN ' NOCOMPRESS' ELSE '' END
      || localoracle.ddl_storage('PCTFREE 10 INITRANS 2 MAXTRANS 255 LOGGING',
           (SELECT i.tablespace_name FROM dictionary.indexes i WHERE i.table_owner = t.owner AND i.table_name = t.table_name AND i.index_type = 'IOT - TOP'), t.object_oid)
      || CASE WHEN localoracle.transform('SEGMENT_ATTRIBUTES') THEN localoracle.line(' ') || 'PCTTHRESHOLD 50' ELSE '' END;
  ELSIF t.partitioned = 'YES' THEN
    result := result || localoracle.ddl_storage('PCTFREE 10 PCTUSED 40 INITRANS 1 MAXTRANS 255',
                                                (SELECT p.def_tablespace_name FROM dictionary.part_tables p WHERE p.owner = t.owner AND p.table_name = t.table_name), t.object_oid);
  ELSE
    result := result || CASE WHEN localoracle.transform('SEGMENT_ATTRIBUTES') AND localoracle.transform('SEGMENT_CREATION')
                             THEN ' SEGMENT CREATION ' || CASE t.segment_created WHEN 'YES' THEN 'IMMEDIATE' ELSE 'DEFERRED' END ELSE '' END
      || localoracle.ddl_storage(format('PCTFREE %s PCTUSED 40 INITRANS %s MAXTRANS 255%s%s%s', t.pct_free, t.ini_trans, localoracle.line(' '),
           CASE t.compress_for WHEN 'BASIC' THEN 'COMPRESS BASIC' WHEN 'ADVANCED' THEN 'ROW STORE COMPRESS ADVANCED' ELSE 'NOCOMPRESS' END, CASE t.logging WHEN 'NO' THEN ' NOLOGGING' ELSE ' LOGGING' END), t.tablespace_name, t.object_oid);
  END IF;
  result := result || localoracle.ddl_lobs(t.owner, t.table_name);
  IF t.partitioned = 'YES' AND localoracle.transform('PARTITIONING') THEN
    result := result || localoracle.ddl_partitions(t.object_oid);
  END IF;
  IF localoracle.transform('SEGMENT_ATTRIBUTES') THEN
    result := result || CASE WHEN trim(t.cache) = 'Y' THEN localoracle.line() || 'CACHE' ELSE '' END || CASE WHEN t.result_cache <> 'DEFAULT' THEN localoracle.line() || 'RESULT_CACHE (MODE ' || t.result_cache || ')' ELSE '' END;
  END IF;
  IF trim(t.degree) <> '1' AND localoracle.transform('SEGMENT_ATTRIBUTES') THEN
    result := result || localoracle.line() || 'PARALLEL ' || CASE trim(t.degree) WHEN 'DEFAULT' THEN '' ELSE trim(t.degree) END;
  END IF;
  IF t.dependencies = 'ENABLED' AND localoracle.transform('SEGMENT_ATTRIBUTES') THEN
    result := result || localoracle.line() || 'ROWDEPENDENCIES';
  END IF;
  IF t.row_movement = 'ENABLED' THEN
    result := result || localoracle.line() || 'ENABLE ROW MOVEMENT';
  END IF;
  IF localoracle.attribute(t.object_oid, 0, 'row_archival') IS NOT NULL THEN
    result := result || localoracle.line() || 'ROW ARCHIVAL';
  END IF;
  result := result || localoracle.terminator();
  IF as_alter THEN
    SELECT result || coalesce(string_agg(localoracle.ddl_alter_constraint(c) || localoracle.terminator(), '' ORDER BY c.constraint_type = 'R', c.constraint_name), '') INTO result
    FROM dictionary.constraints c
    WHERE c.table_oid = t.object_oid AND NOT (is_iot AND c.constraint_type = 'P')
      AND CASE WHEN c.constraint_type = 'R' THEN localoracle.transform('REF_CONSTRAINTS') ELSE inline END;
  END IF;
  RETURN result;
END $$;

CREATE FUNCTION localoracle.terminator(sign text DEFAULT ';') RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN localoracle.transform('SQLTERMINATOR') THEN CASE WHEN sign = '/' THEN E'\n/' ELSE ';' END ELSE '' END
$$;

CREATE FUNCTION localoracle.ddl_index(i dictionary.indexes) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT localoracle.line() || 'CREATE ' || CASE WHEN i.index_type = 'BITMAP' THEN 'BITMAP ' WHEN i.uniqueness = 'UNIQUE' THEN 'UNIQUE ' ELSE '' END || 'INDEX ' || localoracle.qualified(i.owner, i.index_name)
    || ' ON ' || localoracle.qualified(i.table_owner, i.table_name) || ' ('
    || (SELECT string_agg(CASE WHEN m.column_number > 0 THEN '"' || m.plain_name || '"'
                               ELSE coalesce(localoracle.source('index_expression', 'pg_class', m.object_oid, m.column_position),
                                             pg_get_indexdef(m.object_oid, m.column_position, true)) END
                          || CASE WHEN m.descending THEN ' DESC' ELSE '' END, ', ' ORDER BY m.column_position)
        FROM dictionary.index_members m WHERE m.object_oid = i.object_oid)
    || ')' || CASE WHEN i.index_type = 'NORMAL/REV' THEN ' REVERSE' ELSE '' END
    || CASE WHEN i.index_type = 'DOMAIN' THEN localoracle.line(' ') || 'INDEXTYPE IS "CTXSYS"."CONTEXT"' || coalesce(' PARAMETERS (''' || replace(i.parameters, '''', '''''') || ''')', '')
       ELSE localoracle.ddl_storage(localoracle.ddl_of_index(i.object_oid, i.ini_trans, i.pct_free) || CASE i.logging WHEN 'NO' THEN ' NOLOGGING' ELSE '' END, i.tablespace_name, i.object_oid) END
    || CASE WHEN i.partitioned = 'YES' THEN localoracle.line(' ') || 'LOCAL' || localoracle.line(' ') || '('
         || (SELECT string_agg(format('PARTITION "%s"', p.partition_name), ', ' ORDER BY p.partition_position)
             FROM dictionary.ind_partitions p WHERE p.index_owner = i.owner AND p.index_name = i.index_name) || ')' ELSE '' END
    || CASE WHEN i.degree <> '1' THEN localoracle.line() || 'PARALLEL ' || CASE i.degree WHEN 'DEFAULT' THEN '' ELSE i.degree END ELSE '' END
    || localoracle.terminator()
$$;

CREATE FUNCTION localoracle.ddl_sequence(q dictionary.sequences) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT localoracle.line(' ') || format(' CREATE SEQUENCE  %s  MINVALUE %s MAXVALUE %s INCREMENT BY %s START WITH %s %s %s  %s  NOKEEP  NOSCALE  GLOBAL',
    localoracle.qualified(q.owner, q.sequence_name), q.min_value, q.max_value, q.increment_by, q.last_number,
    CASE WHEN q.cache_size > 0 THEN 'CACHE ' || q.cache_size ELSE 'NOCACHE' END, CASE q.order_flag WHEN 'Y' THEN 'ORDER' ELSE 'NOORDER' END,
    CASE q.cycle_flag WHEN 'Y' THEN 'CYCLE' ELSE 'NOCYCLE' END) || localoracle.terminator()
$$;

CREATE FUNCTION localoracle.ddl_view(v dictionary.views) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT localoracle.line() || 'CREATE OR REPLACE ' || CASE WHEN localoracle.transform('FORCE') THEN 'FORCE ' ELSE '' END || 'EDITIONABLE VIEW '
    || localoracle.qualified(v.owner, v.view_name) || ' ('
    || (SELECT string_agg('"' || c.column_name || '"', ', ' ORDER BY c.column_id) FROM dictionary.tab_cols c WHERE c.owner = v.owner AND c.table_name = v.view_name)
    || ') AS' || localoracle.line() || v.text || localoracle.terminator()
$$;

CREATE FUNCTION localoracle.ddl_trigger(g dictionary.triggers) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT localoracle.line() || 'CREATE OR REPLACE EDITIONABLE TRIGGER '
    || regexp_replace(g.description, '^\s*(("[^"]+"|[^\s".]+)\.)?("[^"]+"|[^\s".]+)', localoracle.qualified(g.owner, g.trigger_name)) || CASE WHEN g.when_clause IS NULL THEN '' ELSE E'\nWHEN (' || g.when_clause || ')' END
    || E'\n' || g.trigger_body || localoracle.terminator('/')
    || E'\nALTER TRIGGER ' || localoracle.qualified(g.owner, g.trigger_name) || CASE g.status WHEN 'ENABLED' THEN ' ENABLE' ELSE ' DISABLE' END || localoracle.terminator()
$$;

CREATE FUNCTION localoracle.ddl_user(name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT localoracle.line(' ') || '  CREATE USER "' || u.username || '" '
    || CASE WHEN u.password_hash IS NULL THEN 'NO AUTHENTICATION'
            ELSE 'IDENTIFIED BY VALUES ''T:' || upper(encode(u.password_hash, 'hex') || encode(u.password_salt, 'hex')) || '''' END
    || localoracle.line('      ') || 'DEFAULT TABLESPACE "' || u.default_tablespace || '"' || localoracle.line('      ') || 'TEMPORARY TABLESPACE "' || u.temporary_tablespace || '"'
    || CASE WHEN u.profile <> 'DEFAULT' THEN localoracle.line('      ') || 'PROFILE "' || u.profile || '"' ELSE '' END
    || CASE WHEN u.status LIKE 'EXPIRED%' THEN localoracle.line('      ') || 'PASSWORD EXPIRE' ELSE '' END
    || CASE WHEN u.status LIKE '%LOCKED%' THEN localoracle.line('      ') || 'ACCOUNT LOCK' ELSE '' END || localoracle.terminator()
  FROM localoracle.users u WHERE u.username = name
$$;

CREATE FUNCTION localoracle.ddl(kind text, name text, schema text) RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
-- The DDL of one object, NULL when there is none of that kind and name.
BEGIN
  CASE kind
    WHEN 'TABLE' THEN RETURN localoracle.ddl_table(schema, name);
    WHEN 'VIEW' THEN RETURN (SELECT localoracle.ddl_view(v) FROM dictionary.views v WHERE v.owner = schema AND v.view_name = name AND v.text IS NOT NULL);
    WHEN 'MATERIALIZED_VIEW' THEN
      RETURN (SELECT localoracle.line() || 'CREATE MATERIALIZED VIEW ' || localoracle.qualified(m.owner, m.mview_name) || ' AS ' || m.query || localoracle.terminator()
              FROM dictionary.mviews m WHERE m.owner = schema AND m.mview_name = name);
    WHEN 'INDEX' THEN
      -- One that bears another name in PostgreSQL is looked for among all.
      RETURN coalesce((SELECT localoracle.ddl_index(i) FROM dictionary.indexes i
                       WHERE i.object_oid = localoracle.relation_oid(schema, name) AND i.owner = schema AND i.index_name = name),
                      (SELECT localoracle.ddl_index(i) FROM dictionary.indexes i WHERE i.owner = schema AND i.index_name = name));
    WHEN 'SEQUENCE' THEN RETURN (SELECT localoracle.ddl_sequence(q) FROM dictionary.sequences q WHERE q.owner = schema AND q.sequence_name = name);
    WHEN 'CONSTRAINT', 'REF_CONSTRAINT' THEN
      RETURN (SELECT localoracle.ddl_alter_constraint(c) || localoracle.terminator() FROM dictionary.constraints c
              WHERE c.owner = schema AND c.constraint_name = name AND (c.constraint_type = 'R') = (kind = 'REF_CONSTRAINT'));
    WHEN 'TRIGGER' THEN RETURN (SELECT localoracle.ddl_trigger(g) FROM dictionary.triggers g WHERE g.owner = schema AND g.trigger_name = name);
    WHEN 'SYNONYM' THEN
      RETURN (SELECT localoracle.line() || 'CREATE OR REPLACE ' || CASE s.owner WHEN 'PUBLIC' THEN 'EDITIONABLE PUBLIC SYNONYM "' || s.synonym_name || '"'
                       ELSE 'EDITIONABLE SYNONYM ' || localoracle.qualified(s.owner, s.synonym_name) END
                     || ' FOR ' || coalesce('"' || s.table_owner || '".', '') || '"' || s.table_name || '"' || coalesce('@"' || s.db_link || '"', '') || localoracle.terminator()
              FROM localoracle.synonyms s WHERE s.owner = schema AND s.synonym_name = name);
    WHEN 'PROCEDURE', 'FUNCTION', 'PACKAGE', 'PACKAGE_SPEC', 'PACKAGE_BODY', 'TYPE' THEN
      RETURN (SELECT string_agg(localoracle.line() || 'CREATE OR REPLACE EDITIONABLE '
                       || regexp_replace(r.source, '^\s*(\w+(\s+BODY)?)\s+(("[^"]+"|[^\s".(;]+)\s*\.\s*)?("[^"]+"|[^\s".(;]+)', '\1 ' || localoracle.qualified(r.owner, r.name), 'i')
                       || localoracle.terminator('/'), E'\n' ORDER BY r.type)
              FROM localoracle.routines r WHERE r.owner = schema AND r.name = ddl.name
              AND r.type = ANY (CASE kind WHEN 'PACKAGE' THEN ARRAY['PACKAGE', 'PACKAGE BODY'] WHEN 'PACKAGE_SPEC' THEN ARRAY['PACKAGE']
                                          WHEN 'PACKAGE_BODY' THEN ARRAY['PACKAGE BODY'] ELSE ARRAY[kind] END));
    WHEN 'USER' THEN RETURN localoracle.ddl_user(name);
    WHEN 'ROLE' THEN RETURN (SELECT localoracle.line() || ' CREATE ROLE "' || r.role || '"' || localoracle.terminator() FROM localoracle.roles r WHERE r.role = name);
    WHEN 'DIRECTORY' THEN
      RETURN (SELECT localoracle.line() || ' CREATE OR REPLACE DIRECTORY "' || d.name || '" AS ''' || replace(d.path, '''', '''''') || '''' || localoracle.terminator()
              FROM localoracle.directories d WHERE d.name = ddl.name);
  END CASE;
END $$;

CREATE FUNCTION localoracle.metadata_kinds() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['TABLE', 'VIEW', 'MATERIALIZED_VIEW', 'INDEX', 'SEQUENCE', 'CONSTRAINT', 'REF_CONSTRAINT', 'TRIGGER', 'SYNONYM', 'PROCEDURE', 'FUNCTION', 'PACKAGE',
               'PACKAGE_SPEC', 'PACKAGE_BODY', 'TYPE', 'USER', 'ROLE', 'DIRECTORY']
$$;

CREATE FUNCTION localoracle.may_describe(schema text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT schema = localoracle.acting_user() OR pg_has_role(current_user, 'SELECT_CATALOG_ROLE', 'USAGE')
$$;

CREATE FUNCTION "DBMS_METADATA"."GET_DDL"(object_type text, name text, schema text DEFAULT NULL, version text DEFAULT 'COMPATIBLE', model text DEFAULT 'ORACLE',
                                          transform text DEFAULT 'DDL') RETURNS ora.clob LANGUAGE plpgsql STABLE AS $$
-- ORA-31600 a type that there is not, ORA-31603 no such object or not allowed to see it. Public synonyms have the schema PUBLIC.
DECLARE
  owner text := coalesce(schema, CASE WHEN object_type IN ('USER', 'ROLE', 'DIRECTORY') THEN 'SYS' ELSE current_schema() END);
  result text;
BEGIN
  IF object_type IS NULL OR object_type <> ALL (localoracle.metadata_kinds()) THEN
    IF object_type IN ('TABLESPACE', 'DB_LINK', 'CLUSTER', 'PROFILE', 'LIBRARY', 'CONTEXT', 'MATERIALIZED_VIEW_LOG', 'PROCOBJ', 'XMLSCHEMA', 'OPERATOR') THEN
      RAISE EXCEPTION 'ORA-03001: unimplemented feature: DBMS_METADATA.GET_DDL of a %', object_type USING ERRCODE = 'ORA00';
    END IF;
    RAISE EXCEPTION 'ORA-31600: invalid input value % for parameter OBJECT_TYPE in function GET_DDL', coalesce(object_type, 'NULL') USING ERRCODE = 'ORA00';
  END IF;
  IF transform <> 'DDL' THEN
    RAISE EXCEPTION 'ORA-03001: unimplemented feature: DBMS_METADATA transform %', transform USING ERRCODE = 'ORA00';
  END IF;
  IF localoracle.may_describe(owner) AND (object_type <> 'USER' OR pg_has_role(current_user, 'EXP_FULL_DATABASE', 'USAGE')) THEN
    result := localoracle.ddl(object_type, name, owner);
  END IF;
  IF result IS NULL THEN
    RAISE EXCEPTION 'ORA-31603: object "%" of type % not found in schema "%"', name, object_type, owner USING ERRCODE = 'ORA00';
  END IF;
  RETURN result::ora.clob;
END $$;

CREATE FUNCTION localoracle.dependent_ddl(kind text, base text, schema text) RETURNS SETOF text LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
BEGIN
  CASE kind
    WHEN 'INDEX' THEN RETURN QUERY SELECT localoracle.ddl_index(i) FROM dictionary.indexes i WHERE i.table_owner = schema AND i.table_name = base ORDER BY i.index_name;
    WHEN 'CONSTRAINT', 'REF_CONSTRAINT' THEN
      RETURN QUERY SELECT localoracle.ddl_alter_constraint(c) || localoracle.terminator() FROM dictionary.constraints c
      WHERE c.owner = schema AND c.table_name = base AND c.native_type <> 'n' AND (c.constraint_type = 'R') = (kind = 'REF_CONSTRAINT')
      ORDER BY c.constraint_type = 'C', c.constraint_name;
    WHEN 'TRIGGER' THEN RETURN QUERY SELECT localoracle.ddl_trigger(g) FROM dictionary.triggers g WHERE g.table_owner = schema AND g.table_name = base ORDER BY g.trigger_name;
    WHEN 'COMMENT' THEN
      RETURN QUERY
      SELECT localoracle.line(' ') || '  COMMENT ON TABLE ' || localoracle.qualified(schema, base) || '  IS ''' || replace(t.comments, '''', '''''') || '''' || localoracle.terminator()
      FROM dictionary.tab_comments t WHERE t.owner = schema AND t.table_name = base AND t.comments IS NOT NULL
      UNION ALL
      SELECT localoracle.line(' ') || '  COMMENT ON MATERIALIZED VIEW ' || localoracle.qualified(schema, base) || '  IS ''' || replace(m.comments, '''', '''''') || '''' || localoracle.terminator()
      FROM dictionary.mview_comments m WHERE m.owner = schema AND m.mview_name = base AND m.comments IS NOT NULL
      UNION ALL
      SELECT localoracle.line(' ') || '  COMMENT ON COLUMN ' || localoracle.qualified(schema, base) || '."' || c.column_name || '" IS ''' || replace(c.comments, '''', '''''') || '''' || localoracle.terminator()
      FROM dictionary.col_comments c WHERE c.owner = schema AND c.table_name = base AND c.comments IS NOT NULL;
    WHEN 'OBJECT_GRANT' THEN
      RETURN QUERY
      SELECT localoracle.line() || 'GRANT ' || g.privilege || ' ON ' || localoracle.qualified(g.owner, g.table_name) || ' TO "' || g.grantee || '"'
        || CASE WHEN g.grantable THEN ' WITH GRANT OPTION' ELSE '' END || localoracle.terminator()
      FROM dictionary.object_grants g WHERE g.owner = schema AND g.table_name = base ORDER BY g.grantee, g.privilege;
  END CASE;
END $$;

CREATE FUNCTION "DBMS_METADATA"."GET_DEPENDENT_DDL"(object_type text, base_object_name text, base_object_schema text DEFAULT NULL, version text DEFAULT 'COMPATIBLE',
  model text DEFAULT 'ORACLE', transform text DEFAULT 'DDL', object_count numeric DEFAULT 10000) RETURNS ora.clob LANGUAGE plpgsql STABLE AS $$
-- ORA-31608 when there is no such dependent object.
DECLARE
  owner text := coalesce(base_object_schema, current_schema());
  result text;
BEGIN
  IF object_type IS NULL OR object_type <> ALL (ARRAY['INDEX', 'CONSTRAINT', 'REF_CONSTRAINT', 'TRIGGER', 'COMMENT', 'OBJECT_GRANT']) THEN
    RAISE EXCEPTION 'ORA-31600: invalid input value % for parameter OBJECT_TYPE in function GET_DEPENDENT_DDL', coalesce(object_type, 'NULL') USING ERRCODE = 'ORA00';
  END IF;
  IF localoracle.may_describe(owner) THEN
    SELECT string_agg(d, E'\n') INTO result FROM (SELECT d FROM localoracle.dependent_ddl(object_type, base_object_name, owner) d LIMIT object_count) x;
  END IF;
  IF result IS NULL THEN
    RAISE EXCEPTION 'ORA-31608: specified object of type % not found', object_type USING ERRCODE = 'ORA00';
  END IF;
  RETURN result::ora.clob;
END $$;

CREATE FUNCTION localoracle.granted_ddl(kind text, name text) RETURNS SETOF text LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
BEGIN
  CASE kind
    WHEN 'SYSTEM_GRANT' THEN
      RETURN QUERY SELECT localoracle.line() || 'GRANT ' || p.privilege || ' TO "' || p.grantee || '"' || CASE p.admin_option WHEN 'YES' THEN ' WITH ADMIN OPTION' ELSE '' END || localoracle.terminator()
      FROM dictionary.sys_privs p WHERE p.grantee = name ORDER BY p.privilege;
    WHEN 'ROLE_GRANT' THEN
      RETURN QUERY SELECT localoracle.line() || ' GRANT "' || p.granted_role || '" TO "' || p.grantee || '"' || CASE p.admin_option WHEN 'YES' THEN ' WITH ADMIN OPTION' ELSE '' END || localoracle.terminator()
      FROM dictionary.role_privs p WHERE p.grantee = name ORDER BY p.granted_role;
    WHEN 'OBJECT_GRANT' THEN
      RETURN QUERY SELECT localoracle.line() || 'GRANT ' || g.privilege || ' ON ' || CASE g.type WHEN 'DIRECTORY' THEN 'DIRECTORY ' ELSE '' END
        || localoracle.qualified(g.owner, g.table_name) || ' TO "' || g.grantee || '"' || CASE WHEN g.grantable THEN ' WITH GRANT OPTION' ELSE '' END || localoracle.terminator()
      FROM dictionary.object_grants g WHERE g.grantee = name ORDER BY g.owner, g.table_name, g.privilege;
  END CASE;
END $$;

CREATE FUNCTION "DBMS_METADATA"."GET_GRANTED_DDL"(object_type text, grantee text DEFAULT NULL, version text DEFAULT 'COMPATIBLE', model text DEFAULT 'ORACLE',
  transform text DEFAULT 'DDL', object_count numeric DEFAULT 10000) RETURNS ora.clob LANGUAGE plpgsql STABLE AS $$
DECLARE
  owner text := coalesce(grantee, localoracle.acting_user());
  result text;
BEGIN
  IF object_type IS NULL OR object_type <> ALL (ARRAY['SYSTEM_GRANT', 'ROLE_GRANT', 'OBJECT_GRANT']) THEN
    RAISE EXCEPTION 'ORA-31600: invalid input value % for parameter OBJECT_TYPE in function GET_GRANTED_DDL', coalesce(object_type, 'NULL') USING ERRCODE = 'ORA00';
  END IF;
  IF localoracle.may_describe(owner) THEN
    SELECT string_agg(d, E'\n') INTO result FROM (SELECT d FROM localoracle.granted_ddl(object_type, owner) d LIMIT object_count) x;
  END IF;
  IF result IS NULL THEN
    RAISE EXCEPTION 'ORA-31608: specified object of type % not found', object_type USING ERRCODE = 'ORA00';
  END IF;
  RETURN result::ora.clob;
END $$;

CREATE FUNCTION localoracle.transform_names() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['PRETTY', 'SQLTERMINATOR', 'SEGMENT_ATTRIBUTES', 'STORAGE', 'TABLESPACE', 'CONSTRAINTS', 'REF_CONSTRAINTS', 'CONSTRAINTS_AS_ALTER', 'OID', 'SIZE_BYTE_KEYWORD',
               'PARTITIONING', 'FORCE', 'INHERIT', 'EMIT_SCHEMA', 'SEGMENT_CREATION', 'BODY', 'SPECIFICATION', 'COLLATION_CLAUSE']
$$;

CREATE FUNCTION "DBMS_METADATA"."SET_TRANSFORM_PARAM"(transform_handle numeric, name text, value boolean DEFAULT true, object_type text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
-- Only for the session transform (handle -1). DEFAULT resets all. ORA-31600 for a parameter that there is not.
BEGIN
  IF transform_handle IS DISTINCT FROM -1 THEN
    RAISE EXCEPTION 'ORA-31600: invalid input value % for parameter HANDLE in function SET_TRANSFORM_PARAM', coalesce(transform_handle::text, 'NULL') USING ERRCODE = 'ORA00';
  END IF;
  IF name = 'DEFAULT' THEN
    PERFORM set_config('localoracle.transform_' || lower(n), '', false) FROM unnest(localoracle.transform_names()) n;
  ELSIF name = ANY (localoracle.transform_names()) THEN
    PERFORM set_config('localoracle.transform_' || lower(name), value::text, false);
  ELSE
    RAISE EXCEPTION 'ORA-31600: invalid input value % for parameter NAME in function SET_TRANSFORM_PARAM', name USING ERRCODE = 'ORA00';
  END IF;
END $$;
