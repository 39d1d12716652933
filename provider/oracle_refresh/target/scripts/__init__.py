"""SQL scripts of the users: read, checked before anything is touched, and run exactly once per run.

scripts = load_scripts(definition.masking.before)
run_scripts(connection, scripts, "before", Ledger(connection, run_id))
"""

from oracle_refresh.target.scripts.run import ScriptResult, begun_scripts, run_scripts
from oracle_refresh.target.scripts.split import Script, ScriptStatement, load_scripts, split

__all__ = [
    "Script",
    "ScriptResult",
    "ScriptStatement",
    "begun_scripts",
    "load_scripts",
    "run_scripts",
    "split",
]
