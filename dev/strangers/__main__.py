"""`python -m strangers [suite]`: one suite, or all of them.

Exit code 1 when what is wrong differs from what is known to be (`known_wrong.py`).
"""

from __future__ import annotations

import importlib
import sys

from localoracle.server.signals import exit_on_signals
from strangers import places, results
from strangers.known_wrong import difference, known
from strangers.outcomes import Outcomes, wrong

#: Each a module of `strangers.suites`.
SUITES = (
    "sqlalchemy_dialect",
    "sqlalchemy_suite",
    "alembic_tests",
    "django_project",
    "dbt_project",
    "python_oracledb",
    "node_oracledb",
    "jdbc",
)


def main() -> int:
    wanted = sys.argv[1:] or list(SUITES)
    unknown = [name for name in wanted if name not in SUITES]
    if unknown:
        print(f"no suite {', '.join(unknown)}; there are: {', '.join(SUITES)}", file=sys.stderr)
        return 2
    found: dict[str, Outcomes] = {}
    for name in wanted:
        print(f"{name} ...", flush=True)
        found[name] = importlib.import_module(f"strangers.suites.{name}").run()
    places.FOLDER.mkdir(parents=True, exist_ok=True)
    results.write(found, places.RESULTS)
    print(f"\n{results.table(found)}\n\nwritten to {places.RESULTS}")
    differences = {name: difference(wrong(outcomes), known(name)) for name, outcomes in found.items()}
    for name, differing in differences.items():
        if differing:
            print(f"\n{results.complaint(name, differing)}")
    return int(any(differences.values()))


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
