"""Reads queries and DML as trees: every column is one of the tables, every type fits its place.

A table that nobody described is read without complaints about its columns. Sources: SQL Language Reference
19c, SELECT (restrictions of the select list, of GROUP BY, of subquery factoring), "Data Types", MERGE.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from support.oracle_rules import functions
from support.oracle_rules.kinds import ANY, DATE, LOBS, LONGS, NUMBER, OPAQUE, TEXT_BYTES, Kind, mix, of_type
from support.oracle_rules.parsed import parsed

Columns = Mapping[str, Kind]
#: What every table has besides its columns, and what stands for a value without a table.
_PSEUDO = {"ROWID": Kind("ROWID", 18), "ORA_ROWSCN": NUMBER}
_ALONE = {
    "ROWNUM": NUMBER, "LEVEL": NUMBER, "UID": NUMBER, "USER": Kind("CHAR", 128), "SYSDATE": DATE,
    "SYSTIMESTAMP": DATE, "DUMMY": Kind("CHAR", 1), "CURRENT_TIMESTAMP": DATE, "CONNECT_BY_ISLEAF": NUMBER,
}  # fmt: skip
_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In, exp.NullSafeEQ)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg, exp.Mod)
_CONDITIONS = (*_COMPARED, exp.And, exp.Or, exp.Not, exp.Is, exp.Like, exp.Exists, exp.RegexpLike)
MOST_ITEMS, MOST_IN_LIST = 1000, 1000


@dataclass
class Reader:
    """`tables` by (schema or "", name); `complaints` are told once each."""

    tables: Mapping[tuple[str, str], Columns]
    complaints: list[str] = field(default_factory=list)

    def complain(self, text: str) -> None:
        if text not in self.complaints:
            self.complaints.append(text)

    # -- statements ------------

    def statement(self, tree: exp.Expr) -> None:
        if isinstance(tree, exp.Query):
            self.query(tree, _Names(None))
        elif isinstance(tree, exp.Insert):
            self._insert(tree)
        elif isinstance(tree, exp.Update | exp.Delete):
            names = _Names(None)
            self._source(tree.this, names)
            for part in (*(tree.args.get("expressions") or ()), tree.args.get("where")):
                if part is not None:
                    self._assigned(part, names) if isinstance(part, exp.EQ) else self.kind(part.this, names)
        elif isinstance(tree, exp.Merge):
            names = _Names(None)
            self._source(tree.this, names)
            self._source(tree.args["using"], names)
            self.kind(tree.args["on"], names)
            for part in tree.args["whens"].find_all(exp.EQ):
                self._assigned(part, names)

    def _insert(self, tree: exp.Insert) -> None:
        target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        there = self._described(target)
        listed = [_text(name) for name in tree.this.expressions] if isinstance(tree.this, exp.Schema) else []
        for name in listed:
            if there is not None and name not in there:
                self.complain(f"ORA-00904: {name} is no column of {target.name}")
        if isinstance(tree.expression, exp.Query):
            found = self.query(tree.expression, _Names(None))
            if listed and len(found) != len(listed):
                self.complain(f"ORA-00913: {len(found)} values for {len(listed)} columns")
            for (_, given), name in zip(found, listed, strict=False):
                self._fits(given, (there or {}).get(name, ANY), name)
                if given.group in LONGS:
                    self.complain(f"ORA-00997: {given.group} in INSERT ... SELECT")

    def _assigned(self, part: exp.EQ, names: _Names) -> None:
        wanted = self.kind(part.this, names)
        self._fits(self.kind(part.expression, names), wanted, part.this.name)

    def _fits(self, given: Kind, wanted: Kind, name: str) -> None:
        """Implicit conversion: "Data Conversion". Nothing becomes an object type or a BFILE."""
        if given.group in ("ANY", wanted.group) or wanted.group == "ANY":
            return
        if (
            wanted.group in OPAQUE
            or given.group in OPAQUE
            or {given.group, wanted.group} in ({"NUMBER", "DATE"}, {"RAW", "NUMBER"}, {"RAW", "DATE"})
            or (given.group, wanted.group) == ("UROWID", "ROWID")
        ):
            self.complain(f"ORA-00932: {given.group} for {wanted.group} {name}")

    # -- queries ------------

    def query(self, tree: exp.Expr, outer: _Names, nested: bool = False) -> list[tuple[str, Kind]]:
        """The names and kinds of a query's columns."""
        if isinstance(tree, exp.Subquery):
            return self.query(tree.this, outer, nested)
        inside = _Names(outer)
        self._factored(tree, inside)
        if isinstance(tree, exp.SetOperation):
            return self._united(tree, inside)
        assert isinstance(tree, exp.Select), type(tree)
        if tree.args.get("from_") is not None:
            self._source(tree.args["from_"].this, inside)
        for join in tree.args.get("joins") or ():
            self._source(join.this, inside)
            if join.args.get("on") is not None:
                self.kind(join.args["on"], inside)
        for clause in ("where", "having"):
            if tree.args.get(clause) is not None:
                self.kind(tree.args[clause].this, inside)
        self._aggregates(tree)
        found = [self._item(item, inside) for item in self._items(tree, inside)]
        self._grouped(tree, inside, found)
        if len(found) > MOST_ITEMS:
            self.complain(f"ORA-01792: {len(found)} columns")
        return found

    def _aggregates(self, tree: exp.Select) -> None:
        """Where aggregates and analytic functions may stand."""
        where, group = tree.args.get("where"), tree.args.get("group")
        if where is not None and _own(where.this, (exp.AggFunc,)):
            self.complain("ORA-00934: an aggregate in WHERE")
        if any(clause is not None and _own(clause, (exp.Window,)) for clause in (where, group)):
            self.complain("ORA-30483: an analytic function in WHERE or GROUP BY")
        for item in tree.expressions:
            for each in item.find_all(exp.AggFunc):
                if any(_own(part, (exp.AggFunc,)) for part in _operands(each)) and group is None:
                    self.complain("ORA-00978: an aggregate of an aggregate without GROUP BY")
        order = tree.args.get("order")
        if tree.args.get("distinct") and order is not None:
            selected = {item.unalias().sql("oracle") for item in tree.expressions}
            selected |= {item.alias for item in tree.expressions}
            for each in _ordered(order):
                if not isinstance(each, exp.Literal) and not {each.sql("oracle"), each.name} & selected:
                    self.complain(f"ORA-01791: {each.sql('oracle')} is not selected")

    def _factored(self, tree: exp.Expr, names: _Names) -> None:
        clause = tree.args.get("with_")
        if clause is None:
            return
        if tree.find_ancestor(exp.CTE) is not None:
            self.complain("ORA-32034: WITH inside of WITH")
        for each in clause.expressions:
            columns = self.query(each.this, names)
            listed = [_text(one) for one in each.args["alias"].args.get("columns") or ()]
            names.factored[each.alias] = dict(
                zip(listed, (kind for _, kind in columns), strict=False) if listed else columns
            )

    def _united(self, tree: exp.SetOperation, names: _Names) -> list[tuple[str, Kind]]:
        left, right = self.query(tree.this, names), self.query(tree.expression, names)
        if len(left) != len(right):
            self.complain(f"ORA-01789: {len(left)} and {len(right)} columns")
        found = []
        for (name, one), (_, other) in zip(left, right, strict=False):
            kind, wrong = mix([one, other])
            if wrong:
                self.complain(f"ORA-01790: {wrong}")
            if tree.args.get("distinct") and kind.group in LOBS:
                self.complain(f"ORA-00932: {kind.group} in a set operation")
            found.append((name, kind))
        return found

    def _items(self, tree: exp.Select, names: _Names) -> list[exp.Expr]:
        """The select list, with stars told apart into columns."""
        found: list[exp.Expr] = []
        for item in tree.expressions:
            starred = isinstance(item, exp.Star) or (
                isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
            )
            if not starred:
                found.append(item)
                continue
            wanted = item.table if isinstance(item, exp.Column) else None
            for alias, columns in names.tables.items():
                if wanted in (None, "", alias):
                    found += [
                        exp.column(exp.to_identifier(one, quoted=True), table=alias) for one in columns or ()
                    ]
        return found

    def _item(self, item: exp.Expr, names: _Names) -> tuple[str, Kind]:
        value = item.unalias()
        if isinstance(value, _CONDITIONS):
            self.complain("ORA-00923: a condition as a column")
        bare = isinstance(value, exp.Column)
        kind = self.kind(value, names)
        select = item.parent
        if kind.group in LONGS and (not bare or (names.outer is not None and names.outer.tables)):
            self.complain(f"ORA-00997: {kind.group} in a subquery")
        if (
            isinstance(select, exp.Select)
            and select.args.get("distinct")
            and kind.group in (*LOBS, *OPAQUE, *LONGS)
        ):
            self.complain(f"ORA-00932: {kind.group} in DISTINCT")
        return (item.alias or (value.name if bare else "")), kind

    def _grouped(self, tree: exp.Select, names: _Names, found: Sequence[tuple[str, Kind]]) -> None:
        """GROUP BY and ORDER BY; without GROUP BY nothing but aggregates stands beside an aggregate."""
        group = tree.args.get("group")
        grouped = [each.sql("oracle") for each in group.expressions] if group is not None else []
        for clause in (group, tree.args.get("order")):
            for each in clause.expressions if clause is not None else ():
                value = each.this if isinstance(each, exp.Ordered) else each
                named = clause is not group and isinstance(value, exp.Column) and value.name in dict(found)
                if named or isinstance(value, exp.Literal):
                    continue
                if (kind := self.kind(value, names)).group in (*LOBS, *LONGS, *OPAQUE):
                    self.complain(f"ORA-00932: {kind.group} in {clause.key.upper()} BY")
        aggregated = any(_own(item, (exp.AggFunc,)) for item in tree.expressions)
        if not aggregated and group is None:
            return
        for item in tree.expressions:
            value = item.unalias()
            if isinstance(value, exp.AggFunc | exp.Literal | exp.Null | exp.Placeholder):
                continue
            parts = _outside(value, grouped) if grouped else (value,)
            if any(_own(part, (exp.Column, exp.Query), skip=exp.AggFunc) for part in parts):
                code = "ORA-00979" if grouped else "ORA-00937"
                self.complain(f"{code}: {value.sql('oracle')[:60]} beside an aggregate")

    # -- sources ------------

    def _source(self, tree: exp.Expr, names: _Names) -> None:
        if isinstance(tree, exp.Subquery):
            columns = self.query(tree.this, _Names(names.outer, factored=names.all_factored()))
            names.add(tree.alias or f"inline{len(names.tables)}", dict(columns))
        elif isinstance(tree, exp.Table):
            if tree.db == "" and tree.name in names.all_factored():
                found: Columns | None = names.all_factored()[tree.name]
            else:
                found = self._described(tree)
            names.add(tree.alias or tree.name, found)
            for join in tree.args.get("joins") or ():
                self._source(join.this, names)
        else:
            names.add(tree.alias or f"source{len(names.tables)}", None)

    def _described(self, tree: exp.Expr) -> Columns | None:
        return self.tables.get((tree.db, tree.name)) if isinstance(tree, exp.Table) else None

    # -- expressions ------------

    def kind(self, node: exp.Expr, names: _Names) -> Kind:
        """The kind of an expression, after all in it was looked at."""
        if isinstance(node, exp.Column):
            return self._column(node, names)
        if isinstance(node, exp.Paren):
            return self.kind(node.this, names)
        if isinstance(node, exp.Literal):
            return self._literal(node)
        if isinstance(node, exp.Query | exp.Subquery):
            found = self.query(node, names)
            return found[0][1] if found else ANY
        if isinstance(node, exp.Exists):
            self.query(node.this, names)
            return ANY
        if isinstance(node, exp.Case):
            return self._case(node, names)
        if isinstance(node, exp.In):
            return self._in(node, names)
        if isinstance(node, exp.DPipe):
            return self._joined(node, names)
        if isinstance(node, exp.Cast):
            self.kind(node.this, names)
            return of_type(node.to.sql("oracle"))
        if isinstance(node, exp.Window):
            kind = self.kind(node.this, names)
            for each in (*(node.args.get("partition_by") or ()), *_ordered(node.args.get("order"))):
                if self.kind(each, names).group in LOBS:
                    self.complain("ORA-00932: a LOB in an analytic clause")
            return kind
        return self._other(node, names)

    def _other(self, node: exp.Expr, names: _Names) -> Kind:
        if isinstance(node, exp.Dot):
            call = node.expression
            kinds = [self.kind(each, names) for each in _operands(call)]
            return functions.of_package(str(call.name).upper(), call, kinds, self.complain)
        kinds = [self.kind(each, names) for each in _operands(node)]
        if isinstance(node, exp.Is):
            return ANY
        if isinstance(node, exp.Coalesce):
            kind, wrong = mix(kinds)
            # NVL converts its second argument to the first one's type; COALESCE does not.
            if wrong and not node.args.get("is_nvl"):
                self.complain(wrong)
            return kinds[0] if node.args.get("is_nvl") and kinds[0].group != "ANY" else kind
        if isinstance(node, exp.Nvl2):
            return mix(kinds[1:])[0]
        if isinstance(node, _COMPARED):
            for kind in kinds:
                if kind.group in (*LOBS, *OPAQUE, *LONGS):
                    self.complain(f"ORA-00932: {kind.group} compared")
            return ANY
        if isinstance(node, _ARITHMETIC):
            return DATE if any(kind.group == "DATE" for kind in kinds) else NUMBER
        if isinstance(node, exp.Func) and not isinstance(node, exp.And | exp.Or):
            if isinstance(node, exp.Distinct) or isinstance(node.this, exp.Distinct):
                for kind in kinds:
                    if kind.group in LOBS:
                        self.complain(f"ORA-00932: {kind.group} in DISTINCT")
            return functions.result(functions.name_of(node), node, kinds, self.complain)
        if isinstance(node, exp.Distinct):
            return kinds[0] if kinds else ANY
        return ANY

    def _column(self, node: exp.Column, names: _Names) -> Kind:
        name, table = node.name, node.table
        quoted = bool(node.this.args.get("quoted"))
        written = name if quoted else name.upper()
        if not table and not quoted and written in _ALONE:
            return _ALONE[written]
        known = names.find(table, written)
        if isinstance(known, Kind):
            return known
        if not quoted and written in _PSEUDO:
            return _PSEUDO[written]
        if known == "unknown":
            self.complain(f"ORA-00904: {node.sql('oracle')}")
        elif known == "ambiguous":
            self.complain(f"ORA-00918: {node.sql('oracle')}")
        return ANY

    def _literal(self, node: exp.Literal) -> Kind:
        if not node.is_string:
            return NUMBER
        size = len(node.name.encode())
        if size > TEXT_BYTES:
            self.complain(f"ORA-01704: a literal of {size} bytes")
        return Kind("CHAR", size)

    def _case(self, node: exp.Case, names: _Names) -> Kind:
        if node.this is not None:
            self.kind(node.this, names)
        results = []
        for branch in node.args["ifs"]:
            self.kind(branch.this, names)
            results.append(self.kind(branch.args["true"], names))
        if node.args.get("default") is not None:
            results.append(self.kind(node.args["default"], names))
        kind, wrong = mix(results)
        if wrong:
            self.complain(wrong)
        if kind.group in (*LONGS, *OPAQUE):
            self.complain(f"ORA-00932: {kind.group} in CASE")
        return kind

    def _in(self, node: exp.In, names: _Names) -> Kind:
        left = self.kind(node.this, names)
        listed = node.expressions
        if len(listed) > MOST_IN_LIST:
            self.complain(f"ORA-01795: {len(listed)} expressions in a list")
        for kind in (left, *(self.kind(each, names) for each in listed)):
            if kind.group in (*LOBS, *OPAQUE, *LONGS):
                self.complain(f"ORA-00932: {kind.group} compared")
        if node.args.get("query") is not None:
            self.query(node.args["query"], names)
        return ANY

    def _joined(self, node: exp.DPipe, names: _Names) -> Kind:
        kinds = [self.kind(each, names) for each in node.flatten()]
        for kind in kinds:
            if kind.group in (*OPAQUE, *LONGS):
                self.complain(f"ORA-00932: {kind.group} in ||")
        if any(kind.group in LOBS for kind in kinds):
            return Kind("CLOB")
        size = sum(kind.size for kind in kinds)
        if size > TEXT_BYTES:
            self.complain(f"ORA-01489: || of up to {size} bytes")
        national = any(kind.group == "NCHAR" for kind in kinds)
        return Kind("NCHAR" if national else "CHAR", min(size, TEXT_BYTES))


