"""From classifications to rules: for each kind the first algorithm that exists and fits the column.

A candidate is tried as users would write it: it is read by `load_ruleset` and held against the table, so that
a proposal is a valid ruleset. It has to take every sampled value of its columns: the algorithm's reference
masks them. Columns that foreign keys link, or that hold the same values, get one rule and one domain.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from oracle_refresh.catalog.model import Catalogue, Column, Table
from oracle_refresh.definition import yaml_text
from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.fit import check_rule
from oracle_refresh.masking.keys import MasterKey
from oracle_refresh.masking.ruleset import ColumnRule, load_ruleset
from oracle_refresh.oracle.errors import MaskingError, RefreshError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.profiler.model import Classification, Kind
from oracle_refresh.profiler.names import about_people, spaced
from oracle_refresh.profiler.relations import Key, linked_columns

Written = dict[str, Any]

_REMOVED: Written = {"algorithm": "redaction", "text": "[removed]"}
_NULL: Written = {"algorithm": "null"}
_CHARACTERS: Written = {"algorithm": "character_mapping"}
_NUMBERS: Written = {"algorithm": "number_mapping"}


def _lookup(name: str) -> tuple[Written, ...]:
    return (
        {"algorithm": "name", "lookup": name},
        {"algorithm": "secure_lookup", "lookup": name},
    )


#: Rules per kind, the most fitting first. Domains and subjects are added; what nothing takes is passed over.
CANDIDATES: dict[Kind, tuple[Written, ...]] = {
    Kind.FIRST_NAME: (*_lookup("first_names"), _CHARACTERS, _REMOVED),
    Kind.LAST_NAME: (*_lookup("last_names"), _CHARACTERS, _REMOVED),
    Kind.FULL_NAME: (
        {"algorithm": "full_name", "first_names": "first_names", "last_names": "last_names"},
        {"algorithm": "secure_lookup", "lookup": "full_names"},
        _CHARACTERS,
        _REMOVED,
    ),
    Kind.USER_NAME: (_CHARACTERS, {"algorithm": "secure_lookup", "lookup": "full_names"}, _REMOVED),
    Kind.EMAIL: ({"algorithm": "email"}, _CHARACTERS, _REMOVED),
    Kind.PHONE: ({"algorithm": "phone"}, _CHARACTERS, _NUMBERS, _NULL),
    Kind.BIRTH_DATE: (
        {"algorithm": "date_shift", "minimum_days": -180, "maximum_days": 180},
        _NULL,
        {"algorithm": "redaction", "text": "1970-01-01"},
        {"algorithm": "redaction", "number": 1970},
    ),
    Kind.NATIONAL_ID: ({"algorithm": "national_id"}, _CHARACTERS, _NUMBERS, _NULL),
    Kind.PAYMENT_CARD: (
        {"algorithm": "payment_card"},
        _CHARACTERS | {"keep_first": 6},
        _NUMBERS,
        _NULL,
    ),
    Kind.IBAN: ({"algorithm": "iban"}, _CHARACTERS | {"keep_first": 2}, _NULL),
    Kind.BANK_ACCOUNT: (_CHARACTERS, _NUMBERS, _NULL),
    Kind.STREET: ({"algorithm": "secure_lookup", "lookup": "streets"}, _REMOVED, _NULL),
    Kind.CITY: ({"algorithm": "secure_lookup", "lookup": "cities"}, _REMOVED, _NULL),
    Kind.POSTCODE: (_CHARACTERS, _NUMBERS, _NULL),
    Kind.LOCATION: (
        _NULL,
        {"algorithm": "redaction", "number": 0},
        {"algorithm": "redaction", "text": "0"},
    ),
    Kind.NETWORK_ADDRESS: ({"algorithm": "redaction", "text": "192.0.2.1"}, _NULL),
    Kind.GENDER: (
        _NULL,
        {"algorithm": "redaction", "text": "X"},
        {"algorithm": "redaction", "number": 0},
    ),
    Kind.NATIONALITY: (_NULL, {"algorithm": "redaction", "text": "XX"}),
    Kind.PERSONAL_FACT: (
        _NULL,
        {"algorithm": "redaction", "text": "X"},
        {"algorithm": "redaction", "number": 0},
    ),
    Kind.SALARY: (
        {"algorithm": "numeric_noise", "percent": 20},
        {"algorithm": "redaction", "number": 50000},
        _NULL,
        {"algorithm": "redaction", "text": "0"},
    ),
    Kind.CREDENTIAL: (_REMOVED, _NULL, {"algorithm": "redaction", "text": "-"}),
    Kind.FREE_TEXT: ({"algorithm": "free_text"}, _REMOVED, _NULL, {"algorithm": "redaction", "text": "-"}),
    Kind.DOCUMENT: (
        {"algorithm": "binary_lookup", "documents": "documents", "non_conforming": "null"},
        {"algorithm": "free_text"},
        _NULL,
        _REMOVED,
    ),
}
#: Algorithms that tell rows apart by a column, usually the primary key.
_BY_ROW = frozenset({"numeric_noise", "binary_lookup"})


class Proposer:
    """Proposes rules for the columns of one catalogue.

    :param lookups: CSV files that rules may use, by the names that `CANDIDATES` give them.
    :param values: sampled values, by column. A column without any takes what the columns of its name take.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        lookups: dict[str, Path],
        values: Mapping[Key, Collection[Any]] | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.values = {key: of_column for key, of_column in (values or {}).items() if of_column}
        self._by_name: dict[str, set[Any]] = {}
        for key, of_column in self.values.items():
            self._by_name.setdefault(spaced(key[2]), set()).update(of_column)
        self.lookups = {name: path.resolve() for name, path in lookups.items()}
        self._linked = linked_columns(catalogue)
        self._domains: dict[str, str] = {}
        self._read: dict[str, ColumnRule | None] = {}

    def propose(self, classifications: Iterable[Classification]) -> list[Classification]:
        """The classifications with their rules, in the given order."""
        found = list(classifications)
        rules: dict[Key, _Chosen] = {}
        # A column that holds the values of another one takes its rule, so that one is chosen first.
        for one in sorted(found, key=lambda one: one.like is not None):
            key = (one.owner, one.table, one.column)
            if key not in rules:
                group = sorted(self._linked.get(key, {key}))
                other = rules.get(one.like) if one.like else None
                rules |= dict.fromkeys(group, self._rule(one.kind, group, other.rule if other else None))
        shifted = {
            (key[0], key[1]): key[2]
            for key, chosen in sorted(rules.items())
            if chosen.rule and chosen.rule["algorithm"] == "date_shift"
        }
        return [_with_rule(one, rules[one.owner, one.table, one.column], shifted) for one in found]

    def _rule(self, kind: Kind, group: Sequence[Key], first: Written | None) -> _Chosen:
        """The first candidate that fits every column of the group and takes all their sampled values.

        :param first: a rule to try before the candidates of the kind.
        """
        tables = [(self.catalogue.table(owner, name), column) for owner, name, column in group]
        tried: list[str] = []
        completed = (
            written
            for candidate in CANDIDATES[kind]
            for written in self._complete(kind, candidate, tables[0][0])
        )
        for written in chain([first] if first else [], completed):
            rule = self._parsed(written)
            if rule is None or not all(table and _fits(table, column, rule) for table, column in tables):
                continue
            taken, values = self._taken(rule, group)
            if values:
                tried.append(f"{rule.kind} takes {taken} of {values} different sampled values")
            if taken < values:
                continue
            if "domain" in written:
                self._domains[written["domain"]] = _settings(written)
            return _Chosen(written, tuple(tried))
        return _Chosen(None, tuple(tried))

    def _taken(self, rule: ColumnRule, group: Sequence[Key]) -> tuple[int, int]:
        """How many sampled values of the group the rule takes, and of how many."""
        taken = values = 0
        for key in group:
            table = self.catalogue.table(key[0], key[1])
            for column in table.columns if table else ():
                if column.name == key[2] and not column.is_lob:
                    sampled = self._sampled(key, column)
                    taken += taken_of(rule.algorithm, column, sampled)
                    values += len(sampled)
        return taken, values

    def _sampled(self, key: Key, column: Column) -> Collection[Any]:
        """Return the sampled values of a column, else of columns with its name and type."""
        named = self._by_name.get(spaced(key[2]), ())
        alike = [value for value in named if isinstance(value, str) == column.is_character]
        return self.values.get(key, alike)

    def _complete(self, kind: Kind, candidate: Written, table: Table | None) -> Iterable[Written]:
        """A candidate with what it needs, first with a domain of its settings, then without one."""
        parameters = dict(candidate)
        domain = kind.value
        if candidate["algorithm"] == "date_shift" and table is not None:
            subject = self._subject(table)
            if subject:
                parameters["subject"], domain = subject
        elif candidate["algorithm"] in _BY_ROW and table is not None:
            key = table.primary_key
            if key and len(key.columns) == 1:
                parameters["subject"] = Identifier(key.columns[0]).written
        # Rules of one domain agree in their settings, so that equal values stay equal.
        settings, stem, number = _settings(parameters), domain, 1
        while self._domains.get(domain, settings) != settings:
            number += 1
            domain = f"{stem}_{number}"
        algorithm = {"algorithm": parameters.pop("algorithm")}
        yield algorithm | {"domain": domain} | parameters
        yield algorithm | parameters

    def _subject(self, table: Table) -> tuple[str, str] | None:
        """The column that tells whose row it is, and a domain for all that is shifted with that person."""
        foreign = [
            (constraint.columns[0], parent.table)
            for constraint in table.constraints
            if constraint.type == "R"
            and len(constraint.columns) == 1
            and (parent := constraint.references)
            and about_people(parent.table)
            and (parent.owner, parent.table) != (table.owner, table.name)
        ]
        key = table.primary_key
        own = [(key.columns[0], table.name)] if key and len(key.columns) == 1 else []
        for column, person in own + foreign if about_people(table.name) else foreign + own:
            return Identifier(column).written, re.sub(r"[^a-z0-9_]", "_", f"{person.lower()}_dates")[:60]
        return None

    def _parsed(self, written: Written) -> ColumnRule | None:
        """The rule as `load_ruleset` reads it, None where it does not."""
        key = json.dumps(written, sort_keys=True)
        if key not in self._read:
            self._read[key] = self._load(written)
        return self._read[key]

    def _load(self, written: Written) -> ColumnRule | None:
        lookups = {name: str(path) for name, path in self.lookups.items() if name in written.values()}
        document = {"name": "candidate", "lookups": lookups, "tables": {"A.B": {"C": written}}}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "candidate.yaml"
            path.write_text(yaml.safe_dump(document), encoding="utf-8")
            try:
                ((rule,),) = load_ruleset(path).tables.values()
            except RefreshError:
                return None
        return rule


