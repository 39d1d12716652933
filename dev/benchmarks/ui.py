"""The pages of a run with a thousand shards: how long an answer takes that has to come within 300 ms.

A metadata database of its own holds the run (over 3,000 task instances) and its former ones. Each route is
asked through Airflow's entire application, as a browser asks it. Reported are the first answer, which fills
caches, the fastest and the median of the others, and CPU seconds, which do not depend on other work.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.recorded_run import BEGAN, Instance, many_shards, record, register_dag
from benchmarks.result import Result
from benchmarks.size import sized

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

SHARDS, TABLES, FORMER, ASKED = sized((1000, 60, 10, 15), (10, 3, 2, 2))
LIMIT = 0.3
DAG, RUN = "a_refresh", "thousand_shards"


def run() -> Result:
    with tempfile.TemporaryDirectory(prefix="bench-ui-") as folder:
        client, headers = _application(Path(folder))
        with client:
            page = f"/oracle-refresh/api/runs/{DAG}/{RUN}"
            routes = {"live": page, "results": f"{page}/results", "list": "/oracle-refresh/api/runs"}
            measured = {name: _ask(client, headers, path) for name, path in routes.items()}
    figures = {"shards": float(SHARDS)}
    ratios: dict[str, float] = {}
    for name, (walls, cpus, size) in measured.items():
        figures |= {
            f"{name}_first_seconds": walls.pop(0),
            f"{name}_fastest_seconds": min(walls),
            f"{name}_median_seconds": statistics.median(walls),
            f"{name}_cpu_seconds": statistics.median(cpus),
            f"{name}_kilobytes": size / 1e3,
        }
        ratios |= {
            f"limit_over_{name}": LIMIT / min(walls),
            f"limit_over_{name}_cpu": LIMIT / statistics.median(cpus),
        }
    return Result("ui", ratios, figures)


def _ask(client: TestClient, headers: dict[str, str], path: str) -> tuple[list[float], list[float], int]:
    """Return seconds of each answer, CPU seconds of each but the first, and the bytes of the last one."""
    walls: list[float] = []
    cpus: list[float] = []
    for _ in range(ASKED + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        answer = client.get(path, headers=headers)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        if answer.status_code != 200:
            raise RuntimeError(f"{path} answered {answer.status_code}: {answer.text[:200]}")
    return walls, cpus[1:], len(answer.content)


def _application(folder: Path) -> tuple[TestClient, dict[str, str]]:
    """Airflow's application on a database with the runs, and the headers of somebody who may read them."""
    reports = folder / "reports"
    os.environ |= {
        "AIRFLOW_HOME": str(folder),
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{folder / 'airflow.db'}",
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__API_AUTH__JWT_SECRET": "0123456789abcdef" * 4,
        "AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY": str(reports),
        "AIRFLOW__LOGGING__LOGGING_LEVEL": "ERROR",
    }
    from airflow.api_fastapi.app import create_app, get_auth_manager
    from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser
    from airflow.models import import_all_models
    from airflow.models.base import Base
    from airflow.utils.session import create_session
    from fastapi.testclient import TestClient

    from oracle_refresh.integration.report_store import ReportStore

    import_all_models()
    with create_session() as session:
        Base.metadata.create_all(session.get_bind())
    store = ReportStore(reports)
    instances, plan = many_shards(SHARDS, TABLES)
    with create_session() as session:
        register_dag(session, DAG)
        record(session, store, DAG, RUN, instances)
        ended = [one for one in instances if one.end is not None]
        ended.append(Instance("publish_report", -1, None, "success", 500, 510))
        for number in range(1, FORMER):
            began = BEGAN - timedelta(days=number)
            record(session, store, DAG, f"former_{number}", ended, state="success", seconds=600, began=began,
                   summary={"bytes": 1, "rows": 1})  # fmt: skip
    store.write(RUN, {"plan.json": json.dumps(plan)}, DAG)
    client = TestClient(create_app(apps="core"))
    token = get_auth_manager().generate_jwt(SimpleAuthManagerUser(username="somebody", role="VIEWER"))
    return client, {"Authorization": f"Bearer {token}"}