@dataclass
class _Names:
    """What columns can be of: the tables of a query by alias, and those of the queries around it."""

    outer: _Names | None
    tables: dict[str, Columns | None] = field(default_factory=dict)
    factored: dict[str, Columns] = field(default_factory=dict)

    def add(self, alias: str, columns: Columns | None) -> None:
        self.tables[alias] = columns

    def all_factored(self) -> dict[str, Columns]:
        return {**(self.outer.all_factored() if self.outer else {}), **self.factored}

    def find(self, table: str, name: str) -> Kind | str:
        """The column's kind; "unknown", "ambiguous", or "open" where a table is not described."""
        if table:
            if table in self.tables:
                columns = self.tables[table]
                return "open" if columns is None else columns.get(name, "unknown")
            return self.outer.find(table, name) if self.outer else "unknown"
        having = [columns for columns in self.tables.values() if columns is not None and name in columns]
        if len(having) > 1:
            return "ambiguous"
        if having:
            return having[0][name]
        if any(columns is None for columns in self.tables.values()):
            return "open"
        return self.outer.find(table, name) if self.outer else "unknown"


def complaints(sql: str, tables: Mapping[tuple[str, str], Columns]) -> list[str]:
    """What a 19c would refuse of a query or DML; nothing of other statements."""
    reader = Reader(tables)
    reader.statement(parsed(sql))
    return reader.complaints


