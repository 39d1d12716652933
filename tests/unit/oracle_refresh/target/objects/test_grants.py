"""GRANT statements, and who can be granted something."""

from __future__ import annotations

import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.target.objects.grants import Grantees, grant

TABLE = TableName("APP", "T")


def test_a_privilege_is_named_once_with_all_its_columns() -> None:
    """ORA-01711 otherwise."""
    privileges = [("INSERT", "A"), ("UPDATE", "A"), ("UPDATE", "B")]
    statement = grant(TABLE, "READER", privileges, False)
    assert statement == 'GRANT INSERT ("A"), UPDATE ("A", "B") ON "APP"."T" TO "READER"'


def test_an_unknown_privilege_is_refused() -> None:
    with pytest.raises(PlanError, match="unknown privilege FLY"):
        grant(TABLE, "READER", [("FLY", None)], False)


def test_nobody_grants_to_himself() -> None:
    grantees = Grantees(frozenset({"PUBLIC", "READER", "REFRESH"}), "REFRESH")
    assert grantees.refusal("READER") is None
    assert "ORA-01749" in (grantees.refusal("REFRESH") or "")
    assert grantees.refusal("LEAVER") == "the target has no user or role LEAVER"
