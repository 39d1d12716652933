"""What one value looks like: a set of marks. Pure; the caller counts the marks and forgets the value."""

from __future__ import annotations

import ipaddress
import re
from datetime import date, datetime
from functools import lru_cache

import phonenumbers
from stdnum import iban, luhn

from oracle_refresh.profiler.national_ids import schemes_of
from oracle_refresh.profiler.words import family_names, fold, given_names, word_set

SCHEME = "id:"
"""Prefix of the marks of national numbers; the scheme's name follows."""
MAXIMUM_WORDS = 6
"""A value of more words is a text: it is searched for what it contains."""

_EMAIL = re.compile(
    r"[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
)
_CARD = re.compile(r"\d(?:[ -]?\d){12,18}")
_ISSUER = re.compile(
    r"4\d{15}|4\d{18}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12}|3(?:0[0-5]|6\d|8\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
    r"|(?:5018|5020|5038|6304|6759|676[1-3])\d{8,15}"
)
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}")
_PHONE = re.compile(r"[+(0-9][0-9 ()./+-]{6,22}(?: ?(?:x|ext\.?) ?\d{1,6})?")
_NORTH_AMERICA = re.compile(r"(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?: ?x\d{1,6})?")
_TRUNK = re.compile(r"\(?0\d{1,5}\)?[ /.-]")
_SPAIN = re.compile(r"[6789]\d{2} \d{3} \d{3}|[6789]\d{2}(?: \d{2}){3}")
_TRUNK_REGIONS = ("GB", "DE", "FR", "NL", "AT", "CH", "IT", "SE", "BE")
_MAC = re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}")
_DATE = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})|(\d{4})(\d{2})(\d{2})"
)
_POSTCODE = re.compile(
    r"\d{5}(?:-\d{4})?|\d{4}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d"
    r"|\d{2}-\d{3}"
)
_LETTERED_POSTCODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}")
_STREET = re.compile(
    r"\b\d{1,6}[A-Z]?\b.{0,60}\b(STREET|ST|AVENUE|AVE|ROAD|RD|LANE|LN|DRIVE|DR|BOULEVARD|BLVD|COURT|CT"
    r"|PLACE|PL|SQUARE"
    r"|SQUARES?|TERRACE|WAY|CLOSE|CRESCENT|PARKWAY|HIGHWAY|RUE|CHEMIN|IMPASSE|ALLEE|QUAI|ROUTE|TRAIL|LOOP"
    r"|RIDGE|PARK"
    r"|SUITE|APT|HILL|HILLS|CREEK|CIRCLE|COVE|GROVE|GARDENS?|MEWS|PATH|PIKE|PLAZA|POINT|RUN|VIEW|WALK"
    r"|TURNPIKE|PASS)\b"
    r"|(STRASSE|STR\.|GASSE|WEG|PLATZ|ALLEE|RING|DAMM|UFER|STR|STRAAT|LAAN|PLEIN|GRACHT|VEJ|GADE|VEIEN|GATA|GATE"
    r"|GATAN|VAGEN|KATU|KUJA|POLKU|UTCA)\s+\d{1,5}\s?[A-Z]?\b"
    r"|\b(CALLE|CALLEJON|AVENIDA|AVDA\.?|AV\.|PASEO|PLAZA|CAMINO|RONDA|GLORIETA|CARRER"
    r"|VIALE|CORSO|CONTRADA|STRADA|TRAVESSA|LARGO|UL\.|ULICA|AL\.|ALAMEDA|RAMBLA|CUESTA|PASAJE|ACCESO|VIA|PIAZZA|RUA|RUE|AVENUE"
    r"|BOULEVARD|C/)\s.{2,60}\d"
)
_TITLES = word_set(
    """
    MR MRS MS MISS DR PROF SIR HERR FRAU DIPL ING MED M MME MLLE SR SRA SRTA DON DONA JR II III IV PHD
    MD DDS DVM
    """
)
_PARTICLES = word_set(
    """
    VON VAN DE DER DEN DEL LA LE LES DU DA DOS DI ZU ZUM Y E
    """
)
_TEXT_CARD = re.compile(r"(?<![\d-])\d(?:[ -]?\d){13,18}(?![\d-])")
_TEXT_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")
_TEXT_PHONE = re.compile(
    r"(?<![\w.])\+\d[\d ()./-]{7,18}\d|\(\d{3}\) ?\d{3}[-. ]\d{4}|(?<![\d-])\d{3}-\d{3}-\d{4}(?![\d-])"
)
_TEXT_ID = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
# Ahead, so that pairs may overlap: `Call Ann Lee` holds the pair that counts as its second.
_CAPITALISED = re.compile(r"\b(?=([A-ZÀ-Þ][\wà-ÿ'-]+),? ([A-ZÀ-Þ][\wà-ÿ'-]+)\b)")
_GENDERS = word_set(
    """
    M F W D X U MALE FEMALE DIVERSE OTHER UNKNOWN MANNLICH WEIBLICH DIVERS HOMME FEMME MASCULIN FEMININ
    HOMBRE MUJER H MASCULINO FEMENINO MR MRS MS MISS HERR FRAU MME MLLE SR SRA
    """
)


