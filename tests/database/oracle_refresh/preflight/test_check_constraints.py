"""Rules whose values a check constraint refuses, and rules that refuse values, are found in the preflight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.preflight.check_constraints import check_conditions
from oracle_refresh.preflight.conformity import check_conformity
from support.stand_in import Schema

CREATE = """\
CREATE TABLE CHECKED (ID NUMBER PRIMARY KEY, STATUS CHAR(3), CODE VARCHAR2(20), MAIL VARCHAR2(60), DOC CLOB,
  AMOUNT NUMBER(9,2) NOT NULL, BORN DATE, LEFT_ON DATE, "Odd Name" VARCHAR2(20), KIND VARCHAR2(9) NOT NULL,
  CONSTRAINT CK_STATUS CHECK (STATUS IN ('NEW', 'OLD', 'X')),
  CONSTRAINT CK_CODE CHECK (CODE LIKE 'A\\_%' ESCAPE '\\' AND LENGTH(CODE) <= 8),
  CONSTRAINT CK_MAIL CHECK (REGEXP_LIKE(MAIL, '^[a-z0-9.]+@example[.](test|com)$')),
  CONSTRAINT CK_DOC CHECK (DOC IS JSON),
  CONSTRAINT CK_AMOUNT CHECK (AMOUNT BETWEEN 0 AND 500),
  CONSTRAINT CK_DATES CHECK (LEFT_ON >= BORN),
  CONSTRAINT CK_ODD CHECK ("Odd Name" = UPPER("Odd Name")),
  CONSTRAINT CK_KIND CHECK (KIND = 'person' OR MAIL IS NULL))"""


@pytest.fixture(scope="module")
def checked(module_schema: Schema) -> Iterator[Any]:
    with module_schema.server.sys() as system:
        system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {module_schema.name}")
    with module_schema.connect() as connection, connection.cursor() as cursor:
        cursor.execute(CREATE)
        cursor.executemany(
            "INSERT INTO CHECKED VALUES (:1, 'NEW', 'A_x', :2, '{}', 10, DATE '1970-01-01',"
            " DATE '2020-01-01', 'ABC', 'person')",
            [(number, f"p{number}@example.com") for number in range(20)],
        )
        connection.commit()
        catalogue = read_catalogue(connection, [module_schema.name])

        def find(*rules: ColumnRule, check: Any = check_conditions) -> list[Finding]:
            ruleset = Ruleset("r", {TableName(module_schema.name, "CHECKED"): rules}, "f")
            both: Any = SimpleNamespace(
                ruleset=ruleset,
                catalogue=catalogue,
                definition=SimpleNamespace(exclude_tables=()),
                source=SimpleNamespace(connection=connection),
            )
            return list(check(both))

        yield find


def rule(column: str, algorithm: Any, domain: str | None = None, **more: Any) -> ColumnRule:
    return ColumnRule(column, algorithm.kind, domain, algorithm, **more)


@pytest.mark.parametrize(
    "given",
    [
        rule("STATUS", SecureLookup(("NEW", "OLD", "X")), "d"),  # X is padded as the column pads it
        rule("STATUS", Null()),
        rule("CODE", Constant("A_1")),
        rule("DOC", Constant('{"a": 1}')),
        rule("AMOUNT", Constant(500)),
        rule("MAIL", Email(), "d"),
        rule("Odd Name", CharacterMapping(), "d"),
        rule("BORN", DateShift(-5, 5), "d"),
    ],
    ids=lambda each: f"{each.column} {each.kind}",
)
def test_values_that_meet_the_condition_are_no_finding(checked: Any, given: ColumnRule) -> None:
    assert checked(given) == []


@pytest.mark.parametrize(
    ("given", "constraint", "count"),
    [
        (rule("STATUS", SecureLookup(("NEW", "NO", "NIL")), "d"), "CK_STATUS", "2 of 3"),
        (rule("CODE", Constant("AB1")), "CK_CODE", "1 of 1"),
        (rule("CODE", Constant("A_1234567")), "CK_CODE", "1 of 1"),
        (rule("CODE", CharacterMapping(), "d", policy="redact"), "CK_CODE", " of "),
        (rule("DOC", Redaction("[removed]")), "CK_DOC", "2 of 2"),
        (rule("AMOUNT", Constant(501)), "CK_AMOUNT", "1 of 1"),
        (rule("MAIL", CharacterMapping(), "d"), "CK_MAIL", "20 of 20"),
        (rule("Odd Name", Constant("abc")), "CK_ODD", "1 of 1"),
        (rule("KIND", Constant("firm")), "CK_KIND", "20 of 20"),
        (rule("LEFT_ON", DateShift(-30000, -29000), "d"), "CK_DATES", "20 of 20"),
    ],
    ids=lambda each: f"{each.column} {each.kind}" if isinstance(each, ColumnRule) else None,
)
def test_values_that_the_condition_refuses_are_found(
    checked: Any, given: ColumnRule, constraint: str, count: str
) -> None:
    (found,) = checked(given)
    assert (found.severity, found.code) == ("error", "RULE_DOES_NOT_FIT")
    assert f"check constraint {constraint} of " in found.message
    assert count in found.message
    assert "example.com" not in found.message.replace("[.](test|com)", "")


def test_what_follows_from_all_rows_is_a_warning(checked: Any) -> None:
    (found,) = checked(rule("AMOUNT", NumericNoise(20, "ID")))
    assert (found.severity, found.code) == ("warning", "CHECK_NOT_EVALUATED")
    assert "CK_AMOUNT" in found.message


def test_values_that_a_rule_refuses_are_counted(checked: Any) -> None:
    refusing, taking = rule("MAIL", Iban(), "d"), rule("CODE", CharacterMapping(), "d")
    (found,) = checked(refusing, taking, check=check_conformity)
    assert (found.severity, found.code) == ("error", "VALUES_DO_NOT_CONFORM")
    assert "CHECKED.MAIL: `iban` refuses 20 of 20 values of a sample" in found.message
    assert checked(replace(refusing, policy="null"), taking, check=check_conformity) == []
