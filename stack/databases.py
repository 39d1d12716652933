"""The two demo databases: started, filled, stopped through localoracle's own command line."""

from __future__ import annotations

import subprocess
import sys

from stack import settings

NAMES = ("source", "target")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m localoracle ...`; its output is returned, an error ends the stack's command."""
    done = subprocess.run(
        [sys.executable, "-m", "localoracle", *words],
        env=settings.database_environment(),
        text=True,
        capture_output=True,
    )
    if done.returncode:
        raise SystemExit(f"localoracle {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done


def start(scale: float) -> None:
    for name in NAMES:
        command("start", name)
    command("load-demo", "source", "--scale", str(scale))
    command("prepare-target", "target")


def stop() -> None:
    for name in NAMES:
        command("stop", name)
