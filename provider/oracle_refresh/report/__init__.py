"""The report of a run: JSON for programs, one HTML page for people."""

from oracle_refresh.report.html import files, render
from oracle_refresh.report.model import Details, Report, Span, build

__all__ = ["Details", "Report", "Span", "build", "files", "render"]
