"""One Data Pump job through DBMS_DATAPUMP: description, start, attaching, watching, verdict."""
