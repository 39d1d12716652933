"""Every dictionary view and column that the statements name is a documented one."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from localoracle.dictionary.views import views
from oracle_refresh.catalog import statements as catalog_statements
from oracle_refresh.labs.data_load import statements as data_load_statements
from oracle_refresh.labs.masking import measure, workload
from oracle_refresh.labs.store import statements as store_statements
from oracle_refresh.masking import statements as masking_statements
from oracle_refresh.preflight import statements as preflight_statements
from oracle_refresh.run import freeze, ledger
from oracle_refresh.target import own_schemas
from oracle_refresh.target.quarantine import statements as quarantine_statements
from oracle_refresh.tuning import log_mode
from oracle_refresh.tuning import records as tuning_records
from oracle_refresh.tuning import statements as tuning_statements

VIEW = re.compile(r"(?<![.\w])((?:DBA_|USER_|SESSION_|DATABASE_P|G?V\$)[A-Z_]+)(?:\s+([A-Z]))?\b")
WORDS = frozenset(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "AND",
        "OR",
        "IN",
        "NOT",
        "NULL",
        "ORDER",
        "BY",
        "GROUP",
        "DESC",
        "JOIN",
        "LEFT",
        "CROSS",
        "ON",
        "AS",
        "DISTINCT",
        "COUNT",
        "SUM",
        "MAX",
        "IS",
        "MIN",
        "NVL",
        "RTRIM",
        "DBMS_ROWID",
        "ROWID",
        "ROWID_BLOCK_NUMBER",
        "ROWID_CREATE",
        "ROWID_RELATIVE_FNO",
        "ROWIDTOCHAR",
        "LIKE",
        "ESCAPE",
        "SYS_CONTEXT",
        "USER",
        "TO_NUMBER",
        "DUAL",
        "CASE",
        "WHEN",
        "THEN",
        "ELSE",
        "END",
        "UNION",
        "ALL",
    ]
)


def texts(module: ModuleType) -> dict[str, str]:
    found = {name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)}
    return {name: text for name, text in found.items() if VIEW.search(text)}


STATEMENTS = [
    pytest.param(text, id=f"{module.__name__}.{name}")
    for module in (
        catalog_statements,
        preflight_statements,
        store_statements,
        masking_statements,
        quarantine_statements,
        tuning_records,
        tuning_statements,
        log_mode,
        measure,
        own_schemas,
        data_load_statements,
        workload,
        freeze,
        ledger,
    )
    for name, text in texts(module).items()
]


def test_there_is_something_to_check() -> None:
    assert len(STATEMENTS) > 25


@pytest.mark.parametrize("statement", STATEMENTS)
def test_views_and_columns_are_documented(statement: str) -> None:
    documented = views()
    code = re.sub(r"'[^']*'", "''", statement)
    aliases: dict[str, str] = {}
    named = set()
    for view, alias in VIEW.findall(code):
        assert view in documented, f"{view} is not documented"
        named.add(view)
        if alias:
            aliases[alias] = view
    for alias, column in re.findall(r"\b([A-Z])\.([A-Z_#$]+)(?![\w#$])", code):
        assert column in documented[aliases[alias]], f"{aliases[alias]} has no column {column}"
    bare = re.sub(
        r"\b[A-Z]\.[A-Z_#$]+(?![\w#$])|:\w+|\{\w+\}|\b(?:DBA_|USER_|SESSION_|DATABASE_P|G?V\$)\w+", " ", code
    )
    for word in (
        set(re.findall(r"\b[A-Z][A-Z_#$]+(?![\w#$])", bare)) - WORDS - {"BYTES", "SYSDATE", "SYSTIMESTAMP"}
    ):
        assert any(word in documented[view] for view in named), f"{word} is a column of none of {named}"


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("SELECT NAME FROM DBA_NONESUCH", "DBA_NONESUCH is not documented"),
        ("SELECT T.SIZE_MB FROM DBA_TABLES T", "DBA_TABLES has no column SIZE_MB"),
        ("SELECT SIZE_MB FROM DBA_TABLES", "SIZE_MB is a column of none"),
    ],
)
def test_the_check_would_notice(statement: str, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        test_views_and_columns_are_documented(statement)
