"""A job's description as calls of DBMS_DATAPUMP. Pure: nothing is executed, and no password is in them.

Source: DBMS_DATAPUMP in PL/SQL Packages and Types Reference 19c. Numbers are passed as numbers and texts as
texts, because the procedures are overloaded on the type of the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from oracle_refresh.datapump import statements
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.oracle.identifiers import Identifier


@dataclass(frozen=True)
class Call:
    """One call of a supplied procedure after OPEN; the handle is its first argument and not listed."""

    name: str
    arguments: tuple[int | str | None, ...] = ()
    keywords: Mapping[str, int | str] = field(default_factory=dict)


def opening(spec: JobSpec) -> tuple[str, str, str | None, str]:
    """The arguments of OPEN."""
    return spec.operation, spec.mode, spec.remote_link, spec.job_name


def calls(spec: JobSpec) -> tuple[Call, ...]:
    """Everything between OPEN and START_JOB, in order, except ENCRYPTION_PASSWORD."""
    return (
        *_files(spec),
        *_metadata_filters(spec),
        *(Call(statements.SET_PARAMETER, pair) for pair in _parameters(spec)),
        *_changes(spec),
        *_data_filters(spec),
        *([Call(statements.SET_PARALLEL, (spec.parallel,))] if spec.parallel > 1 else []),
    )


def password_call(password: str) -> Call:
    """The call that makes the password known; kept apart so that it is in no list that somebody prints."""
    return Call(statements.SET_PARAMETER, ("ENCRYPTION_PASSWORD", password))


def _files(spec: JobSpec) -> Iterator[Call]:
    export = spec.operation == "EXPORT"
    for name in spec.dump_files:
        # An export that is repeated writes over the files of its former try.
        reuse = (1,) if export else ()
        place = (name, spec.directory, spec.file_size, statements.FILE_TYPE_DUMP_FILE, *reuse)
        yield Call(statements.ADD_FILE, place)
    yield Call(statements.ADD_FILE, (spec.log_file, spec.directory, None, statements.FILE_TYPE_LOG_FILE))


def _metadata_filters(spec: JobSpec) -> Iterator[Call]:
    yield Call(statements.METADATA_FILTER, ("SCHEMA_EXPR", expression(spec.owners)))
    if spec.tables:
        names = expression(sorted({name for _, name in spec.tables}))
        path = ("TABLE",) if spec.mode == "SCHEMA" else ()
        yield Call(statements.METADATA_FILTER, ("NAME_EXPR", names, *path))
    for name, paths in (("INCLUDE_PATH_EXPR", spec.include), ("EXCLUDE_PATH_EXPR", spec.exclude)):
        if paths:
            listed = ",".join(f"'{path}'" for path in paths)
            yield Call(statements.METADATA_FILTER, (name, f"IN ({listed})"))


def _parameters(spec: JobSpec) -> Iterator[tuple[str, int | str]]:
    if spec.content == "DATA_ONLY":
        yield "INCLUDE_METADATA", 0
    yield "METRICS", int(spec.metrics)
    given: tuple[tuple[str, int | str | None], ...] = (
        ("KEEP_MASTER", int(spec.keep_master)),
        ("LOGTIME", spec.logtime),
        ("FLASHBACK_SCN", spec.scn),
    )
    if spec.operation == "IMPORT":
        given += (
            ("TABLE_EXISTS_ACTION", spec.table_exists_action),
            ("DATA_ACCESS_METHOD", spec.access_method),
            ("DATA_OPTIONS", statements.DISABLE_APPEND_HINT if spec.disable_append_hint else None),
        )
    else:
        given += (
            ("COMPRESSION", spec.compression),
            ("COMPRESSION_ALGORITHM", spec.compression_algorithm),
            ("ENCRYPTION", spec.encryption),
            ("ENCRYPTION_MODE", spec.encryption and "PASSWORD"),
            ("ENCRYPTION_ALGORITHM", spec.encryption and spec.encryption_algorithm),
        )
    yield from ((name, value) for name, value in given if value)


def _changes(spec: JobSpec) -> Iterator[Call]:
    """Remaps and transforms."""
    for name, pairs in (("REMAP_SCHEMA", spec.remap_schema), ("REMAP_TABLESPACE", spec.remap_tablespace)):
        for old, new in pairs:
            yield Call(statements.METADATA_REMAP, (name, Identifier(old).name, Identifier(new).name))
    for (_, old), new in spec.remap_table:
        yield Call(statements.METADATA_REMAP, ("REMAP_TABLE", Identifier(old).name, Identifier(new).name))
    for transform in spec.transforms:
        kind = (transform.object_type,) if transform.object_type else ()
        yield Call(statements.METADATA_TRANSFORM, (transform.name, transform.value, *kind))


def _data_filters(spec: JobSpec) -> Iterator[Call]:
    if spec.content == "METADATA_ONLY":
        yield Call(statements.DATA_FILTER, ("INCLUDE_ROWS", 0))
    for (owner, name), text in spec.subqueries:
        yield Call(statements.DATA_FILTER, ("SUBQUERY", text, name, owner))
    for (owner, name), listed in spec.partitions:
        yield Call(statements.DATA_FILTER, ("PARTITION_LIST", literals(listed), name, owner))
    for owner, name in spec.without_rows:
        yield Call(statements.DATA_FILTER, ("INCLUDE_ROWS", 0, name, owner))


def expression(names: Sequence[str]) -> str:
    """An expression filter `IN ('A','B')`; the names are validated first, then quoted as literals."""
    return f"IN ({literals(names)})"


def literals(names: Sequence[str]) -> str:
    """A list filter `'A','B'`; the names are validated first, then quoted as literals."""
    return ",".join(Identifier(name).literal for name in names)
