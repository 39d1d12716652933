"""Rulesets: which column is masked how, read from YAML.

    name: demo
    lookups:
      first_names: ../lookups/first_names.csv
    tables:
      APP.CUSTOMERS:
        FIRST_NAME: {algorithm: secure_lookup, lookup: first_names, domain: first_name}
        BIRTH_DATE: {algorithm: date_shift, domain: person, subject: CUSTOMER_ID,
                     minimum_days: -90, maximum_days: 90}

Columns with the same domain map equal values to equal values, so rules that share one must agree in
everything that decides the result. Paths are relative to the ruleset's file.
"""

from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from oracle_refresh.errors import MaskingError, RefreshError
from oracle_refresh.identifiers import Identifier, parse_qualified, table_key
from oracle_refresh.masking.algorithms import (
    Algorithm,
    CharacterMapping,
    DateShift,
    Email,
    Redaction,
    SecureLookup,
)
from oracle_refresh.profiler.exemptions import Exemption, ExemptionEntry, read_exemptions


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _DomainRule(_Rule):
    domain: str = Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_.-]+$")


class SecureLookupRule(_DomainRule):
    """Replace by an entry of a lookup."""

    algorithm: Literal["secure_lookup"]
    lookup: str
    fold: Literal["upper", "none"] = "upper"


class DateShiftRule(_DomainRule):
    """Shift by the keyed number of days of the row's subject, a column such as CUSTOMER_ID."""

    algorithm: Literal["date_shift"]
    subject: str
    minimum_days: int = Field(ge=-36500, le=36500)
    maximum_days: int = Field(ge=-36500, le=36500)

    @model_validator(mode="after")
    def _range(self) -> DateShiftRule:
        DateShift(self.minimum_days, self.maximum_days)
        return self


class EmailRule(_DomainRule):
    """Replace by a unique address at a reserved host."""

    algorithm: Literal["email"]
    host: str = Field(default="example.test", pattern=r"^[a-z0-9.-]+\.(test|invalid|example)$")
    fold: Literal["lower", "none"] = "lower"


class CharacterMappingRule(_DomainRule):
    """Letters to letters, digits to digits, one to one."""

    algorithm: Literal["character_mapping"]
    keep_first: int = Field(default=0, ge=0, le=20)
    keep_last: int = Field(default=0, ge=0, le=20)


class RedactionRule(_Rule):
    """Replace by a constant text or number, or by NULL when neither is given."""

    algorithm: Literal["redaction"]
    text: str | None = Field(default=None, min_length=1)
    number: int | None = None

    @model_validator(mode="after")
    def _one(self) -> RedactionRule:
        if self.text is not None and self.number is not None:
            raise ValueError("give a text or a number, not both")
        return self


Rule = Annotated[
    SecureLookupRule | DateShiftRule | EmailRule | CharacterMappingRule | RedactionRule,
    Field(discriminator="algorithm"),
]


class RulesetDefinition(BaseModel):
    """The YAML file as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    lookups: dict[str, str] = {}
    tables: dict[str, dict[str, Rule]]
    exemptions: dict[str, ExemptionEntry] = {}

    @model_validator(mode="after")
    def _agreement(self) -> RulesetDefinition:
        decided: dict[str, tuple[str, dict[str, Any]]] = {}
        for table, columns in self.tables.items():
            for column, rule in columns.items():
                where = f"{table}.{column}"
                if isinstance(rule, SecureLookupRule) and rule.lookup not in self.lookups:
                    raise ValueError(f"{where}: there is no lookup {rule.lookup!r}")
                if isinstance(rule, RedactionRule):
                    continue
                facts = rule.model_dump(exclude={"subject"})
                first, agreed = decided.setdefault(rule.domain, (where, facts))
                if facts != agreed:
                    raise ValueError(
                        f"{where}: the domain {rule.domain!r} is used by {first} with other settings; "
                        "equal values would not stay equal"
                    )
        return self


@dataclass(frozen=True)
class ColumnRule:
    """The rule of one column, ready to run. `domain` is None for redaction, `subject` for all but
    date_shift."""

    column: str
    kind: str
    domain: str | None
    algorithm: Algorithm
    subject: str | None = None
    lookup: str | None = None


@dataclass(frozen=True)
class Ruleset:
    """A checked ruleset. `tables` maps (owner, name) to the rules of the table's masked columns."""

    name: str
    tables: dict[tuple[str, str], tuple[ColumnRule, ...]]
    fingerprint: str
    """Twelve hex digits over all rules and the contents of all lookups."""
    exemptions: tuple[Exemption, ...] = ()
    """Columns that stay as they are, signed; they change no masked value and so no fingerprint."""

    def rules(self, owner: str, name: str) -> tuple[ColumnRule, ...]:
        """The rules of a table; none where it is not masked."""
        return self.tables.get((owner, name), ())

    def columns(self) -> tuple[tuple[str, str, str], ...]:
        """Every column a rule names, as (owner, table, column): the subjects of date shifts included."""
        names = {
            (owner, name, column)
            for (owner, name), rules in self.tables.items()
            for rule in rules
            for column in (rule.column, rule.subject)
            if column is not None
        }
        return tuple(sorted(names))


