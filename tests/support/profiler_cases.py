# ruff: noqa: E501 - one case per line reads best
"""Columns as they occur in applications, with what they hold: to measure how many the profiler gets right.

Names and values are invented with Faker. The Romanian, Lithuanian and Estonian names are in none of the profiler's word lists.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from faker import Faker

from oracle_refresh.profiler.evidence import look
from oracle_refresh.profiler.model import ColumnFacts, Kind

ROWS = 300
TODAY = date(2026, 11, 21)


@dataclass(frozen=True)
class Labelled:
    """A column with its label; None means that it is not sensitive. `clear` cases have a telling name or data."""

    facts: ColumnFacts
    kind: Kind | None
    group: str

    @property
    def where(self) -> str:
        return f"{self.group}: {self.facts.table}.{self.facts.column}"


Make = Callable[[], Any]


def column(
    group: str,
    name: str,
    make: Make | None,
    kind: Kind | None,
    data_type: str = "VARCHAR2",
    length: int = 200,
) -> Labelled:
    table, _, column_name = name.rpartition(".")
    evidence = None if make is None else look([make() for _ in range(ROWS)], TODAY)
    precision = length if data_type == "NUMBER" else None
    facts = ColumnFacts(
        "APP",
        table or "T_DATA",
        column_name,
        data_type,
        length,
        precision=precision,
        scale=0,
        evidence=evidence,
    )
    return Labelled(facts, kind, group)


def luhn(digits: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return digits + str(-total % 10)


def birthday(draw: random.Random) -> datetime:
    return datetime(1935, 1, 1) + timedelta(days=draw.randrange(26_000))


def recent(draw: random.Random, days: int = 2000) -> datetime:
    return datetime(2026, 11, 1) - timedelta(seconds=draw.randrange(days * 86_400))


NAMES_OF_COLUMNS: dict[Kind, tuple[str, ...]] = {
    Kind.FIRST_NAME: (
        "FIRST_NAME",
        "FNAME",
        "GIVEN_NAME",
        "KD_VORNAME",
        "vorname",
        "PRENOM",
        "PRIMER_NOMBRE",
    ),
    Kind.LAST_NAME: (
        "LAST_NAME",
        "SURNAME",
        "CUST_LNAME",
        "NACHNAME",
        "NOM_FAMILLE",
        "APELLIDO1",
        "FamilyName",
    ),
    Kind.FULL_NAME: (
        "CUSTOMER_NAME",
        "CARD_HOLDER",
        "KUNDENNAME",
        "NOM_DU_CLIENT",
        "NOMBRE_COMPLETO",
        "FULLNAME",
    ),
    Kind.EMAIL: ("EMAIL_ADDR", "E_MAIL", "CONTACT_EMAIL", "MAILADRESSE", "COURRIEL", "CORREO_ELECTRONICO"),
    Kind.PHONE: (
        "PHONE",
        "MOBILE_NO",
        "HOME_PHONE2",
        "TELEFONNUMMER",
        "TEL_PORTABLE",
        "TELEFONO_MOVIL",
        "FAX",
    ),
    Kind.BIRTH_DATE: ("DOB", "BIRTH_DATE", "GEB_DAT", "GEBURTSDATUM", "DATE_NAISSANCE", "FECHA_NACIMIENTO"),
    Kind.NATIONAL_ID: (
        "SSN",
        "NINO",
        "NATIONAL_ID",
        "STEUER_ID",
        "NUM_SECU",
        "DNI",
        "PASSPORT_NO",
        "TAX_NUMBER",
    ),
    Kind.PAYMENT_CARD: (
        "PAN",
        "CARD_NO",
        "CREDIT_CARD_NUMBER",
        "KARTENNUMMER",
        "NUM_CARTE",
        "NUMERO_TARJETA",
    ),
    Kind.IBAN: ("IBAN", "KUNDEN_IBAN", "IBAN_BENEFICIAIRE"),
    Kind.STREET: ("STREET", "ADDRESS_LINE1", "STRASSE", "ADRESSE_RUE", "DIRECCION", "HOME_ADDRESS"),
    Kind.CITY: ("CITY", "WOHNORT", "VILLE", "CIUDAD", "TOWN"),
    Kind.POSTCODE: ("ZIP", "POSTCODE", "PLZ", "CODE_POSTAL", "CODIGO_POSTAL"),
    Kind.SALARY: ("SALARY", "GEHALT", "SALAIRE_BRUT", "SUELDO", "ANNUAL_INCOME"),
    Kind.CREDENTIAL: ("PASSWORD", "USER_PWD", "PASSWORT_HASH", "MOT_DE_PASSE", "CONTRASENA", "API_KEY"),
    Kind.NETWORK_ADDRESS: ("IP_ADDRESS", "CLIENT_IP", "LAST_LOGIN_IP", "ADRESSE_IP"),
    Kind.GENDER: ("GENDER", "SEX", "GESCHLECHT", "SEXE", "SEXO"),
    Kind.NATIONALITY: ("NATIONALITY", "STAATSANGEHOERIGKEIT", "NATIONALITE", "NACIONALIDAD"),
    Kind.FREE_TEXT: ("REMARKS", "COMMENTS", "CASE_NOTES", "BEMERKUNG", "COMMENTAIRE", "OBSERVACIONES"),
}
LOCALES = ("en_US", "en_GB", "de_DE", "fr_FR", "es_ES")
STRANGERS = ("ro_RO", "lt_LT", "et_EE")


def makers(locale: str) -> dict[Kind, Make]:
    """How values of each kind are made in one country."""
    fake = Faker(locale)
    fake.seed_instance(7)
    draw = random.Random(locale)
    ids: dict[str, Make] = {
        "en_US": fake.ssn,
        "en_GB": lambda: f"{draw.choice('ABCEGHJ')}{draw.choice('ABCEGHJ')} {draw.randrange(10**6):06d} A",
        "de_DE": lambda: german_tax_id(draw),
        "fr_FR": lambda: french_nir(draw),
        "es_ES": lambda: spanish_dni(draw),
    }
    return {
        Kind.FIRST_NAME: fake.first_name,
        Kind.LAST_NAME: fake.last_name,
        Kind.FULL_NAME: fake.name,
        Kind.EMAIL: fake.email,
        Kind.PHONE: fake.phone_number,
        Kind.BIRTH_DATE: lambda: birthday(draw),
        Kind.NATIONAL_ID: ids.get(locale, ids["en_US"]),
        Kind.PAYMENT_CARD: lambda: fake.credit_card_number(draw.choice(("visa16", "mastercard", "amex"))),
        Kind.IBAN: fake.iban,
        Kind.STREET: fake.street_address,
        Kind.CITY: fake.city,
        Kind.POSTCODE: fake.postcode,
        Kind.SALARY: lambda: Decimal(draw.randrange(20_000_00, 200_000_00)) / 100,
        Kind.CREDENTIAL: lambda: f"{draw.getrandbits(160):040x}",
        Kind.NETWORK_ADDRESS: fake.ipv4,
        Kind.GENDER: lambda: draw.choice("MF"),
        Kind.NATIONALITY: fake.country_code,
        Kind.FREE_TEXT: lambda: f"{fake.sentence(9)} {fake.first_name()} {fake.last_name()} rief an.",
    }


def german_tax_id(draw: random.Random) -> str:
    from stdnum.de import idnr
    from stdnum.iso7064 import mod_11_10

    while True:
        text = str(draw.randrange(10**9, 10**10))
        text += mod_11_10.calc_check_digit(text)
        if idnr.is_valid(text):
            return text


def french_nir(draw: random.Random) -> str:
    body = (
        f"{draw.choice('12')}{draw.randrange(30, 99)}{draw.randrange(1, 13):02d}{draw.randrange(1, 95):02d}"
    )
    body += f"{draw.randrange(1, 600):03d}{draw.randrange(1, 900):03d}"
    return f"{body}{97 - int(body) % 97:02d}"


def spanish_dni(draw: random.Random) -> str:
    number = draw.randrange(10**7, 10**8)
    return f"{number:08d}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


_TYPES: dict[Kind, tuple[str, int]] = {
    Kind.BIRTH_DATE: ("DATE", 7),
    Kind.SALARY: ("NUMBER", 10),
    Kind.GENDER: ("CHAR", 1),
    Kind.NATIONALITY: ("CHAR", 2),
}


def told_by_name() -> Iterator[Labelled]:
    """Telling names, with values of five countries in turn, and once without a sample."""
    made = {locale: makers(locale) for locale in LOCALES}
    for kind, names in NAMES_OF_COLUMNS.items():
        data_type, length = _TYPES.get(kind, ("VARCHAR2", 200))
        for place, name in enumerate(names):
            locale = LOCALES[place % len(LOCALES)]
            yield column("name and data", f"CUSTOMERS.{name}", made[locale][kind], kind, data_type, length)
            yield column("name only", f"CUSTOMERS.{name}", None, kind, data_type, length)


#: Kinds that their values alone must tell.
BY_DATA = (
    Kind.FIRST_NAME, Kind.LAST_NAME, Kind.FULL_NAME, Kind.EMAIL, Kind.PHONE, Kind.BIRTH_DATE, Kind.NATIONAL_ID,
    Kind.PAYMENT_CARD, Kind.IBAN, Kind.STREET, Kind.NETWORK_ADDRESS, Kind.FREE_TEXT,
)  # fmt: skip


def told_by_data() -> Iterator[Labelled]:
    """Names that say nothing, values that do."""
    for locale in LOCALES:
        made = makers(locale)
        for kind in BY_DATA:
            data_type, length = _TYPES.get(kind, ("VARCHAR2", 200))
            yield column(
                f"data only {locale}", f"T_0815.ATTR_{kind.name[:2]}", made[kind], kind, data_type, length
            )


def strangers() -> Iterator[Labelled]:
    """People whose names are in no word list, under telling names."""
    for locale in STRANGERS:
        made = makers(locale)
        for kind in (Kind.FIRST_NAME, Kind.LAST_NAME, Kind.FULL_NAME, Kind.PHONE, Kind.STREET, Kind.EMAIL):
            yield column(f"stranger {locale}", f"MEMBERS.{NAMES_OF_COLUMNS[kind][0]}", made[kind], kind)


def look_alikes() -> Iterator[Labelled]:
    """What resembles personal data and is none."""
    draw = random.Random(11)
    fake, german = Faker("en_US"), Faker("de_DE")
    fake.seed_instance(11)
    german.seed_instance(11)
    words = ("bolt", "bracket", "cable", "valve", "sensor", "panel", "hinge", "switch", "filter", "pump")
    cases: list[tuple[str, Make, str, int]] = [
        ("ORDERS.ORDER_NO", lambda: f"4{draw.randrange(10**15):015d}", "VARCHAR2", 16),
        ("ORDERS.ORDER_ID", lambda: draw.randrange(10**15, 10**16), "NUMBER", 16),
        ("ORDERS.EXTERNAL_REF", lambda: str(draw.randrange(10**8, 10**9)), "VARCHAR2", 20),
        ("ORDERS.BATCH", lambda: str(draw.randrange(10**10, 10**11)), "VARCHAR2", 20),
        ("ORDERS.TICKET", lambda: str(draw.randrange(10**9, 10**10)), "VARCHAR2", 20),
        ("DEVICES.SERIAL_NO", lambda: luhn(f"35{draw.randrange(10**12):012d}"), "VARCHAR2", 20),
        ("PRODUCTS.SKU", lambda: f"{draw.choice('ABC')}{draw.choice('XYZ')}-{draw.randrange(10**5):05d}", "VARCHAR2", 20),
        ("PRODUCTS.EAN", lambda: str(draw.randrange(10**12, 10**13)), "VARCHAR2", 13),
        ("PRODUCTS.PRODUCT_NAME", lambda: f"{draw.choice(words)} {draw.choice(words)} {draw.randrange(99)}", "VARCHAR2", 80),
        ("PRODUCTS.NAME", lambda: f"{draw.choice(words).title()} {draw.choice(words)}", "VARCHAR2", 80),
        ("PRODUCTS.COLOR", lambda: draw.choice(("Black", "White", "Brown", "Green", "Gray", "Gold")), "VARCHAR2", 20),
        ("PRODUCTS.DESCRIPTION", lambda: " ".join(draw.choice(words) for _ in range(12)), "VARCHAR2", 400),
        ("PRODUCTS.PART_NUMBER", lambda: f"{draw.randrange(1000):03d}-{draw.randrange(100):02d}-{draw.randrange(10**5)}", "VARCHAR2", 20),
        ("ORDERS.ORDER_DATE", lambda: recent(draw), "DATE", 7),
        ("ORDERS.SHIPPED_ON", lambda: datetime.combine(recent(draw).date(), datetime.min.time()), "DATE", 7),
        ("ORDERS.DUE", lambda: recent(draw).strftime("%Y-%m-%d"), "VARCHAR2", 10),
        ("CONTRACTS.VALID_FROM", lambda: datetime.combine(recent(draw, 6000).date(), datetime.min.time()), "DATE", 7),
        ("ORDERS.STATUS", lambda: draw.choice(("NEW", "PAID", "SHIPPED", "RETURNED")), "VARCHAR2", 12),
        ("ORDERS.STATUS_TEXT", lambda: draw.choice(("Waiting for payment", "Ready to ship", "Sent to customer")), "VARCHAR2", 80),
        ("ORDERS.ID", lambda: str(uuid.UUID(int=draw.getrandbits(128))), "VARCHAR2", 36),
        ("ORDERS.CORRELATION_ID", lambda: f"{draw.getrandbits(128):032x}", "VARCHAR2", 32),
        ("ORDERS.AMOUNT", lambda: Decimal(draw.randrange(100, 900_000)) / 100, "NUMBER", 12),
        ("ORDERS.CURRENCY", lambda: draw.choice(("EUR", "USD", "GBP")), "CHAR", 3),
        ("ORDERS.COUNTRY_CODE", fake.country_code, "CHAR", 2),
        ("ORDERS.CREATED_AT", lambda: recent(draw), "TIMESTAMP(6)", 11),
        ("ORDERS.VERSION", lambda: f"{draw.randrange(20)}.{draw.randrange(10)}.{draw.randrange(10)}.{draw.randrange(9)}", "VARCHAR2", 20),
        ("CUSTOMERS.CUSTOMER_ID", lambda: draw.randrange(10**6), "NUMBER", 12),
        ("CUSTOMERS.EMAIL_VERIFIED", lambda: draw.choice("YN"), "CHAR", 1),
        ("CUSTOMERS.EMAIL_OPT_IN", lambda: draw.choice((0, 1)), "NUMBER", 1),
        ("CUSTOMERS.PHONE_TYPE", lambda: draw.choice(("HOME", "WORK", "MOBILE")), "VARCHAR2", 10),
        ("CUSTOMERS.PASSWORD_CHANGED_AT", lambda: recent(draw), "DATE", 7),
        ("CUSTOMERS.ADDRESS_ID", lambda: draw.randrange(10**6), "NUMBER", 12),
        ("CUSTOMERS.STATUS", lambda: draw.choice("ACS"), "CHAR", 1),
        ("CUSTOMERS.SEGMENT", lambda: draw.choice(("Gold", "Silver", "Bronze")), "VARCHAR2", 20),
        ("CUSTOMERS.CREATED_AT", lambda: recent(draw), "TIMESTAMP(6)", 11),
        ("MAILINGS.EMAIL_TEMPLATE", lambda: draw.choice(("welcome", "reminder", "invoice", "thanks", "survey")), "VARCHAR2", 40),
        ("FILES.FILE_NAME", lambda: f"{draw.choice(words)}_{draw.randrange(1000)}.csv", "VARCHAR2", 200),
        ("FILES.MIME_TYPE", lambda: draw.choice(("text/csv", "application/pdf")), "VARCHAR2", 80),
        ("HOSTS.HOST_NAME", lambda: f"app{draw.randrange(500)}.internal", "VARCHAR2", 80),
        ("COUNTRIES.NAME", fake.country, "VARCHAR2", 80),
        ("DEPARTMENTS.DEPARTMENT_NAME", lambda: draw.choice(("Sales", "Finance", "Research", "Support")), "VARCHAR2", 80),
        ("JOBS.MONTH_NAME", fake.month_name, "VARCHAR2", 20),
        ("LEDGER.LINE_TYPE", lambda: draw.choice(("DEBIT", "CREDIT")), "VARCHAR2", 10),
        ("LEDGER.TAX_RATE", lambda: Decimal(draw.randrange(2500)) / 100, "NUMBER", 5),
        ("LEDGER.ACCOUNT_TYPE", lambda: draw.choice(("A", "L", "E")), "CHAR", 1),
        ("LOGS.DURATION_MS", lambda: draw.randrange(10**6), "NUMBER", 10),
        ("LOGS.URL", lambda: f"/api/v1/orders/{draw.randrange(10**6)}", "VARCHAR2", 400),
        ("LOGS.SESSION_KEY_HASH_ALG", lambda: draw.choice(("SHA256", "SHA512")), "VARCHAR2", 10),
        ("SENSORS.READING", lambda: draw.random() * 100, "BINARY_DOUBLE", 8),
        ("SENSORS.PAYLOAD", lambda: draw.randbytes(64), "BLOB", 4000),
        ("EVENTS.NOTES_COUNT", lambda: draw.randrange(9), "NUMBER", 4),
        ("CARDS.CARD_TYPE", lambda: draw.choice(("VISA", "AMEX")), "VARCHAR2", 10),
        ("CARDS.LOYALTY_POINTS", lambda: draw.randrange(10**5), "NUMBER", 8),
        ("PARTS.DRAWING_NO", lambda: f"DE{draw.randrange(100):02d}{draw.randrange(10**18):018d}", "VARCHAR2", 30),
        ("PARTS.LOT", lambda: f"{draw.randrange(10**8):08d}{draw.choice('TRWAGMYFPDXBNJZSQVHLCKE')}", "VARCHAR2", 10),
        ("SHIPMENTS.TRACKING_NO", lambda: f"1Z{draw.getrandbits(64):016X}", "VARCHAR2", 20),
        ("SHIPMENTS.CARRIER", lambda: draw.choice(("DHL", "UPS", "FedEx", "GLS")), "VARCHAR2", 20),
        ("ROUTES.POSTED_AT_DATE", lambda: recent(draw), "DATE", 7),
        ("BOOKS.ISBN", lambda: f"978{draw.randrange(10**10):010d}", "VARCHAR2", 13),
        ("SUPPLIERS.COMPANY", fake.company, "VARCHAR2", 80),
        ("LIEFERANTEN.FIRMA", german.company, "VARCHAR2", 80),
        ("WAREHOUSES.CITY", fake.city, "VARCHAR2", 80),
        ("POSITIONS.TITLE", fake.job, "VARCHAR2", 80),
        ("CAMPAIGNS.SLOGAN", fake.catch_phrase, "VARCHAR2", 80),
        ("PAINTS.SHADE", fake.color_name, "VARCHAR2", 40),
        ("LOGS.USER_AGENT", fake.user_agent, "VARCHAR2", 400),
        ("LOGS.ERROR_MESSAGE", fake.bs, "VARCHAR2", 400),
        ("CALENDAR.TIMEZONE", fake.timezone, "VARCHAR2", 40),
        ("FILES.CHECKSUM", fake.sha256, "VARCHAR2", 64),
        ("FILES.PATH", fake.file_path, "VARCHAR2", 400),
        ("MACHINES.KEY_SERIAL", lambda: fake.bothify("????-####-????-####"), "VARCHAR2", 40),
        ("COMPANIES.NAME", lambda: f"{draw.choice(words).title()} Works {draw.choice(('Ltd', 'GmbH', 'Inc'))}", "VARCHAR2", 80),
    ]  # fmt: skip
    for name, make, data_type, length in cases:
        yield column("look-alike", name, make, None, data_type, length)
