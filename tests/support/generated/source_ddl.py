"""DDL of a catalogue's objects as DBMS_METADATA writes it under the transforms that the provider sets.

Everything in one line, with each identifier in quotation marks and a terminator behind; of tables no
constraints besides NOT NULL, no storage. Sources: DBMS_METADATA in PL/SQL Packages and Types Reference 19c;
CREATE TABLE, CREATE INDEX, CREATE SEQUENCE in SQL Language Reference 19c.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, Column, Constraint, Index, Sequence, Table
from oracle_refresh.oracle.identifiers import Identifier, ObjectName

_DATE = "TO_DATE(' 20{0:02}-01-01 00:00:00', 'SYYYY-MM-DD HH24:MI:SS', 'NLS_CALENDAR=GREGORIAN')"
_SIZED = ("VARCHAR2", "CHAR")
#: What stands behind the columns, the physical properties and the partitions of a table.
_BEHIND = (
    " ENABLE ROW MOVEMENT", " CACHE", " RESULT_CACHE (MODE FORCE)", " PARALLEL 4", " READ ONLY",
    " ROW ARCHIVAL", " NOPARALLEL", "",
)  # fmt: skip


@dataclass(frozen=True)
class SourceDdl:
    """GET_DDL of a source: (kind, name, owner) in the order of the package's formals."""

    catalogue: Catalogue
    draw: st.DrawFn

    def __call__(self, kind: str, name: str, owner: str) -> str:
        written: Callable[[str, str], str] = {
            "TABLE": self._table,
            "INDEX": self._index,
            "SEQUENCE": self._sequence,
            "VIEW": self._view,
            "SYNONYM": self._synonym,
            "TRIGGER": self._trigger,
        }.get(kind, lambda of, called: self._unit(kind, of, called))
        return f"\n  {written(owner, name)}"

    # -- tables ------------

    def _table(self, owner: str, name: str) -> str:
        found = self.catalogue.table(owner, name)
        assert found is not None
        columns = [self._column(found, column) for column in found.columns]
        if found.iot and found.primary_key:
            columns.append(f"{_key(found.primary_key)} ENABLE")
        temporary = "GLOBAL TEMPORARY " if found.temporary else ""
        text = f"CREATE {temporary}TABLE {found.sql} (\t{', '.join(columns)})"
        if found.temporary:
            return f"{text} ON COMMIT {self._one(['PRESERVE', 'DELETE'])} ROWS ;"
        text += self._one(["", "", ' DEFAULT COLLATION "BINARY_CI"'])
        if found.iot:
            text += " ORGANIZATION INDEX NOCOMPRESS PCTTHRESHOLD 50"
            text += self._one(["", f" INCLUDING {_name(found.columns[0])} OVERFLOW"])
        text += "".join(
            f" XMLTYPE COLUMN {_name(column)} STORE AS SECUREFILE BINARY XML"
            for column in found.columns
            if column.data_type == "XMLTYPE"
        )
        return f"{text}{self._partitions(found)}{self._one(_BEHIND)} ;"

    def _column(self, table: Table, column: Column) -> str:
        text = f"{_name(column)} {declared(column)}"
        if column.is_character and not column.virtual:
            text += self._one(["", "", ' COLLATE "BINARY_AI"'])
        if column.nullable and not table.temporary and not table.clustered and not column.virtual:
            text += self._one(["", "", "", " INVISIBLE"])
        if column.virtual:
            return f"{text} GENERATED ALWAYS AS ({self._one(['SYSDATE', _DATE.format(1)])}) VIRTUAL "
        if column.identity:
            how = "ALWAYS" if column.always_generated else "BY DEFAULT"
            return (
                f"{text} GENERATED {how} AS IDENTITY MINVALUE 1 MAXVALUE 9999999999999999999999999999"
                " INCREMENT BY 1 START WITH 1 CACHE 20 NOORDER  NOCYCLE  NOKEEP  NOSCALE  NOT NULL ENABLE"
            )
        if column.data_type == "NUMBER" and self.draw(st.booleans()):
            sequence = next(iter(self.catalogue.sequences), None)
            usual = ["0", *([f'{sequence.sql}."NEXTVAL"'] if sequence else [])]
            # Such a column is mandatory.
            text += f" DEFAULT {'' if column.nullable else self._one(['', 'ON NULL '])}{self._one(usual)}"
        elif column.data_type == "VARCHAR2" and self.draw(st.booleans()):
            text += self._one([" DEFAULT 'it''s; -- /*'", " DEFAULT NULL", " DEFAULT USER"])
        return text if column.nullable else f"{text} NOT NULL ENABLE"

    def _partitions(self, table: Table) -> str:
        if not table.partitions:
            return ""
        kind, columns = (
            table.partitioning or "RANGE",
            ", ".join(Identifier(each).sql for each in table.partition_columns),
        )
        parts = "" if not table.partitions[0].composite else f" SUBPARTITION BY HASH ({columns})"
        if kind == "REFERENCE":
            key = next(each for each in table.constraints if each.type == "R")
            return f" PARTITION BY REFERENCE ({Identifier(key.name).sql}) ({self._listed(table)})"
        if kind == "HASH":
            return f" PARTITION BY HASH ({columns}) ({self._listed(table)})"
        if kind == "LIST":
            columns = columns.partition(", ")[0]  # the grammar knows values of one column
            grows = " AUTOMATIC" if table.grows else ""
            return f" PARTITION BY LIST ({columns}){grows}{parts} ({self._listed(table, ' VALUES ({0})')})"
        interval = " INTERVAL (NUMTODSINTERVAL(1, 'DAY'))" if table.grows else ""
        text = f" PARTITION BY RANGE ({columns}){interval}{parts}"
        return f"{text} ({self._listed(table, f' VALUES LESS THAN ({_DATE})')})"

    def _listed(self, table: Table, values: str = "") -> str:
        """:param values: none of HASH and REFERENCE, whose subpartitions the grammar does not know."""
        found = []
        for each in table.partitions:
            text = f"PARTITION {Identifier(each.name).sql}{values.format(each.position)}"
            text += " READ ONLY" if each.read_only else ""
            if each.composite and values:
                text += f" ( SUBPARTITION {Identifier(f'SYS_SUBP{each.position}').sql})"
            found.append(text)
        return ", ".join(found)

    # -- what else there is ------------

    def _index(self, owner: str, name: str) -> str:
        table, index = next(
            (table, index)
            for table in self.catalogue.tables
            for index in table.indexes
            if (index.owner, index.name) == (owner, name)
        )
        return create_index(
            table, index, "" if table.temporary else self._one(["PARALLEL 8 ", "NOPARALLEL ", ""])
        )

    def _sequence(self, owner: str, name: str) -> str:
        found: Sequence = next(
            each for each in self.catalogue.sequences if (each.owner, each.name) == (owner, name)
        )
        return (
            f"CREATE SEQUENCE  {ObjectName(owner, name).sql}  MINVALUE {found.minimum}"
            f" MAXVALUE {found.maximum}"
            f" INCREMENT BY {found.increment_by} START WITH {found.last_number} CACHE 20 NOORDER "
            f" {'CYCLE' if found.cycles else 'NOCYCLE'}  NOKEEP  NOSCALE  GLOBAL ;"
        )

    def _view(self, owner: str, name: str) -> str:
        table = self.draw(st.sampled_from(self.catalogue.tables))
        column = _name(table.columns[0])
        query = f"SELECT T.{column} \"A\", 'it''s; x' \"B\" FROM {table.sql} T -- the end\nWHERE 1 = 1"
        return f'CREATE OR REPLACE EDITIONABLE VIEW {ObjectName(owner, name).sql} ("A", "B") AS \n  {query};'

    def _synonym(self, owner: str, name: str) -> str:
        table = self.draw(st.sampled_from(self.catalogue.tables))
        return f"CREATE OR REPLACE EDITIONABLE SYNONYM {ObjectName(owner, name).sql} FOR {table.sql};"

    def _unit(self, kind: str, owner: str, name: str) -> str:
        called = ObjectName(owner, name).sql
        body = {
            "PROCEDURE": " (A IN NUMBER) AS BEGIN NULL; END;",
            "FUNCTION": " RETURN NUMBER DETERMINISTIC AS BEGIN RETURN 1; END;",
            "PACKAGE": " AS C CONSTANT NUMBER := 1; END;",
            "TYPE": " AS OBJECT (A NUMBER)",
        }[kind]
        text = f"CREATE OR REPLACE EDITIONABLE {kind} {called}{body}\n/"
        if kind == "PACKAGE":
            text += f"\n  CREATE OR REPLACE EDITIONABLE PACKAGE BODY {called} AS END;\n/"
        return text

    def _trigger(self, owner: str, name: str) -> str:
        trigger = next(each for each in self.catalogue.triggers if (each.owner, each.name) == (owner, name))
        called, table = ObjectName(owner, name).sql, trigger.on.sql
        state = "ENABLE" if trigger.enabled else "DISABLE"
        return (
            f"CREATE OR REPLACE EDITIONABLE TRIGGER {called} \nBEFORE INSERT ON {table} FOR EACH ROW\n"
            f"BEGIN\n  NULL; -- it's\nEND;\n/\nALTER TRIGGER {called} {state};"
        )

    def _one(self, of: list[str] | tuple[str, ...]) -> str:
        return self.draw(st.sampled_from(of))


