"""A kit's load beside its replay: what differs in the surroundings, and how the rates compare. Pure.

Ratios are told, and no verdict: how fast another host should be, nobody can say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.data_load.host import of_trial
from oracle_refresh.labs.data_load.kit.contents import Kit, Results
from oracle_refresh.labs.harness.table import Column, Table, tabulated
from oracle_refresh.labs.harness.trial import Measurement


@dataclass(frozen=True)
class Difference(Jsonable):
    """Something that is not the same; None where one side has no such value, or the parameter's default."""

    what: str
    then: str | None
    here: str | None


@dataclass(frozen=True)
class Compared(Jsonable):
    """Bytes per second of one measurement of both."""

    what: str
    then: float
    here: float

    @property
    def ratio(self) -> float | None:
        """Here over then; None where then nothing was measured."""
        return self.here / self.then if self.then else None


@dataclass(frozen=True)
class Comparison(Jsonable):
    """`only_then` and `only_here` are measurements that the other one does not have."""

    versions: tuple[Difference, ...]
    parameters: tuple[Difference, ...]
    same_statements: bool
    rates: tuple[Compared, ...]
    only_then: tuple[str, ...]
    only_here: tuple[str, ...]


def differences(then: Mapping[str, str | None], here: Mapping[str, str | None]) -> tuple[Difference, ...]:
    """By name. One that only one side names differs also where its value there is None."""
    return tuple(
        Difference(name, then.get(name), here.get(name))
        for name in sorted(then.keys() | here.keys())
        if (name in then, then.get(name)) != (name in here, here.get(name))
    )


def compare(then: Kit, here: Kit) -> Comparison:
    """Two runs of one test.

    :param here: with the recipe of the kit, wherever its schemas stood, and statements of this version.
    :raises ValueError: if they are not of one test: their rates say nothing of each other.
    """
    if then.recipe != here.recipe:
        raise ValueError("the two kits have different definitions")
    former, own = _rates(then.results), _rates(here.results)
    return Comparison(
        versions=differences(then.versions, here.versions),
        parameters=differences(then.parameters, here.parameters),
        same_statements=then.statements == here.statements,
        rates=tuple(Compared(what, rate, own[what]) for what, rate in former.items() if what in own),
        only_then=tuple(what for what in former if what not in own),
        only_here=tuple(what for what in own if what not in former),
    )


def rates_table(comparison: Comparison) -> Table:
    """Both rates and their ratio, measurement by measurement."""
    columns: list[Column[Compared]] = [
        Column("", lambda line: line.what),
        Column("then MB/s", lambda line: line.then / 1e6, ",.1f"),
        Column("here MB/s", lambda line: line.here / 1e6, ",.1f"),
        Column("here over then", lambda line: line.ratio, ".2f"),
    ]
    return tabulated(comparison.rates, columns)


def differences_table(different: tuple[Difference, ...]) -> Table:
    """What was and what is."""
    columns: list[Column[Difference]] = [
        Column("", lambda line: line.what),
        Column("then", lambda line: line.then),
        Column("here", lambda line: line.here),
    ]
    return tabulated(different, columns)


def _rates(results: Results) -> dict[str, float]:
    return dict(_named(results))


def _named(results: Results) -> Iterator[tuple[str, float]]:
    if results.seed:
        yield "seed", results.seed.bytes_per_second
    if results.chosen:
        for trial in results.chosen.trials:
            yield of_trial(trial.degree), trial.bytes_per_second
    if results.chosen and (timed := [batch for batch in results.batches if batch.schemas]):
        whole = Measurement(
            sum(batch.seconds for batch in timed),
            sum(batch.rows for batch in timed),
            sum(batch.bytes for batch in timed),
        )
        # At another degree that is still the whole load: whoever reads it sees which degree each one chose.
        yield "all batches", whole.bytes_per_second
