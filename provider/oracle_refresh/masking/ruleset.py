"""Rulesets as YAML: which column is masked how. docs/reference/masking.md describes the format.

    name: demo
    lookups:
      first_names: ../lookups/first_names.csv
    references:
      - {from: APP.AUDIT.CUSTOMER, to: APP.CUSTOMERS.CUSTOMER_ID}
    tables:
      APP.CUSTOMERS:
        FIRST_NAME: {algorithm: name, lookup: first_names, domain: first_name}
        BIRTH_DATE: {algorithm: date_shift, domain: person, subject: CUSTOMER_ID,
                     minimum_days: -90, maximum_days: 90}

Columns with the same domain map equal values to equal values, so rules that share one must agree in
everything that decides the result. Paths are relative to the ruleset's file.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from oracle_refresh.definition import yaml_text
from oracle_refresh.masking.algorithms import ALGORITHMS, Algorithm
from oracle_refresh.masking.composites import COMPOSITES
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.masking.exemptions import ExemptionEntry, read_exemptions
from oracle_refresh.masking.rules import ColumnRule, Policy, Reference, Ruleset, by_column, column_key
from oracle_refresh.masking.sources import Sources
from oracle_refresh.oracle.errors import MaskingError, RefreshError
from oracle_refresh.oracle.identifiers import Identifier, TableName

__all__ = ["ColumnRule", "Ruleset", "load_ruleset"]

_DOMAIN = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_COMMON = ("algorithm", "domain", "where", "non_conforming")


class _Reference(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    child: str = Field(alias="from")
    parent: str = Field(alias="to")


class RulesetDefinition(BaseModel):
    """The YAML file as it is written; a rule's own parameters are those of its algorithm."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    lookups: dict[str, str] = {}
    references: tuple[_Reference, ...] = ()
    tables: dict[str, dict[str, dict[str, Any] | list[dict[str, Any]]]]
    exemptions: dict[str, ExemptionEntry] = {}


def load_ruleset(path: Path) -> Ruleset:
    """Read a ruleset and its lookups.

    :raises MaskingError: naming the file, the field and the reason, when anything is wrong.
    """
    definition = _read(path)
    sources = Sources(path, definition.lookups)
    tables: dict[TableName, tuple[ColumnRule, ...]] = {}
    for table, columns in definition.tables.items():
        where = f"tables.{table}"
        try:
            key = TableName.parse(table)
            rules: list[ColumnRule] = []
            for name, written in columns.items():
                where = f"tables.{table}.{name}"
                rules += _rules(name, written, sources)
        except ValidationError as error:
            raise _refused(path, _problems(error, where)) from error
        except (RefreshError, ValueError) as error:
            raise _refused(path, f"{where}: {error}") from error
        if key in tables:
            raise _refused(path, f"tables.{table}: the table is named twice")
        tables[key] = tuple(rules)
    try:
        references = tuple(_reference(each) for each in definition.references)
        for key, listed in tables.items():
            _order(key, tuple(listed))
        _agreement(tables)
        ruled = {(*key, rule.column) for key, rules in tables.items() for rule in rules}
        exemptions = read_exemptions(definition.exemptions, ruled)
    except (RefreshError, ValueError) as error:
        raise _refused(path, str(error)) from error
    return Ruleset(definition.name, tables, _fingerprint(tables, references), references, exemptions)


def named_lookups(path: Path) -> dict[str, Path]:
    """Return the files of the lookups that a ruleset names, by their names.

    :raises MaskingError: if the ruleset cannot be read.
    """
    return {name: path.parent / written for name, written in _read(path).lookups.items()}


def _read(path: Path) -> RulesetDefinition:
    try:
        _, document = yaml_text.parse(path.read_text(encoding="utf-8"))
        return RulesetDefinition.model_validate(document)
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise _refused(path, _problems(error, "ruleset")) from error
    except ValueError as error:
        raise _refused(path, str(error)) from error


def _rules(name: str, written: dict[str, Any] | list[dict[str, Any]], sources: Sources) -> list[ColumnRule]:
    """The rules behind one key of a table: a column, or several columns with a rule for all of them."""
    columns = [Identifier.parse(part.strip()).name for part in _split(name)]
    rules: list[ColumnRule] = []
    for one in written if isinstance(written, list) else [written]:
        kind = one.get("algorithm")
        if kind in COMPOSITES:
            parameters = {key: value for key, value in one.items() if key != "algorithm"}
            for column, rule in COMPOSITES[kind](columns, parameters):
                rules.append(_rule(column, rule, sources))
        elif len(columns) > 1:
            raise ValueError(f"{kind} is no algorithm for several columns: {', '.join(sorted(COMPOSITES))}")
        else:
            rules.append(_rule(columns[0], one, sources))
    return rules


