"""The key that passwords of database links are kept under."""

from __future__ import annotations

import pytest

from localoracle.instance import links
from localoracle.instance.config import Instance


def test_a_key_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    """A server that was killed while it made the key left an empty one, which no link could be used with."""
    instance = Instance("keyed", tmp_path, 0)
    with monkeypatch.context() as patches:
        patches.setattr(links.AESGCM, "generate_key", lambda bits: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            links.seal(instance, "secret")
    assert links.unseal(instance, links.seal(instance, "secret")) == "secret"
