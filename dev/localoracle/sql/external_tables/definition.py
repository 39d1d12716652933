"""CREATE TABLE ... ORGANIZATION EXTERNAL, ORACLE_LOADER (SQL Language Reference, external_table_clause)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.columns import ColumnDefinition
from localoracle.sql.ddl.expressions import source_text
from localoracle.sql.external_tables.access_parameters import AccessParameters, FileName, log_head, parse
from localoracle.sql.external_tables.plain_records import DATE_MASK, QUOTE, escaped, plain_records
from localoracle.sql.parsing.lexer import Cursor, literal, quote, split_commas
from localoracle.sql.statement import Statement

UNLIMITED = -1
_PLAIN_DATE = "^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$"
"""Dates that PostgreSQL reads as they are: as TO_DATE does, without looking at the mask each time."""


@dataclass(frozen=True)
class External:
    """The clause as read. `locations`: directory and file; `reject_limit`: UNLIMITED or a number."""

    default_directory: str
    access_text: str
    locations: tuple[tuple[str, str], ...]
    reject_limit: int = 0


def external_clause(cursor: Cursor) -> External:
    """`cursor` stands behind ORGANIZATION EXTERNAL; REJECT LIMIT is read too.

    Raises ORA-30648 without a LOCATION, ORA-03001 for other access drivers.
    """
    inner = cursor.inside()
    if inner.take("TYPE") and not inner.take("ORACLE_LOADER"):
        raise not_supported(f"external tables of TYPE {inner.word()}")
    inner.expect("DEFAULT DIRECTORY", 30648, "missing LOCATION keyword")
    default = inner.name()
    access = ""
    if inner.take("ACCESS PARAMETERS"):
        if inner.at("USING"):
            raise not_supported("ACCESS PARAMETERS USING CLOB")
        access = source_text(inner.parenthesised(), cursor.sql)
    inner.expect("LOCATION", 30648, "missing LOCATION keyword")
    listed = split_commas(inner.inside())
    locations = tuple(_location(cursor.over(part), default) for part in listed)
    inner.finish()
    limit = 0
    if cursor.take("REJECT LIMIT"):
        limit = UNLIMITED if cursor.take("UNLIMITED") else cursor.number()
    return External(default, access, locations, limit)


def _location(cursor: Cursor, default: str) -> tuple[str, str]:
    directory = default
    if cursor.index + 1 < len(cursor.tokens):
        directory = cursor.name()
        cursor.expect(":")
    name = cursor.string()
    cursor.finish()
    return directory, _plain(name)


def _plain(name: str) -> str:
    if not name or "/" in name or name in (".", ".."):
        raise _at_open(f"KUP-04076: file name cannot contain a path specification: {name}")
    return name


def _at_open(cause: str) -> OracleError:
    first = "error in executing ODCIEXTTABLEOPEN callout\nORA-29400: data cartridge error"
    return OracleError(29913, f"{first}\n{cause}")


def create_external_table(
    schema: str | None, name: str, columns: Sequence[ColumnDefinition], external: External
) -> Statement:
    """The statement that makes the table. Raises as `access_parameters.parse`, KUP-04043 for lost columns."""
    if not columns:
        raise not_supported("external tables AS SELECT")
    if any(column.constraints or column.default or column.generated or column.identity for column in columns):
        raise not_supported("constraints and defaults of external tables")
    parameters = parse(external.access_text, name, [column.name for column in columns])
    if parameters.skip and len(external.locations) > 1:
        raise not_supported("SKIP with several files")
    listed = ", ".join(f"{quote(column.name)} {_type(column)}" for column in columns)
    expressions = [_expression(column, parameters) for column in columns]
    types = {column.name: column.type for column in columns if column.type is not None}
    plain = plain_records(parameters, types)
    created = calls.call(
        "localoracle.create_external_table",
        schema,
        name,
        listed,
        calls.texts([column.name for column in columns]),
        calls.texts(expressions),
        _arguments(parameters),
        parameters.separator,
        parameters.skip,
        parameters.read_size,
        external.default_directory,
        calls.texts([directory for directory, _ in external.locations]),
        calls.texts([file for _, file in external.locations]),
        *_file(parameters.bad, external),
        *_file(parameters.log, external),
        None if external.reject_limit == UNLIMITED else external.reject_limit,
        external.access_text or None,
        log_head(name, parameters),
        *((plain.pattern, plain.columns, plain.values) if plain else (None, None, None)),
        parameters.terminator,
        escaped(parameters.terminator),
        QUOTE,
    )
    return Statement.ddl("CREATE TABLE", schema, name, created)


def _type(column: ColumnDefinition) -> str:
    assert column.type is not None
    if column.type.family not in ("S", "N", "F", "D", "T") and column.type.name != "ora.clob":
        raise not_supported(f"columns of type {column.type.name} in external tables")
    return column.type.name


def _expression(column: ColumnDefinition, parameters: AccessParameters) -> str:
    """The column's value out of the fields `f` of a record."""
    assert column.type is not None
    names = [field.name for field in parameters.fields]
    if column.name not in names:
        raise _at_open(f"KUP-04043: table column not found in external source: {column.name}")
    number = names.index(column.name)
    value, mask = f"f[{number + 1}]", parameters.fields[number].mask
    kind = column.type
    if kind.family == "S":
        size = kind.length or 32767
        function, limit = ("length", size) if kind.bytes is None else ("octet_length", kind.bytes)
        too_long = f"localoracle.external_too_long({function}({value}), {limit})"
        # A cast would cut what does not fit.
        return f"CASE WHEN {function}({value}) > {limit} THEN {too_long} ELSE {value} END"
    if kind.family in ("N", "F"):
        plain = f"numeric_in(textout({value}), 0, -1)"
        # What is nothing but digits needs none of Oracle's conversion.
        number_text = (
            f"CASE WHEN {value} ~ '^-?[0-9]+[.]?[0-9]*$' THEN {plain} ELSE ora.text_to_number({value}) END"
        )
        return f"CAST({number_text} AS {kind.name})"
    if kind.family in ("D", "T"):
        function = "ora.to_date" if kind.family == "D" else "ora.to_timestamp"
        converted = f"{function}({value}{f', {literal(mask)}' if mask else ''})"
        if kind.family == "D" and mask == DATE_MASK:
            plain = f"CAST(timestamp_in(textout({value}), 0, -1) AS ora.oradate)"
            return f"CASE WHEN {value} ~ {literal(_PLAIN_DATE)} THEN {plain} ELSE {converted} END"
        return converted
    return f"CAST({value} AS {kind.name})"


def _arguments(parameters: AccessParameters) -> str:
    """The arguments of localoracle.external_fields behind the record."""
    names = calls.texts([field.name for field in parameters.fields])
    limits = ", ".join(str(field.limit) for field in parameters.fields)
    enclosure = "NULL" if parameters.enclosure is None else literal(parameters.enclosure)
    flags = [parameters.missing_null, parameters.reject_null]
    return ", ".join(
        [
            literal(parameters.terminator),
            enclosure,
            str(parameters.optional).lower(),
            literal(parameters.trim),
            names,
            f"ARRAY[{limits}]",
            str(min(field.limit for field in parameters.fields)),
            *(str(flag).lower() for flag in flags),
        ]
    )


def _file(file: FileName | None, external: External) -> tuple[str | None, str | None]:
    if file is None:
        return None, None
    return file.directory or external.default_directory, _plain(file.name)
