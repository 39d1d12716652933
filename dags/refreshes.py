"""One Airflow DAG for each definition, as its section `dag:` says.

Definitions that do not load have none; refreshes_check.py shows them.
"""

from oracle_refresh.bundle import refresh_dags

refresh_dags()
