from __future__ import annotations

import pickle

import pytest

from oracle_refresh import errors
from oracle_refresh.errors import (
    DataPumpError,
    PreflightError,
    RefreshError,
    disposition,
    from_oracle,
    oracle_codes,
    overall_disposition,
)

STACK = (
    'ORA-31693: Table data object "APP"."ORDERS" failed to load/unload and is being skipped due to error:\n'
    "ORA-02354: error in exporting/importing data\nORA-01555: snapshot too old\nORA-01555: snapshot too old\n"
    "Help: https://docs.oracle.com/error-help/db/ora-31693/"
)


def test_codes_are_read_from_the_whole_stack_once_each() -> None:
    assert oracle_codes(Exception(STACK)) == ("ORA-31693", "ORA-02354", "ORA-01555")
    assert oracle_codes(Exception("DPY-6005: no\nORA-12541: no listener")) == (
        "DPY-6005",
        "ORA-12541",
    )
    assert oracle_codes(ValueError("ORACLE-1 ORA-1 nothing")) == ()
    assert oracle_codes(DataPumpError("x", codes=["ORA-00054"])) == ("ORA-00054",)


def test_the_remedy_is_that_of_the_telling_code() -> None:
    error = from_oracle(Exception(STACK), "export", "APP.ORDERS")
    assert isinstance(error, DataPumpError)
    assert error.codes == ("ORA-31693", "ORA-02354", "ORA-01555")
    assert "UNDO_RETENTION" in (error.remedy or "")
    assert "export APP.ORDERS: ORA-31693" in str(error)
    assert "Help:" not in str(error)


def test_a_wrong_password_names_the_connection_as_the_place_to_look() -> None:
    error = from_oracle(Exception("ORA-01017: invalid"), "connect", "oracle_source", PreflightError)
    assert str(error).startswith("connect oracle_source: ORA-01017")
    assert "password of the Airflow connection" in str(error)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ORA-00054", "retry"),
        ("DPY-4011", "retry"),
        ("ORA-31626", "retry"),
        ("ORA-31634", "attach"),
        ("ORA-00955", "rename"),
        ("ORA-01653", "space"),
        ("ORA-01017", "fatal"),
        ("ORA-00942", "fatal"),
        ("ORA-99999", "fatal"),
    ],
)
def test_dispositions(code: str, expected: str) -> None:
    assert disposition(code) == expected


def test_a_wrapper_leaves_the_decision_to_the_next_code() -> None:
    assert overall_disposition(["ORA-31633", "ORA-00955"]) == "rename"
    assert overall_disposition(["ORA-31633", "ORA-01950"]) == "fatal"
    assert overall_disposition(["ORA-31693", "ORA-02354"]) == "retry"
    assert overall_disposition([]) == "fatal"


@pytest.mark.parametrize("kind", [RefreshError, *RefreshError.__subclasses__()])
def test_errors_survive_the_way_between_processes(kind: type[RefreshError]) -> None:
    error = kind("broken", codes=["ORA-00054"], object_name="APP.T", step="load", remedy="wait")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error) == "load APP.T: broken [ORA-00054] Remedy: wait"
    assert (copy.codes, copy.object_name, copy.step, copy.remedy) == (("ORA-00054",), "APP.T", "load", "wait")


def test_every_remedy_is_one_clause_for_a_known_code() -> None:
    for code, remedy in errors.REMEDIES.items():
        assert oracle_codes(Exception(code)) == (code,)
        assert remedy
        assert not remedy.endswith(".")


def test_values_that_oracle_quotes_are_not_passed_on() -> None:
    quoted = Exception(
        "ORA-00001: unique constraint (APP.MAIL_UK) violated on table APP.CUSTOMERS columns (EMAIL)\n"
        "ORA-03301: (ORA-00001 details) row with column values (EMAIL:'peter@example.com') already exists"
    )
    error = from_oracle(quoted, step="indexes")
    assert "peter" not in str(error)
    assert "APP.MAIL_UK" in str(error)
