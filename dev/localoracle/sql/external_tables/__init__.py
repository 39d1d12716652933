"""External tables: their definition, access parameters, records and log file."""
