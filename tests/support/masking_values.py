"""Values for the tests of masking: strange texts, and numbers that real people could have."""

from __future__ import annotations

import random

#: Fit no format, or any: blanks, accents, CJK, letters whose case changes their length, separators only.
STRANGE = (
    "x", "é", "ß", "İi", "ŉ", "漢字かな", "Ωμέγα", "--", " ", "  a ", "0", "٣٤٥", "ﬁ", "ǅ", "a\tb", "a\nb",
    "%_", "'", '"', "\\", "A" * 31, "9" * 31, "é" * 40, "a'b;--", "1e5", "😀", "Z\u0308", "ı", "ſ",
)  # fmt: skip


def cards() -> tuple[str, ...]:
    """Valid test numbers of the schemes, invalid ones, and other spellings."""
    return (
        "4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1112", "5500005555555559",
        "340000000000009", "30000000000004", "6011000000000004", "4222222222222", "6304000000000000000",
        "123456789012", "12345678901", "41111111111111111111", "4111111111111111x", "-4111111111111111 ",
    )  # fmt: skip


def phones() -> tuple[str, ...]:
    return (
        "+49 (0)30 1234567", "+49 30 1234567", "0049301234567", "030/1234567", "+1-202-555-0143",
        "(202) 555-0143", "+44 20 7946 0958", "+353 1 234 5678", "+7 495 1234567", "+299 123456", "2345678",
        "123", "+49", "+4930", "++493012345", "ext. 5", "+49 30 123456789012345678", "00", "0000000",
        "+0 1234",
    )  # fmt: skip


def ibans() -> tuple[str, ...]:
    return (
        "DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432",
        "gb82west12345698765432", "FR1420041010050500013M02606", "NO9386011117947",
        "MT84MALT011000012345MTLCAST001S", "DE88370400440532013000", "XX", "Gb82west12345698765432",
        "BE68539007547034", "DE00370400440532013000",
    )  # fmt: skip


#: Per country: numbers that are right (their authorities' published examples), wrong, and spelt differently.
IDENTITY_NUMBERS: dict[str, tuple[str, ...]] = {
    "any": (
        "ab-12", "A1B2C3", "12.34/56", "Ab1", "1" * 31,
    ),
    "us": (
        "123-45-6789", "123456789", "666-45-6789", "000-12-3456", "899-99-9999", "001-01-0001",
        "900-12-3456", "667-01-0001", "665-99-9999", "123-00-1234", "123-45-0000",
    ),
    "uk": (
        "AB 12 34 56 C", "AB123456C", "ab123456c", "QQ123456C", "AO123456A", "AB123456E",
    ),
    "de": (
        "86095742719", "65929970489", "86 095 742 719", "86095742718", "02476291358", "12345678901",
        "47036892816", "11122345678", "36574261809",
    ),
    "fr": (
        "255081416802538", "2 55 08 14 168 025 38", "295117823456784", "255081416802539", "180122A123456",
        "355081416802538",
    ),
    "es": (
        "12345678Z", "00000000T", "12345678-Z", "X1234567L", "x1234567l", "Y7654321G", "12345678A",
        "Z0000000M",
    ),
    "nl": (
        "111222333", "1112.22.333", "123456782", "123456789", "000000000", "941331490",
    ),
    "it": (
        "RCCMNL83S18D969H", "MRTMTT25D09F205Z", "RCCMNL83S18D969A", "rccmnl83s18d969h", "RCCMNL83S58D969H",
    ),
}  # fmt: skip


def random_digits(seed: int, count: int, length: int) -> list[str]:
    """Different numbers of a length, as texts."""
    some = random.Random(seed)
    found: set[str] = set()
    while len(found) < count:
        found.add("".join(some.choice("0123456789") for _ in range(length)))
    return sorted(found)
