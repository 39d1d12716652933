"""Tables that a refresh refuses or changes, made in the throwaway schema: the preflight has to name each.

Whether the dictionary tells of them as documented, no other step shows: most schemas have none.

Those only that the target's user can make and that can be dropped at once: immutable tables cannot, a cluster
takes a privilege of its own. Source: SQL Language Reference 19c, CREATE TABLE and CREATE TYPE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.catalog.exotics import Exotic, Treatment, exotics
from oracle_refresh.first_contact.judging import first_line
from oracle_refresh.first_contact.model import REPORT, Check, failed, passed, skipped
from oracle_refresh.oracle.errors import oracle_codes
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import execute

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class ExoticTable:
    """:ivar name: of the table.
    :ivar what: in words.
    :ivar treatment: what the preflight has to say of it.
    :ivar creates: with `{schema}` for the owner."""

    name: str
    what: str
    treatment: Treatment
    creates: tuple[str, ...]

    @property
    def check(self) -> str:
        return f"exotics: {self.what}"


EXOTIC_TABLES = (
    ExoticTable(
        "OBJECTS",
        "a table of objects",
        "refused",
        (
            "CREATE TYPE {schema}.POINT AS OBJECT (X NUMBER, Y NUMBER)",
            "CREATE TABLE {schema}.OBJECTS OF {schema}.POINT",
        ),
    ),
    ExoticTable(
        "DOCUMENTS", "a table of XMLTYPE", "refused", ("CREATE TABLE {schema}.DOCUMENTS OF XMLTYPE",)
    ),
    ExoticTable(
        "CHILDREN",
        "a table partitioned by reference",
        "refused",
        (
            "CREATE TABLE {schema}.FATHERS (ID NUMBER CONSTRAINT FATHERS_PK PRIMARY KEY)"
            " PARTITION BY RANGE (ID) (PARTITION P1 VALUES LESS THAN (MAXVALUE))",
            "CREATE TABLE {schema}.CHILDREN (FATHER NUMBER NOT NULL, CONSTRAINT CHILDREN_FK"
            " FOREIGN KEY (FATHER) REFERENCES {schema}.FATHERS (ID)) PARTITION BY REFERENCE (CHILDREN_FK)",
        ),
    ),
    ExoticTable(
        "DENSE",
        "a table with PCTFREE",
        "changed",
        ("CREATE TABLE {schema}.DENSE (ID NUMBER) PCTFREE 1",),
    ),
)


def name_exotics(target: oracledb.Connection, schema: str) -> Iterator[Check]:
    """Make each, and let the preflight name them. What the database does not make is skipped by name."""
    import oracledb

    started, made = monotonic(), []
    for table in EXOTIC_TABLES:
        try:
            for create in table.creates:
                execute(target, create.format(schema=Identifier(schema).sql))
            made.append(table)
        except oracledb.Error as error:
            problem = f"it cannot be made: {first_line(str(error))}"
            remedy = "none is needed where the source has no such tables"
            yield replace(skipped(table.check, "target", problem, remedy), codes=oracle_codes(error))
    named = exotics(read_catalogue(target, (schema,)))
    seconds = (monotonic() - started) / len(EXOTIC_TABLES)
    yield from (judged(table, schema, named, seconds) for table in made)


def judged(table: ExoticTable, schema: str, named: Iterable[Exotic], seconds: float = 0.0) -> Check:
    """Whether the preflight has named the table and says what becomes of it. Pure."""
    key = TableName(schema, table.name).key
    treatments = [
        each.treatment
        for each in named
        if any(name == key or name.startswith(f"{key} (") for name in each.names)
    ]
    if table.treatment in treatments:
        return passed(table.check, "target", seconds)
    problem = f"the preflight does not say that it is {table.treatment}"
    remedy = f"name such tables of the source in `exclude_tables`; {REPORT}"
    return failed(table.check, "target", problem, remedy, seconds)