def _text(name: exp.Expr) -> str:
    return name.name if name.args.get("quoted") else name.name.upper()


def _operands(node: exp.Expr) -> list[exp.Expr]:
    """The direct children that are expressions, in the order of the arguments."""
    found: list[exp.Expr] = []
    for value in node.args.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, exp.Expr) and not isinstance(each, exp.Identifier | exp.DataType | exp.Var):
                found.append(each)
    return found


def _ordered(clause: exp.Expr | None) -> Iterable[exp.Expr]:
    return (each.this for each in clause.expressions) if clause is not None else ()


def _own(node: exp.Expr, wanted: tuple[type, ...], skip: type | None = None) -> bool:
    """Whether a node of these classes is part of an expression, not of a query in it."""
    if skip is not None and isinstance(node, skip):
        return False
    if isinstance(node, wanted):
        return True
    if isinstance(node, exp.Query | exp.Subquery | exp.Window):
        return False
    return any(_own(each, wanted, skip) for each in _operands(node))


def _outside(value: exp.Expr, grouped: Sequence[str]) -> Iterable[exp.Expr]:
    """The parts of an expression that are no expression of GROUP BY."""
    if value.sql("oracle") in grouped:
        return ()
    if not isinstance(value, exp.AggFunc | exp.Column | exp.Query | exp.Subquery) and _operands(value):
        return [part for each in _operands(value) for part in _outside(each, grouped)]
    return (value,)
