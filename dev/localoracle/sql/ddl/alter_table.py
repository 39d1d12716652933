"""ALTER TABLE: which clause it is, and those of the table as a whole."""

from __future__ import annotations

from collections.abc import Callable

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import alter_columns, alter_constraints, alter_partitions, calls
from localoracle.sql.ddl.alteration import Alteration
from localoracle.sql.ddl.columns import archive_state
from localoracle.sql.ddl.constraints import at_constraint
from localoracle.sql.ddl.lob_storage import lob_parameters
from localoracle.sql.ddl.physical_attributes import physical_attribute
from localoracle.sql.ddl.supplemental_logging import column_kinds, logging_statements
from localoracle.sql.parsing.lexer import Cursor, quote
from localoracle.sql.parsing.names import column_list, read_name, read_qualified
from localoracle.sql.query import row_archival
from localoracle.sql.statement import Statement


def alter_table(cursor: Cursor) -> Statement:
    """`cursor` stands behind ALTER TABLE."""
    schema, name = read_qualified(cursor, "table")
    change = Alteration(cursor, schema, name)
    if cursor.done:
        raise cursor.error(2210, "no options specified for ALTER TABLE")
    while not cursor.done:
        _clause(change)
    return Statement.ddl("ALTER TABLE", schema, name, *change.statements, visibility=change.visibility)


def _clause(change: Alteration) -> None:
    cursor = change.cursor
    for phrase, read in _READERS.items():
        if cursor.at(phrase):
            if read is None:
                raise not_supported(f"ALTER TABLE ... {phrase}")
            cursor.take(phrase)
            read(change)
            return
    attributes: dict[str, str] = {}
    if not physical_attribute(cursor, attributes, altering=True):
        raise cursor.error(1735, "invalid ALTER TABLE option")
    change.keep_attributes(attributes)


def _add(change: Alteration) -> None:
    if at_constraint(change.cursor):
        alter_constraints.add(change, change.cursor)
    else:
        alter_columns.add(change)


def _modify(change: Alteration) -> None:
    if change.cursor.at(*alter_constraints.KEYS):
        alter_constraints.modify(change)
    else:
        alter_columns.modify(change)


def _modify_lob(change: Alteration) -> None:
    columns = column_list(change.cursor)
    attributes: dict[str, str] = {}
    lob_parameters(change.cursor.inside(), attributes)
    for column in columns:
        change.keep_attributes(attributes, column)


def _drop(change: Alteration) -> None:
    cursor = change.cursor
    if cursor.at(*alter_constraints.KEYS):
        alter_constraints.drop(change)
    elif cursor.take("PARTITION"):
        alter_partitions.drop(change)
    elif cursor.at("UNUSED", "SUBPARTITION"):
        raise not_supported(f"ALTER TABLE ... DROP {cursor.word()}")
    else:
        alter_columns.drop(change)


def _rename(change: Alteration) -> None:
    cursor = change.cursor
    what = cursor.take("TO", "COLUMN", "CONSTRAINT", "PARTITION")
    if what is None:
        raise cursor.error(14155, "missing PARTITION or SUBPARTITION keyword")
    if what == "TO":
        change.call("ora.rename_table", read_name(cursor, "table"))
        cursor.finish(14047, "ALTER TABLE|INDEX RENAME may not be combined with other operations")
        return
    old = cursor.name()
    cursor.expect("TO", 946, "missing TO keyword")
    new = read_name(cursor, "constraint" if what == "CONSTRAINT" else "column")
    if what == "COLUMN":
        alter_columns.rename(change, old, new)
    else:
        change.call(f"ora.rename_{what.lower()}", old, new)


def _move(change: Alteration) -> None:
    """A table, or one partition, in new segments of the same kind."""
    if not change.first:
        raise not_supported("ALTER TABLE ... MOVE behind other clauses")
    partition = change.cursor.name() if change.cursor.take("PARTITION") else None
    if not change.cursor.done:
        raise not_supported(f"ALTER TABLE ... MOVE {change.cursor.word()}")
    change.call("ora.move_table", partition)


