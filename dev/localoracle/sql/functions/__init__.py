"""Calls of functions: Oracle's own, aggregate and analytic ones, JSON, packages', stored ones."""
