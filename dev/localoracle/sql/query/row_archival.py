"""Tables with row archival: which of their rows a statement sees.

SQL Language Reference, CREATE TABLE (ROW ARCHIVAL) and ALTER SESSION (ROW ARCHIVAL VISIBILITY); VLDB and
Partitioning Guide, "Using In-Database Archiving". What the session wants is asked when the statement runs: a
view shows its reader's choice, and nothing is translated anew when the choice changes.
"""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.parsing.lexer import quote, quote_qualified
from localoracle.sql.parsing.nodes import fact_of, identifier_name, source_name, sources_of
from localoracle.sql.schema_facts import schema_facts

STATE = "ORA_ARCHIVE_STATE"


def visible(name: str) -> str:
    """The condition on the rows of a table that the statement calls `name`, in quotes."""
    return f"({name}.{quote(STATE)} = '0' OR ora.sees_archived_rows())"


def archived(table: exp.Expr, common: set[str]) -> bool:
    """Whether a source is such a table; `common`: the names that WITH has defined."""
    return fact_of(table, schema_facts.get().archived, common) is not None


def of_block(block: exp.Select, common: set[str]) -> str:
    """The condition on the rows of the only table of a block, "" where there is none."""
    sources = sources_of(block)
    if len(sources) != 1 or not archived(sources[0], common) or not _is_alone(sources[0]):
        return ""
    return visible(quote(source_name(sources[0]) or ""))


def beside_others(text: str, table: exp.Table, name: str, common: set[str]) -> str | None:
    """A table of a join, or of MERGE, as what is seen of it; None where it needs no such thing.

    :param text: the table as it stands in FROM, with its alias and SAMPLE.
    """
    is_table = fact_of(table, schema_facts.get().archived, common)
    if is_table is None or _is_alone(table):
        return None
    address = f"{name}.tableoid, {name}.ctid, " if is_table else ""
    return f"(SELECT {address}{name}.* FROM {text} WHERE {visible(name)}) AS {name}"


def refuse_natural(join: exp.Join, first: exp.Expr, common: set[str]) -> None:
    """The address of `beside_others` must not be among the common columns."""
    if str(join.args.get("method") or "").upper() == "NATURAL" and (
        archived(join.this, common) or archived(first, common)
    ):
        raise not_supported("NATURAL JOIN of a table with row archival")


def qualifier(column: exp.Expr) -> str:
    """What stands before a column, with its dot: `beside_others` is known by the table's name alone."""
    owner, table = column.args.get("db"), column.args.get("table")
    names = [identifier_name(part) for part in (owner, table) if part is not None]
    if owner is not None and quote_qualified(*names) in schema_facts.get().archived:
        del names[0]
    return "".join(quote(name) + "." for name in names)


def _is_alone(table: exp.Expr) -> bool:
    """Whether it is all that its block reads: then its block has the condition, and it is read as it is,
    can be locked and, where the block is a view's, written to."""
    clause = table.parent
    block = clause.parent if isinstance(clause, exp.From) else None
    return isinstance(block, exp.Select) and not block.args.get("joins") and not table.args.get("joins")
