"""Finds the columns that hold personal data, proposes rules for them, and says which ones no rule covers."""
