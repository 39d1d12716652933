"""The third step: in a throwaway schema of the target, what a refresh does to tables and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.first_contact.exotic_tables import name_exotics
from oracle_refresh.first_contact.kinds import LOBS
from oracle_refresh.first_contact.leftovers import remove_left
from oracle_refresh.first_contact.looking_back import look_back
from oracle_refresh.first_contact.masking_trial import try_algorithms, try_rules
from oracle_refresh.first_contact.model import Check
from oracle_refresh.first_contact.rebuilding import make_tables, rebuild
from oracle_refresh.first_contact.throwaway import throwaway
from oracle_refresh.masking.ruleset import load_ruleset

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition


def try_in_throwaway_schema(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition
) -> tuple[Check, ...]:
    """Nothing of it is left. The source is read for the types of masked columns; none of its rows is.

    :raises PreflightError: if the schema cannot be made.
    """
    remove_left(source, target, definition)  # while its notes are there: the schema's end removes them
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    with throwaway(target) as schema:
        checks = [*make_tables(target, schema), *rebuild(target, schema)]
        table = read_catalogue(target, (schema,)).table(schema, LOBS)
        if table is not None:
            checks += look_back(target, table)
        checks += name_exotics(target, schema)
        checks += try_algorithms(target, schema)
        checks += try_rules(target, schema, catalogue, load_ruleset(definition.masking.ruleset))
    return tuple(checks)
