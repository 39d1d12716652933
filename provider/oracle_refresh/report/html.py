"""The report as one self-contained HTML page and as JSON, written so that a reader never sees half of it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from oracle_refresh.errors import RefreshError
from oracle_refresh.report.charts import charts
from oracle_refresh.report.model import Details, Report
from oracle_refresh.report.plan import MOST_ROWS, compare

LATEST = "latest"
DAG_FILE = "dag_id"
"""File in a report's folder that names the DAG whose run it is about."""


def render(report: Report, details: Details | None = None) -> str:
    """The page: tables, inline charts, light or dark as the reader prefers; no scripts, nothing loaded."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("oracle_refresh.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"megabytes": _megabytes, "thousands": _thousands, "seconds": _seconds}
    details = details or Details()
    view = compare(details.plan, report, details.spans) if details.plan else None
    return environment.get_template("report.html.j2").render(
        report=report, details=details, charts=charts(report, details, view), view=view, most=MOST_ROWS
    )


def write(report: Report, directory: Path, details: Details | None = None, dag_id: str | None = None) -> Path:
    """Write report.json and report.html to `directory/<run_id>/` and point `directory/latest` there.

    Returns the folder. A report of the same run is replaced.

    :param dag_id: the DAG of the run, kept beside the report: who may read that DAG may read the report.

    :raises RefreshError: when the run id is no name for a folder.
    """
    folder = write_files(
        directory,
        report.run_id,
        {
            "report.json": json.dumps(report.to_json(), indent=2, ensure_ascii=False) + "\n",
            "report.html": render(report, details),
        },
        dag_id,
    )
    with tempfile.TemporaryDirectory(dir=directory, prefix=".latest-") as scratch:
        link = Path(scratch) / LATEST
        link.symlink_to(report.run_id, target_is_directory=True)
        os.replace(link, directory / LATEST)
    return folder


def write_files(directory: Path, run_id: str, texts: Mapping[str, str], dag_id: str | None = None) -> Path:
    """Write the files of one run to `directory/<run_id>/`, each in one go; the folder.

    :raises RefreshError: when the run id is no name for a folder.
    """
    if Path(run_id).name != run_id or run_id in (LATEST, ".", ".."):
        raise RefreshError("the run id is no folder name", object_name=run_id, step="report")
    folder = directory / run_id
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        _replace(folder / name, text)
    if dag_id is not None:
        _replace(folder / DAG_FILE, dag_id)
    return folder


def _replace(path: Path, text: str) -> None:
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_text(text, encoding="utf-8")
    os.replace(scratch, path)


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.1f}"


def _thousands(number: float) -> str:
    return f"{number:,.0f}"


def _seconds(seconds: float) -> str:
    return f"{seconds:,.1f}"
