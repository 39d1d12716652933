"""Records of an external table that are plain, and such that are not."""

from __future__ import annotations

FIELDS = "(n CHAR(60), d CHAR(10) DATE_FORMAT DATE MASK 'YYYY-MM-DD', t CHAR(20), other, b)"
ACCESS = "RECORDS DELIMITED BY NEWLINE {files} FIELDS TERMINATED BY '|' {rest}" + FIELDS
PLAIN = [
    "1|2024-02-29|word|x|word",
    "-0.505|||x|",
    "12.|1999-12-31|\\|x|\\.",
    "000123|2024-01-01|\"a\"|x|'b'",
    "|2024-01-01| a b |x| ",
    "9999999999.994|2024-01-01|Jürgen|ü|éé",
    "||||",
]
#: Records that COPY would take for something else than Oracle, or not at all.
OTHERS = [
    "0x1F||word|x|",
    "1_000||word|x|",
    "NaN||word|x|",
    "Infinity||word|x|",
    "+5||word|x|",
    ".5||word|x|",
    " 5 ||word|x|",
    "1e3||word|x|",
    "99999999999||word|x|",
    "1|2024-02-30|word|x|",
    "1|today|word|x|",
    "1|2024-1-5|word|x|",
    "1||too long|x|",
    "1||words     |x|",
    "1||word|x|éééé",
    "1||word\r|x|",
    "1||\x01word\x01|x|",
    "1||word|x",
    "1||word|x|y|beyond",
    "1||word|" + "x" * 256 + "|",
    "1||" + "y" * 21 + "|x|",
    "1" * 59 + "||word|x|",
    "1||word|x|\r",
]
