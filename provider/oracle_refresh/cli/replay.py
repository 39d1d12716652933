"""`airflow oracle-refresh replay`."""

from __future__ import annotations

import argparse
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

from oracle_refresh.cli.command import ACTION, command
from oracle_refresh.cli.progress import PrintedProgress
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.labs.data_load.kit.archive import MOST_BYTES, STEP
from oracle_refresh.labs.data_load.kit.comparison import (
    Comparison,
    compare,
    differences,
    differences_table,
    rates_table,
)
from oracle_refresh.labs.data_load.kit.contents import Kit, read_kit
from oracle_refresh.labs.data_load.kit.recipe import listing
from oracle_refresh.labs.data_load.kit.replay import Surroundings, read_surroundings
from oracle_refresh.labs.data_load.kit.replay import replay as repeated
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import Identifier


@command
def replay(options: argparse.Namespace) -> int:
    """Repeats the load of a kit on the target, and drops it again. The kit is checked before any session."""
    path = Path(options.kit)
    content = _read(path)
    kit, digest = read_kit(content), hashlib.sha256(content).hexdigest()
    tablespace = Identifier.parse(options.tablespace).name if options.tablespace else kit.recipe.tablespace
    hook = OracleRefreshHook(oracle_conn_id=options.target)
    with hook.session("target", ACTION) as target:
        here = read_surroundings(target)
    print(f"kit: {path.name}, SHA-256 {digest}")
    _show_surroundings(kit, here)
    run_id = f"replay_{datetime.now(UTC):%Y%m%dT%H%M%S}_{digest[:8]}"
    results = repeated(hook.opener(ACTION), kit.recipe, options.target, tablespace, run_id, PrintedProgress())
    comparison = compare(kit, here.kit(kit.recipe, results))
    _show_rates(comparison)
    document = {
        "kit": digest,
        "run_id": run_id,
        "comparison": comparison.to_json(),
        "then": kit.results.to_json(),
        "here": results.to_json(),
    }
    _write(path.with_name(f"{path.stem}_{run_id}.json"), json.dumps(document, indent=2, ensure_ascii=False))
    return 0


def _show_surroundings(kit: Kit, here: Surroundings) -> None:
    for what, then, now in (
        ("versions", kit.versions, here.versions),
        ("parameters", kit.parameters, here.parameters),
    ):
        different = differences(then, now)
        print(f"{what}: {'as in the kit' if not different else 'different are'}")
        if different:
            print(differences_table(different).text())
    if kit.statements != listing(kit.recipe):
        print("statements: this version of the provider runs others than those of the kit")


def _show_rates(comparison: Comparison) -> None:
    print(rates_table(comparison).text())
    for whose, names in (("in the kit", comparison.only_then), ("here", comparison.only_here)):
        if names:
            print(f"measured only {whose}: {', '.join(names)}")


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PreflightError(
            f"the kit cannot be read: {error.strerror}", object_name=str(path), step=STEP
        ) from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise PreflightError(
            f"the comparison cannot be written: {error.strerror}",
            object_name=str(path),
            step=STEP,
            remedy="its figures are printed above; put the kit into a folder that can be written to",
        ) from error
    print(f"comparison: {path}")
