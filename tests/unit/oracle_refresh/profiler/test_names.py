"""Names of columns: of Oracle's sample schemas, in four languages, and what only resembles them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.dictionary.views import views
from oracle_refresh.profiler.judge import judge_table
from oracle_refresh.profiler.model import ColumnFacts, Kind
from oracle_refresh.profiler.names import about_people, comment_hints, name_hints, spaced

SENSITIVE_FROM = 0.6

#: Table -> columns: type and, if sensitive, the kind. From the sample schemas HR, OE and SH.
SAMPLE_SCHEMAS: dict[str, dict[str, tuple[str, Kind | None]]] = {
    "HR.EMPLOYEES": {
        "EMPLOYEE_ID": ("NUMBER", None),
        "FIRST_NAME": ("VARCHAR2", Kind.FIRST_NAME),
        "LAST_NAME": ("VARCHAR2", Kind.LAST_NAME),
        "EMAIL": ("VARCHAR2", Kind.EMAIL),
        "PHONE_NUMBER": ("VARCHAR2", Kind.PHONE),
        "HIRE_DATE": ("DATE", None),
        "JOB_ID": ("VARCHAR2", None),
        "SALARY": ("NUMBER", Kind.SALARY),
        "COMMISSION_PCT": ("NUMBER", None),
        "MANAGER_ID": ("NUMBER", None),
        "DEPARTMENT_ID": ("NUMBER", None),
    },
    "HR.DEPARTMENTS": {"DEPARTMENT_NAME": ("VARCHAR2", None), "LOCATION_ID": ("NUMBER", None)},
    "HR.JOBS": {"JOB_TITLE": ("VARCHAR2", None)},
    "HR.COUNTRIES": {"COUNTRY_ID": ("CHAR", None), "COUNTRY_NAME": ("VARCHAR2", None)},
    "HR.REGIONS": {"REGION_NAME": ("VARCHAR2", None)},
    "HR.EMPLOYEES_INDBARCH": {"ORA_ARCHIVE_STATE": ("VARCHAR2", None)},
    "OE.CUSTOMERS": {
        "CUSTOMER_ID": ("NUMBER", None),
        "CUST_FIRST_NAME": ("VARCHAR2", Kind.FIRST_NAME),
        "CUST_LAST_NAME": ("VARCHAR2", Kind.LAST_NAME),
        "CUST_ADDRESS": ("CUST_ADDRESS_TYP", Kind.STREET),
        "PHONE_NUMBERS": ("PHONE_LIST_TYP", Kind.PHONE),
        "NLS_LANGUAGE": ("VARCHAR2", None),
        "NLS_TERRITORY": ("VARCHAR2", None),
        "CREDIT_LIMIT": ("NUMBER", None),
        "CUST_EMAIL": ("VARCHAR2", Kind.EMAIL),
        "ACCOUNT_MGR_ID": ("NUMBER", None),
        "CUST_GEO_LOCATION": ("SDO_GEOMETRY", Kind.LOCATION),
        "DATE_OF_BIRTH": ("DATE", Kind.BIRTH_DATE),
        "MARITAL_STATUS": ("VARCHAR2", Kind.PERSONAL_FACT),
        "GENDER": ("VARCHAR2", Kind.GENDER),
        "INCOME_LEVEL": ("VARCHAR2", Kind.SALARY),
    },
    "OE.ORDERS": {
        "ORDER_ID": ("NUMBER", None),
        "ORDER_DATE": ("TIMESTAMP(6)", None),
        "ORDER_MODE": ("VARCHAR2", None),
        "ORDER_STATUS": ("NUMBER", None),
        "ORDER_TOTAL": ("NUMBER", None),
        "PROMOTION_ID": ("NUMBER", None),
    },
    "OE.PRODUCT_INFORMATION": {
        "PRODUCT_NAME": ("VARCHAR2", None),
        "PRODUCT_DESCRIPTION": ("VARCHAR2", None),
        "CATALOG_URL": ("VARCHAR2", None),
        "WARRANTY_PERIOD": ("INTERVAL YEAR(2) TO MONTH", None),
    },
    "SH.CUSTOMERS": {
        "CUST_GENDER": ("CHAR", Kind.GENDER),
        "CUST_YEAR_OF_BIRTH": ("NUMBER", Kind.BIRTH_DATE),
        "CUST_MARITAL_STATUS": ("VARCHAR2", Kind.PERSONAL_FACT),
        "CUST_STREET_ADDRESS": ("VARCHAR2", Kind.STREET),
        "CUST_POSTAL_CODE": ("VARCHAR2", Kind.POSTCODE),
        "CUST_CITY": ("VARCHAR2", Kind.CITY),
        "CUST_CITY_ID": ("NUMBER", None),
        "CUST_STATE_PROVINCE": ("VARCHAR2", None),
        "COUNTRY_ID": ("NUMBER", None),
        "CUST_MAIN_PHONE_NUMBER": ("VARCHAR2", Kind.PHONE),
        "CUST_INCOME_LEVEL": ("VARCHAR2", Kind.SALARY),
        "CUST_CREDIT_LIMIT": ("NUMBER", None),
        "CUST_EMAIL": ("VARCHAR2", Kind.EMAIL),
        "CUST_EFF_FROM": ("DATE", None),
        "CUST_VALID": ("VARCHAR2", None),
    },
    "SH.TIMES": {"DAY_NAME": ("VARCHAR2", None), "CALENDAR_MONTH_NAME": ("VARCHAR2", None)},
    "SH.CHANNELS": {"CHANNEL_DESC": ("VARCHAR2", None), "CHANNEL_CLASS": ("VARCHAR2", None)},
}


@pytest.mark.parametrize("table", SAMPLE_SCHEMAS)
def test_the_sample_schemas_of_oracle(table: str) -> None:
    owner, name = table.split(".")
    columns = SAMPLE_SCHEMAS[table]
    facts = [ColumnFacts(owner, name, column, kind[0], 40) for column, kind in columns.items()]
    found = {one.column: one.kind for one in judge_table(facts) if one.confidence >= SENSITIVE_FROM}
    assert found == {column: kind for column, (_, kind) in columns.items() if kind}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CUST_FIRST_NAME1", "CUST FIRST NAME"),
        ("custFirstName", "CUST FIRST NAME"),
        ("Straße", "STRASSE"),
        ("PRÉNOM", "PRENOM"),
        ("E-Mail Adresse", "E MAIL ADRESSE"),
    ],
)
def test_names_are_cut_into_words(name: str, words: str) -> None:
    assert spaced(name) == words


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("CUSTFIRSTNAME", Kind.FIRST_NAME),
        ("EMAIL_ID", Kind.EMAIL),
        ("ADDRESS_CITY", Kind.CITY),
        ("PASSPORT_ID", Kind.NATIONAL_ID),
        ("Fecha_de_Nacimiento", Kind.BIRTH_DATE),
        ("PERSONALAUSWEISNR", Kind.NATIONAL_ID),
        ("CODE_POSTAL", Kind.POSTCODE),
        ("KONTONUMMER", Kind.BANK_ACCOUNT),
    ],
)
def test_the_strongest_hint_comes_first(name: str, kind: Kind) -> None:
    assert name_hints(name)[0].kind is kind
    assert name_hints(name)[0].strength >= SENSITIVE_FROM


@pytest.mark.parametrize(
    "name",
    ["EMAIL_SENT_AT", "IS_EMAIL_VERIFIED", "PHONE_COUNTRY_CODE", "PASSWORD_EXPIRES", "CITY_ID", "NOTES_COUNT",
     "TABLE_NAME", "FILE_NAME", "PAN_TYPE", "NUMBER_OF_PHONES", "ADDRESS_TYPE", "REMARKABLE", "STUBBORN",
     "SPAN"],
)  # fmt: skip
def test_facts_about_a_thing_are_not_the_thing(name: str) -> None:
    assert all(hint.strength < SENSITIVE_FROM for hint in name_hints(name)), name_hints(name)


CUSTOMER = (
    *("C_ID", "C_D_ID", "C_FIRST", "C_MIDDLE", "C_LAST", "C_STREET_1", "C_CITY", "C_ZIP", "C_PHONE"),
    *("C_SINCE", "C_CREDIT", "C_DATA"),
)


def named(table: str, *columns: str) -> dict[str, Kind]:
    facts = [ColumnFacts("APP", table, column, "VARCHAR2", 40) for column in columns]
    return {one.column: one.kind for one in judge_table(facts) if one.confidence >= SENSITIVE_FROM}


def test_half_names_behind_the_prefix_of_a_table() -> None:
    assert named("CUSTOMER", *CUSTOMER) == {
        "C_FIRST": Kind.FIRST_NAME,
        "C_MIDDLE": Kind.FIRST_NAME,
        "C_LAST": Kind.LAST_NAME,
        "C_STREET_1": Kind.STREET,
        "C_CITY": Kind.CITY,
        "C_ZIP": Kind.POSTCODE,
        "C_PHONE": Kind.PHONE,
    }


@pytest.mark.parametrize(
    ("table", "column", "kind"),
    [
        ("ACT_ID_USER", "FIRST_", Kind.FIRST_NAME),
        ("ACT_ID_USER", "LAST_", Kind.LAST_NAME),
        ("EMP", "EMP_FIRST", Kind.FIRST_NAME),
        ("CUST_MASTER", "CUST_LAST", Kind.LAST_NAME),
        ("CUSTOMER", "C_NAME", Kind.FULL_NAME),
        ("PATIENTS", "PAT_FNAME", Kind.FIRST_NAME),
        ("STAFF", "st_last_nm", Kind.LAST_NAME),
        ("PA0002", "VORNA", Kind.FIRST_NAME),
        ("CONTACTS", "CUSTOMER_LAST", Kind.LAST_NAME),
        ("PERSONS", "personFirst", Kind.FIRST_NAME),
        ("APP_USERS", "DISPLAY_NAME", Kind.FULL_NAME),
        ("FAMILIES", "SPOUSE_FIRST", Kind.FIRST_NAME),
        ("ORDERS", "SHIPTOADDRESS", Kind.STREET),
        ("CONTACTS", "EML_ADDR", Kind.EMAIL),
        ("PERSON", "RACE_SOURCE_VALUE", Kind.NATIONALITY),
        ("CREDENTIAL", "SALT", Kind.CREDENTIAL),
        ("DEATH", "DEATH_DATE", Kind.BIRTH_DATE),
        ("PERSON", "PERSON_SOURCE_VALUE", Kind.NATIONAL_ID),
    ],
)
def test_abbreviated_names_of_people(table: str, column: str, kind: Kind) -> None:
    data_type = "DATE" if kind is Kind.BIRTH_DATE else "VARCHAR2"
    (found,) = judge_table([ColumnFacts("APP", table, column, data_type, 40)])
    assert found.kind is kind
    assert found.confidence >= SENSITIVE_FROM


def test_a_prefix_of_the_table_is_dropped_only_where_nothing_is_said() -> None:
    columns = ("CUSTM_NO", "CUSTM_FIRST", "CUSTM_LAST", "CUSTM_SINCE")
    assert named("CUSTOMER_MASTER", *columns) == {
        "CUSTM_FIRST": Kind.FIRST_NAME,
        "CUSTM_LAST": Kind.LAST_NAME,
    }
    assert named("CALL_CENTER", "CC_ID", "CC_NAME", "CC_CLASS", "CC_HOURS") == {}
    assert named("MENU", "DISPLAY_NAME") == {}
    columns = ("USER_ID", "USER_NAME", "USER_TYPE", "USER_LEVEL")
    assert named("SYS_USER", *columns)["USER_NAME"] is Kind.USER_NAME


@pytest.mark.parametrize(
    "name",
    [
        *("STR_PROP_1", "JSON_STR", "PARAM_STR", "TEMP_NAME", "PLACEHOLDER_NAME", "BLAST_NAME", "MICROPHONE"),
        *("VOICEMAIL", "EXPORTABLE", "WAREHOUSE_NO", "DISCARD_NO", "CONTRACTOR_TYPE", "ZIPPED"),
        *("SCANNER", "COMMENTARY_URL", "PHONEME", "LAST_UPDATE", "FIRST_SEEN", "PHOTON_COUNT", "RESUMED"),
    ],
)
def test_a_term_inside_another_word_says_nothing(name: str) -> None:
    assert all(hint.strength < SENSITIVE_FROM for hint in name_hints(name)), name_hints(name)


@pytest.mark.parametrize(
    "name",
    [
        *("CUSTPHONE", "HOMEEMAIL", "VEMAIL", "KDVORNAME", "BILLINGSTREET", "XFIRSTNAME", "WOHNSTRASSE"),
        *("STR", "PASSENGEREMAIL", "CREATEDBYEMAIL", "REPLYTOEMAIL", "NEXTOFKINPHONE", "APPLICANTPHONE"),
    ],
)
def test_a_term_in_a_compound_still_counts(name: str) -> None:
    assert name_hints(name)[0].strength >= SENSITIVE_FROM


def test_few_names_of_the_dictionary_look_sensitive() -> None:
    """The views of the data dictionary name nobody, but for users and comments."""
    columns = {column for view in views().values() for column in view}
    wrong = [name for name in columns if name_hints(name) and name_hints(name)[0].strength >= SENSITIVE_FROM]
    assert len(columns) > 1500
    assert len(wrong) < 0.025 * len(columns), sorted(wrong)


def test_comments_count_a_little_less_than_names() -> None:
    (hint,) = comment_hints("Date of birth of the insured")
    assert hint.kind is Kind.BIRTH_DATE
    assert 0.8 < hint.strength < name_hints("DATE_OF_BIRTH")[0].strength


@pytest.mark.parametrize(
    ("table", "people"), [("KUNDEN", True), ("HR_EMPLOYEES", True), ("WAREHOUSES", False), ("T_0815", None)]
)
def test_tables_of_people(table: str, people: bool | None) -> None:
    assert about_people(table) is people


@given(st.text(max_size=128))
def test_any_name_is_read(name: str) -> None:
    name_hints(name)
    comment_hints(name)
