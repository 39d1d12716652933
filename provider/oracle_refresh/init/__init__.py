"""`airflow oracle-refresh init`: a first definition and ruleset, from what both databases say."""
