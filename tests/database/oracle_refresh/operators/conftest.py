"""A small refresh whose tasks are run one by one."""

from support.small_run import new_run

__all__ = ["new_run"]
