"""One Data Pump job through DBMS_DATAPUMP: described, started, attached to, watched, judged."""
