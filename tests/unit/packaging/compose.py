"""The compose files as Docker reads them: parsed, merged, variables filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[3]
FILE, CELERY = ROOT / "docker-compose.yml", ROOT / "docker-compose.celery.yml"
#: Where a file of the compose specification replaces a sequence of the one before instead of adding to it.
REPLACED = frozenset({"command", "entrypoint", "test"})
VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?:(?P<kind>:?[-?])(?P<text>[^}]*))?\})")


class Unset(Exception):
    """A required variable without a value, as `docker compose` would refuse it."""


def documents(celery: bool) -> dict[str, Any]:
    """docker-compose.yml, or that with docker-compose.celery.yml on top; variables are left as they are."""
    base = _load(FILE)
    if not celery:
        return base
    over = _load(CELERY)
    for name, service in over["services"].items():
        parent = service.pop("extends", None)
        if parent:
            assert (ROOT / parent["file"]).is_file()
            over["services"][name] = _merged(base["services"][parent["service"]], service)
    return _merged(base, over)


def _load(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(path.read_text())
    return loaded


def _merged(under: Any, over: Any, key: str = "") -> Any:
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        names = [*under, *(name for name in over if name not in under)]
        return {
            name: _merged(under[name], over[name], name)
            if name in under and name in over
            else (over if name in over else under)[name]
            for name in names
        }
    if isinstance(under, list) and isinstance(over, list) and key not in REPLACED:
        return [*under, *over]
    return over


def variables(text: str) -> set[str]:
    """Names of the variables that a text refers to."""
    return {found["name"] for found in VARIABLE.finditer(text) if found["name"]}


def filled(value: Any, environment: Mapping[str, str]) -> Any:
    """The value with its variables replaced; raises Unset for a required one without a value."""
    if isinstance(value, Mapping):
        return {name: filled(part, environment) for name, part in value.items()}
    if isinstance(value, list):
        return [filled(part, environment) for part in value]
    return VARIABLE.sub(lambda found: _value(found, environment), value) if isinstance(value, str) else value


def _value(found: re.Match[str], environment: Mapping[str, str]) -> str:
    name, kind = found["name"], found["kind"] or ""
    if name is None:
        return "$"
    value = environment.get(name)
    if value or (value is not None and not kind.startswith(":")):
        return value
    if kind.endswith("?"):
        raise Unset(name)
    return found["text"] or "" if kind.endswith("-") else ""
