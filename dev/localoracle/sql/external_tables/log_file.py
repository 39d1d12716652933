"""The head of an external table's log file, as ORACLE_LOADER writes it ("The ORACLE_LOADER Access Driver" in
Oracle Database Utilities)."""

from __future__ import annotations

from localoracle.sql.external_tables.access_parameters import AccessParameters, Field

_TRIMMED = {
    "LDRTRIM": "Trim whitespace same as SQL Loader",
    "NOTRIM": "Do not trim whitespace",
    "LRTRIM": "Trim whitespace from left and right",
    "LTRIM": "Trim whitespace from left",
    "RTRIM": "Trim whitespace from right",
}


def log_head(table: str, parameters: AccessParameters) -> str:
    """What stands between the moment of opening and the messages about records."""
    delimited = "NEWLINE" if parameters.separator == "\n" else f'"{parameters.separator}"'
    nulls = "not accepted" if parameters.reject_null else "accepted"
    lines = [
        f"Field Definitions for table {table}",
        f"  Record format DELIMITED BY {delimited}",
        "  Data in file has same endianness as the platform",
        f"  Rows with all null fields are {nulls}",
        "",
        "  Fields in Data Source: ",
        "",
    ]
    for field in parameters.fields:
        lines += _field(field, parameters)
    return "\n".join(lines)


def _field(field: Field, parameters: AccessParameters) -> list[str]:
    lines = [f"    {field.name:<31} CHAR ({field.limit})"]
    if field.mask is not None:
        lines.append(f"      Date datatype DATE, date mask {field.mask}")
    lines.append(f'      Terminated by "{parameters.terminator}"')
    if parameters.enclosure is not None:
        lines.append(f'      Enclosed by "{parameters.enclosure}" and "{parameters.enclosure}"')
    return [*lines, f"      {_TRIMMED[parameters.trim]}"]
