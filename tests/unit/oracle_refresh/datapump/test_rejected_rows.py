"""A load whose log shows rejected rows has failed, and what is said of it quotes none of them."""

from __future__ import annotations

import pytest

from oracle_refresh.datapump import settle
from oracle_refresh.datapump.logfile import parse_log
from oracle_refresh.datapump.verdict import verdict_of
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.row_values import without_rows

HEAD = 'Master table "R"."J" successfully loaded/unloaded\nStarting "R"."J":  \n'
END = 'Job "R"."J" successfully completed at Wed Nov 25 22:00:00 2026 elapsed 0 00:00:01\n'
TABLES = (TableName("APP", "A"),)


@pytest.mark.parametrize(("error", "shown"), [("ORA-02374", "ORA-02372"), ("KUP-11007", "KUP-11009")])
def test_a_row_that_does_not_fit(error: str, shown: str) -> None:
    rejected = (
        f'{error}: conversion error loading table "APP"."A"\n'
        "ORA-12899: value too large for column NAME (actual: 12, maximum: 8)\n"
        f"{shown}: data for row: NAME : 0X'4F62657268756265'\n"
    )
    text = f'{HEAD}{rejected}{rejected}. . imported "APP"."A"      6.5 KB      3 out of 5 rows\n{END}'
    log = parse_log(without_rows(text))
    assert [one.code for one in log.errors] == [error, error]
    verdict = verdict_of(log, TABLES)
    assert verdict.outcome == "failed"
    assert verdict.lost == ("APP.A",)
    failure = settle.failure("J", "import", verdict, "j.log")
    assert {error, "ORA-12899"} <= set(failure.codes)
    for part in (str(failure), repr(verdict), repr(log)):
        assert "4F62" not in part
    assert "3 of 5 rows of APP.A were moved" in str(failure)


def test_what_reached_an_error_is_left_out_there_too() -> None:
    """Whoever parses a log of his own: the error that is made of it says nothing."""
    text = (
        f'{HEAD}ORA-31693: Table data object "APP"."A" failed to load/unload\n'
        "ORA-02354: error in exporting/importing data\nORA-20001: Oberhuber is no customer\n"
        'Job "R"."J" completed with 1 error(s) at Wed Nov 25 22:00:00 2026 elapsed 0 00:00:01\n'
    )
    verdict = verdict_of(parse_log(text), TABLES)
    assert "Oberhuber" not in str(settle.failure("J", "import", verdict, "j.log"))
