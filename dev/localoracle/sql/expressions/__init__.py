"""Expressions and conditions: operators, conversions, ROWIDs."""
