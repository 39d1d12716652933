"""How constraints come to the state that they have on the source."""

from __future__ import annotations

from dataclasses import replace

from oracle_refresh.target.objects.constraints import validation
from support.samples import key


def test_a_disabled_constraint_may_be_validated_too() -> None:
    """The stand-in refuses DISABLE VALIDATE by name; the inventory of the target would miss it."""
    constraint = key("U", "T_UK", "NAME")
    assert validation(constraint).endswith("MODIFY CONSTRAINT {name} VALIDATE")
    assert validation(replace(constraint, enabled=False)).endswith("DISABLE VALIDATE")
