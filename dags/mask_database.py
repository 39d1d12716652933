"""Masking a clone of an Oracle database where it is, as one Airflow DAG, by hand from its form."""

from oracle_refresh.bundle import masking_by_form

masking_by_form()
