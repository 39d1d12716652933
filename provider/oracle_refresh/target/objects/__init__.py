"""What surrounds the rows on the target: tables, indexes, constraints, other objects, statistics."""
