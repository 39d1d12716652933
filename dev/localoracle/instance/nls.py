"""Languages and territories, and the NLS parameters that follow from them.

Source: Database Globalization Support Guide, "Setting Up a Globalization Support Environment" (NLS_LANGUAGE,
NLS_TERRITORY) and appendix A, "Locale Data".
"""

from __future__ import annotations

from contextvars import ContextVar

from localoracle.errors import not_supported

numeric_characters: ContextVar[str] = ContextVar("numeric_characters", default=".,")
"""NLS_NUMERIC_CHARACTERS of the session whose PL/SQL runs: the sign of decimals, and that of groups."""

TERRITORIES = {
    "AMERICA": {
        "nls_currency": "$",
        "nls_dual_currency": "$",
        "nls_iso_currency": "AMERICA",
        "nls_numeric_characters": ".,",
        "nls_date_format": "DD-MON-RR",
        "nls_time_format": "HH.MI.SSXFF AM",
        "nls_time_tz_format": "HH.MI.SSXFF AM TZR",
        "nls_timestamp_format": "DD-MON-RR HH.MI.SSXFF AM",
        "nls_timestamp_tz_format": "DD-MON-RR HH.MI.SSXFF AM TZR",
    },
    "GERMANY": {
        "nls_currency": "€",
        "nls_dual_currency": "€",
        "nls_iso_currency": "GERMANY",
        "nls_numeric_characters": ",.",
        "nls_date_format": "DD.MM.RR",
        "nls_time_format": "HH24:MI:SSXFF",
        "nls_time_tz_format": "HH24:MI:SSXFF TZR",
        "nls_timestamp_format": "DD.MM.RR HH24:MI:SSXFF",
        "nls_timestamp_tz_format": "DD.MM.RR HH24:MI:SSXFF TZR",
    },
}
LANGUAGES = {
    "AMERICAN": {"nls_date_language": "AMERICAN", "nls_sort": "BINARY"},
    "GERMAN": {"nls_date_language": "GERMAN", "nls_sort": "GERMAN"},
}
USUAL = {
    "nls_language": "AMERICAN",
    "nls_territory": "AMERICA",
    "nls_length_semantics": "BYTE",
    **LANGUAGES["AMERICAN"],
    **TERRITORIES["AMERICA"],
}


def implied(parameter: str, value: str) -> dict[str, str]:
    """What ALTER SESSION SET NLS_LANGUAGE or NLS_TERRITORY sets as well; nothing for other parameters.

    Raises ORA-03001 for a language, a territory or an order of strings that the stand-in does not have.
    """
    if (parameter == "nls_sort" and value != "BINARY") or (parameter == "nls_comp" and value != "BINARY"):
        raise not_supported(f"{parameter.upper()} {value}")
    if parameter in ("nls_language", "nls_date_language") and value not in LANGUAGES:
        raise not_supported(f"the language {value}")
    if parameter == "nls_territory" and value not in TERRITORIES:
        raise not_supported(f"the territory {value}")
    if parameter == "nls_language":
        return LANGUAGES[value]
    return TERRITORIES[value] if parameter == "nls_territory" else {}
