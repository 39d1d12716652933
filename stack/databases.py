"""The two demo databases: started, filled, stopped through localoracle's own command line."""

from __future__ import annotations

import shutil
import subprocess
import sys

from stack import settings

NAMES = ("source", "target")


OTHER_VERSION = 3  # exit code of `python -m localoracle start`


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "localoracle", *words],
        env=settings.database_environment(),
        text=True,
        capture_output=True,
    )


def command(*words: str) -> None:
    """Run `python -m localoracle ...`; an error ends the stack's command."""
    done = run(*words)
    if done.returncode:
        raise SystemExit(f"localoracle {' '.join(words)} failed:\n{done.stdout}{done.stderr}")


def start(scale: float | None, names: tuple[str, ...] = NAMES) -> None:
    """Start the databases of these names.

    :param scale: of the demo data that the source is filled with; None leaves it as it is.
    """
    for name in names:
        if run("start", name).returncode == OTHER_VERSION:
            print(f"  {name} was made by another version of localoracle: making it anew", flush=True)
            shutil.rmtree(settings.LOCAL / name)
        command("start", name)
    if scale is not None:
        command("load-demo", "source", "--scale", str(scale))
    if "target" in names:
        command("prepare-target", "target")


def stop() -> None:
    """Stop all of them; one that does not stop keeps no other one running."""
    stopped = {name: run("stop", name) for name in NAMES}
    failed = [f"{name}: {done.stdout}{done.stderr}" for name, done in stopped.items() if done.returncode]
    if failed:
        raise SystemExit("localoracle stop failed:\n" + "\n".join(failed))
