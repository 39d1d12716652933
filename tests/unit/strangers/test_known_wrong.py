"""The lists of tests known to be wrong only get shorter."""

from __future__ import annotations

from pathlib import Path

import pytest

from strangers import __main__ as command
from strangers import known_wrong, places
from strangers.known_wrong import Difference, difference
from strangers.outcomes import Kind, Outcome, Outcomes

WRONG, PASSED, REFUSED = (Outcome(kind) for kind in (Kind.WRONG, Kind.PASSED, Kind.REFUSED))


def test_a_list_has_a_test_a_line_and_reasons(tmp_path: Path) -> None:
    (tmp_path / "suite.txt").write_text("# Why: because.\na::b[#1]\n\nc::d\n")
    assert known_wrong.known("suite", tmp_path) == {"a::b[#1]", "c::d"}
    assert known_wrong.known("another", tmp_path) == set()


def test_difference() -> None:
    assert difference({"b", "c"}, {"a", "b"}) == Difference(new=("c",), mended=("a",))
    assert not difference({"a"}, {"a"})


@pytest.mark.parametrize("suite", command.SUITES)
def test_no_test_is_listed_twice(suite: str) -> None:
    file = known_wrong.FOLDER / f"{suite}.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    tests = [line for line in lines if line and not line.startswith("# ")]
    assert len(tests) == len(set(tests))


@pytest.mark.parametrize("file", sorted(known_wrong.FOLDER.glob("*")), ids=lambda file: file.name)
def test_each_list_is_that_of_a_suite(file: Path) -> None:
    assert file.stem in command.SUITES


@pytest.mark.parametrize(
    ("found", "code", "told"),
    [
        ({"t": PASSED, "known": WRONG}, 0, ""),
        ({"t": WRONG, "known": WRONG}, 1, "not known to be: t"),
        ({"t": PASSED, "known": PASSED}, 1, "remove it from the list: known"),
        ({"t": PASSED, "known": REFUSED}, 1, "remove it from the list: known"),
        ({"t": PASSED}, 1, "remove it from the list: known"),
    ],
)
def test_the_command_fails_where_they_differ(
    found: Outcomes,
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    suite = command.SUITES[0]
    monkeypatch.setattr(f"strangers.suites.{suite}.run", lambda: found)
    monkeypatch.setattr(command, "known", lambda name: {"known"})
    monkeypatch.setattr(places, "FOLDER", tmp_path)
    monkeypatch.setattr(places, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr("sys.argv", ["strangers", suite])
    assert command.main() == code
    printed = capsys.readouterr().out
    assert told in printed
    assert (
        f'"wrong": {sum(one is WRONG for one in found.values())}' in (tmp_path / "results.json").read_text()
    )


def test_an_unknown_suite_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["strangers", "sqlplus"])
    assert command.main() == 2
    assert "no suite sqlplus" in capsys.readouterr().err
