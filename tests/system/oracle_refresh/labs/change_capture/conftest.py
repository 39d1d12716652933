"""One target for all modules of this folder."""

from support.demo import folder_target as demo_target

__all__ = ["demo_target"]
