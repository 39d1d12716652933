"""Catalogues as users have them: tables of every kind with keys, checks, references, indexes, partitions."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, Column, Constraint, Index, IndexColumn, Lob, Partition, Table
from oracle_refresh.catalog.model import ReferencedKey
from support.generated.columns import NAMES, NO_KEY, OWNERS, columns

_CHECKS = (
    '"{0}" IS NOT NULL OR 1 = 1', '"{0}" IN (\'a\', \'it\'\'s\')', 'LENGTH("{0}") > 2',
    'REGEXP_LIKE("{0}", \'^[A-Z]+$\')', '"{0}" BETWEEN \'A\' AND \'Z\'',
)  # fmt: skip
MEGABYTE = 1024 * 1024


@st.composite
def catalogues(draw: st.DrawFn) -> Catalogue:
    """One to three tables in one or two schemas."""
    owners = draw(st.lists(OWNERS, min_size=1, max_size=2, unique=True))
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    tables: list[Table] = []
    for name in names:
        tables.append(draw(_tables(draw(st.sampled_from(owners)), name, tuple(tables))))
    return Catalogue(tuple(sorted(owners)), tuple(sorted(tables, key=lambda one: (one.owner, one.name))))


@st.composite
def _tables(draw: st.DrawFn, owner: str, name: str, others: tuple[Table, ...]) -> Table:
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    found = [draw(columns(each)) for each in names]
    iot = draw(st.integers(0, 5)) == 0
    keys = [each for each in found if each.data_type not in NO_KEY and not each.virtual]
    constraints: list[Constraint] = []
    if keys and (iot or draw(st.booleans())):
        key = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3, unique=True))
        mandatory = {each.name for each in key}
        found = [replace(each, nullable=False) if each.name in mandatory else each for each in found]
        constraints.append(_constraint(draw, f"{name[:20]}_PK", "P", tuple(each.name for each in key)))
    if keys and draw(st.booleans()):
        key = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=2, unique=True))
        constraints.append(_constraint(draw, f"{name[:20]}_UK", "U", tuple(each.name for each in key)))
    for number, each in enumerate(found):
        if not each.nullable and draw(st.booleans()):
            condition = f'"{each.name}" IS NOT NULL'
            constraints.append(_check(draw, f"SYS_C00{number}{len(name)}", each.name, condition, True))
    texts = [each for each in found if each.data_type in ("VARCHAR2", "CHAR") and each.length <= 4000]
    if texts and draw(st.booleans()):
        column = draw(st.sampled_from(texts)).name
        condition = draw(st.sampled_from(_CHECKS)).format(column)
        constraints.append(_check(draw, f"{name[:20]}_CK", column, condition, False))
    found, constraints = _references(draw, name, found, constraints, others)
    size = draw(st.integers(0, 4000)) * MEGABYTE
    heap = not (iot and constraints)
    partitions = draw(_partitions(size)) if heap else ()
    divided = [each.name for each in found if each.data_type not in NO_KEY]
    return Table(
        owner,
        name,
        draw(st.one_of(st.none(), st.integers(0, 10**9))),
        size,
        size // 8192,
        tuple(found),
        tuple(
            Lob(each.name, f"SYS_LOB{place}", each.data_type, draw(st.booleans()), True, 8192, size)
            for place, each in enumerate(found)
            if each.is_lob
        ),
        tuple(constraints),
        draw(_indexes(owner, name, tuple(found), tuple(constraints))),
        partitions=partitions,
        partition_columns=tuple(divided[:1]) if partitions else (),
        may_change_partition=draw(st.booleans()),
        iot=not heap and any(each.type == "P" for each in constraints),
        temporary=heap and bool(others) and draw(st.integers(0, 9)) == 0,
        bigfile_tablespace=draw(st.booleans()),
        filterable=draw(st.integers(0, 9)) > 0,
    )


def _references(
    draw: st.DrawFn, name: str, found: list[Column], constraints: list[Constraint], others: tuple[Table, ...]
) -> tuple[list[Column], list[Constraint]]:
    """A foreign key to the primary key of another table, with columns of the types it has."""
    parents = [other for other in others if other.primary_key]
    if not parents or draw(st.booleans()):
        return found, constraints
    parent = draw(st.sampled_from(parents))
    assert parent.primary_key is not None
    own = []
    for number, column in enumerate(parent.primary_key.columns, 1):
        model = parent.column(column)
        assert model is not None
        own.append(replace(model, name=f"REF_{number}", nullable=True, identity=False))
    if {each.name for each in own} & {each.name for each in found}:
        return found, constraints
    key = ReferencedKey(parent.owner, parent.name, parent.primary_key.columns)
    plain = _constraint(draw, f"{name[:20]}_FK", "R", tuple(each.name for each in own))
    rule = draw(st.sampled_from(["NO ACTION", "CASCADE", "SET NULL"]))
    return [*found, *own], [*constraints, replace(plain, references=key, delete_rule=rule)]


def _constraint(draw: st.DrawFn, name: str, kind: str, names: tuple[str, ...]) -> Constraint:
    enabled, deferrable = draw(st.integers(0, 5)) > 0, draw(st.integers(0, 5)) == 0
    return Constraint(
        name,
        kind,  # type: ignore[arg-type]
        names,
        None,
        None,
        enabled,
        enabled and draw(st.booleans()),
        deferrable,
        None,
        draw(st.booleans()),
        None,
        None,
        deferred=deferrable and draw(st.booleans()),
        rely=draw(st.integers(0, 5)) == 0,
    )


def _check(draw: st.DrawFn, name: str, column: str, condition: str, not_null: bool) -> Constraint:
    plain = _constraint(draw, name, "C", (column,))
    return replace(
        plain, search_condition=condition, generated=not_null, deferrable=False, deferred=False, rely=False
    )


@st.composite
def _indexes(
    draw: st.DrawFn, owner: str, name: str, found: tuple[Column, ...], constraints: tuple[Constraint, ...]
) -> tuple[Index, ...]:
    made = [
        Index(
            owner,
            each.name,
            "NORMAL",
            True,
            draw(st.booleans()),
            tuple(IndexColumn(column, None, False) for column in each.columns),
            each.name,
        )
        for each in constraints
        if each.type in ("P", "U") and each.enabled
    ]
    plain = [each.name for each in found if each.data_type not in NO_KEY]
    if plain and draw(st.booleans()):
        column = draw(st.sampled_from(plain))
        kind = draw(st.sampled_from(["NORMAL", "BITMAP", "FUNCTION-BASED NORMAL", "DOMAIN"]))
        expression = f'UPPER("{column}")' if kind.startswith("FUNCTION") else None
        made.append(
            Index(
                owner, f"{name[:20]}_I", kind, False, False, (IndexColumn(column, expression, False),), None
            )
        )
    return tuple(made)


@st.composite
def _partitions(draw: st.DrawFn, size: int) -> tuple[Partition, ...]:
    names = draw(st.one_of(st.just([]), st.lists(NAMES, min_size=1, max_size=4, unique=True)))
    composite = draw(st.booleans())
    return tuple(Partition(name, place, composite, size // len(names)) for place, name in enumerate(names, 1))
