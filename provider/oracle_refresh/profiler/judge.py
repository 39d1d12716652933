"""From facts about columns to classifications: name, comment, type and sample weighed together. Pure.

Each source gives a strength between 0 and 1. Independent sources that agree add up (1 - product of the
doubts); a sample that contradicts what the name says takes most of it back, because a column CITY of codes
is common and harmless. A name that says plainly what the column is, is never talked away: EMAIL without an @
may hold the local parts, and values that are strange today are replaced tomorrow. It stays above what needs
a rule, unless the values are flags. Without a sample the name decides alone. What a sample dismissed is told,
so that somebody can look.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from oracle_refresh.profiler.model import Classification, ColumnEvidence, ColumnFacts, Kind
from oracle_refresh.profiler.names import (
    about_people,
    comment_hints,
    common_prefix,
    is_code,
    name_hints,
    spaced,
)
from oracle_refresh.profiler.weigh import BINARY, FEW, weigh

WORTH_TELLING = 0.3
"""Below this confidence a classification is noise, unless its name alone was more than a doubt."""
TELLING_NAME = 0.6
"""From this strength on a name that the sample contradicts is told."""
PLAIN_NAME = 0.9
"""From this strength on a name says what the column is, whatever its values look like."""
UNDENIED = 0.62
"""What remains of a plain name: more than columns need a rule from by default."""
FLAG_LENGTH = 2
"""Values of so few characters on average are flags or codes."""

CHARACTER = frozenset({"VARCHAR2", "NVARCHAR2", "CHAR", "NCHAR", "LONG"})
TEXT_LOBS = frozenset({"CLOB", "NCLOB", "XMLTYPE", "JSON"})
NUMBERS = frozenset({"NUMBER", "FLOAT", "BINARY_FLOAT", "BINARY_DOUBLE"})

_DIGITS = frozenset({Kind.PHONE, Kind.NATIONAL_ID, Kind.PAYMENT_CARD, Kind.BANK_ACCOUNT, Kind.POSTCODE})
_IN_NUMBERS = _DIGITS | {
    Kind.SALARY,
    Kind.BIRTH_DATE,
    Kind.LOCATION,
    Kind.PERSONAL_FACT,
    Kind.GENDER,
    Kind.CREDENTIAL,
}
_IN_TEXT_LOBS = frozenset({Kind.FREE_TEXT, Kind.DOCUMENT, Kind.CREDENTIAL, Kind.PERSONAL_FACT})
#: What identifies nobody without a person beside it: the table weighs in.
BY_CONTEXT = frozenset(
    {
        Kind.CITY,
        Kind.POSTCODE,
        Kind.STREET,
        Kind.LOCATION,
        Kind.PHONE,
        Kind.GENDER,
        Kind.NATIONALITY,
        Kind.FREE_TEXT,
    }
)
_OF_PEOPLE = frozenset(
    {
        Kind.FIRST_NAME,
        Kind.LAST_NAME,
        Kind.BIRTH_DATE,
        Kind.NATIONAL_ID,
        Kind.GENDER,
        Kind.SALARY,
        Kind.PERSONAL_FACT,
    }
)
#: The least number of characters (digits in NUMBER columns) that a value of the kind takes.
_LEAST = {
    Kind.EMAIL: 8,
    Kind.IBAN: 15,
    Kind.PAYMENT_CARD: 13,
    Kind.NATIONAL_ID: 6,
    Kind.PHONE: 7,
    Kind.STREET: 8,
    Kind.FULL_NAME: 8,
    Kind.FIRST_NAME: 5,
    Kind.LAST_NAME: 5,
    Kind.CITY: 6,
    Kind.POSTCODE: 4,
    Kind.FREE_TEXT: 20,
    Kind.USER_NAME: 4,
    Kind.NETWORK_ADDRESS: 6,
    Kind.BANK_ACCOUNT: 6,
    Kind.CREDENTIAL: 3,
    Kind.DOCUMENT: 20,
}


def judge_table(columns: Sequence[ColumnFacts]) -> list[Classification]:
    """Findings of one table's columns."""
    return [found for facts in in_table(columns) if (found := judge(facts))]


def in_table(columns: Sequence[ColumnFacts]) -> list[ColumnFacts]:
    """The columns of one table with what the table says about them.

    Some columns that are clearly about people make all others so too.
    """
    named = about_people(columns[0].table) if columns else None
    prefix = common_prefix(columns[0].table, [facts.column for facts in columns]) if columns else ""
    known = [replace(facts, person_table=named, prefix=prefix) for facts in columns]
    first = {facts.column: judge(facts) for facts in known}
    clear = {
        classification.kind
        for classification in first.values()
        if classification and classification.confidence >= 0.8 and classification.kind in _OF_PEOPLE
    }
    return [replace(facts, person_table=True) for facts in known] if clear and named is None else known


