"""The files that `init` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle_refresh.init.files import Files, written
from oracle_refresh.oracle.errors import PlanError


def test_the_ruleset_is_where_the_definition_says(tmp_path: Path) -> None:
    files = Files(tmp_path / "refreshes" / "first.yaml")
    assert (files.definition.parent / files.ruleset_from_definition).resolve() == files.ruleset
    files.require_free()
    files.ruleset.parent.mkdir()
    files.ruleset.touch()
    with pytest.raises(PlanError, match="--overwrite") as refused:
        files.require_free()
    assert str(files.ruleset) in str(refused.value)


def test_a_file_has_its_name_when_it_is_good(tmp_path: Path) -> None:
    path = tmp_path / "new" / "first.yaml"
    with pytest.raises(ValueError, match="bad"), written(path, "x", overwrite=False):
        raise ValueError("bad")
    assert list(path.parent.iterdir()) == []
    with written(path, "good", overwrite=False) as draft:
        assert draft.parent == path.parent
        assert not path.exists()
    assert [one.read_text() for one in path.parent.iterdir()] == ["good"]


def test_what_somebody_wrote_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "first.yaml"
    with pytest.raises(PlanError, match="by now"), written(path, "mine", overwrite=False):
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    with written(path, "mine", overwrite=True):
        pass
    assert path.read_text() == "mine"
