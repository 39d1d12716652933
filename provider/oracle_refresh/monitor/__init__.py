"""What a run's page shows, computed from what Airflow recorded of it. Pure: no Airflow, no database."""
