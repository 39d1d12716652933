"""One run of a refresh: what it records and what its tries leave."""
