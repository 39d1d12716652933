"""`python -m benchmarks [name]`: one benchmark, or all of them."""

from __future__ import annotations

import importlib
import sys

from localoracle.server.signals import exit_on_signals

#: What each is called, and its module.
NAMES = {
    "refresh": "refresh",
    "planner": "planning",
    "capacity": "capacity",
    "lob_sharding": "lob_sharding",
    "masking": "masking",
    "masking_algorithms": "masking_algorithms",
    "staging": "staging",
    "cdc": "cdc",
    "ui": "ui",
    "load": "load",
    "validation": "validation",
    "scale": "scale",
}


def main() -> int:
    wanted = sys.argv[1:] or list(NAMES)
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    for name in wanted:
        print(f"{name}:", flush=True)
        result = importlib.import_module(f"benchmarks.{NAMES[name]}").run()
        result.show()
        print(f"  written to {result.write()}")
    return 0


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
