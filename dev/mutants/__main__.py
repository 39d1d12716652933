"""`python -m mutants sample|run|compare`: draw mutants, run the tests of each, compare two runs.

    python -m mutants sample --at COMMIT
    python -m mutants run before.json --at COMMIT --costs report-log.jsonl
    python -m mutants run after.json --costs report-log.jsonl
    python -m mutants compare before.json after.json
    python -m mutants run again.json --ids 3,17 --bound 200 --system

The sample depends on the commit and the seed alone.

`run` changes files of worktrees in `.local/mutants`, never those of this checkout, and continues after an
interruption.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from mutants.choose import Tests, costs
from mutants.run import Runner, make_tree, run_share, wrongly_killed
from mutants.sample import draw, package, read, write

ROOT = Path(__file__).parents[2]
PLACE = ROOT / ".local" / "mutants"
SAMPLE = PLACE / "sample.json"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mutants", description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    sample = commands.add_parser("sample", help=f"draw mutants into {SAMPLE.relative_to(ROOT)}")
    sample.add_argument("--at", default="HEAD", metavar="COMMIT")
    sample.add_argument("--number", type=int, default=320)
    sample.add_argument("--seed", type=int, default=41)
    run = commands.add_parser("run", help="run the tests of each mutant")
    run.add_argument("file", type=Path)
    run.add_argument("--at", default="HEAD", metavar="COMMIT")
    run.add_argument("--costs", type=Path, nargs="*", default=[], help="files of pytest-reportlog")
    run.add_argument("--bound", type=float, default=10, help="seconds of tests that a mutant may take")
    run.add_argument("--workers", type=int, default=2)
    run.add_argument("--ids", default="", help="only these mutants, separated by commas")
    run.add_argument("--system", action="store_true", help="choose tests of the system tier too")
    compare = commands.add_parser("compare", help="list mutants whose outcomes differ")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    return parser.parse_args()


def hash_of(commit: str) -> str:
    return subprocess.check_output(["git", "rev-parse", commit], cwd=ROOT, text=True).strip()


def run(options: argparse.Namespace) -> None:
    wanted = {int(each) for each in options.ids.split(",") if each}
    mutants = [each for each in read(SAMPLE) if not wanted or each.id in wanted]
    commit = hash_of(options.at)
    place = PLACE / f"{options.file.stem}-{commit[:8]}-{options.bound:g}"
    place.mkdir(parents=True, exist_ok=True)
    runners, children = [], []
    for number in range(options.workers):
        tree = place / f"tree-{number}"
        make_tree(ROOT, tree, commit)
        runners.append(Runner(tree, Tests(tree, costs(options.costs)), options.bound, options.system))
        if child := os.fork():
            children.append(child)
            continue
        run_share(runners[number], mutants[number :: options.workers])
        os._exit(0)
    if sum(os.waitpid(child, 0)[1] for child in children):
        sys.exit("interrupted; run it again to continue")
    results = [each for runner in runners for each in runner.results()]
    wrong = wrongly_killed(runners[0], results)
    outcomes = {each["id"]: "dropped" if each["id"] in wrong else each["outcome"] for each in results}
    lines = ", ".join(f'"{each}": "{outcome}"' for each, outcome in sorted(outcomes.items()))
    options.file.write_text(f'{{"commit": "{commit}", "bound": {options.bound}, "outcomes": {{{lines}}}}}\n')
    show({str(each): outcome for each, outcome in outcomes.items()})
    for runner in runners:
        runner.close()


def show(results: dict[str, str]) -> None:
    packages = {str(each.id): package(each.file) for each in read(SAMPLE)}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for number, outcome in results.items():
        counts[packages[number]][outcome] += 1
        counts["all"][outcome] += 1
    for name, count in sorted(counts.items()):
        print(f"{name:40} {' '.join(f'{key} {value}' for key, value in sorted(count.items()))}")


def compare(before: dict[str, str], after: dict[str, str]) -> int:
    """Print the mutants that only one of both runs kills, and return how many the later one lost."""
    lost = [each for each, outcome in before.items() if outcome == "killed" and after.get(each) == "survived"]
    won = [each for each, outcome in before.items() if outcome == "survived" and after.get(each) == "killed"]
    show(before)
    show(after)
    mutants = {str(each.id): each for each in read(SAMPLE)}
    for title, numbers in (("survives now", lost), ("killed now", won)):
        for number in numbers:
            one = mutants[number]
            print(f"{title}: {number} {one.file}:{one.line} {one.category}: {one.description}")
    return len(lost)


def main() -> int:
    options = arguments()
    if options.command == "sample":
        PLACE.mkdir(parents=True, exist_ok=True)
        commit, tree = hash_of(options.at), PLACE / "sampled"
        make_tree(ROOT, tree, commit)
        write(SAMPLE, draw(tree, options.number, options.seed), commit, options.seed)
    elif options.command == "run":
        run(options)
    else:
        before, after = (json.loads(each.read_text())["outcomes"] for each in (options.before, options.after))
        return 1 if compare(before, after) else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
