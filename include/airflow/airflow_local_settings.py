"""Airflow imports this module when a component starts, if its folder is on the Python path."""

import sys

from oracle_refresh.integration.preload import preload

preload(sys.argv)
