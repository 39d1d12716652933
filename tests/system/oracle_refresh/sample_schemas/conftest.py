"""HR, CO and SH as Oracle publishes them, refreshed into a target that has only their users."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.tables import EnableConstraints, GatherStatistics
from oracle_refresh.operators.validation import CompareInventory, ProveMasking
from support import sales_history
from support.demo import DemoDatabase, airflow_connection, prepared_target, running
from support.grants import make_user_anew
from support.sample_schemas import PASSWORD, install
from support.small_run import SmallRun, write_definition
from support.transfer import ROOT

SCHEMAS = ("HR", "CO", "SH")
READER = "SHOP_READER"
LOOKUPS = ("first_names", "last_names", "streets")
_FIRST = {"algorithm": "name", "lookup": "first_names", "domain": "person.first"}
_LAST = {"algorithm": "name", "lookup": "last_names", "domain": "person.last"}
_WHOLE = {
    "algorithm": "full_name",
    "first_names": "first_names",
    "last_names": "last_names",
    "domain": "person",
}
_MAPPED = {"algorithm": "character_mapping"}
CODE = (
    "CREATE TYPE HR.NAMES_T IS TABLE OF VARCHAR2(60)",
    "CREATE TYPE HR.STAFF_T AS OBJECT (ID NUMBER(6), PAY NUMBER(8,2))",
    "CREATE TYPE HR.STAFF_LIST_T IS TABLE OF STAFF_T",
    """CREATE PACKAGE HR.PAYROLL AS
  C_RAISE CONSTANT NUMBER := 10;
  FUNCTION RAISED(P_PAY NUMBER) RETURN NUMBER;
  FUNCTION STAFF(P_DEPARTMENT NUMBER) RETURN STAFF_LIST_T PIPELINED;
  PROCEDURE COUNT_CALLS(P_CALLS OUT NUMBER);
END PAYROLL;""",
    """CREATE PACKAGE BODY HR.PAYROLL AS
  G_CALLS NUMBER := 0;
  FUNCTION RAISED(P_PAY NUMBER) RETURN NUMBER IS
  BEGIN
    RETURN P_PAY * (100 + C_RAISE) / 100;
  END;
  FUNCTION STAFF(P_DEPARTMENT NUMBER) RETURN STAFF_LIST_T PIPELINED IS
  BEGIN
    FOR R IN (SELECT EMPLOYEE_ID, SALARY FROM EMPLOYEES WHERE DEPARTMENT_ID = P_DEPARTMENT
              ORDER BY EMPLOYEE_ID) LOOP
      PIPE ROW (STAFF_T(R.EMPLOYEE_ID, RAISED(R.SALARY)));
    END LOOP;
    RETURN;
  END;
  PROCEDURE COUNT_CALLS(P_CALLS OUT NUMBER) IS
  BEGIN
    G_CALLS := G_CALLS + 1;
    P_CALLS := G_CALLS;
  END;
END PAYROLL;""",
    """CREATE FUNCTION HR.A_NAME(P_NAMES NAMES_T) RETURN VARCHAR2 IS
BEGIN
  RETURN P_NAMES(P_NAMES.LAST);
END;""",
)
"""What applications add to HR: Oracle's sample schemas have no types and packages."""
RULES: dict[str, Any] = {
    "HR.EMPLOYEES": {
        "FIRST_NAME": _FIRST,
        "LAST_NAME": _LAST,
        "EMAIL": _MAPPED | {"domain": "hr.email"},
        "PHONE_NUMBER": _MAPPED | {"domain": "phone"},
    },
    "CO.CUSTOMERS": {"EMAIL_ADDRESS": {"algorithm": "email", "domain": "email"}, "FULL_NAME": _WHOLE},
    "SH.CUSTOMERS": {
        "CUST_FIRST_NAME": _FIRST,
        "CUST_LAST_NAME": _LAST,
        "CUST_STREET_ADDRESS": {"algorithm": "secure_lookup", "lookup": "streets", "domain": "street"},
        "CUST_MAIN_PHONE_NUMBER": _MAPPED | {"domain": "phone"},
        "CUST_EMAIL": {"algorithm": "email", "domain": "email"},
    },
}


