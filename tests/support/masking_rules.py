"""A ruleset with rules for several columns, and its lookups."""

from __future__ import annotations

from pathlib import Path

from oracle_refresh.masking import ColumnRule, Ruleset, load_ruleset
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping

NAMES = "name\nAnna\nBert\nCleo\nDora\n"
PLACES = "city,postcode,country\nUlm,89073,DE\nLyon,69001,FR\nGhent,9000,BE\n"
PERSONS = """
name: test
lookups: {names: names.csv, places: places.csv}
tables:
  app.people:
    "first_name, last_name, email": {algorithm: person, first_names: names, last_names: names, domain: person}
    holder: {algorithm: full_name, first_names: names, last_names: names, domain: person}
    "city, postcode, country": {algorithm: place, lookup: places, domain: place}
    phone:
      - {algorithm: character_mapping, domain: phone, where: "country = 'DE' and id > 1",
         non_conforming: redact}
      - {algorithm: null, where: "country is null"}
      - {algorithm: keep}
    salary: {algorithm: constant, value: 7, where: "id in (1, 2)"}
"""


def written(folder: Path, document: str) -> Ruleset:
    for name, content in (("names.csv", NAMES), ("places.csv", PLACES), ("rules.yaml", document)):
        (folder / name).write_text(content, encoding="utf-8")
    return load_ruleset(folder / "rules.yaml")


IDS = ColumnRule("ID", "number_mapping", "id", NumberMapping())
