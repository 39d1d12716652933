-- Object and collection types (Database Reference, ALL_TYPES, ALL_COLL_TYPES, ALL_TYPE_ATTRS).

CREATE VIEW dictionary.types AS
SELECT t.owner, t.name AS type_name, t.identifier AS type_oid, t.typecode,
  CASE WHEN t.kind = 'OBJECT' THEN (SELECT count(*) FROM localoracle.type_attributes a WHERE (a.owner, a.type) = (t.owner, t.name)) ELSE 0 END AS attributes,
  0 AS methods, 'NO' AS predefined, 'NO' AS incomplete, 'YES' AS final, 'YES' AS instantiable, 'YES' AS persistable,
  localoracle.may_execute(current_user::text, t.owner, r.id) AS visible
FROM localoracle.types t JOIN localoracle.routines r ON (r.owner, r.name, r.type) = (t.owner, t.name, t.unit);

CREATE VIEW dictionary.coll_types AS
SELECT t.owner, t.name AS type_name, CASE t.kind WHEN 'VARRAY' THEN 'VARYING ARRAY' ELSE 'TABLE' END AS coll_type, t.upper_bound,
  a.type_owner AS elem_type_owner, a.type_name AS elem_type_name, a.length, a.precision, a.scale,
  CASE WHEN a.type_name IN ('VARCHAR2', 'VARCHAR', 'CLOB') THEN 'CHAR_CS' END AS character_set_name, 'YES' AS nulls_stored,
  CASE WHEN a.type_name IN ('VARCHAR2', 'VARCHAR') THEN 'B' END AS char_used, v.visible
FROM localoracle.types t
JOIN localoracle.type_attributes a ON (a.owner, a.type) = (t.owner, t.name)
JOIN dictionary.types v ON (v.owner, v.type_name) = (t.owner, t.name)
WHERE t.kind <> 'OBJECT';

CREATE VIEW dictionary.type_attrs AS
SELECT t.owner, t.name AS type_name, a.name AS attr_name, a.type_owner AS attr_type_owner, a.type_name AS attr_type_name, a.length, a.precision, a.scale,
  CASE WHEN a.type_name IN ('VARCHAR2', 'VARCHAR', 'CLOB') THEN 'CHAR_CS' END AS character_set_name, a.number AS attr_no, 'NO' AS inherited,
  CASE WHEN a.type_name IN ('VARCHAR2', 'VARCHAR') THEN 'B' END AS char_used, v.visible
FROM localoracle.types t
JOIN localoracle.type_attributes a ON (a.owner, a.type) = (t.owner, t.name)
JOIN dictionary.types v ON (v.owner, v.type_name) = (t.owner, t.name)
WHERE t.kind = 'OBJECT';
