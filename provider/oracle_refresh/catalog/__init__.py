"""What the databases hold: tables, columns, LOBs, indexes, constraints, as frozen dataclasses."""

from oracle_refresh.catalog.identity import DatabaseIdentity, identify
from oracle_refresh.catalog.model import (
    Catalogue,
    Column,
    Constraint,
    Index,
    IndexColumn,
    Lob,
    Partition,
    ReferencedKey,
    Sequence,
    Skipped,
    Table,
    Trigger,
    View,
)
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.catalog.survey import Extent, Sample, Survey, TableSurvey, read_survey

__all__ = [
    "Catalogue",
    "Column",
    "Constraint",
    "DatabaseIdentity",
    "Extent",
    "Index",
    "IndexColumn",
    "Lob",
    "Partition",
    "ReferencedKey",
    "Sample",
    "Sequence",
    "Skipped",
    "Survey",
    "Table",
    "TableSurvey",
    "Trigger",
    "View",
    "identify",
    "read_catalogue",
    "read_survey",
]
