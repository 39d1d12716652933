"""A target with the store, directories and link of the demo definition."""

from support.staging import linked_target as demo_target

__all__ = ["demo_target"]
