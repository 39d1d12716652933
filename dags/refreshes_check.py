"""Makes no Airflow DAG: it fails by the definitions of which refreshes.py can make none, and says why.

In a file of its own, as an import error stops all DAGs of its file.
"""

from oracle_refresh.bundle import check_definitions

check_definitions()