def marks(text: str) -> set[str]:
    """Everything a value could be: `email`, `card`, `iban`, `phone`, `id:…`, `first`, `last`, `full`,
    `street`, `postcode`, `ip`, `date`, `gender`, `text` with `holds …`, and with a question mark what it
    is not sure of (`card?`, `phone?`).
    """
    value = text.strip()
    if not value:
        return set()
    words = value.split()
    if len(words) > MAXIMUM_WORDS or len(value) > 120:
        return {"text", *contents(value)}
    recognised: set[str] = set()
    if any(letter.isdigit() for letter in value):
        recognised |= _numbers(value)
    if "@" in value:
        recognised |= {"@"} | ({"email"} if _EMAIL.fullmatch(value) else set())
    if any(letter.isalpha() for letter in value):
        recognised |= _letters(value, words)
    if ":" in value and (_MAC.fullmatch(value) or _is_ip(value)):
        recognised.add("ip")
    if len(words) > 3:
        recognised |= contents(value)
    return recognised


def contents(text: str) -> set[str]:
    """What a text contains: `holds email`, `holds card`, and likewise `iban`, `phone`, `id` and `name`."""
    held = set()
    if "@" in text and _EMAIL.search(text):
        held.add("holds email")
    if any(_card(match[0]) for match in _TEXT_CARD.finditer(text)):
        held.add("holds card")
    if any(_is_iban(match[0]) for match in _TEXT_IBAN.finditer(text)):
        held.add("holds iban")
    if _TEXT_PHONE.search(text):
        held.add("holds phone")
    if _TEXT_ID.search(text):
        held.add("holds id")
    if any(_pair(match[1], match[2]) for match in _CAPITALISED.finditer(text)):
        held.add("holds name")
    return held


def _numbers(value: str) -> set[str]:
    recognised: set[str] = set()
    digits = re.sub(r"\D", "", value)
    if 12 <= len(digits) <= 19 and _CARD.fullmatch(value):
        if _ISSUER.fullmatch(digits):
            recognised.add("card?")
            if luhn.is_valid(digits):
                recognised.add("card")
        elif luhn.is_valid(digits):
            recognised.add("luhn")
    upper = value.upper()
    if _IBAN.fullmatch(upper):
        recognised |= {"iban?"} | ({"iban"} if _is_iban(upper) else set())
    recognised |= {SCHEME + name for name in schemes_of(value)}
    if _POSTCODE.fullmatch(upper):
        recognised |= {"postcode"} | ({"postcode!"} if _LETTERED_POSTCODE.fullmatch(upper) else set())
    if _as_date(value):
        recognised.add("date")
    elif _is_ip(value):
        recognised.add("ip")
    elif _PHONE.fullmatch(value):
        recognised |= _phone(value, digits)
    if len(value) > 6 and _STREET.search(fold(" ".join(value.split()))):
        recognised.add("street")
    return recognised


