"""What the sample of a column speaks for, kind by kind. Pure.

A share of values that pass a check counts only beyond what luck would give: one order number in ten passes
Luhn's check, and one in eleven the check of some national numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from oracle_refresh.profiler.model import ColumnEvidence, ColumnFacts, Kind
from oracle_refresh.profiler.national_ids import SCHEMES
from oracle_refresh.profiler.recognise import SCHEME

LUCK = 1e-6
"""A share of passed checks counts when luck alone would give it with less than this probability."""
FEW = 20
"""With fewer values, a sample contradicts no name."""
BINARY = frozenset({"BLOB", "BFILE", "LONG RAW"})


@dataclass(frozen=True)
class Weight:
    """What the sample says for a kind; a reason is for people."""

    kind: Kind
    strength: float
    reason: str


def _beyond_luck(hits: int, tried: int, chance: float) -> bool:
    """Whether `hits` of `tried` are too many for values that pass with probability `chance` (Chernoff)."""
    share = hits / tried if tried else 0.0
    if share <= chance:
        return False
    distance = share * log(share / chance)
    if share < 1:
        distance += (1 - share) * log((1 - share) / (1 - chance))
    return exp(-tried * distance) < LUCK


def _told(share: float, evidence: ColumnEvidence, what: str) -> str:
    return f"{share:.0%} of {evidence.distinct} different sampled values {what}"


#: Kinds whose form or check digits luck rarely meets: (kind, mark, chance, least strength, what is said).
_STRONG = (
    (Kind.EMAIL, "email", 0.001, 0.72, "are e-mail addresses"),
    (Kind.IBAN, "iban", 0.011, 0.75, "are IBANs with valid check digits"),
    (Kind.PHONE, "phone", 0.03, 0.5, "are phone numbers"),
    (Kind.NETWORK_ADDRESS, "ip", 0.03, 0.5, "are network addresses"),
    (Kind.STREET, "street", 0.03, 0.6, "are street addresses"),
)


def weigh(facts: ColumnFacts, evidence: ColumnEvidence) -> list[Weight]:
    """Every kind that the sample speaks for, with a strength between 0 and 1."""
    weights = []
    size = evidence.distinct
    for kind, mark, chance, least, text in _STRONG:
        if _beyond_luck(evidence.count(mark), size, chance):
            share = evidence.share(mark)
            if share >= 0.1 or least > 0.7:
                weights.append(Weight(kind, least + (0.97 - least) * share, _told(share, evidence, text)))
    tried, passed = evidence.count("card?"), evidence.count("card")
    if _beyond_luck(passed, tried, 0.1) and passed >= 0.3 * tried:
        share = passed / size
        text = _told(share, evidence, "have an issuer's prefix and pass Luhn's check")
        weights.append(Weight(Kind.PAYMENT_CARD, 0.75 + 0.22 * share, text))
    weights += _national(evidence)
    weights += _names(evidence)
    if evidence.count("grown") and evidence.count("whole days") >= 0.95 * evidence.count("born"):
        share = evidence.share("grown")
        weights.append(
            Weight(Kind.BIRTH_DATE, 0.62 * share, "days lie as births of living people do (ages 0 to 120)")
        )
    lettered = evidence.share("postcode!")
    if lettered >= 0.6 and size >= 5:
        weights.append(Weight(Kind.POSTCODE, 0.6, _told(lettered, evidence, "are postcodes")))
    elif evidence.share("postcode") >= 0.9 and size >= 5:
        weights.append(Weight(Kind.POSTCODE, 0.2, "values have the form of postcodes"))
    if 2 <= size <= 6 and evidence.share("gender") == 1.0 and evidence.values >= FEW:
        weights.append(Weight(Kind.GENDER, 0.4, "values are codes of a gender or salutation"))
    weights += _texts(facts, evidence)
    return weights


def _national(evidence: ColumnEvidence) -> list[Weight]:
    best: tuple[float, str] = (0.0, "")
    for scheme in SCHEMES:
        hits = evidence.count(SCHEME + scheme.name)
        if hits and _beyond_luck(hits, evidence.distinct, scheme.chance):
            best = max(best, (hits / evidence.distinct, scheme.name))
    share, name = best
    if share < 0.3:
        return []
    return [Weight(Kind.NATIONAL_ID, 0.4 + 0.5 * share, _told(share, evidence, f"are valid as {name}"))]


def _names(evidence: ColumnEvidence) -> list[Weight]:
    """Names by word lists. A few words that happen to be names, such as colours, are no evidence."""
    weights = []
    if evidence.distinct < 8:
        return []
    enough = 1.0 if evidence.distinct >= 15 else 0.75
    first, last, full = (evidence.share(mark) for mark in ("first", "last", "full"))
    if full >= 0.25:
        weights.append(
            Weight(
                Kind.FULL_NAME,
                enough * (0.55 + 0.4 * full),
                _told(full, evidence, "hold a given and a family name"),
            )
        )
    if first >= 0.3 and first >= last * 0.8:
        weights.append(
            Weight(Kind.FIRST_NAME, enough * (0.4 + 0.55 * first), _told(first, evidence, "are given names"))
        )
    if last >= 0.3 and last >= first * 0.8:
        weights.append(
            Weight(Kind.LAST_NAME, enough * (0.4 + 0.55 * last), _told(last, evidence, "are family names"))
        )
    return weights


_HOLDS = {
    "holds email": "e-mail addresses",
    "holds card": "card numbers",
    "holds iban": "IBANs",
    "holds phone": "phone numbers",
    "holds id": "social security numbers",
    "holds name": "names of people",
}


def _texts(facts: ColumnFacts, evidence: ColumnEvidence) -> list[Weight]:
    """Free text and documents, by what they contain."""
    weights = []
    held = {mark: evidence.share(mark) for mark in _HOLDS if evidence.count(mark) >= 2}
    share = max(held.values(), default=0.0)
    what = ", ".join(_HOLDS[mark] for mark in sorted(held, key=lambda mark: -held[mark]))
    if facts.data_type in BINARY:
        files, readable = evidence.share("file"), evidence.share("file text")
        if files >= 0.2:
            formats = ", ".join(
                mark.removeprefix("file ")
                for mark in evidence.marks
                if mark.startswith("file ") and mark != "file text"
            )
            weights.append(
                Weight(Kind.DOCUMENT, 0.55 + 0.35 * files, _told(files, evidence, f"are files ({formats})"))
            )
        if readable >= 0.2:
            weights.append(Weight(Kind.DOCUMENT, 0.35, _told(readable, evidence, "are readable text")))
        if held:
            weights.append(Weight(Kind.DOCUMENT, 0.5 + 0.4 * share, f"texts contain {what}"))
        return weights
    wordy = evidence.average_words >= 4
    if held and (wordy or evidence.share("text") >= 0.2) and evidence.share("street") < 0.3:
        weights.append(Weight(Kind.FREE_TEXT, min(0.6 + 0.4 * share, 0.95), f"texts contain {what}"))
    elif evidence.share("text") >= 0.5 and evidence.distinct >= FEW:
        weights.append(Weight(Kind.FREE_TEXT, 0.25, f"{evidence.average_words:.0f} words on average"))
    return weights
