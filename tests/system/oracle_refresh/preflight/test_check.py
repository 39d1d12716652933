"""What preflight refuses or doubts, found by a check of its own for each."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.preflight import Finding, check, require
from support.preflight_checks import DEMO, changed, codes, system


def by_phone(*columns: str) -> Ruleset:
    """Columns (OWNER.TABLE.COLUMN), all masked as phone numbers."""
    tables: dict[TableName, tuple[ColumnRule, ...]] = {}
    for each in columns:
        owner, table, column = each.split(".")
        name = TableName(owner, table)
        tables[name] = (*tables.get(name, ()), ColumnRule(column, "phone", "phone", Phone()))
    return Ruleset("test", tables, "f")


def test_a_missing_user_is_made_with_the_statements_that_are_told(
    demo_source: Any, demo_target: Any, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    make = 'CREATE USER {} IDENTIFIED BY "x_1_y" DEFAULT TABLESPACE USERS'
    with (
        system(demo_source, make.format("NEW_SHOP"), "DROP USER NEW_SHOP"),
        demo_target.system() as connection,
        connection.cursor() as cursor,
    ):
        accounts = ["NEW_SHOP", "NEW_CLERK"]
        definition = changed(schemas=["NEW_SHOP"], application_accounts=accounts, expectations=None)
        findings = check(source, target, definition, "source", "target")
        assert codes(findings) == ["UNKNOWN_SCHEMA", "UNKNOWN_ACCOUNT"]
        try:
            for finding in findings:
                for statement in finding.sql:
                    cursor.execute(statement.replace("<password>", "x_1_y"))
            assert codes(check(source, target, definition, "source", "target")) == []
        finally:
            for user in ("NEW_SHOP", "NEW_CLERK"):
                cursor.execute(f"DROP USER {user}")


def test_an_owner_without_a_quota_gets_one_with_the_statement_that_is_told(
    demo_target: Any, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    definition = changed(schemas=["APP"], exclude_tables=[])

    def found() -> list[Finding]:
        masked = ("NO_QUOTA", "LITTLE_QUOTA")
        return [one for one in check(source, target, definition, "source", "target") if one.code in masked]

    with (
        system(demo_target, "REVOKE UNLIMITED TABLESPACE FROM APP", "GRANT UNLIMITED TABLESPACE TO APP"),
        system(demo_target, "ALTER USER APP QUOTA 0 ON USERS", "ALTER USER APP QUOTA UNLIMITED ON USERS"),
        demo_target.system() as connection,
    ):
        assert [one.code for one in found()] == ["NO_QUOTA"]
        connection.cursor().execute("ALTER USER APP QUOTA 64K ON USERS")
        (little,) = found()
        assert (little.severity, little.code) == ("warning", "LITTLE_QUOTA")
        connection.cursor().execute(*little.sql)
        assert found() == []


def test_log_groups_whose_names_the_new_tables_need(
    demo_source: Any, demo_target: Any, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    traced = "CREATE TABLE APP.TRACED (ID NUMBER, SUPPLEMENTAL LOG GROUP {name} (ID) ALWAYS)"
    definition, gone = changed(prepare="beside"), "DROP TABLE APP.TRACED PURGE"
    with (
        system(demo_source, traced.format(name="GGS_1"), gone),
        system(demo_target, traced.format(name="GGS_1"), gone),
        demo_target.sys() as dba,
    ):
        (told,) = check(source, target, definition, "source", "target")
        assert told.code == "CANNOT_BE_SET_ASIDE"
        assert "log group GGS_1 of APP.TRACED" in told.message
        dba.cursor().execute(*told.sql)
        assert codes(check(source, target, definition, "source", "target")) == []
        dba.cursor().execute("ALTER TABLE APP.TRACED ADD SUPPLEMENTAL LOG GROUP OF_TESTERS (ID)")
        assert codes(check(source, target, definition, "source", "target")) == []


def test_oracles_own_schemas_are_refused(source: oracledb.Connection, target: oracledb.Connection) -> None:
    definition = DEMO.model_copy(update={"schemas": ("SYSTEM",), "expectations": None})
    assert set(codes(check(source, target, definition, "source", "target"))) == {"ORACLE_SCHEMA"}


def test_choices_for_tables_that_are_not_there_or_cannot_be_followed_are_refused(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    tables = {
        "APP.CUSTOMER": {"shards": 2},
        "APP.CUSTOMERS": {"shards": 2, "scheme": "partition"},
        "APP.ORDERS": {"shards": 2},
    }
    findings = check(source, target, changed(tables=tables), "source", "target")
    assert codes(findings) == ["UNKNOWN_CHOSEN_TABLE", "IMPOSSIBLE_CHOICE"]
    told = [finding.message for finding in findings if finding.severity == "error"]
    assert "APP.CUSTOMER, which the source does not have" in told[0]
    assert "APP.CUSTOMERS: it cannot be cut by partition: it has less than two partitions" in told[1]


IMPOSSIBLE = {
    "APP.CUSTOMERS.E_MAIL": ("UNKNOWN_MASKED_COLUMN", "has no such column; did you mean EMAIL?"),
    "APP.CUSTOMER.EMAIL": (
        "UNKNOWN_MASKED_COLUMN",
        "the source has no table APP.CUSTOMER; did you mean APP.CUSTOMERS?",
    ),
    "HR.PEOPLE.NAME": ("MASKED_SCHEMA_NOT_REFRESHED", "does not refresh the schema HR"),
    "APP.CUSTOMERS.CUSTOMER_ID": ("RULE_DOES_NOT_FIT", "phone masks VARCHAR2, CHAR, NVARCHAR2, NCHAR"),
}


def test_rules_that_cannot_be_applied_are_refused(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    findings = check(source, target, DEMO, "source", "target", by_phone("APP.CUSTOMERS.PHONE", *IMPOSSIBLE))
    errors = [each for each in findings if each.severity == "error"]
    assert {each.code for each in errors} == {code for code, _ in IMPOSSIBLE.values()}
    assert all(each.remedy for each in errors)
    for code, complaint in IMPOSSIBLE.values():
        assert {each.code for each in errors if complaint in each.message} == {code}
    with pytest.raises(PreflightError, match="nothing was changed"):
        require(findings)


def test_partitions_have_to_take_rows_whatever_is_masked(
    source: oracledb.Connection, target: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = Finding("error", "READ_ONLY_PARTITIONS", "a partition is READ ONLY", "make it READ WRITE")
    monkeypatch.setattr("oracle_refresh.preflight.checks.check_partitions", lambda _: [closed])
    assert codes(check(source, target, DEMO, "source", "target")) == ["READ_ONLY_PARTITIONS"]


def test_a_target_in_use_is_not_overwritten_unless_told(
    demo_source: Any, demo_target: Any, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    with system(demo_target, "CREATE TABLE APP.IN_USE (N NUMBER)", "DROP TABLE APP.IN_USE PURGE"):
        definition = changed(prepare="fail_if_present")
        assert codes(check(source, target, definition, "source", "target")) == ["TABLES_PRESENT"]
        assert check(source, target, DEMO, "source", "target") == []
        excluded = changed(prepare="fail_if_present", exclude_tables=["APP.IN_USE"])
        assert codes(check(source, target, excluded, "source", "target")) == []


def test_the_refresh_user_spares_itself(source: oracledb.Connection, demo_target: Any) -> None:
    definition = changed(application_accounts=["REFRESH_TARGET", *DEMO.schemas])
    with demo_target.connect() as target:
        assert codes(check(source, target, definition, "source", "target")) == ["LOCKS_ITSELF"]


def test_doubts_are_warnings(source: oracledb.Connection, target: oracledb.Connection) -> None:
    definition = changed(
        schemas=["APP", "APP_READER"],
        application_accounts=[],
        exclude_tables=["APP.NONE", "APP.CUSTOMERS"],
        expectations=None,
    )
    findings = check(source, target, definition, "source", "target", by_phone("APP.CUSTOMERS.PHONE"))
    assert codes(findings) == ["OWNER_CAN_LOG_ON"] * 2
    assert sorted(codes(findings, "warning")) == [
        "MASKED_TABLE_EXCLUDED",
        "NO_APPLICATION_ACCOUNTS",
        "NO_TABLES",
        "UNKNOWN_EXCLUDED_TABLE",
    ]


def test_who_holds_privileges_only_on_the_source_is_told_with_the_statement(
    source: oracledb.Connection, target: oracledb.Connection, demo_source: Any
) -> None:
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE ROLE AUDITOR")
        cursor.execute("GRANT SELECT ON APP.CUSTOMERS TO AUDITOR")
        try:
            findings = check(source, target, DEMO, "source", "target")
        finally:
            cursor.execute("DROP ROLE AUDITOR")
    (found,) = [each for each in findings if each.code == "UNKNOWN_GRANTEE"]
    assert "role AUDITOR" in found.message
    assert found.sql == ('CREATE ROLE "AUDITOR"',)
