"""The rule that the profile's error proposes takes the values that were sampled."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.operators import profiling
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.profiler.model import Classification, Kind
from oracle_refresh.profiler.profile import Profile
from support.samples import number, text

PHONES = Table("APP", "PHONES", 1, 1, 1, (number("ID"), text("PHONE", 30)))
LIKE_A_PHONE = Classification("APP", "PHONES", "PHONE", Kind.PHONE, 0.9, ("the name says PHONE",))


def test_the_proposed_line_takes_the_sampled_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def profile(*_: Any, keep_values: bool = False) -> Profile:
        values = {("APP", "PHONES", "PHONE"): {"ext. Q"}} if keep_values else {}
        return Profile((LIKE_A_PHONE,), 1, 2, 1, {}, 0.0, values)

    ruleset = tmp_path / "r.yaml"
    ruleset.write_text("name: r\ntables: {}\n")
    run = mock.MagicMock()
    run.definition.masking.configure_mock(ruleset=ruleset, sensitive_from=0.6, unclassified="list")
    run.definition.exclude_tables = ()
    monkeypatch.setattr(profiling, "profile", profile)
    monkeypatch.setattr(profiling, "read_catalogue", lambda *_: Catalogue(("APP",), (PHONES,)))
    task = profiling.ProfileSource(task_id="profile", definition="r")
    monkeypatch.setattr(task, "refresh_run", lambda _: nullcontext(run))
    with pytest.raises(MaskingError, match=r"add tables: .*algorithm: character_mapping"):
        task.execute({})
