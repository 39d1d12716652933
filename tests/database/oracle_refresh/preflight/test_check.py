"""The preflight against two running databases; nothing it refuses may leave a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.masking import load_ruleset
from oracle_refresh.oracle.errors import PreflightError, from_oracle
from oracle_refresh.preflight import Finding, check, require
from oracle_refresh.preflight.requirements import PUBLIC_PACKAGES
from support.preflight_checks import DEMO, changed, codes, system

GRANTS = (
    ("source", "FLASHBACK ANY TABLE"),
    ("source", "DATAPUMP_EXP_FULL_DATABASE"),
    ("source", "EXECUTE ON SYS.DBMS_CRYPTO"),
    ("source", "WRITE ON DIRECTORY REFRESH_DUMPS"),
    ("target", "LOCK ANY TABLE"),
    ("target", "READ ON DIRECTORY REFRESH_STAGE"),
    ("target", "DBFS_ROLE"),
)

PACKAGES = [need.object_name for need in PUBLIC_PACKAGES]


@pytest.fixture(scope="module")
def without_grants(demo_source: Any, demo_target: Any) -> list[Finding]:
    """The findings where all of these are missing at once."""
    databases = {"source": demo_source, "target": demo_target}
    with ExitStack() as revoked:
        for end, privilege in GRANTS:
            user = databases[end].user
            revoke, grant = f"REVOKE {privilege} FROM {user}", f"GRANT {privilege} TO {user}"
            revoked.enter_context(system(databases[end], revoke, grant))
        for package in PACKAGES:
            execute = f"EXECUTE ON SYS.{package}"
            revoke, grant = f"REVOKE {execute} FROM PUBLIC", f"GRANT {execute} TO PUBLIC"
            revoked.enter_context(system(demo_source, revoke, grant))
        with demo_source.connect() as source, demo_target.connect() as target:
            return check(source, target, DEMO, "source", "target")


def test_the_demo_may_be_refreshed(source: oracledb.Connection, target: oracledb.Connection) -> None:
    ruleset = load_ruleset(DEMO.masking.ruleset)
    assert ruleset.columns()
    findings = check(source, target, DEMO, "source", "target", ruleset)
    assert findings == []
    require(findings)


def test_an_unmarked_target_is_refused(source: oracledb.Connection, target: oracledb.Connection) -> None:
    assert codes(check(source, target, DEMO, "source", None)) == ["NOT_MARKED_AS_TARGET"]


@pytest.mark.slow
def test_unknown_schemas_and_accounts_are_named_with_the_nearest(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    accounts = ["APP_READR", "APP"]
    definition = changed(
        schemas=["DOCK", "APP", "SYSMAN_X"], application_accounts=accounts, expectations=None
    )
    findings = check(source, target, definition, "source", "target")
    assert codes(findings) == [*["UNKNOWN_SCHEMA"] * 4, "UNKNOWN_ACCOUNT"]
    assert "did you mean DOCS?" in findings[0].message
    assert "did you mean APP_READER?" in findings[-2].message or "did you mean APP_READER?" in str(findings)


@pytest.mark.slow
def test_preflight_with_all_grants_again_finds_nothing(
    without_grants: list[Finding], source: oracledb.Connection, target: oracledb.Connection
) -> None:
    assert codes(without_grants) == ["MISSING_GRANT"] * (len(GRANTS) + len(PACKAGES))
    assert check(source, target, DEMO, "source", "target") == []


@pytest.mark.parametrize(("end", "privilege"), GRANTS)
def test_preflight_without_a_grant_names_it_with_the_statement(
    without_grants: list[Finding], demo_source: Any, demo_target: Any, end: str, privilege: str
) -> None:
    user = {"source": demo_source, "target": demo_target}[end].user
    (found,) = (one for one in without_grants if one.sql == (f"GRANT {privilege} TO {user}",))
    assert found.code == "MISSING_GRANT"


@pytest.mark.parametrize("package", PACKAGES)
def test_preflight_of_a_hardened_database_names_packages_taken_from_public(
    without_grants: list[Finding], demo_source: Any, package: str
) -> None:
    grant = f"GRANT EXECUTE ON SYS.{package} TO {demo_source.user}"
    (found,) = (one for one in without_grants if one.sql == (grant,))
    assert "AS SYSDBA" in found.remedy


def test_a_user_without_anything_gets_the_whole_list(demo_source: Any, target: oracledb.Connection) -> None:
    with demo_source.connect("APP_READER") as nobody:
        findings = check(nobody, target, DEMO, "source", "target")
    assert set(codes(findings)) == {"MISSING_GRANT"}
    assert "GRANT SELECT_CATALOG_ROLE TO APP_READER" in [finding.sql[0] for finding in findings]


@pytest.mark.slow
def test_an_unknown_directory_is_refused(source: oracledb.Connection, target: oracledb.Connection) -> None:
    definition = changed(staging={**DEMO.staging.model_dump(), "source_directory": "NOWHERE"})
    findings = check(source, target, definition, "source", "target")
    assert codes(findings) == ["UNKNOWN_DIRECTORY"]
    assert findings[0].sql[0] == "CREATE DIRECTORY NOWHERE AS '<path>'"


@pytest.fixture
def lost_folders(demo_source: Any, demo_target: Any, tmp_path: Path) -> Iterator[dict[str, Path]]:
    """DIRECTORY REFRESH_DUMPS of the source on a path that is not there, REFRESH_STAGE on an empty folder."""
    paths = {"source": tmp_path / "not_mounted", "target": tmp_path / "stage"}
    paths["target"].mkdir()
    with ExitStack() as stack:
        for database, end, directory in (
            (demo_source, "source", "REFRESH_DUMPS"),
            (demo_target, "target", "REFRESH_STAGE"),
        ):
            with database.connect() as connection, connection.cursor() as cursor:
                cursor.execute(
                    "SELECT DIRECTORY_PATH FROM DBA_DIRECTORIES WHERE DIRECTORY_NAME = :1", [directory]
                )
                (before,) = cursor.fetchone()
            create = f"CREATE OR REPLACE DIRECTORY {directory} AS '{{}}'"
            stack.enter_context(system(database, create.format(paths[end]), create.format(before)))
        yield paths


def test_directories_are_probed_with_a_file(
    source: oracledb.Connection, target: oracledb.Connection, lost_folders: dict[str, Path]
) -> None:
    shared = changed(staging={**DEMO.staging.model_dump(), "transport": "shared"})
    (found,) = check(source, target, shared, "source", "target")
    assert (found.severity, found.code) == ("error", "DIRECTORY_NOT_WRITABLE")
    assert f"REFRESH_DUMPS (path {lost_folders['source']}): ORA-29283" in found.message
    assert "RAC" in found.remedy
    assert list(lost_folders["target"].iterdir()) == []
    lost_folders["source"].mkdir()
    lost_folders["target"].rmdir()
    (found,) = check(source, target, shared, "source", "target")
    assert "the target cannot create and remove a file in its DIRECTORY REFRESH_STAGE" in found.message
    assert check(source, target, DEMO, "source", "target") == [], "the store is not there yet"
    assert list(lost_folders["source"].iterdir()) == []


def test_a_wrong_password_is_a_clear_refusal(demo_source: Any) -> None:
    with pytest.raises(oracledb.DatabaseError) as caught:
        demo_source.connect(password="wrong")
    error = from_oracle(caught.value, "connect", "oracle_source", PreflightError)
    assert error.codes[0] == "ORA-01017"
    assert "correct user name and password" in str(error)
