"""Measures how many Data Pump jobs at the same time are worth it, and recommends a degree."""
