"""Direct-path inserts: an exclusive lock, and no second look at the table before the transaction ends.

PostgreSQL inserts as ever; what is kept are the rules that clients have to live with. Source: SQL Language
Reference 19c, INSERT, "Conventional and Direct-Path INSERT"; ORA-12838.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.sql.dml.direct_path import wanted
from localoracle.sql.parsing.lexer import literal

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement


async def refuse_access(session: Session, statement: Statement) -> None:
    """ORA-12838 for a statement about a table that the transaction has loaded directly, through views too."""
    if not session.direct_loads or not statement.tables:
        return
    names = ", ".join(literal(name) for name in statement.tables)
    loaded = ", ".join(str(relation) for relation in sorted(session.direct_loads))
    async with session.statement(writes=False):
        found = await session.backend.script(f"SELECT ora.any_loaded(ARRAY[{names}], ARRAY[{loaded}]::oid[])")
    if found[0].get_value(0, 0) == b"t":
        raise OracleError(12838, "cannot read/modify an object after modifying it in parallel")


async def begin(session: Session, statement: Statement) -> frozenset[int]:
    """Lock the table of an INSERT that loads directly; the relations it loads, none where it is conventional.

    Runs inside the statement's frame: what fails gives the lock back.
    """
    if statement.insert_hints is None:
        return frozenset()
    want = wanted(
        statement.insert_hints,
        from_query=statement.insert_from_query,
        parallel_dml=session.configuration.get("localoracle.parallel_dml", "DISABLED"),
    )
    if want == "no":
        return frozenset()
    only_parallel = str(want == "if parallel").lower()
    found = await session.backend.script(
        f"SELECT ora.begin_direct_load({literal(statement.tables[0])}, current_user, {only_parallel})::text"
    )
    relations = (found[0].get_value(0, 0) or b"").decode().strip("{}")
    return frozenset(int(relation) for relation in relations.split(",") if relation)
