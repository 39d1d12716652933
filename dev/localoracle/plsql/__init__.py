"""PL/SQL: an interpreter of the subset that refreshes, administration and applications' triggers use."""
