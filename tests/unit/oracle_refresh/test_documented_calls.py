"""Every call of a supplied package in the provider's statements fits a documented overload of its form."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import oracle_refresh
from support.grammar import call_complaints

STATEMENT = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|CREATE|BEGIN|DECLARE|CALL)\b")
STATEMENTS = [
    pytest.param(text, id=f"{name.removeprefix('oracle_refresh.')}.{constant}")
    for _, name, _ in pkgutil.walk_packages(oracle_refresh.__path__, "oracle_refresh.")
    if name.rpartition(".")[2] in ("statements", "calls", "records", "workload", "ground", "metadata")
    for constant, text in vars(importlib.import_module(name)).items()
    if isinstance(text, str) and STATEMENT.match(text) and re.search(r"\b(DBMS|UTL)_\w+\.", text)
]


def test_there_is_something_to_check() -> None:
    assert len(STATEMENTS) > 15


@pytest.mark.parametrize("statement", STATEMENTS)
def test_calls_are_documented(statement: str) -> None:
    assert call_complaints(statement) == []


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("BEGIN DBMS_FUSE.FS_CHMOD(:path, 1); END;", "DBMS_FUSE.FS_CHMOD is no procedure"),
        ("BEGIN :n := DBMS_DBFS_CONTENT.LIST(:path); END;", "DBMS_DBFS_CONTENT.LIST is no function"),
        ("SELECT COUNT(*) FROM TABLE(DBMS_LOB.GETLENGTH(B))", "DBMS_LOB.GETLENGTH is no pipelined"),
        ("BEGIN DBMS_DATAPUMP.START_JOB(handle => 1, no_such => 2); END;", "has no parameters"),
        ("SELECT DBMS_LOB.NO_SUCH(B) FROM T", "is not documented"),
    ],
)
def test_the_check_would_notice(statement: str, complaint: str) -> None:
    assert complaint in " ".join(call_complaints(statement))
