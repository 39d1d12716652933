"""`python -m support.chaos --seconds 1800 --seed n`: until the time is over, or a rule is broken.

Exit code 1 where a rule was broken, or fewer than half of the planned faults have struck.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import time
from pathlib import Path

from localoracle.server.signals import exit_on_signals
from support.chaos.plan import faults
from support.chaos.rig import Rig, a_rig
from support.chaos.summary import shortcoming, summary
from support.chaos.trial import Outcome, Trial
from support.home import ROOT

RESULTS = ROOT / ".local" / "chaos"
#: Of the home: what tells how a rule came to be broken.
KEPT = ("log", "airflow/logs", "airflow/airflow.db", "reports")


def main() -> int:
    options = _parser().parse_args()
    seed = random.randrange(10**6) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    outcomes: list[Outcome] = []
    with a_rig() as rig:
        end = time.monotonic() + max(options.seconds, 1.0)  # for one refresh at least
        while time.monotonic() < end and not any(outcome.violation for outcome in outcomes):
            number = options.first + len(outcomes)
            outcomes.append(Trial(rig.home, rig.injector, number, faults(seed, number)).outcome())
            print(outcomes[-1], flush=True)
            _write(seed, outcomes)
        if outcomes[-1].violation:
            print(f"what tells of it is kept in {_keep(rig, seed)}", file=sys.stderr)
    print(f"\n{summary(seed, outcomes)}")
    return 1 if shortcoming(outcomes) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m support.chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="no refresh begins after so many")
    parser.add_argument("--seed", type=int, help="of a former run; another one each time by default")
    parser.add_argument("--first", type=int, default=1, help="number of the refresh to begin with")
    return parser


def _write(seed: int, outcomes: list[Outcome]) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    document = {"seed": seed, "refreshes": [outcome.to_json() for outcome in outcomes]}
    (RESULTS / f"{seed}.json").write_text(json.dumps(document, indent=2) + "\n")


def _keep(rig: Rig, seed: int) -> Path:
    place = RESULTS / str(seed)
    shutil.rmtree(place, ignore_errors=True)
    for name in KEPT:
        found = rig.home.folder / name
        if found.is_dir():
            shutil.copytree(found, place / name, symlinks=True)
        elif found.exists():
            place.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, place / name)
    return place


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
