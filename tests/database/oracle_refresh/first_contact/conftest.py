"""One target for all tests of a first contact."""

from support.demo import folder_target as demo_target

__all__ = ["demo_target"]
