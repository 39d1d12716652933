"""ALTER TABLE."""

from __future__ import annotations

from collections.abc import Callable

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.clauses import constraint_state, physical_attribute
from localoracle.sql.ddl.columns import (
    ColumnDefinition,
    Constraint,
    after_statements,
    archive_state,
    at_constraint,
    column_definition,
    column_list,
    table_constraint,
)
from localoracle.sql.ddl.create_table import _later, add_key, byte_limit
from localoracle.sql.ddl.lob_storage import lob_parameters, lob_storage
from localoracle.sql.ddl.partitions import Partition, interval_clause, read_values
from localoracle.sql.ddl.supplemental_logging import column_kinds, logging_statements
from localoracle.sql.parsing.lexer import Cursor, literal, quote, quote_qualified, split_commas
from localoracle.sql.parsing.names import read_name, read_qualified
from localoracle.sql.query import row_archival
from localoracle.sql.query.sources import partition_name
from localoracle.sql.statement import Statement

_CLAUSES = ("ADD", "MODIFY", "DROP", "ENABLE", "DISABLE", "RENAME")


def alter_table(cursor: Cursor) -> Statement:
    """`cursor` stands behind ALTER TABLE."""
    schema, name = read_qualified(cursor, "table")
    altering = Altering(cursor, schema, name)
    altering.statements.append(calls.call("ora.check_unbound", altering.relation))
    if cursor.done:
        raise cursor.error(2210, "no options specified for ALTER TABLE")
    while not cursor.done:
        altering.clause()
    return Statement(
        verb="ALTER TABLE",
        kind="ddl",
        sql=tuple(altering.statements),
        schema=schema,
        object_name=name,
        visibility=altering.visibility,
    )


