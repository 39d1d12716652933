"""The two databases that the checks look at: each fact is read once, by the first check that asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from oracle_refresh.catalog import Catalogue, DatabaseIdentity, identify, read_catalogue
from oracle_refresh.catalog.limits import Limits, read_limits
from oracle_refresh.definition import RefreshDefinition, TargetDefinition, require_refresh
from oracle_refresh.preflight.grants import read_privileges
from oracle_refresh.preflight.requirements import Privileges
from oracle_refresh.preflight.surroundings import Contents, Surroundings, read_contents, read_surroundings

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.rules import Ruleset


@dataclass(frozen=True)
class Database:
    """One of them. Its dictionary views need SELECT_CATALOG_ROLE; nothing is changed."""

    end: Literal["source", "target"]
    connection: oracledb.Connection
    definition: TargetDefinition

    @cached_property
    def privileges(self) -> Privileges:
        return read_privileges(self.connection)

    @cached_property
    def identity(self) -> DatabaseIdentity:
        return identify(self.connection)

    @cached_property
    def surroundings(self) -> Surroundings:
        return read_surroundings(self.connection)

    @cached_property
    def contents(self) -> Contents:
        """Of the definition's schemas."""
        return read_contents(self.connection, self.definition)

    @cached_property
    def limits(self) -> Limits:
        return read_limits(self.connection)


@dataclass(frozen=True)
class Databases:
    """Source and target of a refresh; of a clone both are the same.

    :ivar ruleset: whose rules have to fit the columns of the source, if any.
    """

    source: Database
    target: Database
    definition: TargetDefinition
    ruleset: Ruleset | None

    @classmethod
    def of(
        cls,
        source: oracledb.Connection,
        target: oracledb.Connection,
        definition: TargetDefinition,
        ruleset: Ruleset | None = None,
    ) -> Databases:
        both = Database("source", source, definition), Database("target", target, definition)
        return cls(*both, definition, ruleset)

    @property
    def refresh(self) -> RefreshDefinition:
        """:raises PreflightError: where nothing is copied."""
        return require_refresh(self.definition)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The source's."""
        definition = self.definition
        return read_catalogue(self.source.connection, definition.schemas, definition.exclude_tables)
