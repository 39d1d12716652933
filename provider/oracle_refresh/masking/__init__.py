"""Masking: keyed algorithms, rulesets, the compiler from rules to SQL, and the exactly-once run of one table.

ruleset = load_ruleset(Path("include/rulesets/demo.yaml"))
result = mask_table(connection, table, ruleset, MasterKey(secret), run_id, Ledger(connection))
"""

from oracle_refresh.masking.compiler import MaskPlan, check_catalogue, check_table, compile_table
from oracle_refresh.masking.keys import MasterKey
from oracle_refresh.masking.ruleset import ColumnRule, Ruleset, load_ruleset
from oracle_refresh.masking.run import MaskResult, drop_leftovers, mask_table

__all__ = [
    "ColumnRule",
    "MaskPlan",
    "MaskResult",
    "MasterKey",
    "Ruleset",
    "check_catalogue",
    "check_table",
    "compile_table",
    "drop_leftovers",
    "load_ruleset",
    "mask_table",
]
