"""Catalogues as users have them: tables of every kind with keys, checks, references, indexes, partitions."""

from __future__ import annotations

from dataclasses import replace
from zlib import crc32

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, Column, Constraint, Index, IndexColumn, Lob, Partition, Table
from oracle_refresh.catalog.model import ReferencedKey, Sequence, Trigger, View
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
    tables.sort(key=lambda one: (one.owner, one.name))
    triggers = tuple(trigger for table in tables for trigger in table.triggers)
    return Catalogue(
        tuple(sorted(owners)),
        tuple(tables),
        tuple(draw(_sequences(owner, f"{name[:60]} S")) for owner in owners for name in draw(_SOME_NAMES)),
        tuple(View(owner, f"{name[:60]} V") for owner in owners for name in draw(_SOME_NAMES)),
        triggers,
    )


_SOME_NAMES = st.lists(NAMES, max_size=2, unique=True)


@st.composite
def _sequences(draw: st.DrawFn, owner: str, name: str) -> Sequence:
    """Rising and falling ones, some of them at their end."""
    step, most = draw(st.sampled_from([1, 20, -1])), draw(st.sampled_from([9, 10**28 - 1]))
    least = draw(st.sampled_from([1, -(10**27) + 1]))
    last = draw(st.sampled_from([least, 5, most, most + step if step > 0 else least + step]))
    return Sequence(owner, name, step, last, least, most, draw(st.booleans()))


@st.composite
def _tables(draw: st.DrawFn, owner: str, name: str, others: tuple[Table, ...]) -> Table:
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    found = [draw(columns(each)) for each in names]
    iot = draw(st.integers(0, 5)) == 0
    keys = [
        each
        for each in found
        if each.data_type not in NO_KEY
        and not each.virtual
        and not each.data_type.endswith(" WITH TIME ZONE")
    ]
    constraints: list[Constraint] = []
    if keys and (iot or draw(st.booleans())):
        key = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3, unique=True))
        mandatory = {each.name for each in key}
        found = [replace(each, nullable=False) if each.name in mandatory else each for each in found]
        plain = _constraint(draw, f"{name[:20]}_PK", "P", tuple(each.name for each in key))
        constraints.append(replace(plain, deferrable=False, deferred=False, enabled=True) if iot else plain)
    if keys and draw(st.booleans()):
        key = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=2, unique=True))
        constraints.append(_constraint(draw, f"{name[:20]}_UK", "U", tuple(each.name for each in key)))
    for number, each in enumerate(found):
        if not each.nullable and draw(st.booleans()):
            condition = f'"{each.name}" IS NOT NULL'
            unique = crc32(f"{name} {number}".encode())
            constraints.append(_check(draw, f"SYS_C{unique}", each.name, condition, True))
    texts = [each for each in found if each.data_type in ("VARCHAR2", "CHAR") and each.length <= 4000]
    if texts and draw(st.booleans()):
        column = draw(st.sampled_from(texts)).name
        condition = draw(st.sampled_from(_CHECKS)).format(column)
        constraints.append(_check(draw, f"{name[:20]}_CK", column, condition, False))
    found, constraints = _references(draw, name, found, constraints, others)
    size = draw(st.integers(0, 4000)) * MEGABYTE
    heap = not (iot and any(each.type == "P" for each in constraints))
    temporary = heap and bool(others) and draw(st.integers(0, 9)) == 0
    if temporary:  # ORA-14455
        constraints = [each for each in constraints if each.type != "R"]
    divided = [
        each.name for each in found if each.data_type not in NO_KEY and not each.data_type.endswith("ZONE")
    ]
    partitions = draw(_partitions(size)) if heap and divided and not temporary else ()
    by_key = any(each.type == "R" and each.enabled for each in constraints)
    kinds = ["RANGE", "RANGE", "LIST", "HASH", *(["REFERENCE"] if by_key else [])]
    partitioning = draw(st.sampled_from(kinds)) if partitions else None
    by = tuple(divided[: draw(st.integers(1, 2))]) if partitions else ()
    # The key of an index-organized table has no index of its own.
    keys_alone = tuple(each for each in constraints if heap or each.type != "P")
    indexes = draw(_indexes(owner, name, tuple(found), keys_alone, by))
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
        indexes,
        triggers=tuple(
            Trigger(owner, f"{trigger[:60]}_T", owner, name, draw(st.booleans()))
            for trigger in draw(_SOME_NAMES)
        ),
        partitions=partitions,
        partitioning=partitioning,
        grows=partitioning in ("RANGE", "LIST") and draw(st.booleans()),
        partition_columns=by,
        may_change_partition=draw(st.booleans()),
        iot=not heap,
        temporary=temporary,
        clustered=heap and not temporary and not partitions and draw(st.integers(0, 9)) == 0,
        bigfile_tablespace=draw(st.booleans()),
        filterable=draw(st.integers(0, 9)) > 0,
        unchangeable=draw(st.integers(0, 29)) == 0,
        attributes=("READ ONLY",) if draw(st.integers(0, 5)) == 0 else (),
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
        own.append(
            replace(model, name=f"REF_{number}", nullable=True, identity=False, always_generated=False)
        )
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
    draw: st.DrawFn,
    owner: str,
    name: str,
    found: tuple[Column, ...],
    constraints: tuple[Constraint, ...],
    divided: tuple[str, ...],
) -> tuple[Index, ...]:
    made = [
        Index(
            owner,
            each.name,
            "NORMAL",
            not each.deferrable,
            bool(divided) and {*divided} <= {*each.columns} and draw(st.booleans()),
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
        unique = kind == "FUNCTION-BASED NORMAL" and draw(st.booleans())
        descending = kind == "FUNCTION-BASED NORMAL" and draw(st.booleans())
        expression = f'"{column}"' if descending else f"SUBSTR(\"{column}\", 1, 3) || 'x)'"
        key = IndexColumn(column, expression if kind.startswith("FUNCTION") else None, descending)
        local = (
            bool(divided) and not unique and kind != "DOMAIN" and (kind == "BITMAP" or draw(st.booleans()))
        )
        made.append(Index(owner, f"{name[:60]}_I", kind, unique, local, (key,), None))
    return tuple(made)


@st.composite
def _partitions(draw: st.DrawFn, size: int) -> tuple[Partition, ...]:
    names = draw(st.one_of(st.just([]), st.lists(NAMES, min_size=1, max_size=4, unique=True)))
    composite = draw(st.booleans())
    return tuple(
        Partition(name, place, composite, size // len(names), read_only=draw(st.integers(0, 19)) == 0)
        for place, name in enumerate(names, 1)
    )
