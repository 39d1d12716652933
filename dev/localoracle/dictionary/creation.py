"""The first rows of a database that was created otherwise than usual: facts, parameters, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg

from localoracle.instance.creation import Creation
from localoracle.instance.nls import LANGUAGES, TERRITORIES, USUAL

# Of another character set than AL32UTF8: what counts bytes, or makes them of characters.
_CHARACTER_SETS = Path(__file__).parents[1] / "sql" / "character_sets"
_PARAMETERS = {
    "23ai": {"compatible": "23.0.0"},
    "19c": {},
}


def parameters(creation: Creation) -> dict[str, str]:
    """The initialization parameters that differ from those of the usual database."""
    wanted = {
        "nls_language": creation.language,
        "nls_territory": creation.territory,
        "max_string_size": creation.max_string_size,
        **LANGUAGES[creation.language],
        **TERRITORIES[creation.territory],
        **_PARAMETERS[creation.release],
        "enable_pluggable_database": "FALSE" if creation.container == "none" else "TRUE",
    }
    return {name: value for name, value in wanted.items() if USUAL.get(name) != value}


def apply(connection: psycopg.Connection[Any], creation: Creation) -> None:
    """Once in a database's life, before its first session; a killed try leaves nothing."""
    with connection.transaction():
        done = connection.execute("SELECT FROM localoracle.instance_facts WHERE name = 'creation'").fetchone()
        if done is not None:
            return
        facts = {
            "creation": "done",
            "character_set": creation.character_set,
            "max_string_size": creation.max_string_size,
            "tablespaces": creation.tablespaces,
            "release": creation.release,
            "container": creation.container,
        }
        for fact, value in facts.items():
            connection.execute(
                "INSERT INTO localoracle.instance_facts (name, value) VALUES (%s, %s)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [fact, value],
            )
        for parameter, value in parameters(creation).items():
            connection.execute(
                "UPDATE localoracle.parameters SET value = %s, default_value = %s WHERE name = %s",
                [value, value, parameter],
            )
        if creation.tablespaces == "BIGFILE":
            connection.execute("UPDATE localoracle.tablespaces SET bigfile = true")
        if creation.character_set != "AL32UTF8":
            connection.execute((_CHARACTER_SETS / f"{creation.character_set.lower()}.sql").read_text())
