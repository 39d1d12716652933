"""Series of samples as the report shows them: means by trial and batch, and the course over the batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.host import of_batch, of_trial
from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.page import OWN, POINTED, by_series

_COLOURS = (OWN, POINTED, "#8a8f98", "#4aa564", "#b565c9", "#b07a4a")
#: Samples of a course; a thousand batches have hundreds each.
MOST_SAMPLES = 1000


class Sample(Protocol):
    """What happened between two seconds of a trial or batch."""

    @property
    def began(self) -> float: ...
    @property
    def ended(self) -> float: ...


S = TypeVar("S", bound=Sample)


def measured(load: Loaded) -> Iterator[str]:
    """What series are kept by: trials, then batches."""
    if load.chosen:
        yield from (of_trial(trial.degree) for trial in load.chosen.trials)
    yield from (of_batch(batch.number) for batch in load.batches)


def mean(samples: Sequence[S], part: Callable[[S], float | None]) -> float | None:
    """Weighted by seconds; None where no sample has that part."""
    weights = [
        (value, sample.ended - sample.began) for sample in samples if (value := part(sample)) is not None
    ]
    seconds = sum(weight for _, weight in weights)
    return sum(value * weight for value, weight in weights) / seconds if seconds else None


def placed(load: Loaded, samples: Mapping[str, Sequence[S]]) -> tuple[list[tuple[float, S]], str]:
    """The samples of all batches, each with the seconds of loading at its end; and what is to be said of a
    selection, where there are too many."""
    course: list[tuple[float, S]] = []
    offset = 0.0
    for batch in load.batches:
        course += [(offset + sample.ended, sample) for sample in samples.get(of_batch(batch.number), ())]
        offset += batch.seconds
    step = -(-len(course) // MOST_SAMPLES) or 1
    return course[::step], f" One of {step} samples is shown." if step > 1 else ""


def lines(rows: list[dict[str, Any]], title: str) -> str:
    """A chart of rows with `second`, `series` and `value`."""
    import altair as alt

    names = list(dict.fromkeys(row["series"] for row in rows))
    drawn = (
        chart(rows)
        .mark_line(point=True)
        .encode(
            x=alt.X("second:Q", title="seconds of loading"),
            y=alt.Y("value:Q", title=title, scale=alt.Scale(zero=True)),
            color=by_series(names, colours=_COLOURS),
        )
    )
    return svg(drawn, height=180)
