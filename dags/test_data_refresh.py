"""The refresh of a masked Oracle test database as one Airflow DAG, by hand from its form."""

from oracle_refresh.bundle import refresh_by_form

refresh_by_form()
