"""Oracle's data types, and which type, length and range an expression has."""
