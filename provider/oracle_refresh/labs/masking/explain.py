"""What the waits of the instance say about a gain, or about its absence. Pure.

A switch can save no more than what it is about: commits that do not wait save the time of `log file sync`,
larger redo logs that of `log file switch ...`. Event names: Database Reference 19c, appendix "Oracle Wait
Events".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from oracle_refresh.labs.masking.model import BASELINE, Measurement

#: Beginnings of the names of the events that a switch is about.
EVENTS: Mapping[str, tuple[str, ...]] = {
    "noarchivelog": ("log file switch (archiving needed)", "log archive I/O", "Log archive I/O"),
    "redo": ("log file switch (checkpoint incomplete)", "log file switch completion"),
    "commit": ("log file sync",),
}
#: Below this share of the jobs' time there is nothing worth saving.
LITTLE = 0.02


def explanations(measurements: Sequence[Measurement]) -> tuple[str, ...]:
    """One sentence for each switch whose events are known and that was measured beside the baseline."""
    baseline = [
        measured for measured in measurements if measured.trial.setting == BASELINE and measured.waits
    ]
    if not baseline:
        return ()
    names = dict.fromkeys(
        measured.trial.setting for measured in measurements if measured.trial.setting in EVENTS
    )
    return tuple(
        _explained(name, baseline, [measured for measured in measurements if measured.trial.setting == name])
        for name in names
    )


def waited(measurement: Measurement, switch: str) -> float:
    """Seconds that the sessions waited for what the switch is about."""
    return sum(seconds for event, seconds in measurement.waits.items() if event.startswith(EVENTS[switch]))


def _explained(name: str, baseline: Sequence[Measurement], switched: Sequence[Measurement]) -> str:
    before = median(waited(trial, name) for trial in baseline)
    after = median(waited(trial, name) for trial in switched)
    working = median(sum(trial.job_seconds) for trial in baseline)
    about = " and ".join(f'"{event}"' for event in EVENTS[name][:2])
    sentence = (
        f"{name}: {about} took {before:.2f} s of all jobs' {working:.1f} s, with the switch {after:.2f} s"
    )
    if working and before / working < LITTLE:
        sentence += (
            ": there is next to nothing to save. Memory, a write-back cache or a database that does not"
            " flush its log (as the stand-in) answer before any disk does"
        )
    return sentence
