"""Kinds of LOB storage."""

from __future__ import annotations

import pytest
from pydantic import ValidationError as Invalid

from oracle_refresh.catalog.model import Column, Lob, Table
from oracle_refresh.definition.model import LobStorage
from oracle_refresh.target.objects.storage import Places
from support.transfer import demo


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(Invalid):
        demo(storage={"lob_storage": "floppy"})


TABLE = Table(
    "A",
    "T",
    1,
    8192,
    1,
    (Column("C", "CLOB", 4000, 0, None, None, None, True),),
    lobs=(Lob("C", "SYS_LOB1", "CLOB", True, True, 8192, 0),),
)
COLUMNS = 'CREATE TABLE "A"."T" ("K" NUMBER PRIMARY KEY, "C" CLOB)'
LOB = ' LOB ("C") STORE AS BASICFILE (TABLESPACE "L")'


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", ' TABLESPACE "X"{lob}'),
        (
            ' ORGANIZATION INDEX PCTTHRESHOLD 20 INCLUDING "K" OVERFLOW',
            ' ORGANIZATION INDEX TABLESPACE "X" PCTTHRESHOLD 20 INCLUDING "K" OVERFLOW{lob}',
        ),
        (
            ' DEFAULT COLLATION "BINARY_CI" PARTITION BY HASH ("K") PARTITIONS 2 ENABLE ROW MOVEMENT',
            ' DEFAULT COLLATION "BINARY_CI" TABLESPACE "X"{lob} PARTITION BY HASH ("K") PARTITIONS 2'
            " ENABLE ROW MOVEMENT",
        ),
        (" CACHE PARALLEL 2", ' TABLESPACE "X"{lob} CACHE PARALLEL 2'),
        (
            ' NESTED TABLE "N" STORE AS "N_TAB" ((PRIMARY KEY ("X"))) ENABLE ROW MOVEMENT',
            ' TABLESPACE "X" NESTED TABLE "N" STORE AS "N_TAB" ((PRIMARY KEY ("X"))){lob}'
            " ENABLE ROW MOVEMENT",
        ),
    ],
)
def test_storage_and_lobs_stand_where_the_grammar_wants_them(written: str, expected: str) -> None:
    places = Places({("A", "T"): "X"}, {("A", "T", "C"): "L"}, LobStorage.BASICFILE)
    assert places.apply(COLUMNS + written, TABLE) == COLUMNS + expected.format(lob=LOB)
