from __future__ import annotations

from typing import cast
from unittest.mock import MagicMock

import oracledb
import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.objects.metadata import run


def _refusing(text: str) -> oracledb.Connection:
    connection = MagicMock()
    connection.cursor.return_value.__enter__.return_value.execute.side_effect = oracledb.DatabaseError(text)
    return cast("oracledb.Connection", connection)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ORA-00942: table or view does not exist", "names a table or view that the target lacks"),
        (
            'ORA-00904: "APP"."TAX": invalid identifier',
            "names a column, function or type",
        ),
        ("ORA-00604: error occurred at recursive SQL level 1\nORA-00942: no table", "names a table or view"),
    ],
)
def test_what_a_text_names_and_the_target_lacks_is_no_grant_of_the_refresh(text: str, told: str) -> None:
    with pytest.raises(PlanError) as caught:
        run(_refusing(text), "CREATE VIEW V AS SELECT * FROM GONE", "APP.V")
    assert told in (caught.value.remedy or "")
    assert "preflight" not in (caught.value.remedy or "")
    assert caught.value.object_name == "APP.V"


def test_other_codes_keep_the_remedy_of_the_table_of_codes() -> None:
    with pytest.raises(PlanError) as caught:
        run(_refusing("ORA-01950: no privileges on tablespace"), "CREATE TABLE T (A NUMBER)", "APP.T")
    assert "quota" in (caught.value.remedy or "")


def test_tolerated_codes_are_returned() -> None:
    assert run(_refusing("ORA-00942: no table"), "DROP TABLE T", "APP.T", {"ORA-00942"}) == {"ORA-00942"}
