"""The source's DDL, as DBMS_METADATA writes it, and its guarded execution on the target."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import PlanError, from_oracle, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier, ObjectName
from oracle_refresh.oracle.session import scalar, translated
from oracle_refresh.target.objects import ddl, statements

if TYPE_CHECKING:
    import oracledb

STEP = "objects"


class SourceDdl:
    """Reads DDL through one session of the source, without physical attributes, constraints apart.

    :param in_place: whether it is to be executed where it was read, so that attributes and tablespaces stay.
    """

    def __init__(self, connection: oracledb.Connection, *, in_place: bool = False) -> None:
        self.connection = connection
        self._constraints = False
        for name, value in (*statements.TRANSFORMS, *(statements.IN_PLACE_TRANSFORMS if in_place else ())):
            self._set(name, value)

    def table(self, table: ObjectName, constraints: bool = False) -> list[str]:
        """CREATE TABLE; with `constraints` for an index-organized table, which cannot be without its key."""
        if constraints != self._constraints:
            self._set("CONSTRAINTS", constraints)
            self._constraints = constraints
        return self.read("TABLE", table)

    def read(self, kind: str, name: ObjectName) -> list[str]:
        """The DDL of an object, `kind` being as in DBA_OBJECTS.

        A sequence goes on where the source's stands; units of PL/SQL and types come with their bodies, and
        triggers with ALTER TRIGGER ... ENABLE or DISABLE, which DBMS_METADATA appends.
        """
        import oracledb

        with translated(STEP, name.key, PlanError), self.connection.cursor() as cursor:
            arguments = [kind, name.name, name.owner]
            text: Any = cursor.callfunc(statements.GET_DDL, oracledb.DB_TYPE_CLOB, arguments)
            texts = ddl.split(text.read() if hasattr(text, "read") else str(text))
        if not texts:
            raise PlanError(f"no DDL for the {kind.lower()}", object_name=name.key, step=STEP)
        return texts

    def _set(self, name: str, value: bool | str) -> None:
        with translated(STEP, kind=PlanError), self.connection.cursor() as cursor:
            cursor.callproc(statements.SET_TRANSFORM_PARAM, [statements.SESSION_TRANSFORM, name, value])


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
    user = scalar(target, statements.SESSION_USER)
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