def load_ruleset(path: Path) -> Ruleset:
    """Read a ruleset and its lookups.

    :raises MaskingError: naming the file, the field and the reason, when anything is wrong.
    """
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        definition = RulesetDefinition.model_validate(document)
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _refused(path, f"is not YAML: {error}") from error
    except ValidationError as error:
        problems = [
            f"{'.'.join(map(str, item['loc'])) or 'ruleset'}: {item['msg']}" for item in error.errors()
        ]
        raise _refused(path, "; ".join(problems)) from error
    lookups = {name: _read_lookup(path, name, file) for name, file in definition.lookups.items()}
    tables: dict[tuple[str, str], tuple[ColumnRule, ...]] = {}
    for table, columns in definition.tables.items():
        try:
            key = parse_qualified(table)
            rules = tuple(
                _column_rule(Identifier.parse(name).name, rule, lookups) for name, rule in columns.items()
            )
        except RefreshError as error:
            raise _refused(path, f"tables.{table}: {error}") from error
        except ValueError as error:
            raise _refused(path, f"tables.{table}: {error}") from error
        if key in tables or len({rule.column for rule in rules}) < len(rules):
            raise _refused(path, f"tables.{table}: the table or one of its columns is named twice")
        tables[key] = rules
    try:
        exemptions = read_exemptions(definition.exemptions)
    except ValueError as error:
        raise _refused(path, f"exemptions: {error}") from error
    ruled = {(*key, rule.column) for key, rules in tables.items() for rule in rules}
    for exemption in exemptions:
        if (exemption.owner, exemption.table, exemption.column) in ruled:
            raise _refused(path, f"exemptions.{exemption.key}: the column has a rule; remove one of both")
    return Ruleset(definition.name, tables, _fingerprint(tables), exemptions)


def _column_rule(column: str, rule: Rule, lookups: dict[str, tuple[str, ...]]) -> ColumnRule:
    match rule:
        case SecureLookupRule():
            algorithm = SecureLookup(lookups[rule.lookup], rule.fold)
            return ColumnRule(column, rule.algorithm, rule.domain, algorithm, lookup=rule.lookup)
        case DateShiftRule():
            shift = DateShift(rule.minimum_days, rule.maximum_days)
            return ColumnRule(
                column, rule.algorithm, rule.domain, shift, subject=Identifier.parse(rule.subject).name
            )
        case EmailRule():
            return ColumnRule(column, rule.algorithm, rule.domain, Email(rule.host, rule.fold))
        case CharacterMappingRule():
            mapping = CharacterMapping(rule.keep_first, rule.keep_last)
            return ColumnRule(column, rule.algorithm, rule.domain, mapping)
        case RedactionRule():
            return ColumnRule(column, rule.algorithm, None, Redaction(rule.text, rule.number))


def _read_lookup(ruleset: Path, name: str, file: str) -> tuple[str, ...]:
    """The first column of a CSV file, below a heading line."""
    path = ruleset.parent / file
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = [row[0].strip() for row in csv.reader(stream) if row][1:]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _refused(ruleset, f"lookups.{name}: {path} cannot be read: {error}") from error
    try:
        return SecureLookup(tuple(rows)).values
    except ValueError as error:
        raise _refused(ruleset, f"lookups.{name}: {path}: {error}") from error


def _fingerprint(tables: dict[tuple[str, str], tuple[ColumnRule, ...]]) -> str:
    facts = [
        [table_key(*key), rule.column, rule.kind, rule.domain, rule.subject, repr(rule.algorithm)]
        for key, rules in sorted(tables.items())
        for rule in sorted(rules, key=lambda rule: rule.column)
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def _refused(path: Path, why: str) -> MaskingError:
    return MaskingError(why, object_name=str(path), step="ruleset")
