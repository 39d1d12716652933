"""What a database is created with, and that it stays so."""

from __future__ import annotations

from pathlib import Path

import pytest

from localoracle.instance import character_set, creation
from localoracle.instance.creation import Creation, CreationMismatch


def test_the_first_start_settles_it(tmp_path: Path) -> None:
    made = Creation.settle(tmp_path, {"max_string_size": "EXTENDED"})
    assert made == Creation(max_string_size="EXTENDED")
    assert Creation.settle(tmp_path, {}) == made
    with pytest.raises(CreationMismatch, match="created with max_string_size EXTENDED, not STANDARD"):
        Creation.settle(tmp_path, {"max_string_size": "STANDARD"})


def test_a_23ai_is_in_a_container_database(tmp_path: Path) -> None:
    with pytest.raises(CreationMismatch, match="outside a container database"):
        Creation.settle(tmp_path, {"release": "23ai", "container": "none"})
    assert not list(tmp_path.iterdir())
    assert Creation.settle(tmp_path, {"release": "23ai"}).container == "pdb"


def test_what_a_character_set_lacks_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert character_set.converted("a→b") == "a→b"
    monkeypatch.setattr(creation, "_created", Creation(character_set="WE8MSWIN1252"))
    assert character_set.converted("ä→€") == "ä¿€"
    assert character_set.encoded("ä→€") == b"\xe4\xbf\x80"
    assert character_set.decoded(b"\xe4\x80") == "ä€"
