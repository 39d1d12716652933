"""Lineage of a refresh: which column comes from where, and that it is masked, as OpenLineage has it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from oracle_refresh.catalog.model import Column, Table
from oracle_refresh.integration.lineage import operator_lineage
from oracle_refresh.masking import load_ruleset
from oracle_refresh.report.lineage import RefreshLineage, lineage_of

SOURCE, TARGET = "oracle://prod:1521/PROD", "oracle://test:1522/TEST"
RULES = {
    "name": "small",
    "tables": {"APP.PEOPLE": {"EMAIL": {"algorithm": "email", "domain": "email"}}},
}


def column(name: str, data_type: str = "VARCHAR2") -> Column:
    return Column(name, data_type, 30, 30, "C", None, None, True)


@pytest.fixture
def lineage(tmp_path: Path) -> RefreshLineage:
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump(RULES))
    tables = (
        Table("APP", "PEOPLE", 5, 100, 1, (column("ID", "NUMBER"), column("EMAIL"))),
        Table("APP", "EMPTY", 0, 0, 0, (column("ID", "NUMBER"),)),
    )
    return lineage_of(SOURCE, TARGET, tables, load_ruleset(path), {("APP", "PEOPLE"): 5})


def test_columns_know_what_masks_them(lineage: RefreshLineage) -> None:
    people, empty = lineage.tables
    assert [(found.name, found.masked_by) for found in people.columns] == [("ID", ()), ("EMAIL", ("email",))]
    assert (people.rows, empty.rows) == (5, None)


def test_it_is_told_as_open_lineage_has_it(lineage: RefreshLineage) -> None:
    told = operator_lineage(lineage)
    names = ["PROD.APP.PEOPLE", "PROD.APP.EMPTY"]
    assert [(one.namespace, one.name) for one in told.inputs] == [
        ("oracle://prod:1521", name) for name in names
    ]
    assert [one.name for one in told.outputs] == ["TEST.APP.PEOPLE", "TEST.APP.EMPTY"]
    people, empty = told.outputs
    assert people.outputFacets["outputStatistics"].rowCount == 5
    assert empty.outputFacets == {}
    assert [(field.name, field.type) for field in people.facets["schema"].fields] == [
        ("ID", "NUMBER"),
        ("EMAIL", "VARCHAR2"),
    ]
    fields = people.facets["columnLineage"].fields
    for name, subtype, masking in (("ID", "IDENTITY", False), ("EMAIL", "TRANSFORMATION", True)):
        (origin,) = fields[name].inputFields
        assert (origin.namespace, origin.name, origin.field) == ("oracle://prod:1521", names[0], name)
        (how,) = origin.transformations
        assert (how.type, how.subtype, how.masking) == ("DIRECT", subtype, masking)
    assert fields["EMAIL"].inputFields[0].transformations[0].description == "masked by email"
