"""One WITH clause per statement, whatever an algorithm is made of (ORA-32034)."""

from __future__ import annotations

import re

import pytest

from oracle_refresh.masking import compile_table
from oracle_refresh.masking.algorithms.common_tables import CommonTables
from oracle_refresh.masking.algorithms.decomposition import Decomposition, Part
from oracle_refresh.masking.algorithms.full_name import FullName
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.protocol import Algorithm
from oracle_refresh.masking.rules import ColumnRule
from support.samples import people

NAMES = ("Anna", "Bert", "Cleo")
#: The same algorithm twice, and one made of parts inside another: the names of the tables would meet.
TWICE = Decomposition(
    (
        Part("[A-Z]{2}[0-9]{4,20}", Iban(), domain="iban"),
        Part("/"),
        Part("[A-Z]{2}[0-9]{4,20}", Iban(), domain="iban"),
        Part("/"),
        Part("[0-9]{9}", NationalId("nl"), domain="id"),
    )
)


def test_names_are_unique_and_tables_stand_behind_what_they_read() -> None:
    tables = CommonTables()
    assert tables.add("N", "SELECT 1 X FROM DUAL") == "N"
    assert tables.add("N", "SELECT X FROM N") == "N_2"
    assert tables.over("SELECT X FROM N_2") == (
        "WITH N AS (SELECT 1 X FROM DUAL),\nN_2 AS (SELECT X FROM N)\nSELECT X FROM N_2"
    )


def test_without_tables_there_is_no_clause() -> None:
    assert CommonTables().over("SELECT 1 FROM DUAL") == "SELECT 1 FROM DUAL"


@pytest.mark.parametrize(
    "algorithm",
    [TWICE, Iban(), NationalId("any"), NationalId("nl"), NationalId("it"), FullName(first=NAMES, last=NAMES)],
    ids=lambda algorithm: algorithm.kind,
)
def test_a_map_is_filled_by_one_clause_at_its_beginning(algorithm: Algorithm) -> None:
    plan = compile_table(people(), (ColumnRule("FIRST_NAME", algorithm.kind, "domain", algorithm),), "run")
    (filled,) = plan.maps
    lines = filled.fill().splitlines()
    assert lines[1].startswith("WITH ")
    assert len(re.findall(r"\bWITH\b", filled.fill())) == 1
    names = re.findall(r"^(?:WITH )?(\w+) AS \(", filled.fill(), re.MULTILINE)
    assert len(names) == len(set(names)) > 1
