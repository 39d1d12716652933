"""DBFS stores."""
