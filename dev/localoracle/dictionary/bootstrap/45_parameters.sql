-- V$PARAMETER shows the session's values, V$SYSTEM_PARAMETER the instance's.
CREATE VIEW localoracle.instance_parameters AS
SELECT p.number AS num, p.name, p.type, p.value, localoracle.display(p.type, p.value) AS display_value, p.default_value, CASE WHEN p.specified OR p.modified THEN 'FALSE' ELSE 'TRUE' END AS isdefault,
  CASE WHEN p.session_modifiable THEN 'TRUE' ELSE 'FALSE' END AS isses_modifiable, p.system_modifiable AS issys_modifiable,
  CASE WHEN p.pdb_modifiable THEN 'TRUE' ELSE 'FALSE' END AS ispdb_modifiable, CASE WHEN p.system_modifiable = 'FALSE' THEN 'FALSE' ELSE 'TRUE' END AS isinstance_modifiable,
  CASE WHEN p.modified THEN 'SYSTEM_MOD' ELSE 'FALSE' END AS ismodified, 'FALSE' AS isadjusted, 'FALSE' AS isdeprecated, CASE WHEN p.basic THEN 'TRUE' ELSE 'FALSE' END AS isbasic,
  p.update_comment, hashtext(p.name)::bigint & 4294967295 AS hash, 0 AS con_id, 1 AS ordinal
FROM localoracle.parameters p WHERE p.name !~ '^_' OR p.modified OR p.specified;

CREATE VIEW dictionary.v$system_parameter AS
-- In a pluggable database the row of CON_ID 0 is what it inherits; what was set in it has a second row (Database Reference, CON_ID).
SELECT i.num, i.name, i.type, CASE WHEN o.overridden THEN i.default_value ELSE i.value END AS value,
  CASE WHEN o.overridden THEN localoracle.display(i.type, i.default_value) ELSE i.display_value END AS display_value, i.default_value,
  CASE WHEN o.overridden THEN 'TRUE' ELSE i.isdefault END AS isdefault, i.isses_modifiable, i.issys_modifiable, i.ispdb_modifiable, i.isinstance_modifiable,
  CASE WHEN o.overridden THEN 'FALSE' ELSE i.ismodified END AS ismodified, i.isadjusted, i.isdeprecated, i.isbasic,
  CASE WHEN NOT o.overridden THEN i.update_comment END AS update_comment, i.hash, 0 AS con_id, i.ordinal
FROM localoracle.instance_parameters i
CROSS JOIN LATERAL (SELECT localoracle.container() = 'pdb' AND i.ispdb_modifiable = 'TRUE' AND i.isdefault = 'FALSE') AS o(overridden)
UNION ALL
SELECT i.num, i.name, i.type, i.value, i.display_value, i.default_value, i.isdefault, i.isses_modifiable, i.issys_modifiable, i.ispdb_modifiable, i.isinstance_modifiable,
  i.ismodified, i.isadjusted, i.isdeprecated, i.isbasic, i.update_comment, i.hash, 3, i.ordinal
FROM localoracle.instance_parameters i WHERE localoracle.container() = 'pdb' AND i.ispdb_modifiable = 'TRUE' AND i.isdefault = 'FALSE';
CREATE VIEW dictionary.v$system_parameter2 AS SELECT * FROM dictionary.v$system_parameter;

CREATE VIEW dictionary.v$parameter AS
SELECT p.num, p.name, p.type, localoracle.setting(p.name) AS value, localoracle.display(p.type, localoracle.setting(p.name)) AS display_value, p.default_value, p.isdefault, p.isses_modifiable,
  p.issys_modifiable, p.ispdb_modifiable, p.isinstance_modifiable,
  CASE WHEN nullif(current_setting('localoracle.' || p.name, true), '') IS NOT NULL THEN 'MODIFIED' ELSE p.ismodified END AS ismodified, p.isadjusted, p.isdeprecated,
  p.isbasic, p.update_comment, p.hash, p.con_id, p.ordinal
FROM localoracle.instance_parameters p;
CREATE VIEW dictionary.v$parameter2 AS SELECT * FROM dictionary.v$parameter;

CREATE VIEW dictionary.v$spparameter AS
SELECT 'none'::text AS family, p.spfile_sid AS sid, p.name, CASE p.type WHEN 1 THEN 'boolean' WHEN 2 THEN 'string' WHEN 3 THEN 'integer' WHEN 4 THEN 'parameter file' WHEN 6 THEN 'big integer' END AS type,
  CASE WHEN p.specified THEN p.spfile_value END AS value, CASE WHEN p.specified THEN localoracle.display(p.type, p.spfile_value) END AS display_value,
  CASE WHEN p.specified THEN 'TRUE' ELSE 'FALSE' END AS isspecified, CASE WHEN p.specified THEN 1 ELSE 0 END AS ordinal, p.update_comment, 0 AS con_id
FROM localoracle.parameters p;

CREATE VIEW dictionary.v$parameter_valid_values AS
SELECT p.number AS num, p.name, w.ordinal, w.value, CASE WHEN upper(p.default_value) = w.value THEN 'TRUE' ELSE 'FALSE' END AS isdefault, 0 AS con_id
FROM localoracle.parameters p CROSS JOIN LATERAL unnest(coalesce(p.words, CASE p.type WHEN 1 THEN ARRAY['TRUE', 'FALSE'] END)) WITH ORDINALITY w(value, ordinal);
