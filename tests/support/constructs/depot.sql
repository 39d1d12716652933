-- DEPOT: the staff of a bicycle rental. An index-organized table, keys on indexes of the same name, foreign keys
-- in a cycle and to the same table, temporary tables, triggers that call procedures, types, and a package.

DEFINE schema = DEPOT
@@create_schema.sql

PROMPT Creating tables

CREATE TABLE zones
( zone_id CHAR(2) CONSTRAINT zone_id_nn NOT NULL, zone_name VARCHAR2(60)
, CONSTRAINT zones_pk PRIMARY KEY (zone_id)
) ORGANIZATION INDEX;

CREATE TABLE depots
( depot_id NUMBER(4), depot_name VARCHAR2(30) CONSTRAINT depot_name_nn NOT NULL
, manager_id NUMBER(6), zone_id CHAR(2)
);
CREATE UNIQUE INDEX depots_pk ON depots (depot_id);
ALTER TABLE depots ADD
( CONSTRAINT depots_pk PRIMARY KEY (depot_id)
, CONSTRAINT depots_zone_fk FOREIGN KEY (zone_id) REFERENCES zones (zone_id)
);
CREATE SEQUENCE depots_seq START WITH 70 INCREMENT BY 10 MAXVALUE 9990 NOCACHE NOCYCLE;

CREATE TABLE posts
( post_id VARCHAR2(10), title VARCHAR2(35) CONSTRAINT post_title_nn NOT NULL
, min_pay NUMBER(6), max_pay NUMBER(6)
);
CREATE UNIQUE INDEX posts_pk ON posts (post_id);
ALTER TABLE posts ADD (CONSTRAINT posts_pk PRIMARY KEY (post_id));

CREATE TABLE staff
( staff_id NUMBER(6), first_name VARCHAR2(20)
, last_name VARCHAR2(25) CONSTRAINT staff_last_name_nn NOT NULL
, email     VARCHAR2(25) CONSTRAINT staff_email_nn NOT NULL
, phone VARCHAR2(20)
, hired     DATE         CONSTRAINT staff_hired_nn NOT NULL
, post_id   VARCHAR2(10) CONSTRAINT staff_post_nn NOT NULL
, pay NUMBER(8,2), bonus NUMBER(2,2), manager_id NUMBER(6), depot_id NUMBER(4)
, CONSTRAINT staff_pay_min CHECK (pay > 0)
, CONSTRAINT staff_email_uk UNIQUE (email)
);
CREATE UNIQUE INDEX staff_pk ON staff (staff_id);
ALTER TABLE staff ADD
( CONSTRAINT staff_pk PRIMARY KEY (staff_id)
, CONSTRAINT staff_depot_fk FOREIGN KEY (depot_id) REFERENCES depots
, CONSTRAINT staff_post_fk FOREIGN KEY (post_id) REFERENCES posts (post_id)
, CONSTRAINT staff_manager_fk FOREIGN KEY (manager_id) REFERENCES staff
);
ALTER TABLE depots ADD
(CONSTRAINT depots_manager_fk FOREIGN KEY (manager_id) REFERENCES staff (staff_id));
CREATE SEQUENCE staff_seq START WITH 41 INCREMENT BY 1 NOCACHE NOCYCLE;

CREATE TABLE post_history
( staff_id NUMBER(6)    CONSTRAINT history_staff_nn NOT NULL
, started  DATE         CONSTRAINT history_started_nn NOT NULL
, ended    DATE         CONSTRAINT history_ended_nn NOT NULL
, post_id  VARCHAR2(10) CONSTRAINT history_post_nn NOT NULL
, depot_id NUMBER(4)
, CONSTRAINT history_interval CHECK (ended > started)
);
CREATE UNIQUE INDEX history_pk ON post_history (staff_id, started);
ALTER TABLE post_history ADD
( CONSTRAINT history_pk PRIMARY KEY (staff_id, started)
, CONSTRAINT history_staff_fk FOREIGN KEY (staff_id) REFERENCES staff
, CONSTRAINT history_post_fk FOREIGN KEY (post_id) REFERENCES posts
);

CREATE OR REPLACE VIEW staff_details (staff_id, last_name, pay, depot_name, title, zone_name)
AS SELECT s.staff_id, s.last_name, s.pay, d.depot_name, p.title, z.zone_name
     FROM staff s, depots d, posts p, zones z
    WHERE s.depot_id = d.depot_id AND d.zone_id = z.zone_id AND p.post_id = s.post_id
WITH READ ONLY;

CREATE INDEX staff_name_ix ON staff (last_name, first_name);
CREATE INDEX history_post_ix ON post_history (post_id);

COMMENT ON TABLE staff IS 'Employees. References depots and posts, and itself.';
COMMENT ON COLUMN staff.manager_id
IS 'Manager of the employee; has the domain of depots.manager_id.
Used by CONNECT BY queries.';
COMMENT ON COLUMN post_history.started
  IS 'First day in the post. Less than ended
(enforced by history_interval)';

CREATE GLOBAL TEMPORARY TABLE rota
( staff_id NUMBER(6) CONSTRAINT rota_pk PRIMARY KEY, email VARCHAR2(25)
) ON COMMIT PRESERVE ROWS;
CREATE GLOBAL TEMPORARY TABLE calls
( phone VARCHAR2(20), called DATE
) ON COMMIT DELETE ROWS;

PROMPT Loading rows

BEGIN
  INSERT INTO zones VALUES ('NO', 'North');
  INSERT INTO zones VALUES ('SO', 'South');
  INSERT INTO posts VALUES ('HEAD', 'Head of a depot', 4000, 9000);
  INSERT INTO posts VALUES ('MECHANIC', 'Mechanic', 2000, 4000);
  INSERT INTO posts VALUES ('CLERK', 'Clerk', 1800, 3500);
