-- V$PARAMETER shows the session's values, V$SYSTEM_PARAMETER the instance's.
CREATE VIEW dictionary.v$system_parameter AS
SELECT p.number AS num, p.name, p.type, p.value, localoracle.display(p.type, p.value) AS display_value, p.default_value, CASE WHEN p.specified OR p.modified THEN 'FALSE' ELSE 'TRUE' END AS isdefault,
  CASE WHEN p.session_modifiable THEN 'TRUE' ELSE 'FALSE' END AS isses_modifiable, p.system_modifiable AS issys_modifiable,
  CASE WHEN p.pdb_modifiable THEN 'TRUE' ELSE 'FALSE' END AS ispdb_modifiable, CASE WHEN p.system_modifiable = 'FALSE' THEN 'FALSE' ELSE 'TRUE' END AS isinstance_modifiable,
  CASE WHEN p.modified THEN 'SYSTEM_MOD' ELSE 'FALSE' END AS ismodified, 'FALSE' AS isadjusted, 'FALSE' AS isdeprecated, CASE WHEN p.basic THEN 'TRUE' ELSE 'FALSE' END AS isbasic,
  p.update_comment, hashtext(p.name)::bigint & 4294967295 AS hash, 0 AS con_id, 1 AS ordinal
FROM localoracle.parameters p WHERE p.name !~ '^_' OR p.modified OR p.specified;
CREATE VIEW dictionary.v$system_parameter2 AS SELECT * FROM dictionary.v$system_parameter;

CREATE VIEW dictionary.v$parameter AS
SELECT p.num, p.name, p.type, localoracle.setting(p.name) AS value, localoracle.display(p.type, localoracle.setting(p.name)) AS display_value, p.default_value, p.isdefault, p.isses_modifiable,
  p.issys_modifiable, p.ispdb_modifiable, p.isinstance_modifiable,
  CASE WHEN nullif(current_setting('localoracle.' || p.name, true), '') IS NOT NULL THEN 'MODIFIED' ELSE p.ismodified END AS ismodified, p.isadjusted, p.isdeprecated,
  p.isbasic, p.update_comment, p.hash, p.con_id, p.ordinal
FROM dictionary.v$system_parameter p;
CREATE VIEW dictionary.v$parameter2 AS SELECT * FROM dictionary.v$parameter;

CREATE VIEW dictionary.v$spparameter AS
SELECT 'none'::text AS family, p.spfile_sid AS sid, p.name, CASE p.type WHEN 1 THEN 'boolean' WHEN 2 THEN 'string' WHEN 3 THEN 'integer' WHEN 4 THEN 'parameter file' WHEN 6 THEN 'big integer' END AS type,
  CASE WHEN p.specified THEN p.spfile_value END AS value, CASE WHEN p.specified THEN localoracle.display(p.type, p.spfile_value) END AS display_value,
  CASE WHEN p.specified THEN 'TRUE' ELSE 'FALSE' END AS isspecified, CASE WHEN p.specified THEN 1 ELSE 0 END AS ordinal, p.update_comment, 0 AS con_id
FROM localoracle.parameters p;

CREATE VIEW dictionary.v$parameter_valid_values AS
SELECT p.number AS num, p.name, w.ordinal, w.value, CASE WHEN upper(p.default_value) = w.value THEN 'TRUE' ELSE 'FALSE' END AS isdefault, 0 AS con_id
FROM localoracle.parameters p CROSS JOIN LATERAL unnest(coalesce(p.words, CASE p.type WHEN 1 THEN ARRAY['TRUE', 'FALSE'] END)) WITH ORDINALITY w(value, ordinal);
