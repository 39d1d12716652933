"""The calls that set up, start, stop, set and remove capture and apply. Documented packages only.

PL/SQL Packages and Types Reference 19c: DBMS_CAPTURE_ADM, DBMS_APPLY_ADM, DBMS_XSTREAM_ADM. Values are binds.
"""

from __future__ import annotations

SET_UP_QUEUE = """\
BEGIN
  DBMS_XSTREAM_ADM.SET_UP_QUEUE(queue_table => :queue_table, queue_name => :queue_name);
END;"""
REMOVE_QUEUE = """\
BEGIN
  DBMS_XSTREAM_ADM.REMOVE_QUEUE(queue_name => :queue_name, cascade => FALSE, drop_unused_queue_table => TRUE);
END;"""
CREATE_CAPTURE = """\
BEGIN
  DBMS_CAPTURE_ADM.CREATE_CAPTURE(queue_name => :queue_name, capture_name => :capture_name);
END;"""
CREATE_APPLY = """\
BEGIN
  DBMS_APPLY_ADM.CREATE_APPLY(queue_name => :queue_name, apply_name => :apply_name, apply_captured => TRUE);
END;"""
ADD_TABLE_RULES = """\
BEGIN
  DBMS_XSTREAM_ADM.ADD_TABLE_RULES(
    table_name => :table_name, streams_type => :streams_type, streams_name => :streams_name,
    queue_name => :queue_name, include_dml => TRUE, include_ddl => FALSE);
END;"""
PREPARE_TABLE = """\
BEGIN
  DBMS_CAPTURE_ADM.PREPARE_TABLE_INSTANTIATION(table_name => :table_name);
END;"""
SET_CHANGE_HANDLER = """\
BEGIN
  DBMS_APPLY_ADM.SET_CHANGE_HANDLER(
    change_table_name => :change_table, source_table_name => :source_table, capture_values => '*',
    apply_name => :apply_name, operation_name => :operation, change_handler_name => :handler);
END;"""
SET_INSTANTIATION_SCN = """\
BEGIN
  DBMS_APPLY_ADM.SET_TABLE_INSTANTIATION_SCN(
    source_object_name => :table_name, source_database_name => :database_name, instantiation_scn => :scn);
END;"""
START_CAPTURE = "BEGIN DBMS_CAPTURE_ADM.START_CAPTURE(capture_name => :capture_name); END;"
STOP_CAPTURE = "BEGIN DBMS_CAPTURE_ADM.STOP_CAPTURE(capture_name => :capture_name); END;"
DROP_CAPTURE = """\
BEGIN
  DBMS_CAPTURE_ADM.DROP_CAPTURE(capture_name => :capture_name, drop_unused_rule_sets => TRUE);
END;"""
START_APPLY = "BEGIN DBMS_APPLY_ADM.START_APPLY(apply_name => :apply_name); END;"
STOP_APPLY = "BEGIN DBMS_APPLY_ADM.STOP_APPLY(apply_name => :apply_name); END;"
DROP_APPLY = """\
BEGIN
  DBMS_APPLY_ADM.DROP_APPLY(apply_name => :apply_name, drop_unused_rule_sets => TRUE);
END;"""
SET_APPLY_PARAMETER = """\
BEGIN
  DBMS_APPLY_ADM.SET_PARAMETER(apply_name => :apply_name, parameter => :parameter, value => :value);
END;"""
SET_CAPTURE_PARAMETER = """\
BEGIN
  DBMS_CAPTURE_ADM.SET_PARAMETER(capture_name => :capture_name, parameter => :parameter, value => :value);
END;"""


def set_streams_pool(size: int) -> str:
    """In memory only: a restart of the instance brings back what the parameter file says.

    ALTER SYSTEM takes no binds; the size is a number.
    """
    return f"ALTER SYSTEM SET streams_pool_size = {int(size)} SCOPE = MEMORY SID = '*'"