def _phone(value: str, digits: str) -> set[str]:
    international = re.sub(r"^00(?=[1-9])", "+", value)
    if international.startswith("+"):
        return {"phone"} if _possible(international, None) else {"phone?"}
    if value.startswith("001-") and _possible("+" + value[2:], None):
        return {"phone"}
    if _NORTH_AMERICA.fullmatch(value):
        return {"phone"} if _possible(value, "US") else {"phone?"}
    if _TRUNK.match(value) and 8 <= len(digits) <= 14:
        return {"phone"} if any(_valid(value, region) for region in _TRUNK_REGIONS) else {"phone?"}
    if _SPAIN.fullmatch(value):
        return {"phone"} if _valid(value, "ES") else {"phone?"}
    return {"phone?"} if 7 <= len(digits) <= 15 else set()


def _possible(value: str, region: str | None) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False


def _valid(value: str, region: str) -> bool:
    try:
        return phonenumbers.is_valid_number_for_region(phonenumbers.parse(value, region), region)
    except phonenumbers.NumberParseException:
        return False


def _card(value: str) -> bool:
    digits = re.sub(r"\D", "", value)
    return bool(_ISSUER.fullmatch(digits)) and bool(luhn.is_valid(digits))


def _is_iban(value: str) -> bool:
    return bool(iban.is_valid(value, check_country=False))


def _is_ip(value: str) -> bool:
    if not (7 <= len(value) <= 39 and (value.count(".") == 3 or value.count(":") >= 2)):
        return False
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return False
    # Versions such as 10.2.0.4 have small parts only; addresses rarely do.
    return address.version == 6 or max(address.packed) > 40


def _as_date(value: str) -> date | None:
    match = _DATE.match(value)
    if match is None or (len(value) > 10 and not re.fullmatch(r"[ T]\d{2}:\d{2}.*", value[match.end() :])):
        return None
    if len(value) <= 10 and match.end() != len(value):
        return None
    first = match[1] or match[7]
    year, month, day = (
        (first, match[2] or match[8], match[3] or match[9]) if first else (match[6], match[5], match[4])
    )
    for order in ((month, day), (day, month)):
        try:
            return date(int(year), int(order[0]), int(order[1]))
        except ValueError:
            continue
    return None


def as_day(value: object) -> date | None:
    """The day that a DATE, a TIMESTAMP or a text such as 1980-02-29, 29.02.1980 or 19800229 means."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return _as_date(str(value).strip()) if value is not None else None


def _letters(value: str, words: list[str]) -> set[str]:
    recognised: set[str] = set()
    folded = fold(value)
    if folded in _GENDERS or folded.rstrip(".") in _GENDERS:
        recognised.add("gender")
    if any(letter.isdigit() for letter in value) or not re.fullmatch(r"[\w .,'’-]+", value):
        return recognised
    parts = [part for part in re.split(r"[ -]+", folded) if part]
    if len(parts) <= 4:
        if len(parts) <= 3 and parts and all(part in given_names() for part in parts):
            recognised.add("first")
        plain = [part for part in parts if part not in _PARTICLES]
        if 1 <= len(plain) <= 2 and all(part in family_names() for part in plain):
            recognised.add("last")
    if 2 <= len(words) <= MAXIMUM_WORDS and _full(folded):
        recognised.add("full")
    return recognised


def _full(folded: str) -> bool:
    parts = [
        part
        for part in re.split(r"[ ,.-]+", folded)
        if part and part not in _TITLES and part not in _PARTICLES
    ]
    known = [part for part in parts if len(part) > 1]
    return 2 <= len(known) <= 5 and any(
        one in given_names() and other in family_names()
        for place, one in enumerate(known)
        for later, other in enumerate(known)
        if place != later
    )


@lru_cache(maxsize=4096)
def _pair(one: str, other: str) -> bool:
    first, last = fold(one), fold(other)
    return (first in given_names() and last in family_names()) or (
        last in given_names() and first in family_names()
    )
