"""Masking: keyed algorithms, rulesets, the compiler from rules to SQL, and the exactly-once run of one table.

ruleset = load_ruleset(Path("include/rulesets/demo.yaml"))
result = mask_table(table, ruleset, MasterKey(secret), Ledger(connection, run_id))
"""

from oracle_refresh.masking.compiler import compile_table
from oracle_refresh.masking.fit import Fit, Problem, check_table, fit, require_fit
from oracle_refresh.masking.keys import MasterKey
from oracle_refresh.masking.leftovers import drop_leftovers
from oracle_refresh.masking.plan import MaskPlan
from oracle_refresh.masking.rules import ColumnRule, Inherited, InheritedRules, Ruleset
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.masking.run import MaskResult, mask_table

__all__ = [
    "ColumnRule",
    "Fit",
    "Inherited",
    "InheritedRules",
    "MaskPlan",
    "MaskResult",
    "MasterKey",
    "Problem",
    "Ruleset",
    "check_table",
    "compile_table",
    "drop_leftovers",
    "fit",
    "load_ruleset",
    "mask_table",
    "require_fit",
]
