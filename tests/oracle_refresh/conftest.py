"""Fixtures of this package's tests: `oracle` and `schema`, as localoracle's own tests have them,
and two demo databases (`demo_source`, `demo_target`, connections `source` and `target`).

Being here, this file also puts its folder on the import path: `samples` serves several rooms.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

_PATH = Path(__file__).parents[1] / "localoracle" / "conftest.py"
_SPEC = importlib.util.spec_from_file_location("localoracle_fixtures", _PATH)
assert _SPEC is not None
assert _SPEC.loader is not None
_FIXTURES = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = _FIXTURES
_SPEC.loader.exec_module(_FIXTURES)

oracle = _FIXTURES.oracle
schema = _FIXTURES.schema

from demo_databases import demo_source, demo_target, source, target  # noqa: E402

__all__ = ["demo_source", "demo_target", "oracle", "schema", "source", "target"]