@dataclass(frozen=True)
class _Chosen:
    """A rule, None where no candidate fits, and how many values the candidates took that were tried."""

    rule: Written | None
    tried: tuple[str, ...]


def _with_rule(
    one: Classification, chosen: _Chosen, shifted: Mapping[tuple[str, str], str]
) -> Classification:
    """A classification with its rule, and what a reviewer has to know about it.

    :param shifted: a column whose dates are shifted, by owner and table.
    """
    reasons = [*one.reasons, *chosen.tried]
    date = shifted.get((one.owner, one.table))
    if date and one.kind is Kind.BIRTH_DATE and chosen.rule and chosen.rule["algorithm"] == "redaction":
        reasons.append(f"a constant contradicts the shifted dates in {date}")
    return replace(one, rule=chosen.rule, reasons=tuple(reasons))


def taken_of(algorithm: Algorithm, column: Column, values: Collection[Any]) -> int:
    """Return how many values of a column the algorithm takes.

    An algorithm whose masked values depend on other rows takes all of them, and so does every one that masks
    dates: a text is the sample of a date that Python does not have.
    """
    if algorithm.whole_column or algorithm.mapped == "by_row" or column.is_datetime:
        return len(values)
    key = MasterKey(bytes(32)).domain("sample")
    taken = 0
    for value in values:
        own = value.rstrip(" ") if column.data_type in ("CHAR", "NCHAR") else value
        with suppress(MaskingError):
            algorithm.mask_column(key, [(own, *(None for _ in algorithm.reads))], column)
            taken += 1
    return taken


