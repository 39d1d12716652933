from __future__ import annotations

from pathlib import Path

import pytest

from oracle_refresh.oracle.errors import PreflightError, TuningError
from oracle_refresh.tuning.profile import Phase, Profile, load_profile

FOLDER = Path(__file__).parents[4] / "include" / "tuning"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_profile_of_the_bundle_can_be_read(path: Path) -> None:
    profile = load_profile(path)
    assert profile.name == path.stem
    assert not profile.combined(("load", "mask")).empty


def test_overlapping_phases_make_one() -> None:
    profile = Profile.model_validate(
        {
            "name": "two",
            "load": {"parameters": {"PGA_AGGREGATE_TARGET": "6G"}, "redo": {"size": "1G"}},
            "mask": {"parameters": {"commit_wait": "NOWAIT", "pga_aggregate_target": "6G"}, "scope": "both"},
        }
    )
    phase = profile.combined(("load", "mask"))
    assert phase.parameters == {"pga_aggregate_target": "6G", "commit_wait": "NOWAIT"}
    assert phase.scope == "both"
    assert phase.redo is not None
    assert profile.combined(("load",)).scope == "memory"


def test_phases_that_want_different_things_are_refused() -> None:
    profile = Profile.model_validate(
        {
            "name": "two",
            "load": {"parameters": {"undo_retention": 900}, "flashback": True},
            "mask": {"parameters": {"undo_retention": 86400}, "flashback": False},
        }
    )
    with pytest.raises(TuningError, match="flashback: True and False; parameter undo_retention: 900 and 8"):
        profile.combined(("load", "mask"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("load: {parameters: {db_block_checksum: OFF}}", "line 2: .*quotation marks"),
        ("load: {parameters: {a: ''}}", "load.parameters.a"),
        ("load: {parameters: {'a b': 1}}", "load.parameters"),
        ("load: {parameters: {a: '= disks * 2'}}", "no fact 'disks'"),
        ("load: {redo: {size: big}}", "number of bytes"),
        ("load: {redo: {groups: 1}}", "greater than or equal to 2"),
        ("load: {redo: {sice: 1G}}", "did you mean size"),
        ("load: {log_mode: none}", "archivelog"),
        ("export: {redo: {size: 1G}}", "only parameters can be proposed, not redo"),
        ("lode: {}", "did you mean load"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(f"name: wrong\n{text}\n")
    with pytest.raises(PreflightError, match=complaint):
        load_profile(path)


def test_an_empty_phase_changes_nothing() -> None:
    assert Phase().empty
    assert Phase(scope="both").empty
    assert not Phase(force_logging=False).empty
