"""From two databases to the plan of a refresh: reads what the planner has to know, and changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.catalog.survey import read_survey
from oracle_refresh.experience.rates import informed
from oracle_refresh.masking.fit import Fit, require_fit
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.plan.builder import MAX_MAP_LENGTH, build_plan, survey_wanted
from oracle_refresh.plan.masking_plan import plan_masking
from oracle_refresh.plan.model import Plan
from oracle_refresh.run.documents import AllRuns

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import CloneDefinition, RefreshDefinition
    from oracle_refresh.run.freeze import Frozen


@dataclass(frozen=True)
class Planned:
    """A plan, the catalogue that it is made from, and how the ruleset fits that."""

    plan: Plan
    catalogue: Catalogue
    fit: Fit


def plan_clone(
    target: oracledb.Connection,
    definition: CloneDefinition,
    run_id: str,
    max_units: int = MAX_MAP_LENGTH,
    task_slots: int | None = None,
) -> Planned:
    """The plan of a clone that is masked where it is.

    Parameters as for `plan_refresh`.

    :raises PlanError: if there is nothing to mask.
    :raises MaskingError: listing every rule that does not fit the catalogue.
    """
    catalogue = read_catalogue(target, definition.schemas, definition.exclude_tables)
    ruleset = load_ruleset(definition.masking.ruleset)
    fit = require_fit(ruleset, catalogue, definition.exclude_tables)
    masked = ruleset.inheriting(fit.inherited.items).masked_columns()
    plan = plan_masking(catalogue, definition, read_limits(target), run_id, masked, max_units, task_slots)
    return Planned(plan, catalogue, fit)


def plan_refresh(
    source: oracledb.Connection,
    target: oracledb.Connection | None,
    definition: RefreshDefinition,
    frozen: Frozen,
    run_id: str,
    max_jobs: int = MAX_MAP_LENGTH,
    task_slots: int | None = None,
) -> Planned:
    """The plan for an SCN.

    :param target: tells its own limits, and the rates that former runs have measured; None: nothing is known
        of it.
    :param task_slots: tasks that Airflow runs at the same time.
    :raises PlanError: if there is nothing to copy, or the limits permit no plan.
    :raises MaskingError: listing every rule that does not fit the catalogue.
    """
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    ruleset = load_ruleset(definition.masking.ruleset)
    fit = require_fit(ruleset, catalogue, definition.exclude_tables)
    limits = read_limits(source)
    if target is not None:
        limits = limits.combined(read_limits(target))
        store = AllRuns(target)
        if store.exists():
            limits = informed(limits, store, definition, frozen)
    survey = read_survey(source, survey_wanted(catalogue, definition, limits, frozen))
    masked = ruleset.inheriting(fit.inherited.items).masked_columns()
    plan = build_plan(
        catalogue,
        definition,
        limits,
        frozen,
        run_id,
        survey=survey,
        max_map_length=max_jobs,
        masked=masked,
        task_slots=task_slots,
    )
    return Planned(plan, catalogue, fit)
