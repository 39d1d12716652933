"""The source's DDL, as DBMS_METADATA writes it, and its guarded execution on the target."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import PlanError, RefreshError, from_oracle, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier, table_key
from oracle_refresh.target.objects import ddl, statements

if TYPE_CHECKING:
    import oracledb

STEP = "objects"


class SourceDdl:
    """Reads DDL through one session of the source, without physical attributes, constraints apart."""

    def __init__(self, connection: oracledb.Connection) -> None:
        self.connection = connection
        self._constraints = False
        for name, value in statements.TRANSFORMS:
            self._set(name, value)

    def table(self, owner: str, name: str, constraints: bool = False) -> list[str]:
        """CREATE TABLE; with `constraints` for an index-organised table, which cannot be without its key."""
        self._want_constraints(constraints)
        return self._get("TABLE", owner, name)

    def index(self, owner: str, name: str) -> list[str]:
        return self._get("INDEX", owner, name)

    def sequence(self, owner: str, name: str) -> list[str]:
        """CREATE SEQUENCE that goes on where the source's sequence stands."""
        return self._get("SEQUENCE", owner, name)

    def view(self, owner: str, name: str) -> list[str]:
        return self._get("VIEW", owner, name)

    def synonym(self, owner: str, name: str) -> list[str]:
        return self._get("SYNONYM", owner, name)

    def routine(self, kind: str, owner: str, name: str) -> list[str]:
        """CREATE of a procedure, function, package or type, with its body; `kind` as in DBA_OBJECTS."""
        return self._get(kind, owner, name)

    def trigger(self, owner: str, name: str) -> list[str]:
        """CREATE TRIGGER and, as DBMS_METADATA appends it, ALTER TRIGGER ... ENABLE or DISABLE."""
        return self._get("TRIGGER", owner, name)

    def _get(self, object_type: str, owner: str, name: str) -> list[str]:
        import oracledb

        try:
            with self.connection.cursor() as cursor:
                text: Any = cursor.callfunc(
                    statements.GET_DDL, oracledb.DB_TYPE_CLOB, [object_type, name, owner]
                )
                found = ddl.split(text.read() if hasattr(text, "read") else str(text))
        except RefreshError:
            raise
        except Exception as error:
            raise from_oracle(error, step=STEP, object_name=table_key(owner, name), kind=PlanError) from error
        if not found:
            raise PlanError(
                f"no DDL for the {object_type.lower()}", object_name=table_key(owner, name), step=STEP
            )
        return found

    def _want_constraints(self, wanted: bool) -> None:
        if wanted != self._constraints:
            self._set("CONSTRAINTS", wanted)
            self._constraints = wanted

    def _set(self, name: str, value: bool | str) -> None:
        try:
            with self.connection.cursor() as cursor:
                cursor.callproc(statements.SET_TRANSFORM_PARAM, [statements.SESSION_TRANSFORM, name, value])
        except Exception as error:
            raise from_oracle(error, step=STEP, kind=PlanError) from error


#: What codes mean while objects are built: that the refresh's own grants suffice was checked before.
_REMEDIES = {
    "ORA-00942": "the statement names a table or view that the target lacks, or that the object's owner"
    " was not granted: make or grant it on the target, or exclude the object",
    "ORA-00904": "the statement names a column, function or type that the target lacks, or that the object's"
    " owner may not use: make or grant it on the target, or exclude the object",
}


@contextmanager
def names_of(target: oracledb.Connection, owner: str) -> Iterator[None]:
    """Names without a schema are the owner's: in the dictionary's texts they stand as they were written."""
    ((user,),) = select(target, statements.SESSION_USER, ())
    run(target, statements.CURRENT_SCHEMA.format(schema=Identifier(owner).sql), owner)
    try:
        yield
    finally:
        run(target, statements.CURRENT_SCHEMA.format(schema=Identifier(user).sql), user)


def run(
    target: oracledb.Connection, sql: str, object_name: str, tolerated: Collection[str] = ()
) -> frozenset[str]:
    """Execute one DDL statement on the target; the codes of a tolerated error, or nothing.

    An object that is created with compilation errors is no error; ORA-24344 is then returned.

    :raises PlanError: for every other error.
    """
    try:
        with target.cursor() as cursor:
            cursor.execute(sql)
            if cursor.warning is not None:  # created with compilation errors
                return frozenset({"ORA-24344"})
    except Exception as error:
        codes = frozenset(oracle_codes(error))
        if codes & frozenset(tolerated):
            return codes
        problem = from_oracle(error, step=STEP, object_name=object_name, kind=PlanError)
        problem.remedy = next(
            (_REMEDIES[code] for code in problem.codes if code in _REMEDIES), problem.remedy
        )
        raise problem from error
    return frozenset()


def select(
    connection: oracledb.Connection, statement: str, schemas: Collection[str]
) -> list[tuple[Any, ...]]:
    """All rows of a statement over schemas; `{schemas}` in it becomes a list of binds."""
    binds = {f"s{number}": schema for number, schema in enumerate(schemas)}
    with connection.cursor() as cursor:
        cursor.arraysize = cursor.prefetchrows = 1000
        cursor.execute(statement.replace("{schemas}", ", ".join(f":{name}" for name in binds)), binds)
        return list(cursor)
