"""What forks tasks is told by its command."""

from __future__ import annotations

import pytest

from oracle_refresh.integration.preload import preload


@pytest.mark.parametrize(
    ("command", "gains"),
    [
        (["airflow", "scheduler"], True),
        (["-m", "celery", "worker", "--concurrency", "4"], True),
        (["airflow", "dag-processor"], True),
        (["airflow", "triggerer"], False),
        (["airflow", "dags", "list"], False),
        (["pytest"], False),
    ],
)
def test_only_commands_that_fork(command: list[str], gains: bool) -> None:
    assert preload(command) is gains
