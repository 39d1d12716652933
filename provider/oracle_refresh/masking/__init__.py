"""Masking: keyed algorithms, rulesets, the compiler from rules to SQL, and the exactly-once run of one table."""
