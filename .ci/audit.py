"""`audit.py [CONSTRAINTS]`: which pinned versions have known vulnerabilities, by the database osv.dev.

One request names all pins; the answer has the vulnerabilities of each, those of PyPI's own advisories among
them. A pin with one fails the command. Where the database cannot be reached, or does not answer in time, that
is said, and the command succeeds: many machines reach package registries and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ADDRESS = os.environ.get("OSV_URL", "https://api.osv.dev")
SECONDS = 5.0
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;#]+)")

Pin = tuple[str, str]


class Unreachable(Exception):
    """The database gave no answer that can be read."""


def pins(text: str) -> list[Pin]:
    """Name and version of each pinned package."""
    return [(found[1], found[2]) for line in text.splitlines() if (found := PIN.match(line.strip()))]


def known(pinned: Sequence[Pin]) -> dict[Pin, list[str]]:
    """The identifiers of the vulnerabilities of those that have any. Raises Unreachable."""
    queries = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in pinned
    ]
    answer = _asked({"queries": queries})
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list) or len(results) != len(pinned):
        raise Unreachable("the answer is not about these packages")
    found = {}
    for pin, result in zip(pinned, results, strict=True):
        if vulnerabilities := (result or {}).get("vulns"):
            found[pin] = sorted(str(each["id"]) for each in vulnerabilities)
    return found


def _asked(question: dict[str, Any]) -> Any:
    """The answer, within SECONDS in all: a limit on each read does not end one that comes byte by byte."""
    request = urllib.request.Request(
        f"{ADDRESS}/v1/querybatch", json.dumps(question).encode(), {"Content-Type": "application/json"}
    )
    answers: list[Any] = []

    def ask() -> None:
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:
                answers.append(json.load(response))
        except (OSError, ValueError) as error:
            answers.append(Unreachable(str(error)))

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(SECONDS)
    if not answers:
        raise Unreachable(f"no answer within {SECONDS:.0f} s")
    if isinstance(answers[0], Unreachable):
        raise answers[0]
    return answers[0]


def main(words: Sequence[str]) -> int:
    path = Path(words[0] if words else "constraints.txt")
    pinned = pins(path.read_text(encoding="utf-8"))
    try:
        found = known(pinned)
    except Unreachable as reason:
        print(f"warning: {path} is not audited, {ADDRESS} is out of reach: {reason}", file=sys.stderr)
        return 0
    for (name, version), identifiers in sorted(found.items()):
        print(
            f"{name}=={version}: {', '.join(identifiers)}; see https://osv.dev/list?q={name}", file=sys.stderr
        )
    if not found:
        print(f"{path}: no known vulnerability in {len(pinned)} packages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
