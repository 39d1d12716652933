"""The masked copy of a table that takes the table's name, in steps that the dictionary tells apart.

    T (old), W (copy)   the copy is filled; the table is renamed to O
    O (old), W (copy)   the copy is renamed to T
    O (old), T (copy)   the old table, which holds the originals, is dropped
    T (copy)            done

Which is which is decided by OBJECT_ID, recorded when the copy was made: RENAME keeps it. So a table that is
the copy already is never masked again, and the old one never taken for the copy. The copy is made by the
table's own DDL (DBMS_METADATA, with segment attributes), so that defaults, LOB and storage clauses stay;
comments and grants are copied. Its shape is compared with the table's before anything is renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.masking import control, statements
from oracle_refresh.masking.plan import MaskPlan, Proof
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.remedies import LOAD_AGAIN
from oracle_refresh.oracle.session import execute, rows, scalar
from oracle_refresh.target.objects import ddl
from oracle_refresh.target.objects.metadata import SourceDdl
from oracle_refresh.target.objects.statements import COMMENT_ON_COLUMN, COMMENT_ON_TABLE, GRANT
from oracle_refresh.target.objects.statistics import lock_statistics, statistics_locked

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table


@dataclass(frozen=True)
class Copy:
    """The copy of a table (REFRESH$W_...) and what the table is called when it has lost its name
    (REFRESH$O_...)."""

    connection: oracledb.Connection
    table: Table
    plan: MaskPlan

    @property
    def name(self) -> str:
        return self.plan.copy.name

    @property
    def former(self) -> str:
        return self.plan.former.name

    @property
    def sql(self) -> str:
        return self.plan.copy.sql

    def create(self) -> None:
        """Make the empty copy. DDL commits."""
        statement = SourceDdl(self.connection, in_place=True).table(self.table.full_name)[0]
        ddl.guard(statement, {"CREATE TABLE"}, {self.table.owner}, self.table.name)
        execute(self.connection, _renamed(statement, self.table.name, self.name))
        # The table's lock goes with the table; direct-path inserts would gather statistics of the copy. One
        # that was released and is masked again by hand has no lock: nobody would unlock its copy.
        if statistics_locked(self.connection, self.table.full_name):
            lock_statistics(self.connection, [TableName(self.table.owner, self.name)])
        self._require_shape()

    def ids(self) -> dict[str, int]:
        """The OBJECT_IDs of the table and its copy, before any is renamed."""
        objects = self._objects()
        return {"table": objects[self.table.name], "copy": objects[self.name]}

    def take_name(self, ids: Mapping[str, int], copied: int, proofs: tuple[Proof, ...]) -> None:
        """Go on from whatever step was the last. DDL commits.

        :raises MaskingError: when the copy is not what it should be; the table still has its name then.
        """
        objects = self._objects()
        if objects.get(self.table.name) == ids["table"] and objects.get(self.name) == ids["copy"]:
            self._require_complete(copied, proofs)
            self._dress()
            execute(self.connection, statements.rename(self.table.sql, self.former))
            objects = self._objects()
        if objects.get(self.former) == ids["table"] and objects.get(self.name) == ids["copy"]:
            execute(self.connection, statements.rename(self.sql, self.table.name))
            objects = self._objects()
        if objects.get(self.table.name) != ids["copy"]:
            raise MaskingError(
                f"the table, {self.name} and {self.former} are not those of the recorded masking",
                object_name=self.table.key,
                step=control.STEP,
                remedy=LOAD_AGAIN,
            )
        if objects.get(self.former) == ids["table"]:
            control.drop_tables(self.connection, (self.plan.former.sql,))

    def drop_beside(self) -> None:
        """Drop copy and former table, provided that the table itself is there."""
        objects = self._objects()
        if self.table.name in objects:
            beside = (name for name in (self.former, self.name) if name in objects)
            control.drop_tables(
                self.connection, tuple(TableName(self.table.owner, name).sql for name in beside)
            )

    def _objects(self) -> dict[str, int]:
        names = {"name": self.table.name, "copy": self.name, "former": self.former}
        objects = rows(self.connection, statements.OBJECT_IDS, owner=self.table.owner, **names)
        return {str(name): int(number) for name, number in objects}

    def _require_shape(self) -> None:
        shapes = [
            rows(self.connection, statements.SHAPE, owner=self.table.owner, name=name)
            for name in (self.table.name, self.name)
        ]
        if shapes[0] != shapes[1]:
            raise MaskingError(
                "the copy has not the columns of the table",
                object_name=self.table.key,
                step=control.STEP,
                remedy="report this with the table's DDL; the definition can say another way to mask it",
            )

    def _require_complete(self, copied: int, proofs: tuple[Proof, ...]) -> None:
        counts = [
            int(scalar(self.connection, statements.count(table)) or 0) for table in (self.table.sql, self.sql)
        ]
        if counts != [copied, copied]:
            raise MaskingError(
                f"{copied} rows were copied, the table has {counts[0]} and its copy {counts[1]}",
                object_name=self.table.key,
                step=control.STEP,
                remedy=LOAD_AGAIN,
            )
        beside = tuple(
            Proof(proof.constraint, proof.statement.replace(self.table.sql, self.sql)) for proof in proofs
        )
        control.require_unique(self.connection, self.table, beside)

    def _dress(self) -> None:
        """Give the copy the comments and grants of the table; may be repeated."""
        names = {"owner": self.table.owner, "name": self.table.name}
        for column, text in rows(self.connection, statements.COMMENTS, **names):
            quoted = "'" + str(text).replace("'", "''") + "'"
            form = COMMENT_ON_TABLE if column is None else COMMENT_ON_COLUMN
            written = "" if column is None else Identifier(column).sql
            execute(self.connection, form.format(table=self.sql, column=written, text=quoted))
        for privilege, grantee, grantable, column in rows(self.connection, statements.GRANTS, **names):
            on = f" ({Identifier(column).sql})" if column else ""
            option = " WITH GRANT OPTION" if grantable == "YES" else ""
            to = "PUBLIC" if grantee == "PUBLIC" else Identifier(grantee).sql
            grant = GRANT.format(privileges=f"{privilege}{on}", object=self.sql, grantee=to, option=option)
            execute(self.connection, grant)


def _renamed(statement: str, name: str, new: str) -> str:
    """CREATE TABLE with another name: the first quoted occurrence is the table's."""
    written = Identifier(name).sql
    before, separator, after = statement.partition(f".{written}")
    if not separator:
        raise MaskingError(f"the table's DDL does not name it as {written}", step=control.STEP)
    return f'{before}."{new}"{after}'
