"""Measure what the tests protect: change one place of the product and see whether a test fails.

A sample of such changes (mutants) is drawn once and stored in `sample.json`. The same sample is run against
the tests of a later commit, and both results are compared. Survivors show code whose results no test checks.
"""
