"""Calls of supplied packages: overloads, constants, parts of a ROWID."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.packages import registry
from localoracle.packages.dbms_rowid import build, parts
from localoracle.packages.signatures import constant

# --- DBMS_LOB ---


# --- DBMS_CRYPTO, UTL_RAW, DBMS_ROWID ---


@given(st.integers(0, 64**6 - 1), st.integers(0, 1023), st.integers(0, 2**32 - 1), st.integers(0, 32767))
def test_rowid_parts_are_what_was_built(object_number, file, block, row):
    rowid = build(object_number, file, block, row)
    assert len(rowid) == 18
    assert parts(rowid) == (object_number, file, block, row)


# --- BFILE ---


# --- sessions and locks ---


# --- the registry ---


def argument(family: str, name: str | None = None, assignable: bool = True) -> registry.Argument:
    return registry.Argument(None, family, name, assignable)


def test_overloads_are_chosen_by_type():
    chosen, paired = registry.resolve("DBMS_LOB", "GETLENGTH", [argument("BFILE")], ["function"])
    assert chosen.parameters[0].name == "file_loc"
    assert list(paired) == ["file_loc"]
    chosen, _ = registry.resolve(
        "DBMS_DATAPUMP",
        "SET_PARAMETER",
        [argument("NUMBER"), argument("VARCHAR2"), argument("NUMBER")],
        ["procedure"],
    )
    assert chosen.parameters[2].type == "NUMBER"


@pytest.mark.parametrize(
    ("arguments", "ambiguous"),
    [
        ([], False),
        ([argument("NUMBER"), argument("VARCHAR2"), argument("BOOLEAN")], False),
        ([argument("NUMBER"), argument("VARCHAR2"), argument("", "no_formal")], False),
        ([argument("NUMBER"), argument("VARCHAR2"), argument("VARCHAR2"), argument("NUMBER")], False),
        ([argument("NUMBER"), argument("VARCHAR2"), argument("")], True),
    ],
)
def test_calls_that_fit_no_signature(arguments, ambiguous):
    with pytest.raises(registry.NoMatch) as raised:
        registry.resolve("DBMS_DATAPUMP", "SET_PARAMETER", arguments, ["procedure"])
    assert raised.value.ambiguous is ambiguous


def test_constants():
    assert constant("DBMS_CRYPTO", "AES_CBC_PKCS5") == (True, 4 + 256 + 4096)
    assert constant("DBMS_DBFS_CONTENT", "STD_OWNER") == (True, "std:owner")
    assert constant("DBMS_LOB", "NO_SUCH") == (False, None)
