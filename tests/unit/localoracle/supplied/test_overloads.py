"""Calls of supplied packages: overloads, constants."""

from __future__ import annotations

import pytest

from localoracle.supplied.overloads import Argument, NoMatch, resolve
from localoracle.supplied.signatures import constant


def argument(family: str, name: str | None = None, assignable: bool = True) -> Argument:
    return Argument(None, family, name, assignable)


def test_overloads_are_chosen_by_type():
    chosen, paired = resolve("DBMS_LOB", "GETLENGTH", [argument("BFILE")], ["function"])
    assert chosen.parameters[0].name == "file_loc"
    assert list(paired) == ["file_loc"]
    chosen, _ = resolve(
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
    with pytest.raises(NoMatch) as raised:
        resolve("DBMS_DATAPUMP", "SET_PARAMETER", arguments, ["procedure"])
    assert raised.value.ambiguous is ambiguous


def test_constants():
    assert constant("DBMS_CRYPTO", "AES_CBC_PKCS5") == (True, 4 + 256 + 4096)
    assert constant("DBMS_DBFS_CONTENT", "STD_OWNER") == (True, "std:owner")
    assert constant("DBMS_LOB", "NO_SUCH") == (False, None)
