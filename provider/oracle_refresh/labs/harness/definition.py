"""What definitions of laboratories with a target of their own have in common."""

from __future__ import annotations

from pydantic import Field

from oracle_refresh.definition.fields import Model, OracleName
from oracle_refresh.definition.model import DenyList, End


class LaboratoryDefinition(Model):
    """Which target things are tried on, and where their tables go."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,62}$")
    target: End
    tablespace: OracleName = "USERS"
    deny_list: DenyList = DenyList()
