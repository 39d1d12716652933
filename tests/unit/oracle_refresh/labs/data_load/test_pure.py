"""Distributions of LOBs, batches, the best degree, rates: what follows from numbers alone."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban

from oracle_refresh.labs.data_load import statements
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.degree import batches, choose, next_degree
from oracle_refresh.labs.data_load.evidence import Loaded, of_degree, summarise
from oracle_refresh.labs.data_load.model import BatchLoad, Chosen, DegreeTrial, Plan, SchemaLoad, Seed, Work
from oracle_refresh.labs.data_load.page import MOST_SHOWN, page, table
from oracle_refresh.labs.data_load.people import people, pieces
from oracle_refresh.labs.data_load.profiles import PROFILES, Band
from oracle_refresh.labs.data_load.reference import PUBLISHED
from oracle_refresh.labs.data_load.space import Need, estimate
from oracle_refresh.oracle.errors import PlanError

WORK = Work("SLOB_", "USERS", 5, 100, 0, "study", True, 50, 4)


# -- room ------------

DEFINITION = LoadDefinition(name="slob", target={"conn_id": "oracle_target"})


@given(
    st.integers(1, 10**7), st.integers(1, 1000), st.sampled_from(sorted(PROFILES)),
    st.sampled_from([2048, 8192, 32768]),
)  # fmt: skip
def test_estimates_grow_with_rows_and_are_whole_extents(
    rows: int, more: int, profile: str, block: int
) -> None:
    work = replace(WORK, rows=rows, profile=profile)
    one, other = (estimate(replace(work, rows=count), DEFINITION, block) for count in (rows, rows + more))
    filled = estimate(replace(work, sparse=False), DEFINITION, block)
    assert one.schema <= other.schema
    assert filled.schema <= one.schema * 1.2
    assert one.schema >= rows * block
    assert one.schema % 65536 == one.seed % 65536 == 0
    assert one.schema >= rows * PROFILES[profile].mean() * 0.9


def test_one_row_of_slob_takes_a_block() -> None:
    assert estimate(replace(WORK, rows=100_000, profile="none"), DEFINITION, 8192).schema == pytest.approx(
        100_000 * 8192, rel=0.02
    )


def test_what_is_given_back_meanwhile_counts() -> None:
    need = Need(seed=10, schema=5, schemas=4)
    assert need.more(0, 0) == 30
    assert need.more(3, 12) == 15
    assert need.more(0, 100) == 10, "the seed is made while former schemas are still there"
    assert need.more(10, 100) == 0


# -- distributions ------------


def test_the_study_s_distribution_is_met() -> None:
    lengths = PROFILES["study"].lengths()
    values = [length for length in lengths if length is not None]
    assert lengths.count(None) / len(lengths) == pytest.approx(641_309 / 1e6, abs=1e-3)
    assert sum(length <= 4000 for length in values) / len(lengths) == pytest.approx(31_459 / 1e6, abs=1e-3)
    assert max(values) <= 8000
    assert sum(values) / len(values) == pytest.approx(7389, rel=2e-3)


def test_a_heavy_tail_holds_its_bytes_in_few_values() -> None:
    lengths = sorted(length or 0 for length in PROFILES["heavy_tailed"].lengths())
    middle, total = lengths[len(lengths) // 2], sum(lengths)
    assert total / len(lengths) > 2 * middle
    assert sum(lengths[-len(lengths) // 20 :]) > total / 3
    assert sum(length > 4096 for length in lengths) / len(lengths) == pytest.approx(4**-1.1, abs=0.01)


@given(
    st.integers(1, 10_000),
    st.integers(0, 10_000),
    st.one_of(st.none(), st.floats(0, 3)),
    st.lists(st.floats(0, 1), min_size=2),
)
def test_lengths_of_a_band_grow_within_its_bounds(
    low: int, more: int, tail: float | None, places: list[float]
) -> None:
    band = Band(1.0, low, low + more, tail)
    found = [band.length(place) for place in sorted(places)]
    assert found == sorted(found)
    assert low <= found[0] <= found[-1] <= low + more


@pytest.mark.parametrize("name", ["study", "heavy_tailed", "documents"])
def test_pieces_have_the_lengths_of_their_profile(name: str) -> None:
    profile = PROFILES[name]
    made = dict(pieces(profile))
    assert {identity: len(value) for identity, value in made.items()} == {
        number: length for number, length in enumerate(profile.lengths()) if length is not None
    }
    assert {type(value) for value in made.values()} == {bytes if profile.datatype == "BLOB" else str}
    assert sum(map(len, made.values())) < 64e6, "bounded, however many rows are loaded"


def test_people_of_a_repeated_load_are_equal_valid_and_unreachable() -> None:
    first, again = (list(people(40)) for _ in range(2))
    assert first == again
    assert any(not one["first_name"].isascii() for one in first)
    assert [one["id"] for one in first] == list(range(40))
    for one in first:
        assert re.fullmatch(r"@[\w-]+\.example", one["mail_domain"])
        assert re.fullmatch(r"[\w.]+", one["mail_name"])
        assert iban.is_valid(one["iban"])
        assert len(one["text"]) == len(one["text"].encode()) == statements.TEXT_CHARACTERS
        assert set(one) == {"id", "text", *(name.lower() for name in statements.PERSON)}
        for name, kind in statements.PERSON.items():
            limit = re.fullmatch(r"VARCHAR2\((\d+) CHAR\)", kind)
            assert limit is None or len(one[name.lower()]) <= int(limit[1])


# -- batches and the degree ------------


@given(st.integers(0, 50), st.integers(1, 20))
def test_batches_hold_every_schema_once(schemas: int, degree: int) -> None:
    names = [f"S{number}" for number in range(schemas)]
    found = batches(names, degree)
    assert [name for batch in found for name in batch] == names
    assert all(len(batch) == degree for batch in found[:-1])
    assert all(batch for batch in found)


def test_a_degree_of_nothing_is_refused() -> None:
    with pytest.raises(PlanError):
        batches(["A"], 0)


def trials(*rates: float) -> list[DegreeTrial]:
    """Of degrees 1, 2, 4 ... and so many bytes per second."""
    return [DegreeTrial(2**n * 1e6 / rate, 100, round(2**n * 1e6), 2**n) for n, rate in enumerate(rates)]


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ((), 1),
        ((10,), 2),
        ((10, 19), 4),
        ((10, 19, 19.5), None),
        ((10, 19, 30, 50), 12),
        ((10, 19, 30, 50, 60), None),
    ],
)
def test_degrees_double_until_the_rate_no_longer_grows(
    rates: tuple[float, ...], expected: int | None
) -> None:
    made = trials(*rates)
    if len(made) > 4:
        made[4] = replace(made[4], degree=12)
    assert next_degree(made, 12) == expected


def test_the_smallest_degree_that_is_nearly_as_good_is_chosen() -> None:
    chosen = choose(trials(10, 19.8, 20, 19.9))
    assert chosen.degree == 2
    assert "2.0 times the rate of one session" in chosen.reason
    assert choose(trials(10, 5)).degree == 1
    assert choose(trials(10, 20, 40, 80)).degree == 8
    assert choose(trials(10)).degree == 1


# -- evidence and page ------------


def a_batch(number: int, count: int, seconds: float, resumed: int = 0) -> BatchLoad:
    def load(name: int) -> SchemaLoad:
        phases = {"create": 0.1, "load": seconds - 0.4, "index": 0.2, "statistics": 0.1}
        return SchemaLoad(f"SLOB_{name}", 100, 1_000_000, 0.0, phases)

    made = [load(100 * number + place) for place in range(count + resumed)]
    return BatchLoad(number, seconds, tuple(made[resumed:]), tuple(made[:resumed]))


PLAN = Plan("run__1", "oracle_target", "DEMO <19>", WORK, True)
SEED = Seed(2.0, 100, 1_000_000)


def test_resumed_schemas_count_in_the_totals_and_not_in_the_rate() -> None:
    found = summarise(PLAN, SEED, [a_batch(1, 2, 1.0), a_batch(2, 1, 3.0, resumed=2)])
    assert (found.schemas, found.rows, found.bytes, found.complete) == (5, 500, 5_000_000, True)
    assert found.seconds == 4.0
    assert found.terabytes_per_hour == pytest.approx(3_000_000 / 4 * 3600 / 1e12)
    assert found.over_one_session == pytest.approx((3_000_000 / 4) / 500_000)
    assert found.phase_seconds["load"] == pytest.approx(0.6 + 0.6 + 2.6)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 5))
def test_batches_of_a_degree_that_was_given_up_do_not_count(former: int, degree: int, again: int) -> None:
    def kept(size: int) -> dict[int, BatchLoad]:
        loads = [
            [SchemaLoad(name, 100, 1, 0.0, {}) for name in one] for one in batches(WORK.all_schemas, size)
        ]
        return {number: BatchLoad(number, 1.0, tuple(made)) for number, made in enumerate(loads, 1)}

    # The run was cleared after all batches of one degree; of the next one so many went through.
    later = dict(list(kept(degree).items())[:again])
    found = summarise(PLAN, None, of_degree(WORK, degree, tuple((kept(former) | later).values())))
    assert found.schemas == found.rows / 100 <= WORK.schemas
    if former == degree or len(later) == len(kept(degree)):
        assert found.complete


def test_a_load_of_which_nothing_went_through_has_no_rates() -> None:
    found = summarise(PLAN, None, [])
    assert (found.schemas, found.complete, found.terabytes_per_hour) == (0, False, 0.0)
    assert found.over_one_session is None
    assert "Not everything was loaded" in page(Loaded(PLAN, None, None, ())).html()


def test_the_study_s_ratio() -> None:
    assert PUBLISHED.terabytes_per_hour == pytest.approx(2.44, abs=0.01)
    assert PUBLISHED.over_one_session == pytest.approx(512 * 20 / 1474)


def test_the_page_shows_plots_and_escapes_names() -> None:
    chosen = choose(trials(10, 19.8, 20))
    text = page(Loaded(PLAN, SEED, chosen, (a_batch(1, 2, 1.0), a_batch(2, 1, 3.0, resumed=2)))).html()
    assert text.count("<svg") == 2
    assert "DEMO &lt;19&gt;" in text
    assert "2 loaded by a former try" in text
    assert "<script" not in text


def test_long_loads_keep_the_chart_short() -> None:
    many = tuple(a_batch(number, 20, 1.0) for number in range(1, 5))
    load = Loaded(PLAN, SEED, Chosen(20, "as the form says"), many)
    text = page(load).html()
    assert f"The first {MOST_SHOWN} schemas" in text
    assert "SLOB_100" in text
    assert "SLOB_419" not in text
    assert "2.4" not in table(load).splitlines()[0]


def test_statements_quote_names_and_grow_with_the_profile() -> None:
    assert 'CREATE TABLE "SLOB_1"."CF1" (CUSTID' in statements.create_table(WORK, "SLOB_1")
    assert statements.create_table(WORK, "SLOB_1").endswith("CHUNK 8192 NOCACHE NOLOGGING)")
    plain = replace(WORK, profile="none", sparse=False)
    assert "DOC" not in statements.create_table(plain, "SLOB_1") + statements.create_seed(plain, 2, 10)
    assert "PCTFREE 0 " in statements.create_table(plain, "SLOB_1")
    assert "ORA_HASH(N.N, 999, 2)" in statements.create_seed(WORK, 2, 10)
