"""A worker that crashes between its tests is an error: xdist would go on as though nothing had happened."""

from __future__ import annotations

import pytest
from xdist.workermanage import WorkerController


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController, error: object | None) -> None:
    if error is not None:
        name = f"worker {node.gateway.id}"
        crashed = pytest.CollectReport(name, "failed", f"{name} crashed: {error}", [])
        node.config.hook.pytest_collectreport(report=crashed)
