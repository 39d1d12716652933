"""The initialization parameters of a new instance: documented properties, and the values it starts with."""

from __future__ import annotations

import re
from typing import Any

from localoracle.dictionary.documentation import parameters as documented_parameters
from localoracle.instance import nls
from localoracle.instance.cluster import PROCESSES

_TYPES = {"Boolean": 1, "String": 2, "Integer": 3, "Parameter file": 4, "Big integer": 6}
_NUMERIC = (3, 6)

# Values that the documentation derives from the machine or the installation, or that differ in the stand-in.
_VALUES = {
    **nls.USUAL,
    "processes": str(PROCESSES),
    "sessions": "472",
    "cpu_count": "2",
    "compatible": "19.0.0",
    "open_cursors": "300",
    "undo_tablespace": "UNDOTBS1",
    "sga_target": "268435456",
    "sga_max_size": "1073741824",
    "pga_aggregate_target": "67108864",
    "pga_aggregate_limit": "2147483648",
    "memory_target": "0",
    "shared_pool_size": "0",
    "db_cache_size": "0",
    "log_buffer": "7864320",
    "parallel_max_servers": "40",
    "parallel_min_servers": "0",
    "parallel_servers_target": "16",
    "parallel_execution_message_size": "16384",
    "db_writer_processes": "1",
    "filesystemio_options": "none",
    "nls_calendar": "GREGORIAN",
    "recyclebin": "off",
    "remote_login_passwordfile": "EXCLUSIVE",
    "log_archive_dest_1": None,
    "instance_number": "0",
}
# The values of parameters that take one of a few words (their pages' syntax), as ORA-00096 lists them.
_WORDS = {
    "commit_logging": "BATCH IMMEDIATE",
    "commit_wait": "FORCE_WAIT NOWAIT WAIT",
    "nls_length_semantics": "BYTE CHAR",
    "cursor_sharing": "FORCE EXACT SIMILAR",
    "db_block_checking": "FULL TRUE MEDIUM LOW FALSE OFF",
    "db_block_checksum": "FULL TRUE TYPICAL FALSE OFF",
    "db_lost_write_protect": "NONE TYPICAL FULL",
    "filesystemio_options": "NONE SETALL DIRECTIO ASYNCH",
    "max_string_size": "STANDARD EXTENDED",
    "parallel_degree_policy": "MANUAL LIMITED AUTO ADAPTIVE",
    "recyclebin": "OFF ON",
    "remote_login_passwordfile": "EXCLUSIVE SHARED NONE",
    "statistics_level": "TYPICAL ALL BASIC",
    "undo_management": "AUTO MANUAL",
    "workarea_size_policy": "AUTO MANUAL",
}
_NUMBER = r"(?P<{0}>[\d,]+) ?(?P<{0}_unit>[KMG]B|[KMG]\b)?(?P<{0}_less> ?- ?1\b)?"
_RANGE = re.compile(
    r"(?:Minimum: )?"
    + _NUMBER.format("low")
    + r"(?: to | [–-] | Maximum: )(?:"
    + _NUMBER.format("high")
    + r")?(?!%|, or)"
)
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
# Superscripts are lost in the text of the reference.
_POWERS = {"231": 1 << 31, "232": 1 << 32, "216": 1 << 16}
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


def words(name: str) -> list[str] | None:
    """The words that a parameter takes; None where it takes other values."""
    return _WORDS[name].split() if name in _WORDS else None


def bounds(text: str | None) -> tuple[int | None, int | None]:
    """(smallest, largest) value of a documented range such as "0 to 32767"; None where it names none."""
    match = _RANGE.match(text or "")
    if match is None:
        return None, None
    return _bound(match, "low"), _bound(match, "high")


def _bound(match: re.Match[str], name: str) -> int | None:
    digits = match[name]
    if digits is None:
        return None
    value = _POWERS.get(digits) or int(digits.replace(",", ""))
    return value * _UNITS.get((match[f"{name}_unit"] or " ")[0], 1) - bool(match[f"{name}_less"])


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _quoted(value: str | None) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def _array(values: list[str] | None) -> str:
    return "NULL::text[]" if values is None else f"ARRAY[{', '.join(_quoted(value) for value in values)}]"


def _system_modifiable(described: dict[str, Any]) -> str:
    if not described["dynamic"] or not described["system_modifiable"]:
        return "FALSE"
    return "DEFERRED" if described["deferred_only"] else "IMMEDIATE"


def statements() -> str:
    """The script that fills localoracle.parameters."""
    rows = []
    documented = {
        name: described
        for name, described in documented_parameters().items()
        if re.fullmatch(r"[a-z_][a-z0-9_]*", name)
    }
    for number, (name, described) in enumerate(sorted(documented.items()), 1):
        kind = _TYPES.get(described["type"], 2)
        value = _quoted(_default(name, described))
        low, high = bounds(described["range"]) if kind in _NUMERIC else (None, None)
        rows.append(
            f"({number}, '{name}', {kind}, {value}, {value}, {bool(described['session_modifiable'])},"
            f" '{_system_modifiable(described)}', {bool(described['pdb_modifiable'])},"
            f" {bool(described['basic'])}, {_quoted(_text(low))}, {_quoted(_text(high))},"
            f" {_array(words(name))})"
        )
    for name, (kind, in_session, in_system) in _UNDOCUMENTED_HERE.items():
        if name not in documented:
            value = _quoted(_VALUES[name])
            rows.append(
                f"({len(rows) + 1}, '{name}', {kind}, {value}, {value}, {in_session}, '{in_system}',"
                f" {in_session}, false, NULL, NULL, NULL)"
            )
    return (
        "INSERT INTO localoracle.parameters (number, name, type, value, default_value, session_modifiable,"
        " system_modifiable, pdb_modifiable, basic, minimum, maximum, words) VALUES\n"
        + ",\n".join(rows)
        + ";"
    )