def contradicts(kind: Kind, facts: ColumnFacts) -> bool:
    """Whether the type or the sample of a column speaks against a kind."""
    evidence = facts.evidence
    if not _possible(kind, facts) or _flags(evidence):
        return True
    return evidence is not None and _contradiction(kind, facts, evidence) is not None


def judge(facts: ColumnFacts) -> Classification | None:
    """The most likely kind of a column, None where nothing worth telling speaks for any."""
    strengths: dict[Kind, float] = {}
    reasons: dict[Kind, list[str]] = {}
    named: dict[Kind, float] = {}
    plain: set[Kind] = set()
    for hint in name_hints(facts.column, facts.person_table, facts.prefix):
        if _possible(hint.kind, facts):
            strengths[hint.kind] = named[hint.kind] = hint.strength
            reasons[hint.kind] = [f"the name says {hint.term}"]
            if hint.strength >= PLAIN_NAME:
                plain.add(hint.kind)
    for hint in comment_hints(facts.comment) if facts.comment else ():
        if _possible(hint.kind, facts):
            _support(strengths, reasons, hint.kind, hint.strength, f"the comment says {hint.term}")
    evidence = facts.evidence
    if evidence is not None and evidence.distinct:
        for kind in list(strengths):
            doubt = _contradiction(kind, facts, evidence)
            if doubt:
                strengths[kind] *= doubt[0]
                reasons[kind].append(doubt[1])
        if _is_login(facts, evidence):
            _support(strengths, reasons, Kind.USER_NAME, 0.66, "the key of a table of users holds logins")
        for data in weigh(facts, evidence):
            code = data.kind is Kind.POSTCODE and Kind.POSTCODE not in named and is_code(facts.column)
            if _possible(data.kind, facts) and not code:
                _support(strengths, reasons, data.kind, data.strength, data.reason)
    elif evidence is None:
        _by_type(facts, strengths, reasons)
    elif facts.person_table is not True and Kind.DOCUMENT in strengths:
        strengths[Kind.DOCUMENT] *= 0.5
        reasons[Kind.DOCUMENT].append("no sampled row holds one")
    for kind in strengths:
        if kind in BY_CONTEXT and facts.person_table is not True:
            weight = 0.7 if facts.person_table is False else 0.95
            strengths[kind] *= weight
            if kind in named:
                named[kind] *= weight
            reasons[kind].append(
                "the table is about things"
                if facts.person_table is False
                else "nothing says the table is about people"
            )
    for kind in plain if not _flags(evidence) else ():
        strengths[kind] = max(strengths[kind], min(named[kind], UNDENIED))
    if not strengths:
        return None
    best = max(strengths, key=lambda kind: strengths[kind])
    if strengths[best] < WORTH_TELLING:
        best = max(named, key=lambda kind: named[kind], default=best)
        if named.get(best, 0.0) < TELLING_NAME:
            return None
    told = reasons[best] + _shape(evidence)
    return Classification(
        facts.owner, facts.table, facts.column, best, round(min(strengths[best], 0.99), 2), tuple(told)
    )


def _support(
    strengths: dict[Kind, float], reasons: dict[Kind, list[str]], kind: Kind, strength: float, reason: str
) -> None:
    strengths[kind] = 1 - (1 - strengths.get(kind, 0.0)) * (1 - strength)
    reasons.setdefault(kind, []).append(reason)


def _possible(kind: Kind, facts: ColumnFacts) -> bool:
    """Whether the type and width of the column can hold the kind."""
    data_type = facts.data_type
    if data_type in CHARACTER:
        if kind is Kind.GENDER or kind is Kind.NATIONALITY:
            return True
        return data_type == "LONG" or facts.length >= _LEAST.get(kind, 2)
    if data_type in NUMBERS:
        whole = not facts.scale or facts.scale <= 0
        if kind not in _IN_NUMBERS or (kind in _DIGITS and not whole):
            return False
        return facts.precision is None or facts.precision >= (_LEAST.get(kind, 1) if kind in _DIGITS else 1)
    if data_type.startswith(("DATE", "TIMESTAMP")):
        return kind is Kind.BIRTH_DATE
    if data_type in TEXT_LOBS:
        return kind in _IN_TEXT_LOBS
    if data_type in BINARY:
        return kind is Kind.DOCUMENT or (kind is Kind.PERSONAL_FACT and data_type == "BLOB")
    if data_type == "RAW":
        return kind is Kind.CREDENTIAL
    if data_type == "SDO_GEOMETRY":
        return kind is Kind.LOCATION
    # Object types and the like can hold anything; nothing looks into them.
    return not data_type.startswith(("ROWID", "UROWID", "INTERVAL", "BOOLEAN"))


