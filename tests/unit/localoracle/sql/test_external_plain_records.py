"""Which records of an external table are plain enough for PostgreSQL's COPY."""

from __future__ import annotations

import re

import pytest

from localoracle.sql.external_tables.access_parameters import parse
from localoracle.sql.external_tables.plain_records import plain_records
from localoracle.sql.types.data_types import ColumnType
from support.plain_records import ACCESS, OTHERS, PLAIN

COLUMNS = {
    "N": ColumnType("numeric(12,2)", "N"),
    "D": ColumnType("ora.oradate", "D"),
    "T": ColumnType("varchar(6)", "S"),
    "B": ColumnType("varchar(6)", "S", 6),
}


def pattern(rest: str = "") -> re.Pattern[str]:
    parameters = parse(ACCESS.format(files="", rest=rest), "X", list(COLUMNS))
    found = plain_records(parameters, COLUMNS)
    assert found is not None
    return re.compile(found.pattern)


def test_what_is_plain() -> None:
    assert all(pattern().fullmatch(line) for line in PLAIN)
    checked_by_copy = {"9999999", "2024-02-30", "too long", "words  ", "éééé", "xxxx", "yyyy"}
    for line in OTHERS:
        if not any(sign in line for sign in checked_by_copy):
            assert not pattern().fullmatch(line), line
    enclosed = pattern("OPTIONALLY ENCLOSED BY '\"' ")
    assert enclosed.fullmatch("1||word|x|")
    assert not enclosed.fullmatch('1||"word"|x|')
    assert not enclosed.fullmatch("1|| word|x|"), "blanks before an enclosure are cut"


@pytest.mark.parametrize(
    "access",
    [
        ACCESS.format(files="", rest="RTRIM "),
        ACCESS.format(files="", rest="REJECT ROWS WITH ALL NULL FIELDS "),
        ACCESS.format(files="READSIZE 300", rest=""),
        ACCESS.format(files="", rest="ENCLOSED BY '\"' "),
        ACCESS.format(files="", rest="").replace("'|'", "'::'"),
        ACCESS.format(files="", rest="").replace("NEWLINE", "'#'"),
        ACCESS.format(files="", rest="").replace("YYYY-MM-DD", "DD.MM.YYYY"),
        ACCESS.format(files="", rest="").replace("CHAR(60)", "CHAR(20)"),
    ],
)
def test_tables_whose_records_are_never_plain(access: str) -> None:
    assert plain_records(parse(access, "X", list(COLUMNS)), COLUMNS) is None
