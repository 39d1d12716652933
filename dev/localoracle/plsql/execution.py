"""One anonymous block from its text to its effects."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.block_rules import BlockRules
from localoracle.plsql.check import Checker
from localoracle.plsql.checked import IN_OUT, OUT, Checked
from localoracle.plsql.compilation import check_block
from localoracle.plsql.conversion import sql_value
from localoracle.plsql.errors import PlsqlError
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.lexer import bind_names
from localoracle.plsql.parser import parse_block
from localoracle.plsql.scope import Cursor, Scope
from localoracle.plsql.unit_checks import check_units, require_execute
from localoracle.sql.dispatch import first_words
from localoracle.values import OracleType

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.values import Value


_LOCAL = "CAST(:1 AS TIMESTAMP WITH LOCAL TIME ZONE)"
"""What a client gets has the time of its session's zone."""


@lru_cache(maxsize=500)
def compiled(text: str) -> tuple[tree.Block, Checked]:
    """The block's tree and what checking it found. Raises ORA-06550."""
    block = parse_block(text)
    BlockRules(text).block(block)
    checker = Checker(text)
    checker.block(block)
    return block, checker.result


def directions_of(text: str) -> list[int]:
    """The directions of a block's binds without running it (for cursor.parse)."""
    _, checked = compiled(text)
    return [checked.direction(name) for name in bind_names(text)]


async def execute_block(session: Session, text: str, binds: list[Value], names: list[str]) -> list[int]:
    """Compile and run one anonymous block or CALL statement.

    `binds` holds one value for each distinct bind name. Values of OUT and IN OUT binds are replaced in place.
    Returns the direction of each bind (IN, OUT, IN_OUT), which Oracle derives from the text. Raises
    OracleError: 6550 with PLS codes for compilation, else what the block raised, with its ORA-06512 stack. A
    failed block leaves nothing behind (the caller's savepoint).
    """
    block, checked = compiled(text)
    interpreter = Interpreter(session, text, dict(zip(names, binds, strict=True)))
    await require_execute(session, checked.packages, text)
    try:
        written = await check_units(interpreter, checked)
    except OracleError as error:
        # What CALL names is looked up by SQL (Error Messages, ORA-06576).
        if first_words(text, 1) == ["CALL"] and "PLS-00201" in error.text:
            raise OracleError(6576, "not a valid function or procedure name") from error
        raise
    await _compile(session, text, block, names, binds)
    directions = [IN_OUT if name in written else checked.direction(name) for name in names]
    for held, direction in zip(binds, directions, strict=True):
        if direction == OUT:
            held.value = None
        elif held.datatype.type is OracleType.TIMESTAMP_LTZ and held.value is not None:
            held.value = await sql_value(session, "CAST(:1 AS TIMESTAMP WITH TIME ZONE)", [held.value])
    try:
        await interpreter.statements.run_block(block, None, Scope(label=block.label))
    except PlsqlError as raised:
        raise raised.error from raised
    for held in binds:
        held.value = _plain(held.value)
        if held.datatype.type is OracleType.TIMESTAMP_LTZ and held.value is not None:
            held.value = await sql_value(session, _LOCAL, [held.value])
    return directions


async def _compile(
    session: Session, text: str, block: tree.Block, names: list[str], binds: list[Value]
) -> None:
    """Names and types that only the database knows: once for a text, until objects or privileges change."""
    types = tuple((held.datatype.type, held.datatype.national, held.datatype.is_array) for held in binds)
    key = (text, types, session.current_schema, session.role)
    definitions = session.database.definitions
    if not session.parsed_blocks.has(session.database, key):
        await check_block(session, text, block, names, binds)
        session.parsed_blocks.keep(key, definitions)


def _plain(value: Any) -> Any:
    """A bind's final value: the result behind a cursor variable, otherwise as it is."""
    return value.result if isinstance(value, Cursor) else value
