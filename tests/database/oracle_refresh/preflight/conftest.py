"""One target for all tests of preflight."""

from support.demo import folder_target as demo_target

__all__ = ["demo_target"]
