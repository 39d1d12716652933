"""A small refresh whose tasks are run one by one, in one target."""

from support.demo import folder_target as demo_target
from support.small_run import new_run, new_shared_run

__all__ = ["demo_target", "new_run", "new_shared_run"]
