"""ALTER TABLE ... ADD, MODIFY, DROP and RENAME of columns."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import alter_constraints, calls
from localoracle.sql.ddl.alteration import CLAUSES, Alteration
from localoracle.sql.ddl.columns import ColumnDefinition, after_columns, byte_limit, column_definition
from localoracle.sql.ddl.constraints import at_constraint
from localoracle.sql.ddl.lob_storage import lob_storage
from localoracle.sql.parsing.lexer import quote, split_commas
from localoracle.sql.parsing.names import column_list


def add(change: Alteration) -> None:
    cursor = change.cursor
    if cursor.at("("):
        for part in split_commas(cursor.inside()):
            inner = cursor.over(part)
            if at_constraint(inner):
                alter_constraints.add(change, inner)
                inner.finish(907, "missing right parenthesis")
            else:
                add_column(change, column_definition(inner))
    else:
        add_column(change, column_definition(cursor.over(cursor.until(*CLAUSES, "LOB ("))))
    while cursor.take("LOB"):
        storage = lob_storage(cursor)
        for column in storage.columns:
            change.keep_attributes(storage.attributes, column)


def add_column(change: Alteration, column: ColumnDefinition) -> None:
    change.run(f"ALTER TABLE {change.table} ADD COLUMN {column.text}")
    if column.is_long:
        change.call("ora.check_one_long")
    for limit in byte_limit(column):
        change.run(f"ALTER TABLE {change.table} ADD {limit}")
    change.statements += after_columns(change.table, [column])
    change.visibility = change.visibility or column.visible is False
    for constraint in column.constraints:
        if constraint.kind != "NOT NULL":
            alter_constraints.add_constraint(change, constraint)


def modify(change: Alteration) -> None:
    cursor = change.cursor
    if cursor.at("("):
        parts = split_commas(cursor.inside())
        columns = [column_definition(cursor.over(part), typed=False) for part in parts]
        if len({column.name for column in columns}) != len(columns):
            raise OracleError(957, "duplicate column name")
    else:
        tokens = cursor.until("ADD", "MODIFY", "DROP", "RENAME")
        columns = [column_definition(cursor.over(tokens), typed=False)]
        columns[0].drops_identity = bool(cursor.take("DROP IDENTITY"))
    for column in columns:
        _modify_column(change, column)


def _modify_column(change: Alteration, column: ColumnDefinition) -> None:
    if column.generated:
        raise not_supported("MODIFY of a virtual column")
    change.note_change()
    change.call("ora.refuse_ilm_column", column.name)
    if column.drops_identity:
        change.call("ora.drop_identity", column.name)
    _modify_type(change, column)
    if column.visible is not None:
        change.visibility = True
        change.call("ora.set_visibility", column.name, column.visible)
    if column.identity:
        change.run(column.identity.modify(change.table, column.name))
    if column.default is not None:
        default = (column.default, column.default_source, column.default_on_null)
        change.call("ora.modify_default", column.name, *default)
    for constraint in column.constraints:
        if constraint.kind != "NOT NULL":
            alter_constraints.add_constraint(change, constraint)
            continue
        if constraint.state.disabled:
            raise not_supported("MODIFY ... NOT NULL DISABLE")
        change.call("ora.modify_null", column.name, True, constraint.name, constraint.state.validated)
    if column.nullable is True:
        change.call("ora.modify_null", column.name, False, None, True)


def _modify_type(change: Alteration, column: ColumnDefinition) -> None:
    wanted = column.type
    if wanted is None:
        return
    change.call("ora.check_modified_type", column.name, wanted.name, wanted.bytes)
    limit = quote(f"localoracle${column.name}")
    change.run(f"ALTER TABLE {change.table} DROP CONSTRAINT IF EXISTS {limit}")
    written = dict(wanted.attributes).get("data_type")
    change.run(calls.attribute(change.table, column.name, "data_type", written))
    change.change_column(column.name, f"ALTER COLUMN {quote(column.name)} TYPE {wanted.name}")
    for added in byte_limit(column):
        change.run(f"ALTER TABLE {change.table} ADD {added}")
    if wanted.name.startswith("varchar"):
        unit = None if wanted.bytes is None else "B"
        change.run(calls.attribute(change.table, column.name, "char_used", unit))


def drop(change: Alteration) -> None:
    cursor = change.cursor
    columns = [cursor.name()] if cursor.take("COLUMN") else list(column_list(cursor))
    cascade = bool(cursor.take("CASCADE CONSTRAINTS"))
    cursor.take("INVALIDATE")
    if not cursor.done:
        raise OracleError(12987, "cannot combine drop column with other operations")
    change.check_writable()
    change.call("ora.check_dropped_columns", calls.texts(columns), cascade)
    for column in columns:
        change.change_column(column, f"DROP COLUMN {quote(column)}{' CASCADE' if cascade else ''}")
    change.note_change()


def rename(change: Alteration, old: str, new: str) -> None:
    change.check_writable()
    change.call("ora.check_renamed_column", old, new)
    change.call("ora.invalidate_users", old)
    change.run(f"ALTER TABLE {change.table} RENAME COLUMN {quote(old)} TO {quote(new)}")
    change.call("ora.make_default_triggers")
    change.call("ora.hold_rows")
