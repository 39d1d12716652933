"""The supplied object and collection types that PL/SQL blocks declare variables of."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from localoracle.dictionary.documentation import object_types, packages
from localoracle.supplied.types import CollectionType, CursorType, PlsqlType, RecordType, ScalarType

# Collection types: name -> (element type, kind). PL/SQL Packages and Types Reference; rdbms/admin/dbmsdp.sql.
_COLLECTIONS = {
    "KU$_LOGENTRY": ("KU$_LOGLINE", "NESTED"),
    "KU$_WORKERSTATUSLIST": ("KU$_WORKERSTATUS", "NESTED"),
    "KU$_DUMPFILESET": ("KU$_DUMPFILE", "NESTED"),
    "KU$_DUMPFILE_INFO": ("KU$_DUMPFILE_ITEM", "NESTED"),
    "KU$_PARAMVALUES": ("KU$_PARAMVALUE", "NESTED"),
    "DBMS_DBFS_CONTENT_PROPERTIES_T": ("DBMS_DBFS_CONTENT_PROPERTY_T", "NESTED"),
    "DBMS_DBFS_CONTENT_LIST_ITEMS_T": ("DBMS_DBFS_CONTENT_LIST_ITEM_T", "NESTED"),
    "DBMS_DBFS_CONTENT_RAW_T": ("RAW(32767)", "NESTED"),
    "DBMSOUTPUT_LINESARRAY": ("VARCHAR2(32767)", "VARRAY"),
}

# Object and record types that the collected documentation names without their attributes.
_RECORDS = {
    "KU$_JOBDESC": (
        ("job_name", "VARCHAR2(128)"),
        ("guid", "RAW(16)"),
        ("operation", "VARCHAR2(30)"),
        ("job_mode", "VARCHAR2(30)"),
        ("remote_link", "VARCHAR2(4000)"),
        ("owner", "VARCHAR2(128)"),
        ("platform", "VARCHAR2(101)"),
        ("exp_platform", "VARCHAR2(101)"),
        ("global_name", "VARCHAR2(4000)"),
        ("exp_global_name", "VARCHAR2(4000)"),
        ("instance", "VARCHAR2(60)"),
        ("db_version", "VARCHAR2(60)"),
        ("exp_db_version", "VARCHAR2(60)"),
        ("scn", "NUMBER"),
        ("creator_privs", "VARCHAR2(128)"),
        ("start_time", "DATE"),
        ("exp_start_time", "DATE"),
        ("term_reason", "NUMBER"),
        ("max_degree", "NUMBER"),
        ("timezone", "VARCHAR2(64)"),
        ("exp_timezone", "VARCHAR2(64)"),
        ("tstz_version", "NUMBER"),
        ("exp_tstz_version", "NUMBER"),
        ("endianness", "VARCHAR2(16)"),
        ("exp_endianness", "VARCHAR2(16)"),
        ("charset", "VARCHAR2(28)"),
        ("exp_charset", "VARCHAR2(28)"),
        ("ncharset", "VARCHAR2(28)"),
        ("exp_ncharset", "VARCHAR2(28)"),
        ("log_file", "VARCHAR2(4000)"),
        ("sql_file", "VARCHAR2(4000)"),
        ("params", "KU$_PARAMVALUES"),
    ),
    "KU$_PARAMVALUE": (
        ("param_name", "VARCHAR2(30)"),
        ("param_op", "VARCHAR2(30)"),
        ("param_type", "VARCHAR2(30)"),
        ("param_length", "NUMBER"),
        ("param_value_n", "NUMBER"),
        ("param_value_t", "VARCHAR2(4000)"),
    ),
}

_VERSION = re.compile(r"^(KU\$_\w+?)(1010|1020|1120|1210|1220)$")


@cache
def object_type(name: str) -> PlsqlType | None:
    """The type of that name (any case, with or without SYS., with a release suffix); None when not known."""
    key = re.sub(r"^SYS\.", "", name.upper())
    match = _VERSION.match(key)
    if match:
        key = match.group(1)
    if key in _COLLECTIONS or f"SYS.{key}" in _COLLECTIONS:
        element, kind = _COLLECTIONS.get(key) or _COLLECTIONS[f"SYS.{key}"]
        return CollectionType(key, _attribute_type(element), kind, limit=32767 if kind == "VARRAY" else None)
    attributes = (object_types().get(key) or {}).get("attributes") or _RECORDS.get(key)
    if attributes:
        fields = tuple((attribute.lower(), _attribute_type(type_text)) for attribute, type_text in attributes)
        return RecordType(key, fields, is_object=True)
    package, _, name = key.rpartition(".")
    declared = packages().get(package, {}).get("types", {}).get(name)
    return _package_type(package, name, declared) if declared else None


_KINDS = {"table": "NESTED", "varray": "VARRAY"}


def _package_type(package: str, name: str, declared: dict[str, Any]) -> PlsqlType:
    """A type that a supplied package declares."""
    if declared["kind"] == "record":
        fields = tuple((field, _attribute_type(text, package)) for field, text in declared["fields"])
        return RecordType(f"{package}.{name}", fields)
    if declared["kind"] == "ref cursor":
        return CursorType()
    element = _attribute_type(declared["of"], package)
    if declared["kind"] == "subtype":
        return element
    kind, index = _KINDS[declared["kind"]], "NUMBER"
    if "index_by" in declared:
        kind, index = "ASSOCIATIVE", _attribute_type(declared["index_by"], package).family
    return CollectionType(f"{package}.{name}", element, kind, index, declared.get("limit"))


def _attribute_type(text: str, package: str = "") -> PlsqlType:
    kind = object_type(f"{package}.{text}") if package else None
    kind = kind or object_type(text)
    if kind is not None:
        return kind
    name, size = re.fullmatch(r"(.*?)(?:\((\d+)[^)]*\))?", text).groups()  # type: ignore[union-attr]
    return ScalarType(name, size=int(size) if size else None)