def _log(change: Alteration) -> None:
    change.statements += logging_statements(change.cursor, change.relation)


def _stop_logging(change: Alteration) -> None:
    if change.cursor.take("GROUP"):
        change.call("localoracle.drop_log_group", read_name(change.cursor, "log group"))
        return
    change.cursor.expect("DATA", 905, "missing keyword")
    for kind in column_kinds(change.cursor):
        change.call("localoracle.supplemental_log", kind, False)


def _row_movement(state: str) -> Callable[[Alteration], None]:
    def move(change: Alteration) -> None:
        change.keep_attributes({"row_movement": state})
        change.call("ora.hold_rows")

    return move


def _row_archival(wanted: bool) -> Callable[[Alteration], None]:
    def archive(change: Alteration) -> None:
        if not change.first or not change.cursor.done:
            raise OracleError(38400, "cannot combine ILM operation with other operations")
        change.check_writable()
        change.call("ora.check_row_archival", wanted)
        if wanted:
            alter_columns.add_column(change, archive_state())
        else:
            change.run(f"ALTER TABLE {change.table} DROP COLUMN {quote(row_archival.STATE)}")
        change.run(calls.attribute(change.table, None, "row_archival", "YES" if wanted else None))
        change.note_change()
        change.visibility = True

    return archive


def _calling(function: str, *arguments: object) -> Callable[[Alteration], None]:
    return lambda change: change.call(function, *arguments)


def _triggers(state: str) -> Callable[[Alteration], None]:
    return lambda change: change.run(f"ALTER TABLE {change.table} {state} TRIGGER USER")


#: The clauses by their first words, longer ones first; None: the stand-in lacks it.
_READERS: dict[str, Callable[[Alteration], None] | None] = {
    "SET INTERVAL": alter_partitions.set_interval,
    **dict.fromkeys(
        (
            "MODIFY PARTITION",
            "MODIFY DEFAULT ATTRIBUTES",
            "DROP PARTITIONS",
            "TRUNCATE PARTITIONS",
            "DISABLE TABLE LOCK",
            "SHRINK",
            "EXCHANGE",
            "SPLIT",
            "MERGE",
            "SET",
            "FLASHBACK",
            "UPGRADE",
            "COALESCE",
            "INMEMORY",
            "ALLOCATE",
            "DEALLOCATE",
        )
    ),
    "ADD PARTITION": alter_partitions.add,
    "ADD SUPPLEMENTAL LOG": _log,
    "DROP SUPPLEMENTAL LOG": _stop_logging,
    "ADD": _add,
    "MODIFY LOB": _modify_lob,
    "MODIFY": _modify,
    "MOVE": _move,
    "RENAME": _rename,
    "TRUNCATE PARTITION": alter_partitions.truncate,
    "DROP": _drop,
    "ENABLE ROW MOVEMENT": _row_movement("ENABLED"),
    "DISABLE ROW MOVEMENT": _row_movement("DISABLED"),
    "ENABLE ALL TRIGGERS": _triggers("ENABLE"),
    "DISABLE ALL TRIGGERS": _triggers("DISABLE"),
    "ENABLE TABLE LOCK": lambda change: None,
    "ROW ARCHIVAL": _row_archival(True),
    "NO ROW ARCHIVAL": _row_archival(False),
    "READ ONLY": _calling("ora.make_table_read_only", True),
    "READ WRITE": _calling("ora.make_table_read_only", False),
    "MINIMIZE RECORDS_PER_BLOCK": _calling("ora.records_per_block", True),
    "NOMINIMIZE RECORDS_PER_BLOCK": _calling("ora.records_per_block", False),
    "ENABLE": alter_constraints.enable,
    "DISABLE": alter_constraints.disable,
}
