"""`airflow oracle-refresh replay`: what is refused before any session, what is told and kept."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.cli import replay as module
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.kit.contents import Kit, Results, write_kit
from oracle_refresh.labs.data_load.kit.recipe import Recipe
from oracle_refresh.labs.data_load.kit.replay import Surroundings
from oracle_refresh.labs.data_load.model import Seed, Work
from support.commands import command

WORK = Work("SLOB_", "USERS", 3, 100, 2, "none", True, 50, 2)
RECIPE = Recipe.of(WORK, LoadDefinition(name="slob", target={"conn_id": "there"}))
KIT = Kit.of(RECIPE, {"processes": "300"}, {"database": "19"}, Results(Seed(2.0, 100, 4000), None, ()))
HERE = Surroundings({"processes": "600"}, {"database": "19"})


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    path = tmp_path / "kit.zip"
    path.write_bytes(write_kit(KIT))
    return path


@pytest.fixture
def no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a session was opened")

    monkeypatch.setattr(OracleRefreshHook, "get_conn", refuse)
    monkeypatch.setattr(OracleRefreshHook, "opener", refuse)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What is asked of a replay, which is three times as fast."""
    calls: list[tuple[Any, ...]] = []

    def repeated(connect: Any, *arguments: Any) -> Results:
        calls.append(arguments[:4])
        return Results(Seed(1.0, 100, 6000), None, ())

    monkeypatch.setattr(OracleRefreshHook, "session", lambda *_: nullcontext())
    monkeypatch.setattr(OracleRefreshHook, "opener", lambda *_: None)
    monkeypatch.setattr(module, "read_surroundings", lambda target: HERE)
    monkeypatch.setattr(module, "repeated", repeated)
    return calls


@pytest.mark.usefixtures("no_session")
def test_a_kit_that_is_not_whole_is_refused_before_any_session(
    kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = kit.read_bytes()
    for damaged in (b"", content[:-9], b"#!/bin/sh\n"):
        kit.write_bytes(damaged)
        assert command("replay", str(kit), "oracle_target") == 1
        assert "no kit that can be replayed" in capsys.readouterr().err


@pytest.mark.usefixtures("no_session")
def test_a_kit_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none.zip", tmp_path):
        assert command("replay", str(path), "oracle_target") == 1
        assert "the kit cannot be read" in capsys.readouterr().err


@pytest.mark.usefixtures("no_session")
@pytest.mark.parametrize("extra", [{}, {"refresh_role": "source"}])
def test_a_connection_that_is_no_target_is_refused(
    kit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], extra: dict[str, str]
) -> None:
    connection = {"conn_type": "oracle", "host": "db.example", "extra": extra}
    monkeypatch.setenv("AIRFLOW_CONN_SOME_DATABASE", json.dumps(connection))
    assert command("replay", str(kit), "some_database") == 1
    assert "this step needs the refresh target" in capsys.readouterr().err


@pytest.mark.usefixtures("no_session")
def test_a_tablespace_that_cannot_be_is_refused(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("replay", str(kit), "oracle_target", "--tablespace", 'USERS" QUOTA') == 1
    assert "invalid identifier" in capsys.readouterr().err


def test_a_replay_tells_and_keeps_how_it_compares(
    kit: Path, asked: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("replay", str(kit), "oracle_target") == 0
    told = capsys.readouterr().out
    assert "versions: as in the kit" in told
    assert "parameters: different are" in told
    assert "processes" in told
    assert "statements" not in told
    assert "3.00" in told
    ((recipe, conn_id, tablespace, run_id),) = asked
    assert (recipe, conn_id, tablespace) == (RECIPE, "oracle_target", "USERS")
    document = json.loads((kit.parent / f"kit_{run_id}.json").read_text())
    assert document["comparison"]["rates"] == [{"what": "seed", "then": 2000.0, "here": 6000.0}]
    assert document["comparison"]["parameters"] == [{"what": "processes", "then": "300", "here": "600"}]
    assert document["here"]["seed"]["bytes"] == 6000


def test_statements_of_another_version_are_told(
    kit: Path, asked: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    kit.write_bytes(write_kit(replace(KIT, statements="DROP USER APP CASCADE\n/\n")))
    assert command("replay", str(kit), "oracle_target", "--tablespace", "big") == 0
    assert "runs others than those of the kit" in capsys.readouterr().out
    assert asked[0][2] == "BIG"