def _split(name: str) -> list[str]:
    return re.findall(r'"[^"]*"|[^,]+', name)


def _rule(column: str, written: dict[str, Any], sources: Sources) -> ColumnRule:
    kind, domain = written.get("algorithm"), written.get("domain")
    if kind is None and "algorithm" in written:
        kind = "null"  # what YAML makes of `algorithm: null`
    where, policy = written.get("where"), written.get("non_conforming", "fail") or "null"
    if not isinstance(kind, str) or kind not in ALGORITHMS:
        raise ValueError(f"there is no algorithm {kind!r}: {', '.join(sorted([*ALGORITHMS, *COMPOSITES]))}")
    algorithm = build(kind, {key: value for key, value in written.items() if key not in _COMMON}, sources)
    if algorithm.keyed and not (isinstance(domain, str) and _DOMAIN.fullmatch(domain)):
        raise ValueError(f"{kind} needs a domain of letters, digits, '.', '_' and '-'")
    if not algorithm.keyed and domain is not None:
        raise ValueError(f"{kind} is not keyed and takes no domain")
    if policy not in get_args(Policy):
        raise ValueError(f"non_conforming is fail, null or redact, not {policy!r}")
    if where is not None and not isinstance(where, str):
        raise ValueError("where is a text")
    condition = Condition.parse(where) if where else None
    return ColumnRule(column, kind, domain, algorithm, condition, cast(Policy, policy))


def build(kind: str, parameters: dict[str, Any], sources: Sources) -> Algorithm:
    """An algorithm from its parameters as YAML gives them. Raises ValueError or ValidationError."""
    algorithm = ALGORITHMS[kind]
    values = dict(parameters)
    for name, (field, what) in algorithm.sources.items():
        if field != name and field in values:
            raise ValueError(f"{field}: there is no such parameter")
        if name in values:
            values[field] = sources.read(what, values.pop(name))
    values = algorithm.prepare(values, lambda inner, given: build(inner, given, sources))
    for name in algorithm.column_fields:
        given = values.get(name)
        if isinstance(given, str):
            values[name] = Identifier.parse(given).name
        elif isinstance(given, list):
            values[name] = tuple(Identifier.parse(str(each)).name for each in given)
    unknown = values.keys() - algorithm.__dataclass_fields__.keys()  # type: ignore[attr-defined]
    if unknown:
        raise ValueError(f"{kind} has no parameter {', '.join(sorted(unknown))}")
    return _adapter(kind).validate_python(values)


@cache
def _adapter(kind: str) -> TypeAdapter[Algorithm]:
    """What checks the parameters of an algorithm; to make one takes longer than to use it."""
    return TypeAdapter(ALGORITHMS[kind])


def _reference(written: _Reference) -> Reference:
    ends = []
    for text in (written.child, written.parent):
        table, _, column = text.rpartition(".")
        ends.append((TableName.parse(table), Identifier.parse(column).name))
    (child, column), (parent, key) = ends
    return Reference(child, (column,), parent, (key,))


def _order(table: TableName, rules: tuple[ColumnRule, ...]) -> None:
    for column, mine in by_column(rules).items():
        if any(rule.where is None for rule in mine[:-1]):
            raise ValueError(
                f"tables.{table.key}: {column} is named twice; of several rules all but the last "
                "have a condition"
            )


def _agreement(tables: dict[TableName, tuple[ColumnRule, ...]]) -> None:
    decided: dict[str, tuple[str, tuple[Any, ...]]] = {}
    for table, rules in tables.items():
        for rule in rules:
            if rule.domain is None:
                continue
            where = column_key(table, rule.column)
            first, agreed = decided.setdefault(rule.domain, (where, rule.settings))
            if rule.settings != agreed:
                raise ValueError(
                    f"{where}: the domain {rule.domain!r} is used by {first} with other settings; "
                    "equal values would not stay equal"
                )


def _fingerprint(tables: dict[TableName, tuple[ColumnRule, ...]], references: tuple[Reference, ...]) -> str:
    facts: list[Any] = [
        [
            key.key,
            rule.column,
            rule.kind,
            rule.algorithm.version,
            rule.domain,
            str(rule.where or ""),
            rule.policy,
            repr(rule.algorithm),
        ]
        for key, rules in sorted(tables.items())
        for rule in sorted(rules, key=lambda rule: rule.column)
    ]
    facts += [repr(reference) for reference in references]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def _problems(error: ValidationError, where: str) -> str:
    return "; ".join(
        f"{'.'.join(map(str, item['loc'])) or where}: {item['msg']}"
        if where == "ruleset"
        else f"{'.'.join([where, *map(str, item['loc'])])}: {item['msg']}"
        for item in error.errors()
    )


def _refused(path: Path, why: str) -> MaskingError:
    return MaskingError(why, object_name=str(path), step="ruleset")
