"""Renders a job as the parameter file that expdp or impdp takes: to show it, and for `runner: client`.

A password is never in it: the clients ask for those of the user and of the encryption, and read them from
standard input. Source: "Data Pump Export" and "Data Pump Import" in Oracle Database Utilities 19c.
"""

from __future__ import annotations

from collections.abc import Iterator

from oracle_refresh.datapump.jobspec import NUMBER_TRANSFORMS, JobSpec, Transform
from oracle_refresh.oracle.identifiers import Identifier

COUNTED = frozenset({"PCTSPACE"})  # the one transform whose number is no yes or no


def render(spec: JobSpec, userid: str | None = None) -> str:
    """The text of the parameter file.

    :param userid: user and connect string without a password, such as `scott@host:1521/service` or `/@alias`;
        without it the caller names the user on the command line.
    """
    program = "expdp" if spec.operation == "EXPORT" else "impdp"
    lines = [f"userid={userid}"] if userid else [f"# {program} <user> parfile=<this file>"]
    lines += [*_general(spec), *_tables(spec), *_choice(spec)]
    lines += _export(spec) if spec.operation == "EXPORT" else _import(spec)
    return "\n".join(lines) + "\n"


def _given(*pairs: tuple[str, object]) -> Iterator[str]:
    """A line for each parameter that has a value."""
    return (f"{name}={value}" for name, value in pairs if value)


def _general(spec: JobSpec) -> Iterator[str]:
    return _given(
        ("job_name", spec.job_name),
        ("directory", Identifier(spec.directory).written),
        ("dumpfile", ",".join(spec.dump_files)),
        ("network_link", spec.remote_link),
        ("logfile", spec.log_file),
        ("content", spec.content),
        ("metrics", "YES" if spec.metrics else "NO"),
        ("keep_master", spec.keep_master and "YES"),
        ("logtime", spec.logtime),
        ("trace", spec.trace),
        ("cluster", "NO"),
        ("parallel", spec.parallel > 1 and spec.parallel),
        ("flashback_scn", spec.scn),
    )


def _tables(spec: JobSpec) -> Iterator[str]:
    """The tables of the job, each with its partitions where the job is confined to some; or its schemas."""
    partitions = dict(spec.partitions)
    for table in spec.tables:
        for part in [f":{Identifier(name).sql}" for name in partitions.get(table, ())] or [""]:
            yield f"tables={table.sql}{part}"
    if spec.schemas:
        yield f"schemas={','.join(Identifier(name).written for name in spec.schemas)}"


def _choice(spec: JobSpec) -> Iterator[str]:
    yield from _given(("include", ",".join(spec.include)), ("exclude", ",".join(spec.exclude)))
    for table, text in spec.subqueries:
        yield f'query={table.sql}:"{_quoted(text)}"'


def _export(spec: JobSpec) -> Iterator[str]:
    # The clients' units are KB, MB, GB, TB.
    unit = "B" if spec.file_size and spec.file_size[-1].isalpha() else ""
    return _given(
        ("compression", spec.compression),
        ("compression_algorithm", spec.compression_algorithm),
        ("encryption", spec.encryption),
        ("encryption_mode", spec.encryption and "PASSWORD"),
        ("encryption_algorithm", spec.encryption and spec.encryption_algorithm),
        ("encryption_pwd_prompt", spec.encryption and "YES"),
        ("filesize", spec.file_size and f"{spec.file_size}{unit}"),
        ("reuse_dumpfiles", "YES"),
    )


def _import(spec: JobSpec) -> Iterator[str]:
    yield from _given(
        ("encryption_pwd_prompt", spec.encryption and "YES"),
        ("table_exists_action", spec.table_exists_action),
        ("access_method", spec.access_method),
        ("data_options", spec.disable_append_hint and "DISABLE_APPEND_HINT"),
    )
    for name, pairs in (("remap_schema", spec.remap_schema), ("remap_tablespace", spec.remap_tablespace)):
        for old, new in pairs:
            yield f"{name}={Identifier(old).written}:{Identifier(new).written}"
    for table, new in spec.remap_table:
        yield f"remap_table={table.key}:{Identifier(new).written}"
    for transform in spec.transforms:
        yield f"transform={_transform(transform)}"


def _transform(transform: Transform) -> str:
    value = str(transform.value)
    if transform.name in NUMBER_TRANSFORMS - COUNTED:
        value = "Y" if transform.value else "N"
    elif " " in value or '"' in value:
        value = f'"{_quoted(value)}"'
    suffix = f":{transform.object_type}" if transform.object_type else ""
    return f"{transform.name}:{value}{suffix}"


def _quoted(text: str) -> str:
    return text.replace('"', '\\"')
