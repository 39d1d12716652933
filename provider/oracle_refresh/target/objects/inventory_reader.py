"""Reads the inventory of one database: one statement per dictionary view, however many tables there are."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog.attributes import attributes
from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.rows import Rows, grouped
from oracle_refresh.catalog.statements import TABLE_ATTRIBUTES
from oracle_refresh.definition.model import InventoryKind
from oracle_refresh.oracle.identifiers import Identifier, ObjectName, TableName
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.target.objects import inventory_statements as statements
from oracle_refresh.target.objects.grants import read_grants
from oracle_refresh.target.objects.inventory import Item
from oracle_refresh.target.objects.units import ROUTINES

if TYPE_CHECKING:
    import oracledb

#: Kinds of objects (DBA_OBJECTS) that come with others or are compared as items of their own.
_ITEMS = frozenset({"TABLE", "INDEX", "LOB", "TRIGGER", "SEQUENCE", "VIEW", "SYNONYM"})
_UNITS = (*ROUTINES, "PACKAGE BODY", "TYPE BODY")


class Reader:
    """One database's side. `catalogue` names the tables, sequences and views of the refresh."""

    def __init__(self, connection: oracledb.Connection, catalogue: Catalogue) -> None:
        self.connection = connection
        self.catalogue = catalogue
        self._read: Callable[[str], Rows] = partial(rows, connection, names=catalogue.schemas)
        self.tables = {table.full_name for table in catalogue.tables}
        self.views = {view.full_name for view in catalogue.views}
        self.sequences = {each.full_name for each in catalogue.sequences}
        self.onto_outside: set[tuple[str, str, str, str]] = set()
        """Keys of foreign keys whose parent is not refreshed; filled by `items`."""
        self.made_by_rows: dict[tuple[str, str, str, str], str] = {}
        """Keys of partitions that rows have made, with their names here; filled by `items`."""
        self.partition_names: dict[TableName, set[str]] = defaultdict(set)
        """Names of all partitions by table; filled by `items`."""
        self.objects = {
            (owner, name, kind): status for owner, name, kind, status in self._read(statements.OBJECTS)
        }

    def items(self, minimum: dict[ObjectName, int] | None = None) -> list[Item]:
        """Everything that is compared.

        :param minimum: per sequence the number that the target's has to have reached: the shape says if not.
        """
        return [
            *self._tables(),
            *self._columns(),
            *self._constraints(),
            *self._indexes(),
            *self._partitions(),
            *self._triggers(),
            *self._grants(),
            *self._comments(),
            *self._sequences(minimum or {}),
            *self._views(),
            *self._synonyms(),
            *self._routines(),
        ]

    def invalid(self) -> set[tuple[str, str, str]]:
        """(owner, name, type) of invalid objects of the schemas."""
        return {key for key, status in self.objects.items() if status == "INVALID"}

    def others(self) -> set[tuple[str, str, str]]:
        """Objects of kinds that a refresh does not copy: materialized views, jobs."""
        return {key for key in self.objects if key[2] not in _ITEMS.union(_UNITS)}

    def views_on_others(self) -> set[ObjectName]:
        """Views that stand on something that is not refreshed, at first or at second hand."""
        refreshed = {*self.tables, *self.views, *self.sequences, *self._routine_names()}
        sources = grouped(ObjectName, self._read(statements.VIEW_SOURCES))
        views = {view for view, names in sources.items() if not refreshed.issuperset(names)}
        while more := {view for view, names in sources.items() if not views.isdisjoint(names)} - views:
            views |= more
        return views

    def _routine_names(self) -> set[ObjectName]:
        return {ObjectName(owner, name) for owner, name, kind in self.objects if kind in ROUTINES}

    def public_synonyms(self) -> set[tuple[str, str, str]]:
        return set(self._read(statements.PUBLIC_SYNONYMS))

    def attributes(self) -> dict[TableName, tuple[str, ...]]:
        """Attributes of the tables' storage that are not the usual ones; a refresh does not carry them."""
        clauses = {
            TableName(owner, name): attributes(tuple(storage))
            for owner, name, *storage in self._read(TABLE_ATTRIBUTES)
        }
        return {table: listed for table, listed in clauses.items() if listed and table in self.tables}

    def _of_tables(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Rows that begin with owner and name of a refreshed table."""
        return (row for row in self._read(statement) if row[:2] in self.tables)

    def _tables(self) -> Iterator[Item]:
        keys = grouped(TableName, self._read(statements.PARTITION_KEYS))
        partitioning = {
            (owner, name): f"partitioned by {kind} ({_listed(keys[TableName(owner, name)])})"
            f"{f' interval ({interval})' if interval else ''}, subpartitions {sub}"
            for owner, name, kind, sub, interval, _ in self._read(statements.PARTITIONED_TABLES)
        }
        for owner, name, iot, temporary, duration, partitioned in self._of_tables(statements.TABLES):
            kind = "index-organized" if iot else f"temporary {duration}" if temporary == "Y" else "heap"
            how = partitioning.get((owner, name), "") if partitioned == "YES" else ""
            yield Item("table", owner, name, "", f"{kind} {how}".strip())

    def _columns(self) -> Iterator[Item]:
        for (
            owner,
            table,
            name,
            place,
            data_type,
            length,
            chars,
            used,
            precision,
            scale,
            *rest,
        ) in self._of_tables(statements.COLUMNS):
            nullable, virtual, identity, on_null, default = rest
            size = f"({chars} {'CHAR' if used == 'C' else 'BYTE'})" if used else ""
            if data_type == "RAW":
                size = f"({length})"
            elif data_type in ("NUMBER", "FLOAT") and (precision is not None or scale is not None):
                size = f"({'*' if precision is None else precision},{scale})"
            text = _text(default)
            value = (
                " identity"
                if identity == "YES"
                else f" {'virtual' if virtual == 'YES' else 'default'} {text}"
                if text
                else ""
            )
            position = "invisible" if place is None else f"{place}."
            shape = f"{position} {data_type}{size}{value}{' on null' if on_null == 'YES' else ''}"
            yield Item("column", owner, table, name, shape + (" not null" if nullable == "N" else ""))

    def _constraints(self) -> Iterator[Item]:
        columns: dict[tuple[str, str], list[str]] = defaultdict(list)
        tables: dict[tuple[str, str], str] = {}
        for owner, name, table, column in self._read(statements.CONSTRAINT_COLUMNS):
            columns[owner, name].append(column)
            tables[owner, name] = table
        seen: Counter[tuple[str, str, str]] = Counter()
        for owner, table, name, kind, ref_owner, ref_name, rule, *rest in self._of_tables(
            statements.CONSTRAINTS
        ):
            status, validated, deferrable, deferred, rely, generated, condition = rest
            what = f"{kind} ({', '.join(columns[owner, name])})"
            if kind == "C":
                what = f"check {_text(condition)}"
            elif kind == "R":
                referred = (ref_owner, ref_name)
                # Of a key outside the schemas only the name is known here.
                target = tables.get(referred, ref_name)
                what += f" onto {ref_owner}.{target} ({', '.join(columns[referred])}) {rule}"
            member = name
            if generated == "GENERATED NAME":
                seen[owner, table, what] += 1
                number = seen[owner, table, what]
                member = what + (f" {number}" if number > 1 else "")
            states = (status, validated, deferrable, deferred, rely or "NORELY")
            item = Item("constraint", owner, table, member, f"{what} {', '.join(states).lower()}")
            if kind == "R" and (ref_owner, tables.get((ref_owner, ref_name), "")) not in self.tables:
                self.onto_outside.add(item.key)
            yield item

    def _indexes(self) -> Iterator[Item]:
        expressions = {
            (owner, name, int(place)): _text(text)
            for owner, name, place, text in self._read(statements.INDEX_EXPRESSIONS)
        }
        columns: dict[tuple[str, str], list[str]] = defaultdict(list)
        for owner, name, column, place, descend in self._read(statements.INDEX_COLUMNS):
            key = expressions.get((owner, name, int(place))) or column
            columns[owner, name].append(f"{key} desc" if descend == "DESC" else key)
        unusable = Counter((owner, name) for owner, name, _ in self._read(statements.INDEX_PARTITIONS))
        for owner, name, table_owner, table, *rest in self._read(statements.INDEXES):
            if (table_owner, table) not in self.tables:
                continue
            kind, uniqueness, status, visibility, partitioned, degree, logging, function, generated = rest
            listed = ", ".join(columns[owner, name])
            member = f"on ({listed})" if generated == "Y" else f"{owner}.{name}"
            words = [
                f"{uniqueness} {kind} ({listed})".lower(),
                status.lower(),
                str(visibility).lower(),
                "partitioned" if partitioned == "YES" else "",
                f"degree {str(degree or '1').strip()}",
                {"YES": "logging", "NO": "nologging"}.get(str(logging), ""),
                "function disabled" if function == "DISABLED" else "",
                f"{unusable[owner, name]} partitions unusable" if unusable[owner, name] else "",
            ]
            yield Item("index", table_owner, table, member, " ".join(filter(None, words)))

    def _partitions(self) -> Iterator[Item]:
        """Those with names of their own by name, those that rows have made by their bounds."""
        tables = self._read(statements.PARTITIONED_TABLES)
        automatic = {(owner, table) for owner, table, *_, auto in tables if auto == "YES"}
        bounds: dict[tuple[str, str, str], str] = {}
        for owner, table, name, place, interval, high in self._of_tables(statements.PARTITIONS):
            self.partition_names[TableName(owner, table)].add(name)
            if interval == "YES" or (owner, table) in automatic:
                bound = f"{'of' if (owner, table) in automatic else 'below'} {_text(high)}"
                bounds[owner, table, name] = bound
                yield self._made_by_rows(Item("partition", owner, table, bound, "made by rows"), name)
            else:
                yield Item("partition", owner, table, name, f"{place}. below {_text(high)}")
        for owner, table, name, place, high in self._read(statements.SUBPARTITIONS):
            if bound := bounds.get((owner, table, name), ""):
                member = f"{bound}, subpartition {_text(high) or place}"  # those of a hash have no bound
                yield self._made_by_rows(Item("partition", owner, table, member, "made by rows"), name)

    def _made_by_rows(self, item: Item, partition: str) -> Item:
        self.made_by_rows[item.key] = partition
        return item

    def is_empty(self, table: TableName, partition: str) -> bool:
        """Whether a partition has no row now."""
        any_row = statements.ANY_ROW.format(table=table.sql, partition=Identifier(partition).sql)
        return not scalar(self.connection, any_row)

    def _triggers(self) -> Iterator[Item]:
        for owner, name, table_owner, table, kind, event, status in self._read(statements.TRIGGERS):
            if (table_owner, table) in self.tables | self.views:
                shape = f"{kind} {event} {status}".lower()
                yield Item("trigger", table_owner, table, f"{owner}.{name}", shape)

    def _grants(self) -> Iterator[Item]:
        objects = {*self.tables, *self.views, *self.sequences, *self._routine_names()}
        for each in read_grants(self.connection, self.catalogue.schemas, objects):
            what = each.privilege + (f" ({each.column})" if each.column else "")
            option = "with grant option" if each.grantable else "granted"
            yield Item("grant", each.owner, each.name, f"{what} to {each.grantee}", option)

    def _comments(self) -> Iterator[Item]:
        objects = self.tables | self.views
        for owner, name, text in self._read(statements.COMMENTS):
            if (owner, name) in objects:
                yield Item("comment", owner, name, "", _digest(text))
        for owner, name, column, text in self._read(statements.COLUMN_COMMENTS):
            if (owner, name) in objects:
                yield Item("comment", owner, name, column, _digest(text))

    def _sequences(self, minimum: dict[ObjectName, int]) -> Iterator[Item]:
        for owner, name, low, high, step, cycle, order, cache, last in self._read(statements.SEQUENCES):
            key = ObjectName(owner, name)
            if key not in self.sequences:
                continue
            behind = key in minimum and cycle == "N" and (last - minimum[key]) * step < 0
            shape = f"{low} to {high} by {step}, cache {cache}, cycle {cycle}, order {order}"
            yield Item("sequence", owner, name, "", shape + (f", stands behind at {last}" if behind else ""))

    def _views(self) -> Iterator[Item]:
        for owner, name, text in self._read(statements.VIEWS):
            if (owner, name) in self.views:
                yield Item("view", owner, name, "", _digest(_text(text)))

    def _synonyms(self) -> Iterator[Item]:
        for owner, name, table_owner, table, link in self._read(statements.SYNONYMS):
            place = f"{table_owner}.{table}" + (f"@{link}" if link else "")
            yield Item("synonym", owner, name, "", place)

    def _routines(self) -> Iterator[Item]:
        for owner, name, kind in self.objects:
            if kind in _UNITS:
                member = "body" if kind.endswith(" BODY") else ""
                yield Item("procedure", owner, name, member, kind.lower())


def invalid_items(objects: Collection[tuple[str, str, str]]) -> list[Item]:
    kind: InventoryKind = "invalid"
    return [Item(kind, owner, name, what.lower(), "invalid") for owner, name, what in objects]


def _listed(columns: Rows) -> str:
    return ", ".join(column for (column,) in columns)


def _text(value: Any) -> str:
    """A text of the dictionary (often a LONG) on one line, without the blanks that DDL leaves at its ends."""
    return " ".join(str(value).split()) if value is not None else ""


def _digest(text: str) -> str:
    return f"text {hashlib.sha256(text.encode()).hexdigest()[:12]}"
