"""From the catalogue to a plan: degree, shards, the bulk job, their balance, and why."""

from oracle_refresh.catalog.limits import Limits, read_limits
from oracle_refresh.plan.builder import build_plan, survey_wanted
from oracle_refresh.plan.explain import explain
from oracle_refresh.plan.model import ExportJob, Plan, TablePlan

__all__ = [
    "ExportJob",
    "Limits",
    "Plan",
    "TablePlan",
    "build_plan",
    "explain",
    "read_limits",
    "survey_wanted",
]
