"""What the scenarios are judged by: it passes a refresh that went well, and nothing that only looks like one.

A whole refresh of the demo, with every algorithm of its ruleset, passes it in `kill_and_resume`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.both_ends import Account
from support.what_must_hold import assert_named

from .conftest import Scenario

#: Each makes a published target wrong in one way: how, how it is undone, and what is said of it.
WRONG = (
    (
        "DELETE FROM TEST.TESTTABLE WHERE ID = 3",
        "INSERT INTO TEST.TESTTABLE SELECT * FROM KEPT_ROW",
        "TEST.TESTTABLE.* 1 are missing, 0 should not be there",
    ),
    (
        "INSERT INTO APP.COUNTRIES VALUES ('ZZ', 'Nowhere')",
        "DELETE FROM APP.COUNTRIES WHERE COUNTRY_CODE = 'ZZ'",
        "APP.COUNTRIES.* 0 are missing, 1 should not be there",
    ),
    (
        "UPDATE TEST.TESTTABLE SET LABEL = LABEL || '!' WHERE ID = 4",
        "UPDATE TEST.TESTTABLE SET LABEL = SUBSTR(LABEL, 1, LENGTH(LABEL) - 1) WHERE ID = 4",
        "1 are missing, 1 should not be there",
    ),
    (
        "ALTER TABLE APP.EMPLOYEES DISABLE CONSTRAINT EMPLOYEES_MANAGER_FK",
        "ALTER TABLE APP.EMPLOYEES ENABLE CONSTRAINT EMPLOYEES_MANAGER_FK",
        "DBA_CONSTRAINTS",
    ),
    (
        "ALTER TABLE APP.EMPLOYEES DISABLE CONSTRAINT EMPLOYEES_SALARY_CK",
        "ALTER TABLE APP.EMPLOYEES ENABLE CONSTRAINT EMPLOYEES_SALARY_CK",
        "DBA_CONSTRAINTS.*'C'",
    ),
    (
        "ALTER TABLE APP.EMPLOYEES MODIFY (LAST_NAME NULL)",
        "ALTER TABLE APP.EMPLOYEES MODIFY (LAST_NAME NOT NULL)",
        "SEARCH_CONDITION_VC",
    ),
    (
        'CREATE TABLE APP."REFRESH$W_LEFT" (A NUMBER)',
        'DROP TABLE APP."REFRESH$W_LEFT" PURGE',
        "left by the refresh.*APP.*W_LEFT",
    ),
    (
        'CREATE TABLE REFRESH_TARGET."REFRESH$M_LEFT" (A NUMBER)',
        'DROP TABLE REFRESH_TARGET."REFRESH$M_LEFT" PURGE',
        "left by the refresh.*M_LEFT",
    ),
    ("ALTER USER APP ACCOUNT LOCK", "ALTER USER APP ACCOUNT UNLOCK", "accounts are not as they were"),
    (
        "BEGIN DBMS_SCHEDULER.DISABLE(name => 'APP.NIGHTLY'); END;",
        "BEGIN DBMS_SCHEDULER.ENABLE(name => 'APP.NIGHTLY'); END;",
        "scheduler jobs are not as they were",
    ),
    (
        "BEGIN DBMS_STATS.LOCK_TABLE_STATS('APP', 'EMPLOYEES'); END;",
        "BEGIN DBMS_STATS.UNLOCK_TABLE_STATS('APP', 'EMPLOYEES'); END;",
        "STATTYPE_LOCKED",
    ),
    (
        "GRANT SELECT ON APP.EMPLOYEES TO APP_READER WITH GRANT OPTION",
        "REVOKE SELECT ON APP.EMPLOYEES FROM APP_READER",
        "DBA_TAB_PRIVS",
    ),
    (
        "ALTER SYSTEM SET UNDO_RETENTION = 901 SCOPE = MEMORY",
        "ALTER SYSTEM SET UNDO_RETENTION = 900 SCOPE = MEMORY",
        "instance is not as it was",
    ),
)


#: How somebody who can log in, and whom the definition forgot, comes to read a refreshed table.
WAYS = {
    "privilege": ["GRANT SELECT ON APP.EMPLOYEES TO SOMEBODY"],
    "PUBLIC": ["GRANT READ ON APP.EMPLOYEES TO PUBLIC"],
    "role": ["GRANT SELECT ON APP.EMPLOYEES TO READING", "GRANT READING TO SOMEBODY"],
    "role of a role": [
        "GRANT SELECT ON APP.EMPLOYEES TO READING",
        "GRANT READING TO ALL_READING",
        "GRANT ALL_READING TO SOMEBODY",
    ],
    "any table": ["GRANT SELECT ANY TABLE TO READING", "GRANT READING TO SOMEBODY"],
}


#: How an account that has to be closed is open: how, how that is undone, and what is said of it.
OPEN = (
    ("ALTER USER APP_READER ACCOUNT UNLOCK", "ALTER USER APP_READER ACCOUNT LOCK", "APP_READER is OPEN"),
    ("ALTER USER DOCS ACCOUNT UNLOCK", "ALTER USER DOCS ACCOUNT LOCK", "DOCS is OPEN"),
    (
        "ALTER USER DOCS PASSWORD EXPIRE ACCOUNT UNLOCK",
        'ALTER USER DOCS IDENTIFIED BY "docs_demo" ACCOUNT LOCK',
        "DOCS is EXPIRED",
    ),
    (
        "BEGIN DBMS_SCHEDULER.ENABLE(name => 'APP.NIGHTLY'); END;",
        "BEGIN DBMS_SCHEDULER.DISABLE(name => 'APP.NIGHTLY'); END;",
        r"APP\.NIGHTLY would begin",
    ),
)


def test_refresh_that_went_well_passes_and_nothing_else(new_scenario: Callable[..., Scenario]) -> None:
    scenario = new_scenario(schemas=["APP", "DOCS", "TEST"])
    must, run_id = scenario.must, scenario.run.run_id
    with scenario.target.system() as system:
        system.cursor().execute("ALTER USER DOCS ACCOUNT LOCK")
    scenario.begin()
    _find_what_is_open(scenario)
    _find_readers(scenario)
    _find_a_dump_file_and_a_lock(scenario)
    scenario.move()
    dumps = must.ends.source.dump_files()
    assert dumps, "the exports have left dump files, which would be found"
    scenario.prove()
    must.stay_locked()
    scenario.release()
    with scenario.target.system() as system:
        system.cursor().execute("ALTER USER DOCS ACCOUNT UNLOCK")
    must.be_published(run_id)
    with pytest.raises(AssertionError, match="while nothing is proven"):
        must.stay_locked()

    with scenario.target.system() as system, system.cursor() as cursor:
        cursor.execute("CREATE TABLE KEPT_ROW AS SELECT * FROM TEST.TESTTABLE WHERE ID = 3")
        for wrong, undone, said in WRONG:
            cursor.execute(wrong)
            system.commit()
            with pytest.raises(AssertionError, match=said):
                must.be_published(run_id)
            cursor.execute(undone)
            system.commit()
    must.be_published(run_id)


def _find_what_is_open(scenario: Scenario) -> None:
    """Of accounts, and of an owner of a schema that is not one; an owner without a password is no danger."""
    with scenario.target.system() as system, system.cursor() as cursor:
        scenario.must.stay_locked()
        for wrong, undone, said in OPEN:
            cursor.execute(wrong)
            with pytest.raises(AssertionError, match=f"{said} while nothing is proven"):
                scenario.must.stay_locked()
            cursor.execute(undone)
        cursor.execute("ALTER USER DOCS NO AUTHENTICATION ACCOUNT UNLOCK")
        scenario.must.stay_locked()
        cursor.execute('ALTER USER DOCS IDENTIFIED BY "docs_demo" ACCOUNT LOCK')


def _find_readers(scenario: Scenario) -> None:
    with scenario.target.system() as system, system.cursor() as cursor:
        for way, grants in WAYS.items():
            cursor.execute('CREATE USER SOMEBODY IDENTIFIED BY "somebody_1"')
            cursor.execute("CREATE ROLE READING")
            cursor.execute("CREATE ROLE ALL_READING")
            try:
                scenario.must.stay_locked()
                for grant in grants:
                    cursor.execute(grant)
                with pytest.raises(AssertionError, match=r"SOMEBODY can read .* while nothing is proven"):
                    scenario.must.stay_locked()
            finally:
                cursor.execute("DROP USER SOMEBODY")
                cursor.execute("DROP ROLE READING")
                cursor.execute("DROP ROLE ALL_READING")
                if way == "PUBLIC":
                    cursor.execute("REVOKE READ ON APP.EMPLOYEES FROM PUBLIC")


def _find_a_dump_file_and_a_lock(scenario: Scenario) -> None:
    folder = scenario.must.ends.source.folders[0]
    (folder / "left.dmp").touch()
    with pytest.raises(AssertionError, match=r"left\.dmp"):
        scenario.must.leave_nothing()
    with pytest.raises(AssertionError, match=r"failed run.*left\.dmp"):
        scenario.must.leave_nothing_at_work()
    (folder / "left.dmp").unlink()
    with scenario.target.connect() as holding:
        holding.cursor().execute("LOCK TABLE APP.EMPLOYEES IN EXCLUSIVE MODE")
        with pytest.raises(AssertionError, match=r"locks.*APP\.EMPLOYEES"):
            scenario.must.leave_nothing()
        with pytest.raises(AssertionError, match=r"failed run.*APP\.EMPLOYEES"):
            scenario.must.leave_nothing_at_work()
        holding.rollback()
    scenario.must.leave_nothing()
    scenario.must.leave_nothing_at_work()


@pytest.mark.parametrize(
    ("status", "locked"),
    [
        *((status, False) for status in ("OPEN", "EXPIRED", "EXPIRED(GRACE)", "LOCKED(TIMED)")),
        *((status, True) for status in ("LOCKED", "EXPIRED & LOCKED", "EXPIRED(GRACE) & LOCKED")),
        ("EXPIRED & LOCKED(TIMED)", False),
    ],
)
def test_a_lock_that_ends_by_itself_is_none(status: str, locked: bool) -> None:
    assert Account(status, "PASSWORD", 0).locked is locked
    assert Account(status, "PASSWORD", 0).opens is not locked
    assert not Account(status, "NONE", 0).opens
    assert Account(status, "NONE", 1).opens is not locked


def test_a_code_without_a_remedy_is_not_enough() -> None:
    assert_named("load: ORA-01652: no room Remedy: add space", "ORA-01652", remedy="space")
    with pytest.raises(AssertionError, match="no remedy"):
        assert_named("load: ORA-01652: no room", "ORA-01652")
    with pytest.raises(AssertionError, match="ORA-01653 is not named"):
        assert_named("load: ORA-01652: no room Remedy: add space", "ORA-01653")
