"""DAGs of refreshes and of clones that are masked where they are: those with a form, and one for each
definition.

A DAG file calls these; see docs/how-to/one-dag-for-each-definition.md. They connect to nothing, and read
nothing but definitions.
"""

from oracle_refresh.bundle.building import masking_by_form, refresh_by_form
from oracle_refresh.bundle.files import check_definitions, refresh_dag, refresh_dags

__all__ = ["check_definitions", "masking_by_form", "refresh_by_form", "refresh_dag", "refresh_dags"]
