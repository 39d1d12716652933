"""What the preflight decides without a database."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from oracle_refresh.catalog import DatabaseIdentity
from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.hooks.sessions import CODES
from oracle_refresh.masking.fit import Code
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.preflight import Finding, require
from oracle_refresh.preflight.identities import check_identities, check_roles
from oracle_refresh.preflight.requirements import (
    SOURCE,
    TARGET,
    Privileges,
    missing,
    source_objects,
    target_objects,
)

ROOT = Path(__file__).parents[4]
DEMO = load_definition(ROOT / "include" / "refreshes" / "demo.yaml")
ORIGIN = DatabaseIdentity(
    dbid=10,
    con_dbid=11,
    name="PROD1",
    db_unique_name="prod1_a",
    service="app.example.com",
    container=None,
    host="one",
    version="19.0.0.0.0",
    open_mode="READ WRITE",
    database_role="PRIMARY",
    user="REFRESH_SOURCE",
)
COPY = replace(
    ORIGIN,
    dbid=20,
    con_dbid=21,
    name="QA1",
    db_unique_name="qa1",
    service="qa",
    host="two",
    user="REFRESH_TARGET",
)


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("source", "target", []),
        ("source", None, ["NOT_MARKED_AS_TARGET"]),
        (None, "target", ["NOT_MARKED_AS_SOURCE"]),
        ("source", "source", ["NOT_MARKED_AS_TARGET"]),
        ("target", "source", ["NOT_MARKED_AS_SOURCE", "NOT_MARKED_AS_TARGET"]),
        ("Source", "TARGET", ["NOT_MARKED_AS_SOURCE", "NOT_MARKED_AS_TARGET"]),
    ],
)
def test_only_marked_connections_are_used(
    source: str | None, target: str | None, expected: list[str]
) -> None:
    assert codes(check_roles(DEMO, source, target)) == expected


def test_two_databases_may_be_source_and_target() -> None:
    assert check_identities(DEMO, ORIGIN, COPY) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"con_dbid": 11}, "SAME_DATABASE"),
        ({"db_unique_name": "PROD1_A", "service": "APP.example.com", "host": "one"}, "SAME_DATABASE"),
        ({"name": "PROD"}, "TARGET_DENIED"),
        ({"db_unique_name": "prod"}, "TARGET_DENIED"),
        ({"service": "prod.example.com"}, "TARGET_DENIED"),
        ({"container": "Prod"}, "TARGET_DENIED"),
        ({"open_mode": "READ ONLY"}, "NOT_READ_WRITE"),
        ({"version": "12.2.0.1.0"}, "OLDER_TARGET"),
    ],
)
def test_a_target_that_must_not_be_one_is_refused(change: dict[str, Any], expected: str) -> None:
    findings = check_identities(DEMO, ORIGIN, replace(COPY, **change))
    assert codes(findings) == [expected]
    assert findings[0].severity == "error"


def test_a_newer_target_is_fine() -> None:
    assert check_identities(DEMO, ORIGIN, replace(COPY, version="23.0.0.0.0")) == []


def granted(section: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """System privileges and roles, and privileges on objects, of one section of grants.sql."""
    names: set[str] = set()
    objects: set[tuple[str, str]] = set()
    for what, on in re.findall(r"^GRANT (.*?)(?: ON (.*?))? TO \w+;$", section, re.MULTILINE):
        for name in what.split(", "):
            if on:
                objects.add((on.split()[-1].removeprefix("SYS."), name))
            else:
                names.add(name)
    return frozenset(names), frozenset(objects)


@pytest.mark.parametrize("end", ["source", "target"])
def test_the_published_grants_are_exactly_what_is_required(end: str) -> None:
    script = (ROOT / "include" / "sql" / "grants.sql").read_text()
    source, target = script.split("-- On the TARGET")
    section, wanted, objects = (
        (source, SOURCE, source_objects(DEMO)) if end == "source" else (target, TARGET, target_objects(DEMO))
    )
    names, on_objects = granted(section)
    privileges = Privileges(
        f"REFRESH_{end.upper()}", names, frozenset(), on_objects, quota="QUOTA" in section
    )
    assert missing(end, privileges, wanted, objects) == []
    used = {requirement.any_of[0] for requirement in wanted} | {"CREATE SESSION", "UNLIMITED TABLESPACE"}
    assert names <= used, "grants.sql grants more than a refresh uses"
    for name in names - {"CREATE SESSION", "UNLIMITED TABLESPACE"}:
        rest = names - {name}
        lost = [requirement for requirement in wanted if not rest.intersection(requirement.any_of)]
        found = missing(end, replace(privileges, system=rest), wanted, objects)
        unserved = [requirement for requirement in lost if "UNLIMITED TABLESPACE" not in requirement.any_of]
        assert len(found) == len(unserved), name
    for item in on_objects:
        (finding,) = missing(end, replace(privileges, objects=on_objects - {item}), wanted, objects)
        assert finding.sql[0].startswith(f"GRANT {item[1]} ON ")
        assert f"{finding.sql[0]};" in re.sub(r"READ, WRITE", item[1], section)
        assert ("AS SYSDBA" in finding.remedy) is (item[1] == "EXECUTE")


def test_no_missing_grant_is_told_twice() -> None:
    for wanted in (SOURCE, TARGET):
        assert len({requirement.any_of for requirement in wanted}) == len(wanted)


def test_alternatives_satisfy_a_requirement() -> None:
    nothing = Privileges("U", frozenset(), frozenset(), frozenset(), quota=False)
    lacking = missing("source", nothing, SOURCE)
    assert len(lacking) == len(SOURCE)
    assert lacking[0].sql == ("GRANT SELECT_CATALOG_ROLE TO U",)
    other = replace(nothing, system=frozenset({"SELECT ANY DICTIONARY", "CREATE ANY TABLE"}), quota=True)
    assert len(missing("source", other, SOURCE)) == len(SOURCE) - 3


def test_errors_are_required_away_and_warnings_are_not() -> None:
    require([Finding("warning", "NO_TABLES", "nothing there", "look")])
    with pytest.raises(PreflightError) as caught:
        require(
            [
                Finding("error", "MISSING_GRANT", "no X", "grant it", ("GRANT X TO U",)),
                Finding("warning", "NO_TABLES", "nothing there", "look"),
                Finding("error", "UNKNOWN_SCHEMA", "no Y", "create it"),
            ]
        )
    text = str(caught.value)
    assert "2 findings, nothing was changed" in text
    assert "MISSING_GRANT: no X. Remedy: grant it." in text
    assert "    GRANT X TO U;" in text
    assert "NO_TABLES" not in text


def test_every_code_is_explained_to_users() -> None:
    text = (
        (ROOT / "docs" / "reference" / "definition.md").read_text().split("## What the preflight refuses")[1]
    )
    described = set(re.findall(r"`([A-Z_]{6,})`", text))
    provider = ROOT / "provider" / "oracle_refresh"
    raised = set()
    for module in (
        *(provider / "preflight").glob("*.py"),
        provider / "catalog/exotics.py",
        provider / "hooks/secrets.py",
        provider / "hooks/sessions.py",
        provider / "operators/planning.py",
        provider / "plan/chosen.py",
    ):
        raised |= set(re.findall(r'(?:error|warning)\(\s*f?"([A-Z_{}.()a-z]+)"', module.read_text()))
    raised = raised - {"NOT_MARKED_AS_{end.upper()}"} | {"NOT_MARKED_AS_SOURCE", "NOT_MARKED_AS_TARGET"}
    assert described == raised | set(get_args(Code)) | set(CODES.values())


def test_findings_travel_as_json() -> None:
    finding = Finding("error", "MISSING_GRANT", "no X", "grant it", ("GRANT X TO U",))
    assert Finding.from_json(finding.to_json()) == finding


def test_the_demo_definition_denies_its_own_source() -> None:
    named = replace(COPY, name="SOURCE", db_unique_name="SOURCE", service="SOURCE")
    assert "TARGET_DENIED" in codes(check_identities(DEMO, ORIGIN, named))
    assert isinstance(DEMO, RefreshDefinition)
