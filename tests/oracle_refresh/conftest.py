"""Puts this folder on the import path: `samples` serves several rooms."""