def _settings(written: Written) -> str:
    """What rules of one domain must agree in."""
    return json.dumps({name: written[name] for name in sorted(written.keys() - {"domain", "subject"})})


def _fits(table: Table, column: str, rule: ColumnRule) -> bool:
    try:
        check_rule(table, replace(rule, column=column))
    except RefreshError:
        return False
    return True


def render(
    classifications: Sequence[Classification],
    lookups: dict[str, str],
    threshold: float,
    name: str,
    heading: Sequence[str] = (),
) -> str:
    """The proposal as a ruleset: confidence and reasons are comments, doubtful columns are commented out.

    :param classifications: with their rules, in any order.
    :param lookups: file per lookup as it is to be written; unused ones are left out.
    """
    tables: dict[tuple[str, str], list[Classification]] = {}
    for classification in sorted(classifications, key=lambda one: (one.owner, one.table, one.column)):
        tables.setdefault((classification.owner, classification.table), []).append(classification)
    active = [one for one in classifications if one.rule is not None and one.confidence >= threshold]
    used = {str(value) for one in active if one.rule for value in one.rule.values()}
    lines = [f"# {comment(line)}" for line in heading]
    lines.append(f"name: {flow(name)}")
    files = {key: file for key, file in lookups.items() if key in used}
    if files:
        lines += ["lookups:", *(f"  {key}: {flow(file)}" for key, file in files.items())]
    lines.append("tables:" if active else "tables: {}")
    for (owner, table), of_table in tables.items():
        key = flow(f"{Identifier(owner).written}.{Identifier(table).written}")
        kept = any(one in active for one in of_table)
        lines.append(f"  {key}:" if kept else f"  # {key}:")
        for one in of_table:
            lines += _column(one, threshold)
    return "\n".join(lines) + "\n"