END;
/

ALTER TABLE depots DISABLE CONSTRAINT depots_manager_fk;
INSERT INTO depots
SELECT LEVEL * 10, 'Depot ' || LEVEL, LEVEL, CASE WHEN LEVEL < 4 THEN 'NO' ELSE 'SO' END
  FROM dual CONNECT BY LEVEL <= 6;

-- The first six are heads. Number 40 belongs to no depot.
INSERT INTO staff
SELECT LEVEL, DECODE(MOD(LEVEL, 5), 0, 'Ada', 1, 'Bert', 2, 'Carla', 3, 'Dan', 'Eve'),
       DECODE(MOD(LEVEL, 7), 0, 'Abbott', 1, 'Brandt', 2, 'Castro', 3, 'Dubois', 4, 'Evans', 5, 'Fischer', 'Garcia'),
       'STAFF' || (1000 + 37 * LEVEL), '+31.20.555.' || (1000 + 71 * LEVEL),
       TO_DATE('01-03-2015', 'dd-MM-yyyy') + 10 * LEVEL,
       CASE WHEN LEVEL <= 6 THEN 'HEAD' WHEN MOD(LEVEL, 2) = 0 THEN 'CLERK' ELSE 'MECHANIC' END,
       2000 + 50 * LEVEL, CASE WHEN MOD(LEVEL, 3) = 0 THEN 0.15 END,
       CASE WHEN LEVEL > 6 THEN 1 + MOD(LEVEL, 6) END, CASE WHEN LEVEL < 40 THEN 10 + 10 * MOD(LEVEL, 6) END
  FROM dual CONNECT BY LEVEL <= 40;

BEGIN
  INSERT INTO post_history
  VALUES (1, TO_DATE('01-01-2012', 'dd-MM-yyyy'), TO_DATE('31-12-2014', 'dd-MM-yyyy'), 'CLERK', 20);
  INSERT INTO post_history
  VALUES (2, TO_DATE('01-07-2012', 'dd-MM-yyyy'), TO_DATE('31-12-2014', 'dd-MM-yyyy'), 'MECHANIC', 30);
END;
/
COMMIT;
ALTER TABLE depots ENABLE CONSTRAINT depots_manager_fk;

PROMPT Creating code

CREATE OR REPLACE PROCEDURE check_hours
IS
BEGIN
  IF TO_CHAR (SYSDATE, 'HH24:MI') NOT BETWEEN '08:00' AND '18:00'
        OR TO_CHAR (SYSDATE, 'DY') IN ('SAT', 'SUN') THEN
    RAISE_APPLICATION_ERROR (-20205,
      'Staff may be changed in office hours only');
  END IF;
END check_hours;
/

CREATE OR REPLACE TRIGGER staff_hours
  BEFORE INSERT OR UPDATE OR DELETE ON staff
BEGIN
  check_hours;
END staff_hours;
/
ALTER TRIGGER staff_hours DISABLE;

CREATE OR REPLACE PROCEDURE add_history
( p_staff   post_history.staff_id%type
, p_started post_history.started%type
, p_ended   post_history.ended%type
, p_post    post_history.post_id%type
, p_depot   post_history.depot_id%type
)
IS
BEGIN
  INSERT INTO post_history (staff_id, started, ended, post_id, depot_id)
    VALUES(p_staff, p_started, p_ended, p_post, p_depot);
END add_history;
/

CREATE OR REPLACE TRIGGER staff_history
  AFTER UPDATE OF post_id, depot_id ON staff
  FOR EACH ROW
BEGIN
  add_history(:old.staff_id, :old.hired, sysdate,
              :old.post_id, :old.depot_id);
END;
/

CREATE TYPE names_t IS TABLE OF VARCHAR2(60);
/
CREATE TYPE staff_t AS OBJECT (id NUMBER(6), pay NUMBER(8,2));
/
CREATE TYPE staff_list_t IS TABLE OF staff_t;
/

CREATE PACKAGE payroll AS
  c_raise CONSTANT NUMBER := 10;
  FUNCTION raised(p_pay NUMBER) RETURN NUMBER;
  FUNCTION staff_of(p_depot NUMBER) RETURN staff_list_t PIPELINED;
  PROCEDURE count_calls(p_calls OUT NUMBER);
END payroll;
/
CREATE PACKAGE BODY payroll AS
  g_calls NUMBER := 0;
  FUNCTION raised(p_pay NUMBER) RETURN NUMBER IS
  BEGIN
    RETURN p_pay * (100 + c_raise) / 100;
  END;
  FUNCTION staff_of(p_depot NUMBER) RETURN staff_list_t PIPELINED IS
  BEGIN
    FOR r IN (SELECT staff_id, pay FROM staff WHERE depot_id = p_depot ORDER BY staff_id) LOOP
      PIPE ROW (staff_t(r.staff_id, raised(r.pay)));
    END LOOP;
    RETURN;
  END;
  PROCEDURE count_calls(p_calls OUT NUMBER) IS
  BEGIN
    g_calls := g_calls + 1;
    p_calls := g_calls;
  END;
END payroll;
/
CREATE FUNCTION a_name(p_names names_t) RETURN VARCHAR2 IS
BEGIN
  RETURN p_names(p_names.LAST);
END;
/

SELECT 'staff' AS "Table", 40 AS "expected", COUNT(1) AS "actual" FROM depot.staff
UNION ALL
SELECT 'post_history' AS "Table", 2 AS "expected", COUNT(1) AS "actual" FROM depot.post_history;

exit
