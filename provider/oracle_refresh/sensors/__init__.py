"""Sensors that a DAG waits with before a refresh starts."""
