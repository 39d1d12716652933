"""`airflow oracle-refresh report`."""

from __future__ import annotations

import argparse
import json

from oracle_refresh.cli.command import command, print_json
from oracle_refresh.integration import settings
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.report.model import Report
from oracle_refresh.report.summary import summary


@command
def report(options: argparse.Namespace) -> int:
    """The report of a run, by its figures or as it is."""
    reports = settings.report_directory()
    content = reports.read(options.dag_id, options.run_id, "report.json")
    if content is None:
        raise PlanError(
            f"run {options.run_id} of {options.dag_id} has written no report",
            step="report",
            remedy="check both names; a run writes its report at its end, and a dry run writes none",
        )
    document = json.loads(content)
    page = reports.address(options.run_id, "report.html", options.dag_id)
    if options.json:
        print_json(document)
    elif "status" not in document:
        raise PlanError(
            f"run {options.run_id} of {options.dag_id} was no refresh, its report has other figures",
            step="report",
            remedy=f"print it with --json, or open {page}",
        )
    else:
        for name, value in summary(Report.from_json(document)).items():
            print(f"{name.replace('_', ' ')}: {value}")
        print(f"report: {page}")
    return 0 if document.get("status", "published") == "published" else 1
