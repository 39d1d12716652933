"""`airflow oracle-refresh ...`: the provider's commands in Airflow's own command line."""
