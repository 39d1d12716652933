"""Work units whose tables fail, or are masked while they are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from oracle_refresh.masking.run import begun
from oracle_refresh.operators import validation
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ListUnits
from oracle_refresh.operators.tables import AwaitTable
from oracle_refresh.operators.units import FINISHED
from oracle_refresh.operators.validation import VerifyCopy
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.validation.model import COPY_CHECK
from support.between import meanwhile
from support.demo import DemoDatabase
from support.small_run import TABLES, SmallRun

COUNTRIES, EMPLOYEES = TABLES


def change(database: DemoDatabase, statement: str) -> None:
    with database.connect() as connection:
        connection.cursor().execute(statement)
        connection.commit()


@pytest.fixture(scope="module")
def loaded(new_shared_run: Callable[..., SmallRun]) -> SmallRun:
    return new_shared_run().until_loaded()


def test_a_unit_goes_on_with_its_other_tables_and_repeats_what_is_open(
    loaded: SmallRun, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = loaded
    (unit,) = run.execute(ListUnits)
    assert run.execute(AwaitTable, unit=unit) == run.jobs
    compared: list[str] = []
    inner = validation.verify_copy

    def verify(source: Any, target: Any, scn: int, table: Any, *rest: Any, **further: Any) -> Any:
        compared.append(table.key)
        return inner(source, target, scn, table, *rest, **further)

    monkeypatch.setattr(validation, "verify_copy", verify)
    change(demo_target, "UPDATE APP.COUNTRIES SET NAME = NAME || '.' WHERE ROWNUM = 1")
    with pytest.raises(ValidationError, match=r"APP\.COUNTRIES"):
        run.execute(VerifyCopy, unit=unit)
    assert sorted(compared) == sorted(TABLES)

    def verdicts() -> dict[str, str]:
        checks = run.documents(lambda documents: documents.all(COPY_CHECK))
        return {f"{check.owner}.{check.name}": check.verdict for check in checks}

    assert verdicts() == {COUNTRIES: "different", EMPLOYEES: "equal"}
    compared.clear()
    with pytest.raises(ValidationError, match=r"APP\.COUNTRIES"):
        run.execute(VerifyCopy, unit=unit)
    assert compared == [COUNTRIES]

    change(demo_target, "UPDATE APP.COUNTRIES SET NAME = RTRIM(NAME, '.') WHERE NAME LIKE '%.'")
    compared.clear()
    found = run.execute(VerifyCopy, unit=unit)
    assert (compared, found.keys()) == ([COUNTRIES], set(TABLES))
    assert {check["verdict"] for check in found.values()} == {"equal"} == set(verdicts().values())
    assert run.documents(lambda documents: documents.all(FINISHED)) == []
    compared.clear()
    run.execute(VerifyCopy, unit=unit)
    assert sorted(compared) == sorted(TABLES), "a task that went through and is cleared compares anew"


def test_a_comparison_with_what_is_masked_meanwhile_is_no_verdict(
    loaded: SmallRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The try stood still; its successor's verdict stood, and the run went on."""
    run, unit = loaded, EMPLOYEES
    found: list[Any] = []

    def successor() -> None:
        found.append(run.execute(VerifyCopy, unit=unit))
        run.execute(MaskTable, unit=unit)

    meanwhile(monkeypatch, validation, "verify_copy", successor)
    assert run.execute(VerifyCopy, unit=unit) == found[0]
    with run.refresh_run() as opened:
        assert begun(opened.ledger, unit)
        kept = opened.documents.get(COPY_CHECK, unit)
    assert kept.to_json() == found[0][unit]
    assert run.execute(VerifyCopy, unit=unit) == found[0], "nor does a clear find another one"
