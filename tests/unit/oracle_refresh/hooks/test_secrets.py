"""Passwords that a refresh needs hours after it has begun are looked for before."""

from __future__ import annotations

import json

import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.hooks.secrets import check_secrets
from support.transfer import ROOT

DEMO = load_definition(ROOT / "include" / "refreshes" / "demo.yaml")


def set_password(monkeypatch: pytest.MonkeyPatch, conn_id: str, password: str) -> None:
    fields = {"conn_type": "generic", "password": password}
    monkeypatch.setenv(f"AIRFLOW_CONN_{conn_id.upper()}", json.dumps(fields))


def test_a_key_that_is_not_there_is_made_by_the_command_that_is_told() -> None:
    (found,) = check_secrets(DEMO)
    assert (found.severity, found.code) == ("error", "NO_MASKING_KEY")
    assert '{"refresh_masking_key": {"conn_type": "generic"' in found.remedy


@pytest.mark.parametrize(("key", "codes"), [("short", ["NO_MASKING_KEY"]), ("0123456789abcdef" * 4, [])])
def test_a_key_has_to_be_long_enough(monkeypatch: pytest.MonkeyPatch, key: str, codes: list[str]) -> None:
    set_password(monkeypatch, "refresh_masking_key", key)
    found = check_secrets(DEMO)
    assert [one.code for one in found] == codes
    assert key not in str(found)


def test_the_password_of_the_dump_files_is_looked_for_too(monkeypatch: pytest.MonkeyPatch) -> None:
    set_password(monkeypatch, "refresh_masking_key", "0123456789abcdef" * 4)
    fields = DEMO.to_json()
    fields["datapump"] |= {"encryption_conn_id": "dump_password"}
    encrypted = RefreshDefinition.from_json(fields)
    assert [one.code for one in check_secrets(encrypted)] == ["NO_ENCRYPTION_PASSWORD"]
    set_password(monkeypatch, "dump_password", "")
    assert [one.code for one in check_secrets(encrypted)] == ["NO_ENCRYPTION_PASSWORD"]
    set_password(monkeypatch, "dump_password", "secret")
    assert check_secrets(encrypted) == []
