"""The local stack behind the Makefile: two stand-in databases and an Airflow, started and stopped together.

It is not part of the distribution: with a real Oracle and an Airflow of one's own only the provider
and the DAG bundle are needed.
"""
