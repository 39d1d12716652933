"""The initialization parameters of a new instance: documented properties, and the values it starts with."""

from __future__ import annotations

import re
from typing import Any

from localoracle.errors import dictionary

_TYPES = {"Boolean": 1, "String": 2, "Integer": 3, "Parameter file": 4, "Big integer": 6}

# Values that the documentation derives from the machine or the installation, or that differ in the stand-in.
_VALUES = {
    "processes": "300",
    "sessions": "472",
    "cpu_count": "2",
    "db_block_size": "8192",
    "compatible": "19.0.0",
    "open_cursors": "300",
    "undo_management": "AUTO",
    "undo_tablespace": "UNDOTBS1",
    "undo_retention": "900",
    "sga_target": "268435456",
    "sga_max_size": "268435456",
    "pga_aggregate_target": "67108864",
    "pga_aggregate_limit": "2147483648",
    "memory_target": "0",
    "memory_max_target": "0",
    "shared_pool_size": "0",
    "db_cache_size": "0",
    "log_buffer": "7864320",
    "streams_pool_size": "0",
    "parallel_max_servers": "40",
    "parallel_min_servers": "0",
    "parallel_servers_target": "16",
    "parallel_execution_message_size": "16384",
    "parallel_degree_policy": "MANUAL",
    "parallel_threads_per_cpu": "1",
    "db_writer_processes": "1",
    "filesystemio_options": "none",
    "disk_asynch_io": "TRUE",
    "commit_wait": None,
    "commit_logging": None,
    "nls_language": "AMERICAN",
    "nls_territory": "AMERICA",
    "nls_currency": "$",
    "nls_iso_currency": "AMERICA",
    "nls_numeric_characters": ".,",
    "nls_calendar": "GREGORIAN",
    "nls_date_format": "DD-MON-RR",
    "nls_date_language": "AMERICAN",
    "nls_sort": "BINARY",
    "nls_timestamp_format": "DD-MON-RR HH.MI.SSXFF AM",
    "nls_timestamp_tz_format": "DD-MON-RR HH.MI.SSXFF AM TZR",
    "nls_time_format": "HH.MI.SSXFF AM",
    "nls_time_tz_format": "HH.MI.SSXFF AM TZR",
    "nls_dual_currency": "$",
    "nls_comp": "BINARY",
    "nls_length_semantics": "CHAR",
    "nls_nchar_conv_excp": "FALSE",
    "recyclebin": "off",
    "max_string_size": "STANDARD",
    "statistics_level": "TYPICAL",
    "optimizer_mode": "ALL_ROWS",
    "cluster_database": "FALSE",
    "db_domain": None,
    "remote_login_passwordfile": "EXCLUSIVE",
    "log_archive_dest_1": None,
    "enable_pluggable_database": "FALSE",
    "service_names": None,
    "db_name": None,
    "db_unique_name": None,
    "instance_name": None,
    "instance_number": "0",
    "thread": "0",
}
_UNDOCUMENTED_HERE = {
    # shown by NLS_SESSION_PARAMETERS or V$PARAMETER, without a page in the reference: type, session, system
    "nls_time_format": (2, True, "FALSE"),
    "nls_time_tz_format": (2, True, "FALSE"),
    "enable_pluggable_database": (1, False, "FALSE"),
}


def _default(name: str, described: dict[str, Any]) -> str | None:
    if name in _VALUES:
        return _VALUES[name]
    text = str(described["default"] or "").strip()
    if described["type"] == "Boolean" and re.fullmatch(r"(?i)true|false", text):
        return text.upper()
    return text.rstrip(".") if re.fullmatch(r"\d+|[A-Z][A-Z0-9_]*", text.rstrip(".")) else None


def _quoted(value: str | None) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def _system_modifiable(described: dict[str, Any]) -> str:
    if not described["dynamic"] or not described["system_modifiable"]:
        return "FALSE"
    return "DEFERRED" if described["deferred_only"] else "IMMEDIATE"


def statements() -> str:
    """The script that fills localoracle.parameters."""
    rows = []
    documented = {
        name: described
        for name, described in dictionary()["parameters"].items()
        if re.fullmatch(r"[a-z_][a-z0-9_]*", name)
    }
    for number, (name, described) in enumerate(sorted(documented.items()), 1):
        kind = _TYPES.get(described["type"], 2)
        value = _quoted(_default(name, described))
        rows.append(
            f"({number}, '{name}', {kind}, {value}, {value}, {bool(described['session_modifiable'])},"
            f" '{_system_modifiable(described)}', {bool(described['pdb_modifiable'])},"
            f" {bool(described['basic'])})"
        )
    for name, (kind, in_session, in_system) in _UNDOCUMENTED_HERE.items():
        if name not in documented:
            value = _quoted(_VALUES[name])
            rows.append(
                f"({len(rows) + 1}, '{name}', {kind}, {value}, {value}, {in_session}, '{in_system}',"
                f" {in_session}, false)"
            )
    return (
        "INSERT INTO localoracle.parameters (number, name, type, value, default_value, session_modifiable,"
        " system_modifiable, pdb_modifiable, basic) VALUES\n" + ",\n".join(rows) + ";"
    )
