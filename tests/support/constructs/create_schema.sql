-- Create the user of a schema, drop an old one first. The script that includes this file defines `schema`.

SET ECHO OFF
SET VERIFY OFF
WHENEVER SQLERROR EXIT SQL.SQLCODE

PROMPT Installing the schema &schema
ACCEPT pass PROMPT 'Password of the user &schema: ' HIDE

BEGIN
  IF '&pass' IS NULL THEN
    RAISE_APPLICATION_ERROR(-20999, 'Specify a password for &schema');
  END IF;
END;
/

COLUMN property_value NEW_VALUE default_tablespace NOPRINT
SELECT property_value FROM database_properties WHERE property_name = 'DEFAULT_PERMANENT_TABLESPACE';
ACCEPT tbs PROMPT 'Tablespace of &schema [&default_tablespace]: ' DEFAULT '&default_tablespace'

SET SERVEROUTPUT ON;
DECLARE
  v_user        all_users.username%TYPE;
  v_tablespaces NUMBER := 0;
BEGIN
  SELECT COUNT(1) INTO v_tablespaces FROM dba_tablespaces WHERE tablespace_name = UPPER('&tbs');
  IF v_tablespaces = 0 THEN
    RAISE_APPLICATION_ERROR(-20998, 'Tablespace ''' || UPPER('&tbs') || ''' does not exist');
  END IF;
  SELECT MAX(username) INTO v_user FROM all_users WHERE username = '&schema';
  IF v_user IS NOT NULL THEN
    EXECUTE IMMEDIATE 'DROP USER &schema CASCADE';
    DBMS_OUTPUT.PUT_LINE('Dropped the old schema &schema.');
  END IF;
END;
/
SET SERVEROUTPUT OFF;

CREATE USER &schema IDENTIFIED BY "&pass" DEFAULT TABLESPACE &tbs QUOTA UNLIMITED ON &tbs;
GRANT CREATE DIMENSION, CREATE MATERIALIZED VIEW, CREATE PROCEDURE, CREATE SEQUENCE, CREATE SESSION,
      CREATE SYNONYM, CREATE TABLE, CREATE TRIGGER, CREATE TYPE, CREATE VIEW
   TO &schema;
ALTER SESSION SET CURRENT_SCHEMA=&schema;
ALTER SESSION SET NLS_LANGUAGE=American;
ALTER SESSION SET NLS_TERRITORY=America;
