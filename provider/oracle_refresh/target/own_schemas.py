"""Schemas that belong to a benchmark: created, recognised, dropped. No other schema is ever touched.

CREATE USER commits, so it cannot be recorded in the transaction that creates the schema. The intent is
recorded first; a schema belongs to the benchmark if such an intent exists and has not been withdrawn, the
schema is no older than it, and it holds only what the benchmark creates. Once the schema exists, its
USER_ID is recorded as well: from then on only that very schema qualifies, not one recreated under its name.
A task killed at any point finds its schema again, and a schema of the same name that someone else created
stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from oracle_refresh.definition.model import ORACLE_SCHEMAS
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PreflightError, from_oracle, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute, row, rows, scalar
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.documents import AllRuns, Documents

#: The account is locked and has no way to log in; NO AUTHENTICATION: SQL Language Reference 19c, CREATE USER.
CREATE = (
    "CREATE USER {schema} NO AUTHENTICATION DEFAULT TABLESPACE {tablespace}"
    " QUOTA UNLIMITED ON {tablespace} ACCOUNT LOCK"
)
DROP = "DROP USER {schema} CASCADE"
NOW = "SELECT SYSDATE FROM DUAL"
IDENTITY = "SELECT U.CREATED, U.USER_ID FROM DBA_USERS U WHERE U.USERNAME = :schema"
OBJECTS = "SELECT OBJECT_TYPE, OBJECT_NAME FROM DBA_OBJECTS WHERE OWNER = :schema ORDER BY OBJECT_NAME"
#: DBA_USERS.CREATED has whole seconds.
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class SchemaIntent(Jsonable):
    """That a schema is meant to be made, or is not any more.

    :ivar since: the database's time before it is made (ISO 8601).
    :ivar user_id: of the schema; None until it is there.
    """

    wanted: bool
    since: str = ""
    user_id: int | None = None


@dataclass(frozen=True)
class OwnSchemas:
    """The schemas that one benchmark makes.

    :ivar whose: what makes them, in words, such as `benchmark`.
    :ivar step: named in errors.
    :ivar kind: of the intents in the run store.
    :ivar made: matches `TYPE NAME` of every object that the benchmark makes in such a schema.
    """

    whose: str
    step: str
    kind: Kind[SchemaIntent]
    made: re.Pattern[str]

    def require_own(self, documents: AllRuns, schema: str) -> bool:
        """Whether the schema is there; then it is the benchmark's own.

        :raises PreflightError: if it is somebody else's.
        """
        if schema in ORACLE_SCHEMAS:
            raise self._foreign(schema, "it is maintained by Oracle")
        identity = row(documents.connection, IDENTITY, schema=schema)
        if identity is None:
            return False
        objects = [f"{kind} {name}" for kind, name in rows(documents.connection, OBJECTS, schema=schema)]
        intents = documents.latest(self.kind, schema)
        if not intents or not intents[0].wanted:
            raise self._foreign(schema, f"no run of this {self.whose} has made it")
        created, user_id = identity
        if created < datetime.fromisoformat(intents[0].since) - _SECOND:
            raise self._foreign(schema, "it is older than the run that meant to make it")
        if intents[0].user_id not in (None, int(user_id)):
            raise self._foreign(schema, f"it is not the one that the {self.whose} has made, but a later one")
        others = [name for name in objects if not self.made.fullmatch(name)]
        if others:
            raise self._foreign(
                schema, f"it holds what the {self.whose} does not make: {', '.join(others[:5])}"
            )
        return True

    def make(self, documents: Documents, schema: str, tablespace: str) -> None:
        """A new, empty schema; what a former try or run has left of it is dropped. DDL commits.

        :raises PreflightError: if a schema of that name is somebody else's, or a privilege is missing.
        """
        connection = documents.connection
        self.drop(documents, schema)
        intent = SchemaIntent(wanted=True, since=scalar(connection, NOW).isoformat())
        documents.put(self.kind, schema, intent)
        names = {"schema": Identifier(schema).sql, "tablespace": Identifier(tablespace).sql}
        self._execute(connection, CREATE.format(**names), schema)
        ((_, user_id),) = rows(connection, IDENTITY, schema=schema)
        documents.put(self.kind, schema, replace(intent, user_id=int(user_id)))

    def drop(self, documents: Documents, schema: str) -> bool:
        """Drop the schema if it is there and the benchmark's own; whether it was there.

        :raises PreflightError: if it is somebody else's.
        """
        there = self.require_own(documents, schema)
        if there:
            self._execute(documents.connection, DROP.format(schema=Identifier(schema).sql), schema)
        # From here on a schema of this name is not the benchmark's any more, whoever makes it.
        documents.put(self.kind, schema, SchemaIntent(wanted=False))
        return there

    def _execute(self, connection: oracledb.Connection, statement: str, schema: str) -> None:
        try:
            execute(connection, statement)
        except Exception as error:
            codes = oracle_codes(error)
            if "ORA-01031" in codes:
                raise PreflightError(
                    f"the user has not the privilege for {' '.join(statement.split()[:2])}",
                    codes=codes,
                    object_name=schema,
                    step=self.step,
                    remedy="grant CREATE USER and DROP USER; the role DATAPUMP_IMP_FULL_DATABASE has both",
                ) from error
            if codes:
                raise from_oracle(error, self.step, schema, PreflightError) from error
            raise

    def _foreign(self, schema: str, why: str) -> PreflightError:
        return PreflightError(
            f"the schema exists and is not the {self.whose}'s own: {why}",
            object_name=schema,
            step=self.step,
            remedy=f"name a schema that does not exist; the {self.whose} makes and drops it",
        )
