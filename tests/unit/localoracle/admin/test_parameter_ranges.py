"""Ranges of initialization parameters, as documented and as PostgreSQL takes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.admin.parameter_values import Parameter, checked
from localoracle.dictionary.parameters import bounds
from localoracle.errors import OracleError
from localoracle.instance.settings import LARGEST_WORK_AREA, SMALLEST_WAL, derived


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 to 32767", (0, 32767)),
        ("0 to 231 - 1", (0, 2**31 - 1)),
        ("Minimum: 10 MB Maximum: 4096 GB - 1", (10 << 20, (4096 << 30) - 1)),
        ("0 to 1,000,000 (in seconds)", (0, 1_000_000)),
        ("6 to operating system dependent", (6, None)),
        ("0 – 512M, rounded up to the next granule size", (0, 512 << 20)),
        ("1 to either 50 or the value of MAX_OPEN_FILES", (1, None)),
        ("Operating system-dependent", (None, None)),
        (None, (None, None)),
    ],
)
def test_documented_ranges(text: str | None, expected: tuple[int | None, int | None]) -> None:
    assert bounds(text) == expected


@given(st.integers(min_value=-(2**40), max_value=2**40))
def test_numbers_outside_the_range_are_refused(number: int) -> None:
    parameter = Parameter("some_servers", 3, "5", "IMMEDIATE", True, 1, 100)
    if 1 <= number <= 100:
        assert checked(parameter, str(number)) == str(number)
    else:
        with pytest.raises(OracleError) as caught:
            checked(parameter, str(number))
        assert caught.value.code == 68


@given(
    st.integers(min_value=0, max_value=1 << 45),
    st.integers(min_value=0, max_value=40000),
    st.integers(min_value=8 << 20, max_value=1 << 42),
)
def test_settings_are_within_what_postgresql_takes(target: int, servers: int, redo: int) -> None:
    chosen = derived(
        {"pga_aggregate_target": str(target), "parallel_max_servers": str(servers)}, redo, force_logging=False
    )
    assert 64 <= int(chosen["work_mem"].removesuffix("kB")) <= LARGEST_WORK_AREA >> 10
    assert int(chosen["max_wal_size"].removesuffix("MB")) >= SMALLEST_WAL >> 20
    assert 0 <= int(chosen["max_parallel_workers"]) <= 8