def _by_type(facts: ColumnFacts, strengths: dict[Kind, float], reasons: dict[Kind, list[str]]) -> None:
    """What the type alone says where there is no sample: who knows what is in a LOB."""
    if facts.data_type in TEXT_LOBS | BINARY:
        kind = Kind.DOCUMENT if facts.data_type in BINARY else Kind.FREE_TEXT
        _support(strengths, reasons, kind, 0.35, f"a {facts.data_type} can hold anything")
    elif facts.data_type in CHARACTER and facts.length >= 1000:
        _support(strengths, reasons, Kind.FREE_TEXT, 0.3, f"there is room for {facts.length} characters")


def _contradiction(kind: Kind, facts: ColumnFacts, evidence: ColumnEvidence) -> tuple[float, str] | None:
    """How much of a name's hint remains, and why, when the sample does not look like it."""
    if evidence.values < FEW:
        return None
    few_codes = evidence.distinct <= 3 and kind not in (Kind.GENDER, Kind.NATIONALITY, Kind.PERSONAL_FACT)
    if few_codes and facts.data_type not in BINARY:
        return 0.35, f"only {evidence.distinct} different values in {evidence.values}"
    if evidence.distinct < 5:
        return None
    match kind:
        case Kind.EMAIL if evidence.share("@") < 0.02 and evidence.share("email") < 0.02:
            return 0.3, "no value has an @"
        case Kind.IBAN if evidence.share("iban?") < 0.05:
            return 0.4, "values do not have the form of an IBAN"
        case Kind.PAYMENT_CARD if evidence.share("card", "card?", "luhn") < 0.05:
            return 0.45, "values are no card numbers"
        case Kind.PAYMENT_CARD if evidence.share("card") < 0.3 and not evidence.share("luhn") > 0.8:
            return 0.6, "most values fail the check of card numbers"
        case Kind.PHONE if evidence.share("phone", "phone?") < 0.1:
            return 0.35, "values are no phone numbers"
        case Kind.BIRTH_DATE if facts.data_type in CHARACTER and evidence.share("born") < 0.2:
            return 0.5, "values are no dates of births"
        case Kind.BIRTH_DATE if evidence.count("born") and evidence.share("born") < 0.5:
            return 0.6, "values are no dates of births"
        case Kind.NETWORK_ADDRESS if evidence.share("ip") < 0.05:
            return 0.4, "values are no network addresses"
        case Kind.POSTCODE if evidence.share("postcode") < 0.2 and facts.data_type in CHARACTER:
            return 0.5, "values do not have the form of postcodes"
        case Kind.GENDER if evidence.share("gender") < 0.3 and evidence.distinct > 12:
            return 0.4, "values are no codes of a gender"
        case Kind.FREE_TEXT if evidence.average_words < 2 and not evidence.share("text"):
            return 0.5, "values are single words"
        case Kind.FIRST_NAME | Kind.LAST_NAME | Kind.FULL_NAME | Kind.CITY if _mostly_codes(evidence):
            return 0.3, "values are codes, not words"
        case _:
            return None


def _is_login(facts: ColumnFacts, evidence: ColumnEvidence) -> bool:
    """Whether the key of a table of users is a login, such as `jsmith2`, and not a number or a UUID."""
    words = spaced(facts.column)
    return (
        facts.data_type in CHARACTER
        and facts.person_table is True
        and _USERS.search(spaced(facts.table)) is not None
        and words in ("ID", "USER ID", "USERID", "UID", "LOGIN ID", "ACCOUNT ID", "ACCOUNT")
        and evidence.shape is not None
        and re.match(r"A?a(a|\{\d+\})", evidence.shape) is not None
        and evidence.average_length <= 20
    )


_USERS = re.compile(r"USER|LOGIN|ACCOUNT|STAFF|MEMBER|BENUTZER|UTILISATEUR|USUARIO")


def _flags(evidence: ColumnEvidence | None) -> bool:
    """Whether the values are a few short codes, such as Y and N."""
    return evidence is not None and evidence.distinct <= 3 and 0 < evidence.average_length <= FLAG_LENGTH


def _mostly_codes(evidence: ColumnEvidence) -> bool:
    return evidence.shape is not None and evidence.shape_share > 0.5 and "9" in evidence.shape


def _shape(evidence: ColumnEvidence | None) -> list[str]:
    if evidence is None or evidence.shape is None or evidence.shape_share < 0.3:
        return []
    return [f"{evidence.shape_share:.0%} have the shape {evidence.shape}"]
