"""Whether the definition's own expectations can be evaluated: files, types, arguments, tables and columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight import statements
from oracle_refresh.preflight.contents import near
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.validation.expectations import configuration, great_expectations_module
from oracle_refresh.validation.suite_files import Expectation, SuiteDefinition, own_suites, skipped_tables

_CORRECT = "correct the file"


def check_expectations(both: Databases) -> Iterator[Finding]:
    """A finding per file, expectation, table and column that the task `expectations` could not use. Tables
    that are excluded or temporary are warned about: their expectations are skipped. So are unknown tables and
    columns if the definition has scripts, which may create them.

    Columns of views are read from the source, columns of tables outside the refresh from the target.
    """
    wanted = both.definition.expectations
    if wanted is None:
        return
    try:
        great_expectations_module()
    except ValidationError as problem:
        remedy = f"{problem.remedy}, or remove `expectations` from the definition"
        yield error("EXPECTATIONS_NOT_INSTALLED", problem.message, remedy)
        return
    try:
        suites = own_suites(wanted.path)
    except ValidationError as problem:
        yield error("UNUSABLE_EXPECTATION", f"{problem.object_name}: {problem.message}", _CORRECT)
        return
    skipped = skipped_tables(suites, both.definition.exclude_tables, both.catalogue.tables)
    for suite in suites:
        for written, expectations in suite.tables.items():
            table = TableName.parse(written)
            if table in skipped:
                yield warning(
                    "EXPECTATIONS_SKIPPED",
                    f"suite {suite.name}: {table.key} is {skipped[table]}: its expectations are skipped",
                    "none is needed",
                )
            else:
                yield from _check_table(both, suite, table, expectations)


def _check_table(
    both: Databases, suite: SuiteDefinition, table: TableName, expectations: list[Expectation]
) -> Iterator[Finding]:
    columns = _columns(both, table)
    scripts = both.definition.masking.before or both.definition.masking.after
    severity: Literal["error", "warning"] = "warning" if scripts else "error"
    if not columns:
        close = near(table.key, (each.key for each in both.catalogue.tables))
        message = f"suite {suite.name}: there is no table {table.key}{close}"
        unknown = error("UNKNOWN_EXPECTED_COLUMN", message, f"{_CORRECT}; {_NAMES}")
        yield replace(unknown, severity=severity)
        return
    for expectation in expectations:
        try:
            named = expectation.columns
            configuration(table.key, expectation)
        except ValidationError as problem:
            message = f"suite {suite.name}: {table.key}: {problem.message}"
            yield error("UNUSABLE_EXPECTATION", message, _CORRECT)
            continue
        for name in named:
            if name not in columns:
                unknown = error(
                    "UNKNOWN_EXPECTED_COLUMN",
                    f"suite {suite.name}: {expectation.type} names"
                    f" {table.key}.{Identifier(name).written}, which does not exist{near(name, columns)}",
                    f"{_CORRECT}; {_NAMES}",
                )
                yield replace(unknown, severity=severity)


_NAMES = "names are upper case unless they are written in quotation marks"


def _columns(both: Databases, table: TableName) -> frozenset[str]:
    known = both.catalogue.table(*table)
    if known is not None:
        return frozenset(column.name for column in known.columns)
    copied = any(view.full_name == table for view in both.catalogue.views)
    end = both.source if copied else both.target
    listed = rows(end.connection, statements.COLUMNS_OF, owner=table.owner, name=table.name)
    return frozenset(name for (name,) in listed)