@dataclass(frozen=True)
class Refreshed:
    """Both ends after a refresh, and the inventories' findings."""

    source: DemoDatabase
    target: DemoDatabase
    findings: list[dict[str, Any]]

    def both(self, sql: str, *binds: Any) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """The rows of a query at the source and at the target."""
        return rows(self.source, sql, *binds), rows(self.target, sql, *binds)


def rows(database: DemoDatabase, sql: str, *binds: Any) -> list[tuple[Any, ...]]:
    with database.system() as connection:
        return connection.cursor().execute(sql, list(binds)).fetchall()


def _users(database: DemoDatabase, names: tuple[str, ...]) -> None:
    with database.system() as connection:
        cursor = connection.cursor()
        for name in names:
            cursor.execute(f'CREATE USER {name} IDENTIFIED BY "{PASSWORD}"')
            cursor.execute(f"GRANT CREATE SESSION, UNLIMITED TABLESPACE TO {name}")


def _fill(source: DemoDatabase) -> None:
    """The schemas, installed by their own scripts, and somebody who may read them."""
    make_user_anew(source)
    _users(source, (READER,))
    with source.system() as connection:
        for schema in SCHEMAS:
            install(connection, schema, load=sales_history.load)
        cursor = connection.cursor()
        cursor.execute(f"GRANT SELECT ON HR.EMPLOYEES TO {READER}")
        cursor.execute(f"GRANT SELECT ON CO.CUSTOMER_ORDER_PRODUCTS TO {READER}")
        cursor.execute(f"GRANT SELECT ON SH.PROFITS TO {READER}")
        for statement in CODE:
            cursor.execute(statement)
            assert cursor.warning is None, statement
        cursor.execute(f"GRANT EXECUTE ON HR.PAYROLL TO {READER}")
        # A column that * leaves out has data like any other.
        cursor.execute("ALTER TABLE HR.EMPLOYEES MODIFY PHONE_NUMBER INVISIBLE")
        cursor.execute("UPDATE HR.EMPLOYEES SET JOB_ID = 'SA_REP' WHERE EMPLOYEE_ID = 105")
        connection.commit()


def _published(folder: Path, target: DemoDatabase) -> list[dict[str, Any]]:
    lookups = {name: str(ROOT / "include" / "lookups" / f"{name}.csv") for name in LOOKUPS}
    rules = {"name": "samples", "lookups": lookups, "tables": RULES}
    definition = write_definition(
        folder,
        yaml.safe_load(yaml.safe_dump(rules)),
        schemas=list(SCHEMAS),
        exclude_tables=[],
        application_accounts=[*SCHEMAS, READER],
    )
    run = SmallRun(definition, target).all(CheckPreflight).until_masked()
    run.all(EnableConstraints, GatherStatistics, ProveMasking)
    findings = run.execute(CompareInventory)
    run.execute(ReleaseTarget)
    return list(findings or [])


@pytest.fixture(scope="package")
def refreshed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Refreshed]:
    folder = tmp_path_factory.mktemp("samples")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as environment:
        source = stack.enter_context(contextmanager(running)("source", "load-demo", "--scale", "0.001"))
        target = stack.enter_context(contextmanager(prepared_target)())
        _fill(source)
        _users(target, (*SCHEMAS, READER))
        environment.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(source))
        environment.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(target))
        key = {"conn_type": "generic", "password": "0123456789abcdef" * 4}
        environment.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", json.dumps(key))
        environment.setenv("AIRFLOW__ORACLE_REFRESH__POLL_SECONDS", "0.05")
        environment.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(folder / "reports"))
        yield Refreshed(source, target, _published(folder, target))