class Altering:
    """Collects the statements of one ALTER TABLE."""

    def __init__(self, cursor: Cursor, schema: str | None, name: str) -> None:
        self.cursor = cursor
        self.schema = schema
        self.name = name
        self.table = quote_qualified(schema, name)
        self.relation = calls.relation(self.table)
        self.visibility = False
        self.statements: list[str] = []

    def clause(self) -> None:
        cursor = self.cursor
        for word, read in self._readers().items():
            if cursor.take(word):
                read()
                return
        attributes: dict[str, str] = {}
        if not physical_attribute(cursor, attributes, altering=True):
            word = cursor.word()
            if word in (
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
            ):
                raise not_supported(f"ALTER TABLE ... {word}")
            raise cursor.error(1735, "invalid ALTER TABLE option")
        self._attributes(attributes)

    def _readers(self) -> dict[str, Callable[[], None]]:
        return {
            "ADD PARTITION": self._add_partition,
            "ADD SUPPLEMENTAL LOG": lambda: self._supplemental_log(True),
            "DROP SUPPLEMENTAL LOG": lambda: self._supplemental_log(False),
            "ADD": self._add,
            "MODIFY PARTITION": lambda: self._refuse("MODIFY PARTITION"),
            "MODIFY DEFAULT ATTRIBUTES": lambda: self._refuse("MODIFY DEFAULT ATTRIBUTES"),
            "MODIFY LOB": self._modify_lob,
            "MODIFY": self._modify,
            "MOVE": self._move,
            "RENAME": self._rename,
            "DROP PARTITIONS": lambda: self._refuse("DROP PARTITIONS"),
            "TRUNCATE PARTITIONS": lambda: self._refuse("TRUNCATE PARTITIONS"),
            "TRUNCATE PARTITION": self._truncate_partition,
            "DROP": self._drop,
            "SET INTERVAL": lambda: self._run(interval_clause(self.cursor).set(self.table)),
            "ENABLE ROW MOVEMENT": lambda: self._row_movement("ENABLED"),
            "DISABLE ROW MOVEMENT": lambda: self._row_movement("DISABLED"),
            "ENABLE ALL TRIGGERS": lambda: self._run(f"ALTER TABLE {self.table} ENABLE TRIGGER USER"),
            "DISABLE ALL TRIGGERS": lambda: self._run(f"ALTER TABLE {self.table} DISABLE TRIGGER USER"),
            "ENABLE TABLE LOCK": lambda: None,
            "DISABLE TABLE LOCK": lambda: self._refuse("DISABLE TABLE LOCK"),
            "ROW ARCHIVAL": lambda: self._archive_rows(True),
            "NO ROW ARCHIVAL": lambda: self._archive_rows(False),
            "READ ONLY": lambda: self._read_only(True),
            "READ WRITE": lambda: self._read_only(False),
            "MINIMIZE RECORDS_PER_BLOCK": lambda: self._records_per_block(True),
            "NOMINIMIZE RECORDS_PER_BLOCK": lambda: self._records_per_block(False),
            "ENABLE": lambda: self._enable(True),
            "DISABLE": lambda: self._enable(False),
        }

    def _run(self, statement: str) -> None:
        self.statements.append(statement)

    def _around_views(self, statement: str) -> None:
        """PostgreSQL does not change a column that a view or trigger names: they go and come back."""
        self.statements += [
            calls.call("ora.lose_views", self.relation),
            calls.call("ora.drop_default_triggers", self.relation),
            statement,
            calls.call("ora.make_default_triggers", self.relation),
            calls.call("ora.revive_views"),
        ]

    @staticmethod
    def _refuse(what: str) -> None:
        raise not_supported(f"ALTER TABLE ... {what}")

    def _attributes(self, attributes: dict[str, str], column: str | None = None) -> None:
        for name, value in attributes.items():
            self._run(calls.attribute(self.table, column, name, value))
        if column is None and "pct_free" in attributes:
            self._run(calls.call("ora.leave_free", self.relation))

    def _row_movement(self, state: str) -> None:
        self._attributes({"row_movement": state})
        self._run(calls.call("ora.hold_rows", self.relation))

    def _check_constraints(self) -> None:
        self._run(calls.call("ora.check_constraints", self.relation))

    def _note_change(self) -> None:
        """No query looks across it (see session/flashback.py)."""
        self._run(calls.call("localoracle.note_structure_change", self.relation))

    def _supplemental_log(self, wanted: bool) -> None:
        if wanted:
            self.statements.extend(logging_statements(self.cursor, self.relation))
        elif self.cursor.take("GROUP"):
            group = read_name(self.cursor, "log group")
            self._run(calls.call("localoracle.drop_log_group", self.relation, group))
        else:
            self.cursor.expect("DATA", 905, "missing keyword")
            for kind in column_kinds(self.cursor):
                self._run(calls.call("localoracle.supplemental_log", self.relation, kind, False))

    def _move(self) -> None:
        """A table, or one partition, in new segments of the same kind."""
        if len(self.statements) > 1:  # behind the look whether the table is bound
            self._refuse("MOVE behind other clauses")
        partition = self.cursor.name() if self.cursor.take("PARTITION") else None
        if not self.cursor.done:
            self._refuse(f"MOVE {self.cursor.word()}")
        self._run(calls.call("ora.move_table", self.relation, partition))

    def _read_only(self, read_only: bool) -> None:
        self._run(calls.call("ora.make_table_read_only", self.relation, read_only))

    def _archive_rows(self, wanted: bool) -> None:
        if len(self.statements) > 1 or not self.cursor.done:
            raise OracleError(38400, "cannot combine ILM operation with other operations")
        self._check_writable()
        self._run(calls.call("ora.check_row_archival", self.relation, wanted))
        if wanted:
            self._add_column(archive_state())
        else:
            self._run(f"ALTER TABLE {self.table} DROP COLUMN {quote(row_archival.STATE)}")
        self._run(calls.attribute(self.table, None, "row_archival", "YES" if wanted else None))
        self._note_change()
        self.visibility = True

    def _check_writable(self) -> None:
        self._run(calls.call("ora.check_writable", self.relation))

    def _records_per_block(self, limited: bool) -> None:
        self._run(calls.call("ora.records_per_block", self.relation, limited))

    # -- ADD ------------

    def _add(self) -> None:
        cursor = self.cursor
        if at_constraint(cursor):
            self._add_constraint(table_constraint(cursor))
            return
        if cursor.at("("):
            for part in split_commas(cursor.sub(cursor.parenthesised())):
                inner = cursor.over(part)
                if at_constraint(inner):
                    self._add_constraint(table_constraint(inner))
                    inner.finish(907, "missing right parenthesis")
                else:
                    self._add_column(column_definition(inner))
            while cursor.take("LOB"):
                storage = lob_storage(cursor)
                for column in storage.columns:
                    self._attributes(storage.attributes, column)
            return
        self._add_column(column_definition(cursor.sub(cursor.until(*_CLAUSES, "LOB ("))))
        while cursor.take("LOB"):
            storage = lob_storage(cursor)
            for column in storage.columns:
                self._attributes(storage.attributes, column)

    def _add_column(self, column: ColumnDefinition) -> None:
        self._run(f"ALTER TABLE {self.table} ADD COLUMN {column.text}")
        if column.type is not None and column.type.name.startswith("ora.long"):
            self._run(calls.call("ora.check_one_long", self.relation))
        for limit in byte_limit(column):
            self._run(f"ALTER TABLE {self.table} ADD {limit}")
        others = [constraint for constraint in column.constraints if constraint.kind != "NOT NULL"]
        self.statements.extend(after_statements(self.table, [column], []))
        self.visibility = self.visibility or column.visible is False
        for constraint in others:
            self._add_constraint(constraint)

    def _add_constraint(self, constraint: Constraint) -> None:
        if constraint.state.index_attributes.get("locality") == "LOCAL":
            listed = calls.Verbatim("ARRAY[" + ", ".join(map(literal, constraint.columns)) + "]")
            self._run(calls.call("ora.check_indexed", self.relation, listed, True, True))
        if constraint.state.index_attributes:
            self._run(calls.call("ora.check_index_options", self.relation, True))
        if constraint.state.disabled:
            self._add_disabled(constraint)
            return
        if _later(constraint):
            self.statements.extend(add_key(self.table, constraint, self.cursor.sql))
        elif constraint.kind in ("PRIMARY KEY", "UNIQUE"):
            columns = calls.Verbatim(f"ARRAY[{', '.join(literal(column) for column in constraint.columns)}]")
            key = (constraint.name, constraint.kind, columns, constraint.state.deferral)
            self._run(calls.call("ora.add_plain_key", self.relation, *key))
        elif constraint.kind != "CHECK" or constraint.name:
            unchecked = " NOT VALID" if not constraint.state.validated else ""
            self._run(f"ALTER TABLE {self.table} ADD {constraint.named}{unchecked}")
        self.statements.extend(after_statements(self.table, [], [constraint]))
        self._check_constraints()
        self._note_change()

    def _add_disabled(self, constraint: Constraint) -> None:
        """A constraint that is made disabled is not tested."""
        columns = ", ".join(literal(column) for column in constraint.columns)
        made = (
            constraint.name,
            constraint.kind,
            calls.Verbatim(f"ARRAY[{columns}]::text[]"),
            constraint.definition,
            constraint.source or None,
        )
        self._run(calls.call("ora.add_disabled", self.relation, *made))
        if constraint.state.rely:
            if constraint.name is None:
                raise not_supported("RELY on a constraint without a name")
            self._run(calls.attribute(self.table, None, f"rely${constraint.name}", "YES"))
        self._check_constraints()
        self._note_change()

    def _add_partition(self) -> None:
        cursor = self.cursor
        partition = Partition(cursor.name())
        if not cursor.at("VALUES"):
            raise not_supported("ADD PARTITION to a table partitioned by hash")
        if not cursor.at("VALUES LESS THAN"):
            read_values(cursor, partition, "LIST", 1)
            self._check_new(partition, is_range=False, width=1)
            bound = "DEFAULT" if partition.catch_all else f"FOR VALUES IN ({', '.join(partition.values)})"
            child = quote_qualified(self.schema, partition_name(self.name, partition.name))
            self._run(f"CREATE TABLE {child} PARTITION OF {self.table} {bound}")
            self._run(calls.call("ora.note_partition", self.relation, partition.name, None, partition.source))
        else:
            width = self._bound_width()
            read_values(cursor, partition, "RANGE", width)
            self._check_new(partition, is_range=True, width=width)
            if partition.catch_all:
                partition.values = ["MAXVALUE"] * width
            bound = ", ".join(partition.values)
            added = ("ora.add_range_partition", self.relation, partition.name, bound, partition.source)
            self._run(calls.call(*added))
        while physical_attribute(cursor, partition.attributes):
            pass
        cursor.take("UPDATE INDEXES", "UPDATE GLOBAL INDEXES")
        child = quote_qualified(self.schema, partition_name(self.name, partition.name))
        if "tablespace" in partition.attributes:
            self._run(calls.call("ora.check_tablespace", partition.attributes["tablespace"]))
        for name, value in partition.attributes.items():
            self._run(calls.attribute(child, None, name, value))
        self._run(calls.call("ora.hold_rows", self.relation))
        self._maintained()

    def _check_new(self, partition: Partition, *, is_range: bool, width: int) -> None:
        told = (partition.name, is_range, width, partition.catch_all)
        self._run(calls.call("ora.check_new_partition", self.relation, *told))

    def _maintained(self) -> None:
        """Nothing else stands beside a change of partitions."""
        if not self.cursor.done:
            raise OracleError(
                14048, "a partition maintenance operation may not be combined with other operations"
            )

    def _bound_width(self) -> int:
        """How many values the bound has."""
        ahead = Cursor(self.cursor.tokens[self.cursor.index + 1 :], self.cursor.sql)
        ahead.take("LESS THAN")
        return len(split_commas(ahead.sub(ahead.parenthesised())))

    # -- MODIFY ------------

    def _modify(self) -> None:
        cursor = self.cursor
        if cursor.at("CONSTRAINT", "PRIMARY KEY", "UNIQUE ("):
            key = self._key_reference("drop")
            self._run(calls.call("ora.check_modified_constraint", self.relation, key))
            rely = cursor.take("RELY", "NORELY")
            if rely:
                name = calls.Verbatim(f"'rely$' || {key}")
                value = "YES" if rely == "RELY" else None
                self._run(calls.call("localoracle.set_attribute", self.relation, None, name, value))
                if cursor.done:
                    return
            state = constraint_state(cursor)
            self._state(key, not state.disabled, state.validated, False)
        elif cursor.at("("):
            columns = [
                column_definition(cursor.over(part), typed=False)
                for part in split_commas(cursor.sub(cursor.parenthesised()))
            ]
            if len({column.name for column in columns}) != len(columns):
                raise OracleError(957, "duplicate column name")
            for column in columns:
                self._modify_column(column)
        else:
            tokens = cursor.until(*_CLAUSES[:3], "RENAME")
            column = column_definition(cursor.sub(tokens), typed=False)
            column.drops_identity = bool(cursor.take("DROP IDENTITY"))
            self._modify_column(column)

    def _modify_column(self, column: ColumnDefinition) -> None:
        name = quote(column.name)
        if column.generated:
            raise not_supported("MODIFY of a virtual column")
        self._note_change()
        self._run(calls.call("ora.refuse_ilm_column", self.relation, column.name))
        if column.drops_identity:
            self._run(calls.call("ora.drop_identity", self.relation, column.name))
        if column.type is not None:
            wanted = (column.name, column.type.name, column.type.bytes)
            self._run(calls.call("ora.check_modified_type", self.relation, *wanted))
            limit = f"localoracle${column.name}"
            self._run(f"ALTER TABLE {self.table} DROP CONSTRAINT IF EXISTS {quote(limit)}")
            written = dict(column.type.attributes).get("data_type")
            self._run(calls.attribute(self.table, column.name, "data_type", written))
            self._around_views(f"ALTER TABLE {self.table} ALTER COLUMN {name} TYPE {column.type.name}")
            for added in byte_limit(column):
                self._run(f"ALTER TABLE {self.table} ADD {added}")
            if column.type.name.startswith("varchar"):
                unit = None if column.type.bytes is None else "B"
                self._run(calls.attribute(self.table, column.name, "char_used", unit))
        if column.visible is not None:
            self.visibility = True
            self._run(calls.call("ora.set_visibility", self.relation, column.name, column.visible))
        if column.identity:
            self._run(column.identity.modify(self.table, column.name))
        if column.default is not None:
            default = (column.name, column.default, column.default_source, column.default_on_null)
            self._run(calls.call("ora.modify_default", self.relation, *default))
        for constraint in column.constraints:
            if constraint.kind != "NOT NULL":
                self._add_constraint(constraint)
                continue
            if constraint.state.disabled:
                raise not_supported("MODIFY ... NOT NULL DISABLE")
            validated = constraint.state.validated
            self._run(
                calls.call("ora.modify_null", self.relation, column.name, True, constraint.name, validated)
            )
        if column.nullable is True:
            self._run(calls.call("ora.modify_null", self.relation, column.name, False, None, True))

    def _modify_lob(self) -> None:
        columns = column_list(self.cursor)
        attributes: dict[str, str] = {}
        lob_parameters(self.cursor.sub(self.cursor.parenthesised()), attributes)
        for column in columns:
            self._attributes(attributes, column)

    # -- DROP, RENAME, states ------------

    def _drop(self) -> None:
        cursor = self.cursor
        if cursor.at("CONSTRAINT", "PRIMARY KEY", "UNIQUE ("):
            key = self._key_reference("drop")
            cascade = bool(cursor.take("CASCADE"))
            index = cursor.take("DROP INDEX", "KEEP INDEX")
            self._run(calls.call("ora.check_key_of_index_organized", self.relation, key))
            self._run(calls.call("ora.drop_constraint", self.relation, key, cascade, index))
        elif cursor.take("PARTITION"):
            partition = cursor.name()
            cursor.take("UPDATE INDEXES", "UPDATE GLOBAL INDEXES", "INVALIDATE GLOBAL INDEXES")
            self._check_writable()
            self._run(calls.call("ora.drop_partition", self.relation, partition))
            self._maintained()
        elif cursor.at("UNUSED", "SUBPARTITION"):
            raise not_supported(f"ALTER TABLE ... DROP {cursor.word()}")
        else:
            columns = [cursor.name()] if cursor.take("COLUMN") else list(column_list(cursor))
            cascade = bool(cursor.take("CASCADE CONSTRAINTS"))
            cursor.take("INVALIDATE")
            if not cursor.done:
                raise OracleError(12987, "cannot combine drop column with other operations")
            self._check_writable()
            listed = calls.Verbatim("ARRAY[" + ", ".join(map(literal, columns)) + "]")
            self._run(calls.call("ora.check_dropped_columns", self.relation, listed, cascade))
            for column in columns:
                self._around_views(
                    f"ALTER TABLE {self.table} DROP COLUMN {quote(column)}{' CASCADE' if cascade else ''}"
                )
            self._note_change()

    def _rename(self) -> None:
        cursor = self.cursor
        what = cursor.take("TO", "COLUMN", "CONSTRAINT", "PARTITION")
        if what is None:
            raise cursor.error(14155, "missing PARTITION or SUBPARTITION keyword")
        if what == "TO":
            self._run(calls.call("ora.rename_table", self.relation, read_name(cursor, "table")))
            cursor.finish(14047, "ALTER TABLE|INDEX RENAME may not be combined with other operations")
            return
        old = cursor.name()
        cursor.expect("TO", 946, "missing TO keyword")
        new = read_name(cursor, "constraint" if what == "CONSTRAINT" else "column")
        if what == "PARTITION":
            self._run(calls.call("ora.rename_partition", self.relation, old, new))
        elif what == "CONSTRAINT":
            self._run(calls.call("ora.rename_constraint", self.relation, old, new))
        else:
            self._check_writable()
            self._run(calls.call("ora.check_renamed_column", self.relation, old, new))
            self._run(f"ALTER TABLE {self.table} RENAME COLUMN {quote(old)} TO {quote(new)}")
            self._run(calls.call("ora.make_default_triggers", self.relation))
            self._run(calls.call("ora.hold_rows", self.relation))

    def _truncate_partition(self) -> None:
        partition = self.cursor.name()
        self.cursor.take("DROP STORAGE", "REUSE STORAGE", "DROP ALL STORAGE")
        self.cursor.take("UPDATE INDEXES", "UPDATE GLOBAL INDEXES")
        self._check_writable()
        self._run(calls.call("ora.truncate_partition", self.relation, partition))

    def _key_reference(self, purpose: str) -> calls.Verbatim:
        """An expression for the name of the constraint that is meant; `purpose`: drop, enable or disable."""
        cursor = self.cursor
        if cursor.take("CONSTRAINT"):
            return calls.Verbatim(literal(cursor.name()))
        if cursor.take("PRIMARY KEY"):
            return calls.Verbatim(f"ora.key_name({self.relation}, 'p', NULL, {literal(purpose)})")
        cursor.expect("UNIQUE", 2253, "constraint specification not allowed here")
        columns = ", ".join(literal(column) for column in column_list(cursor))
        return calls.Verbatim(f"ora.key_name({self.relation}, 'u', ARRAY[{columns}], {literal(purpose)})")

    def _enable(self, enabled: bool) -> None:
        cursor = self.cursor
        validated = cursor.take("VALIDATE", "NOVALIDATE") != "NOVALIDATE"
        if not cursor.at("CONSTRAINT", "PRIMARY KEY", "UNIQUE ("):
            raise OracleError(1735, "invalid ALTER TABLE option", cursor.position)
        key = self._key_reference("enable" if enabled else "disable")
        constraint_state(cursor)  # USING INDEX ...: the index comes back as it was
        cascade = bool(cursor.take("CASCADE"))
        cursor.take("KEEP INDEX", "DROP INDEX")
        self._state(key, enabled, validated, cascade)

    def _state(self, key: calls.Verbatim, enabled: bool, validated: bool, cascade: bool) -> None:
        if enabled:
            self._run(calls.call("localoracle.enable_constraint", self.relation, key, validated))
            return
        self._run(calls.call("ora.check_key_of_index_organized", self.relation, key))
        if cascade:
            self._run(calls.call("ora.disable_references", self.relation, key))
        self._run(calls.call("localoracle.disable_constraint", self.relation, key))
