"""Programs in other languages: what fetches their libraries, and the checks that they make themselves."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from strangers import places


def run_program(words: Sequence[str], directory: Path) -> None:
    """:raises SystemExit: when it fails, as where it is not installed."""
    try:
        done = subprocess.run(
            words, cwd=directory, env=places.environment(), capture_output=True, text=True, timeout=900
        )
    except FileNotFoundError:
        raise SystemExit(f"{words[0]} is not installed") from None
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}:\n{done.stdout}{done.stderr}")


def printed(words: Sequence[str], directory: Path, *, seconds: int = 900, **variables: str) -> str:
    """What a program prints, also kept in `report.tap`; what it complains of is in `errors.log`.

    :raises SystemExit: when it ends without a report.
    """
    with (directory / "errors.log").open("w") as errors:
        done = subprocess.run(
            words,
            cwd=directory,
            env=places.environment(**variables),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            timeout=seconds,
        )
    (directory / "report.tap").write_text(done.stdout, encoding="utf-8")
    if done.returncode or not done.stdout:
        raise SystemExit(f"{words[0]} gave no report; see {directory}")
    return done.stdout
