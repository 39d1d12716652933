"""Whether two databases fit together, decided without a database: each fact that matters, changed alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.undo import Undo
from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.preflight.fit import check_fit, check_instance, check_room, check_undo
from oracle_refresh.preflight.surroundings import Contents, Surroundings

ROOT = Path(__file__).parents[4]
DEMO = load_definition(ROOT / "include" / "refreshes" / "demo.yaml")
GB = 1 << 30
END = Surroundings(
    version="19.21.0.0.0",
    edition="EE",
    character_set="AL32UTF8",
    national_character_set="AL16UTF16",
    time_zone_file=32,
    settings={
        "compatible": "19.0.0",
        "db_block_size": "8192",
        "max_string_size": "STANDARD",
        "parallel_max_servers": "40",
        "processes": "300",
        "sessions": "472",
    },
    options={"Partitioning": True, "Advanced Compression": True},
    left={"processes": 250, "sessions": None},
    broken_components=(),
    dbfs=True,
)
COPIED = Contents(
    owned={"APP": 3 * GB, "DOCS": GB},
    tablespaces={"APP": "USERS", "DOCS": "USERS"},
    room={"USERS": 0},
    partitioned_tables=1,
    zoned_columns=2,
)
PRESENT = Contents(owned={"APP": GB}, tablespaces=COPIED.tablespaces, room={"USERS": 10 * GB})
LIMITS = Limits(cpus=4)


def found(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.severity, finding.code) for finding in findings]


def changed(**fields: Any) -> RefreshDefinition:
    return RefreshDefinition.from_json({**DEMO.to_json(), **fields})


def with_settings(**settings: str) -> Surroundings:
    return replace(END, settings={**END.settings, **settings})


def test_two_equal_databases_fit() -> None:
    assert check_fit(DEMO, END, END, COPIED) == []
    assert check_instance("source", DEMO, END, LIMITS, "SOURCE") == []
    assert check_instance("target", DEMO, END, LIMITS, None) == []
    assert check_room(DEMO, COPIED, PRESENT) == []


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (with_settings(compatible="19.3.0"), END, [("error", "OLDER_COMPATIBLE")]),
        (END, with_settings(compatible="23.6.0"), []),
        (replace(END, time_zone_file=43), END, [("error", "OLDER_TIME_ZONE_FILE")]),
        (END, replace(END, time_zone_file=43), []),
        (with_settings(db_block_size="16384"), END, [("warning", "SMALLER_BLOCKS")]),
        (replace(END, character_set="WE8MSWIN1252"), END, [("error", "TEXTS_NOT_COMPARABLE")]),
        (replace(END, character_set="US7ASCII"), END, []),
        (END, replace(END, character_set="WE8MSWIN1252"), [("error", "CHARACTERS_LOST")]),
        (replace(END, character_set="US7ASCII"), replace(END, character_set="WE8ISO8859P15"), []),
        (END, replace(END, national_character_set="UTF8"), [("warning", "CHARACTER_SETS_DIFFER")]),
        (END, replace(END, options={}), [("error", "OPTION_MISSING")]),
        (replace(END, options={}), END, []),
        (END, replace(END, dbfs=False), [("error", "DBFS_MISSING")]),
    ],
)
def test_what_stands_between_two_databases(
    source: Surroundings, target: Surroundings, expected: list[tuple[str, str]]
) -> None:
    assert found(check_fit(DEMO, source, target, COPIED)) == expected


def test_only_what_is_copied_counts() -> None:
    plain = replace(COPIED, partitioned_tables=0, zoned_columns=0)
    older = replace(END, time_zone_file=31, options={})
    assert found(check_fit(DEMO, END, older, plain)) == [("warning", "OLDER_TIME_ZONE_FILE")]
    long = replace(COPIED, long_columns=1)
    assert found(check_fit(DEMO, END, END, long)) == [("error", "SHORTER_STRINGS")]
    assert check_fit(DEMO, END, with_settings(max_string_size="EXTENDED"), long) == []


def test_only_what_the_definition_uses_counts() -> None:
    bare = replace(END, options={"Partitioning": True}, dbfs=False)
    shared = changed(staging={**DEMO.to_json()["staging"], "transport": "shared"})
    assert check_fit(shared, bare, bare, COPIED) == []
    compressed = changed(
        staging=shared.to_json()["staging"], datapump={**DEMO.to_json()["datapump"], "compression": "all"}
    )
    assert found(check_fit(compressed, bare, bare, COPIED)) == [("error", "OPTION_MISSING")]


def test_an_instance_that_cannot_take_the_degree() -> None:
    few = replace(END, left={"processes": 47, "sessions": 48})
    (finding,) = check_instance("target", DEMO, few, LIMITS, None)
    assert finding.code == "FEW_SESSIONS"
    assert finding.sql == ("ALTER SYSTEM SET PROCESSES = 301 SCOPE = SPFILE",), "8 jobs take 48 with the rest"
    assert "in the root" not in finding.remedy
    (finding,) = check_instance("target", DEMO, few, LIMITS, "TESTPDB")
    assert "raise PROCESSES of the target in the root" in finding.remedy
    jobs = replace(LIMITS, max_jobs=7)
    assert found(check_instance("source", DEMO, END, jobs, None)) == [("warning", "FEW_JOBS")]
    serial = with_settings(parallel_max_servers="0")
    assert found(check_instance("target", DEMO, serial, LIMITS, None)) == [("warning", "NO_PARALLEL_SERVERS")]
    assert check_instance("source", DEMO, serial, LIMITS, None) == []


def test_the_root_and_broken_components_are_told() -> None:
    broken = replace(END, broken_components=("XDB (INVALID)",))
    findings = check_instance("source", DEMO, broken, LIMITS, "CDB$ROOT")
    assert found(findings) == [("warning", "IN_THE_ROOT"), ("warning", "BROKEN_COMPONENT")]


def test_room_is_what_is_to_come_less_what_is_replaced() -> None:
    exact = replace(PRESENT, room={"USERS": 3 * GB})
    assert check_room(DEMO, COPIED, exact) == []
    (finding,) = check_room(DEMO, COPIED, replace(exact, room={"USERS": 3 * GB - 1}))
    assert finding.sql == ('ALTER TABLESPACE "USERS" ADD DATAFILE SIZE 1M AUTOEXTEND ON',)
    large = replace(exact, room={"USERS": 3 * GB - 1}, bigfile=("USERS",))
    (finding,) = check_room(DEMO, COPIED, large)
    assert finding.sql == ('ALTER TABLESPACE "USERS" AUTOEXTEND ON MAXSIZE UNLIMITED',), "ORA-32771"
    (finding,) = check_room(changed(prepare="beside"), COPIED, exact)
    assert "room for 3,221,225,472 bytes, and 4,294,967,296 more" in finding.message
    assert "beside the former tables" in finding.message
    kept = changed(prepare="fail_if_present")
    assert found(check_room(kept, COPIED, exact)) == [("warning", "LITTLE_ROOM")]
    assert check_room(DEMO, COPIED, replace(PRESENT, tablespaces={})) == [], (
        "a missing schema is told elsewhere"
    )


def test_undo_has_to_last_as_long_as_the_source_is_looked_at() -> None:
    assert check_undo(Undo(900), 900) == []
    assert check_undo(None, 900) == check_undo(Undo(900), None) == []
    (finding,) = check_undo(Undo(900, tuned_seconds=800), 900)
    assert finding.sql == ("ALTER SYSTEM SET UNDO_RETENTION = 1800",)
