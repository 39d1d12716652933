"""The functions that SQL may call have the documented signatures: names, order, types, defaults, results."""

from __future__ import annotations

import re

import pytest

from localoracle.dictionary.documentation import packages, packages_without_signatures
from localoracle.plsql.errors import package_exceptions
from localoracle.server.bootstrap import scripts
from localoracle.supplied.object_types import object_type
from localoracle.supplied.signatures import Overload, constant, documented, family

CREATE = re.compile(
    r'CREATE FUNCTION "(?P<package>(?:DBMS|UTL)_\w+)"\."(?P<name>\w+)"\((?P<formals>.*?)\)\s*'
    r"RETURNS (?P<returns>TABLE|[\w.]+)",
    re.DOTALL,
)
#: PostgreSQL's types here; text also stands for what VARCHAR2 is converted to.
TYPES = {
    "numeric": {"NUMBER"},
    "text": {"VARCHAR2", "CLOB"},
    "varchar": {"VARCHAR2"},
    "timestamp": {"TIMESTAMP"},
    "timestamptz": {"TIMESTAMP WITH TIME ZONE"},
    "boolean": {"BOOLEAN"},
    "ora.raw": {"RAW"},
    "ora.blob": {"BLOB"},
    "ora.clob": {"CLOB"},
    "ora.nclob": {"CLOB"},  # CLOB CHARACTER SET ANY_CS
    "ora.nvarchar2": {"VARCHAR2"},
    "ora.bfile": {"BFILE"},
    "ora.rowid": {"VARCHAR2"},
}

OFFERED = [
    pytest.param(*match.group("package", "name", "formals", "returns"), id=f"{match[1]}.{match[2]}")
    for name, text in scripts()
    for match in CREATE.finditer(text)
]


def formals_of(text: str) -> list[tuple[str, str, bool]]:
    """(name, type, has a default) of each formal."""
    found = []
    for formal in filter(None, (part.strip() for part in text.split(","))):
        name, type_text, *rest = formal.split()
        found.append((name.strip('"').lower(), type_text, bool(rest)))
    return found


def agrees(overload: Overload, formals: list[tuple[str, str, bool]], returns: str) -> bool:
    if returns == "TABLE":
        result = overload.form == "pipelined"
    elif returns == "void":
        result = overload.form == "procedure"
    else:
        result = overload.form == "function" and family(overload.returns or "") in TYPES[returns]
    return (
        result
        and [name for name, _, _ in formals] == [parameter.name for parameter in overload.parameters]
        and all(
            parameter.mode == "IN" and parameter.family in TYPES[kind] and parameter.optional == optional
            for parameter, (_, kind, optional) in zip(overload.parameters, formals, strict=True)
        )
    )


def test_there_is_something_to_check() -> None:
    assert len(OFFERED) > 30


@pytest.mark.parametrize(("package", "name", "formals", "returns"), OFFERED)
def test_functions_for_sql(package: str, name: str, formals: str, returns: str) -> None:
    overloads = documented(package)[name]
    assert any(agrees(overload, formals_of(formals), returns) for overload in overloads), overloads


@pytest.mark.parametrize(
    ("formals", "returns", "as_documented"),
    [
        ("lob_loc ora.blob", "numeric", True),
        ("lob ora.blob", "numeric", False),
        ("lob_loc ora.raw", "numeric", False),
        ("lob_loc ora.blob DEFAULT NULL", "numeric", False),
        ("lob_loc ora.blob, more numeric", "numeric", False),
        ("lob_loc ora.blob", "ora.raw", False),
        ("lob_loc ora.blob", "void", False),
    ],
)
def test_the_check_would_notice(formals: str, returns: str, as_documented: bool) -> None:
    overloads = documented("DBMS_LOB")["GETLENGTH"]
    assert any(agrees(each, formals_of(formals), returns) for each in overloads) is as_documented


@pytest.mark.parametrize("package", sorted(packages()))
def test_every_package_can_be_read(package: str) -> None:
    """Forms, modes and types are ones that the interpreter knows how to tell apart."""
    for overloads in documented(package).values():
        for overload in overloads:
            assert overload.form in ("procedure", "function", "pipelined")
            assert overload.returns is None or overload.form != "procedure"
            assert {parameter.mode for parameter in overload.parameters} <= {"IN", "OUT", "IN OUT"}
            assert len({parameter.name for parameter in overload.parameters}) == len(overload.parameters)
    for name in packages()[package]["types"]:
        assert object_type(f"{package}.{name}") is not None


def test_constants_and_exceptions() -> None:
    assert constant("DBMS_CRYPTO", "HASH_SH256") == (True, 4)
    assert constant("DBMS_STATS", "AUTO_CASCADE") == (True, None)
    assert constant("DBMS_LOCK", "X_MODE") == (True, 6)
    assert package_exceptions("DBMS_DBFS_CONTENT")["PATH_EXISTS"] == 64000
    assert package_exceptions("DBMS_DATAPUMP")["NO_SUCH_JOB"] == 31626


def test_a_package_is_known_in_one_way() -> None:
    assert not packages_without_signatures() & set(packages())
