"""The way of dump files into the target database: a DBFS store and the staging of files into it."""
