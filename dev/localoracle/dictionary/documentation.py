"""Oracle's documentation as data: packages, predefined roles, dictionary views, parameters, messages."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from importlib import resources
from typing import Any


@cache
def _read(name: str) -> Any:
    return json.loads(resources.files("localoracle").joinpath("data", name).read_text(encoding="utf-8"))


def packages() -> dict[str, dict[str, Any]]:
    """Supplied packages with subprograms, constants, types and exceptions; `about` in the file says how."""
    return _read("packages.json")["packages"]  # type: ignore[no-any-return]


def object_types() -> dict[str, dict[str, Any]]:
    """Supplied object types with their attributes."""
    return _read("packages.json")["object_types"]  # type: ignore[no-any-return]


def collection_types() -> dict[str, dict[str, Any]]:
    """Collection types of the schema SYS: kind (VARRAY, NESTED), limit, element and its length."""
    return _read("packages.json")["collection_types"]  # type: ignore[no-any-return]


def parameters() -> dict[str, dict[str, Any]]:
    """Initialization parameters."""
    return _read("parameters.json")["parameters"]  # type: ignore[no-any-return]


@cache
def packages_without_signatures() -> frozenset[str]:
    """The other packages that have a chapter in PL/SQL Packages and Types Reference, and a few that have none
    but that drivers and their tests call.
    """
    names = _read("packages.json")
    return frozenset((*names["documented_without_signatures"], *names["undocumented"]))


@cache
def _messages() -> dict[str, str]:
    packed = resources.files("localoracle").joinpath("data", "messages.json.gz").read_bytes()
    return json.loads(gzip.decompress(packed))["messages"]  # type: ignore[no-any-return]


def message(code: str) -> str | None:
    """The message of a code (ORA-00942, PLS-00201); {} stands for each variable part."""
    return _messages().get(code)


def roles() -> dict[str, Any]:
    """Predefined roles and system privileges; `about` in the file says how."""
    return _read("roles.json")  # type: ignore[no-any-return]


@cache
def views() -> dict[str, list[tuple[str, str]]]:
    """The dictionary views that the stand-in has: columns and their types, in order; GV$ views among them."""
    data = _read("views.json")
    columns_of = {
        name: [(column, kind) for column, _, kind in (entry.partition(" ") for entry in columns)]
        for name, columns in data["views"].items()
    }
    clustered = [name for name in columns_of if name.startswith("V$") and name not in data["without_gv"]]
    return columns_of | {f"G{name}": [("INST_ID", "NUMBER"), *columns_of[name]] for name in clustered}


def view_synonyms() -> dict[str, str]:
    """Public synonyms of documented views, by name."""
    return _read("views.json")["synonyms"]  # type: ignore[no-any-return]


@cache
def is_documented_view(name: str) -> bool:
    """Whether Oracle has a dictionary view of that (upper-case) name, as far as it is documented.

    For every DBA_ view there is a CDB_ view, for nearly every V$ view a GV$ view; V_$ and GV_$ are the views
    behind the synonyms V$ and GV$ (Database Reference, "About Static Data Dictionary Views", "About Dynamic
    Performance Views").
    """
    plain = re.sub(r"^(?:GV_?|V_)\$", "V$", name)
    plain = re.sub(r"^CDB_", "DBA_", plain)
    return plain in views() or plain in view_synonyms() or plain in _read("views.json")["others"]
