"""The stand-in's expdp and impdp: command-line clients of Data Pump over the wire.

Source: "Data Pump Export" and "Data Pump Import" in Oracle Database Utilities 19c. They are network clients
like any other: oracledb, DBMS_DATAPUMP, nothing of the server. `bin/` holds the commands; put it on PATH.
"""
