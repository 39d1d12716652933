"""DAGs to copy from: one for each use of the operators besides the bundle's own DAGs."""
