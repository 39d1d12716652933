"""Paths of the staging store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.dbfs.store import job_directory, path_element, run_directory
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import StagingError

DEFINITION = RefreshDefinition.model_validate(
    {
        "name": "demo",
        "source": {"conn_id": "source"},
        "target": {"conn_id": "target"},
        "schemas": ["APP"],
        "staging": {
            "source_directory": "REFRESH_DUMPS",
            "store": "FS_REFRESH",
            "mount": "/REFRESH",
            "target_directory": "REFRESH_STAGE",
        },
        "masking": {"ruleset": "/rules.yaml", "key_conn_id": "key"},
    }
)


@given(st.text(min_size=1))
def test_a_run_has_one_directory_below_the_mount(run_id: str) -> None:
    path = run_directory(DEFINITION, run_id)
    mount, name = path.rsplit("/", 1)
    assert mount == "/REFRESH"
    assert path_element(name) == name


def test_runs_that_look_alike_do_not_share() -> None:
    assert run_directory(DEFINITION, "manual__a:b") != run_directory(DEFINITION, "manual__a+b")
    assert job_directory(DEFINITION, "r", "RF_1").startswith(run_directory(DEFINITION, "r") + "/")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "a b", "x\0", "a" * 257, "a'b"])
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(StagingError):
        path_element(name)
