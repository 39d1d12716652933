"""SELECT: query blocks, FROM clauses, joins, row limits."""