def create_index(table: Table, index: Index, parallel: str = "") -> str:
    """CREATE INDEX as the dictionary has it."""
    listed = ", ".join(
        (each.expression or Identifier(each.name).sql) + (" DESC" if each.descending else "")
        for each in index.columns
    )
    kind = "UNIQUE " if index.unique else "BITMAP " if index.type == "BITMAP" else ""
    text = f"CREATE {kind}INDEX {index.sql} ON {table.sql} ({listed}) "
    if index.type.endswith("DOMAIN"):
        return f'{text}INDEXTYPE IS "CTXSYS"."CONTEXT"  PARAMETERS (\'SYNC (ON COMMIT)\');'
    if index.partitioned:
        names = ", ".join(f" PARTITION {Identifier(each.name).sql} " for each in table.partitions)
        return f"{text} LOCAL ({names}) {parallel};"
    return f"{text}{parallel};"


def declared(column: Column) -> str:
    """The data type as it is declared."""
    kind = column.data_type
    if column.type_owner:
        return f"{Identifier(column.type_owner).sql}.{Identifier(kind).sql}"
    if kind in _SIZED:
        return f"{kind}({column.char_length} {'CHAR' if column.char_used == 'C' else 'BYTE'})"
    if column.is_national and not column.is_lob:
        return f"{kind}({column.char_length})"
    if kind in ("RAW", "UROWID"):
        return f"{kind}({column.length})"
    if kind == "FLOAT":
        return f"FLOAT({column.precision})"
    if kind == "NUMBER" and column.precision is None:
        return "NUMBER" if column.scale is None else f"NUMBER(*,{column.scale})"
    if kind == "NUMBER":
        return f"NUMBER({column.precision},{column.scale or 0})"
    return kind


def _key(constraint: Constraint) -> str:
    listed = ", ".join(Identifier(each).sql for each in constraint.columns)
    named = "" if constraint.generated else f"CONSTRAINT {Identifier(constraint.name).sql} "
    return f"{named}PRIMARY KEY ({listed})"


def _name(column: Column) -> str:
    return Identifier(column.name).sql