def _column(classification: Classification, threshold: float) -> list[str]:
    reasons = comment("; ".join(classification.reasons))
    lines = [f"    # {classification.confidence:.2f} {classification.kind}: {reasons}"]
    if classification.rule is None:
        return [
            *lines,
            f"    # no algorithm fits {comment(classification.column)}: exempt it, or exclude its table",
        ]
    rule = f"{flow(Identifier(classification.column).written)}: {flow(classification.rule)}"
    if classification.confidence < threshold:
        return [*lines, f"    # (below {threshold:.2f}) {rule}"]
    return [*lines, f"    {rule}"]


def ruleset_line(classification: Classification) -> str:
    """Return the line of YAML that gives a column its proposed rule, or exempts it if no algorithm fits."""
    if classification.rule is None:
        return f"exemptions: {{{flow(classification.key)}: {{reason: ..., signed_by: ..., on: ...}}}}"
    table = TableName(classification.owner, classification.table).key
    column = Identifier(classification.column).written
    return f"tables: {flow({table: {column: classification.rule}})}"


def lookup_files(folder: Path) -> dict[str, Path]:
    """The lookups of a folder by the names that rules give them: lists are CSV files, replacement documents
    folders. None where the folder is not there."""
    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix == ".csv" or path.is_dir()}


def flow(value: Any) -> str:
    """A value on one line of YAML, whatever a name may hold."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(one) for one in value) + "]"
    if not isinstance(value, str):
        return json.dumps(value)
    plain = re.fullmatch(r"[A-Za-z_][\w.$/-]*", value) and yaml_text.parse(value)[1] == value
    return value if plain else json.dumps(value, ensure_ascii=False)


def comment(text: str) -> str:
    """A text for one line of comment, whatever it may hold."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
