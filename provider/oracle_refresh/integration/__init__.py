"""Airflow's own conventions: settings, assets, metrics, retries, forms, decorators."""
