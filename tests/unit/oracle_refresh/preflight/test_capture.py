"""What the preflight makes of the processes that a definition names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from oracle_refresh.oracle.findings import Finding
from oracle_refresh.preflight import statements as of_preflight
from oracle_refresh.preflight.capture import check_capture
from oracle_refresh.preflight.databases import Database, Databases
from oracle_refresh.preflight.requirements import Privileges
from oracle_refresh.tuning.cdc import statements
from support.planner_tables import definition
from support.replicating import EXTRACT, XOUT, Replicating, apply_row, capture_row

STREAMS = {
    statements.APPLY: {"APPLY_SALES": [apply_row("Streams")]},
    statements.CAPTURE: {"CAPTURE_SALES": [capture_row("Streams", None, client_status=None)]},
    statements.CAPTURE_OF_QUEUE: {"STRMADMIN": [("CAPTURE_SALES",)]},
    statements.APPLY_OF_QUEUE: {"STRMADMIN": [("APPLY_SALES",)]},
    statements.APPLY_PARAMETERS: {"APPLY_SALES": [("PARALLELISM", "4"), ("TXN_LCR_SPILL_THRESHOLD", None)]},
    statements.CAPTURE_PARAMETERS: {"CAPTURE_SALES": [("MAX_SGA_SIZE", "INFINITE")]},
}
PACKAGES = [("DBMS_APPLY_ADM", "EXECUTE"), ("DBMS_CAPTURE_ADM", "EXECUTE")]


@dataclass(eq=False)
class Granted(Replicating):
    """With these privileges on packages of SYS."""

    held: tuple[tuple[str, str], ...] = tuple(PACKAGES)

    def cursor(self) -> Any:
        cursor = super().cursor()
        execute = cursor.execute

        def answered(sql: str, *binds: Any, **named: Any) -> None:
            execute(sql, *binds, **named)
            if sql.startswith(of_preflight.OBJECT_PRIVILEGES[:40]):
                cursor.rows = list(self.held)

        cursor.execute = answered  # type: ignore[method-assign]
        return cursor


def found(database: Any, end: str = "target", **section: Any) -> list[Finding]:
    """With `database` at that end; nothing at the other."""
    written: Any = definition(capture={"end": end, **section})
    ends = {name: Database(name, Replicating({}), written) for name in ("source", "target")}  # type: ignore[arg-type]
    asked = Database(end, database, written)  # type: ignore[arg-type]
    vars(asked)["privileges"] = Privileges("REFRESHER", frozenset(), frozenset(), frozenset(), quota=True)
    ends[end] = asked
    return check_capture(Databases(ends["source"], ends["target"], written, None))


def codes(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(each.severity, each.code) for each in findings]


def test_a_definition_without_the_section_asks_nothing() -> None:
    nothing: Any = object()
    written: Any = definition()
    ends = Database("source", nothing, written), Database("target", nothing, written)
    assert check_capture(Databases(*ends, written, None)) == []


@pytest.mark.parametrize("names", [{"apply_name": "APPLY_SALES"}, {"capture_name": "CAPTURE_SALES"}])
def test_processes_that_are_there_and_may_be_set(names: dict[str, str]) -> None:
    given = {"apply": {"txn_lcr_spill_threshold": 2000}, "capture": {"max_sga_size": 64}}
    assert found(Granted(STREAMS), **names, recommended=True, parameters=given) == []


def test_at_the_source_nothing_has_to_be_granted() -> None:
    assert found(Granted(STREAMS, held=()), "source", apply_name="APPLY_SALES") == []


def test_a_process_that_is_not_there() -> None:
    (finding,) = found(Granted(STREAMS), apply_name="NOBODY")
    assert codes([finding]) == [("error", "UNKNOWN_CAPTURE")]
    assert "at the target: there is no such apply process (NOBODY)" in finding.message
    assert "DBA_APPLY" in finding.remedy


def test_several_processes_at_the_other_end() -> None:
    two = {**STREAMS, statements.CAPTURE_OF_QUEUE: {"STRMADMIN": [("C1",), ("C2",)]}}
    (finding,) = found(Granted(two), apply_name="APPLY_SALES")
    assert codes([finding]) == [("error", "UNKNOWN_CAPTURE")]
    assert "C1, C2" in finding.message


def test_views_that_cannot_be_read() -> None:
    blind = Granted({}, frozenset({"DBA_APPLY"}))
    (finding,) = found(blind, apply_name="APPLY_SALES")
    assert codes([finding]) == [("error", "MISSING_GRANT")]
    assert "SELECT_CATALOG_ROLE" in finding.remedy


def test_parameters_that_a_process_does_not_have() -> None:
    given = {"apply": {"paralelism": 8}, "capture": {"nothing_like_it": 1}}
    first, second = found(Granted(STREAMS), apply_name="APPLY_SALES", parameters=given)
    assert codes([first, second]) == [("error", "UNKNOWN_CAPTURE_PARAMETER")] * 2
    assert "APPLY_SALES has no parameter PARALELISM; did you mean PARALLELISM?" in first.message
    assert "CAPTURE_SALES has no parameter NOTHING_LIKE_IT" in second.message
    assert "did you mean" not in second.message


def test_parameters_of_an_end_that_is_not_there() -> None:
    (finding,) = found(
        Granted(EXTRACT), capture_name="OGG$CAP_EXT1", parameters={"apply": {"parallelism": 8}}
    )
    assert codes([finding]) == [("error", "UNKNOWN_CAPTURE_PARAMETER")]
    assert "no apply process of this database belongs to OGG$CAP_EXT1" in finding.message


@pytest.mark.parametrize(
    ("section", "lacking"),
    [
        ({"recommended": True}, ["DBMS_APPLY_ADM", "DBMS_CAPTURE_ADM"]),
        ({"parameters": {"capture": {"max_sga_size": 64}}}, ["DBMS_CAPTURE_ADM"]),
        ({"parameters": {"apply": {"parallelism": 8}}}, ["DBMS_APPLY_ADM"]),
        ({}, []),
    ],
)
def test_privileges_are_asked_for_as_far_as_anything_is_set(
    section: dict[str, Any], lacking: list[str]
) -> None:
    findings = found(Granted(STREAMS, held=()), apply_name="APPLY_SALES", **section)
    assert codes(findings) == [("error", "MISSING_GRANT")] * len(lacking)
    assert [each.sql for each in findings] == [
        (f"GRANT EXECUTE ON SYS.{package} TO REFRESHER",) for package in lacking
    ]


def test_a_process_that_does_not_run_is_doubtful() -> None:
    stopped = {**STREAMS, statements.APPLY: {"APPLY_SALES": [apply_row("Streams", "DISABLED")]}}
    (finding,) = found(Granted(stopped), apply_name="APPLY_SALES", recommended=True)
    assert codes([finding]) == [("warning", "CAPTURE_STOPPED")]
    assert "APPLY_SALES is DISABLED" in finding.message


def test_clients_are_told_of_before_they_are_detached() -> None:
    (finding,) = found(Granted(XOUT), apply_name="XOUT", recommended=True)
    assert codes([finding]) == [("warning", "CLIENT_DETACHED")]
    assert found(Granted(XOUT), apply_name="XOUT") == [], "nothing is set"
