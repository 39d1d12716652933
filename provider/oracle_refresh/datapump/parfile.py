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


def _general(spec: JobSpec) -> Iterator[str]:
    yield f"job_name={spec.job_name}"
    yield f"directory={Identifier(spec.directory).written}"
    if spec.dump_files:
        yield f"dumpfile={','.join(spec.dump_files)}"
    if spec.remote_link:
        yield f"network_link={spec.remote_link}"
    yield f"logfile={spec.log_file}"
    yield f"content={spec.content}"
    yield f"metrics={_yes(spec.metrics)}"
    if spec.keep_master:
        yield "keep_master=YES"
    if spec.logtime:
        yield f"logtime={spec.logtime}"
    if spec.trace:
        yield f"trace={spec.trace}"
    yield "cluster=NO"
    if spec.parallel > 1:
        yield f"parallel={spec.parallel}"
    if spec.scn is not None:
        yield f"flashback_scn={spec.scn}"


def _tables(spec: JobSpec) -> Iterator[str]:
    """The tables of the job, each with its partitions where the job is confined to some; or its schemas."""
    partitions = dict(spec.partitions)
    for table in spec.tables:
        for part in [f":{Identifier(name).sql}" for name in partitions.get(table, ())] or [""]:
            yield f"tables={table.sql}{part}"
    if spec.schemas:
        yield f"schemas={','.join(Identifier(name).written for name in spec.schemas)}"


def _choice(spec: JobSpec) -> Iterator[str]:
    for name, paths in (("include", spec.include), ("exclude", spec.exclude)):
        if paths:
            yield f"{name}={','.join(paths)}"
    for table, text in spec.subqueries:
        yield f'query={table.sql}:"{_quoted(text)}"'


def _export(spec: JobSpec) -> Iterator[str]:
    if spec.compression:
        yield f"compression={spec.compression}"
    if spec.compression_algorithm:
        yield f"compression_algorithm={spec.compression_algorithm}"
    if spec.encryption:
        yield f"encryption={spec.encryption}"
        yield "encryption_mode=PASSWORD"
        if spec.encryption_algorithm:
            yield f"encryption_algorithm={spec.encryption_algorithm}"
        yield "encryption_pwd_prompt=YES"
    if spec.file_size:
        # The clients' units are KB, MB, GB, TB.
        yield f"filesize={spec.file_size}{'B' if spec.file_size[-1].isalpha() else ''}"
    yield "reuse_dumpfiles=YES"


def _import(spec: JobSpec) -> Iterator[str]:
    if spec.encryption:
        yield "encryption_pwd_prompt=YES"
    yield f"table_exists_action={spec.table_exists_action}"
    if spec.access_method:
        yield f"access_method={spec.access_method}"
    if spec.disable_append_hint:
        yield "data_options=DISABLE_APPEND_HINT"
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


def _yes(value: bool) -> str:
    return "YES" if value else "NO"
