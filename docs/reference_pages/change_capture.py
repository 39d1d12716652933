"""What the model of change capture makes of the published tests: a table, and a plot."""

from __future__ import annotations

from oracle_refresh.labs.change_capture.charts import fit_chart
from oracle_refresh.labs.change_capture.fit import errors
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY, TRIALS
from reference_pages.markdown import table, with_block


def page(text: str) -> str:
    found = zip(TRIALS, errors(TRIALS, MEMORY, COSTS), strict=True)
    rows = [
        [
            str(trial.scenario.name),
            f"{trial.seconds:.0f} s",
            f"{trial.seconds * (1 + error):.0f} s",
            f"{100 * error:+.0f} %",
        ]
        for trial, error in found
    ]
    return with_block(text, "fit", table(["scenario", "measured", "model", "error"], rows))


def plot() -> str:
    return str(fit_chart(None))
