# ruff: noqa: E501, W291 - log lines are kept as Data Pump writes them
"""The grammar of Data Pump logs: which lines are one, which belong together, and which are never printed."""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracle_refresh.datapump import log as command
from oracle_refresh.datapump.log import document
from oracle_refresh.datapump.logencoding import decoded
from oracle_refresh.datapump.logfile import parse_log, parse_logs
from oracle_refresh.datapump.verdict import verdict_of

BANNER = """\
Import: Release 19.0.0.0.0 - Production on Mon Jun 2 08:00:00 2025
Version 19.24.0.0.0

Connected to: Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
"""
START = """\
Master table "OPS"."{job}" successfully loaded/unloaded
Starting "OPS"."{job}":  ops/******** directory=ferry dumpfile=quay.dmp data_options=skip_constraint_errors
"""
ROWS = """\
Processing object type SCHEMA_EXPORT/TABLE/TABLE_DATA
. . imported "FERRY"."PASSENGERS"                        11.82 KB      40 out of 43 rows
"""
END = 'Job "OPS"."{job}" completed with {errors} error(s) at Mon Jun 2 08:04:10 2025 elapsed 0 00:04:08\n'
LOGS = sorted((Path(__file__).parent / "logs").glob("*.log"))
TEXTS = [path.read_text(encoding="utf-8") for path in LOGS]


def log_of(body: str, *, job: str = "LOAD", errors: int = 1, banner: str = BANNER) -> str:
    return f"{banner}{START.format(job=job)}{body}{END.format(job=job, errors=errors)}"


def printed(text: str) -> str:
    return json.dumps(document(parse_logs(text)), ensure_ascii=False)


def facts(text: str) -> list[dict[str, Any]]:
    """All that logs say, but for the texts of errors, which end where a line was broken, and line numbers."""
    found = [document([log]) for log in parse_logs(text)]
    for log in found:
        log["unparsed"] = len(log["unparsed"])
        for error in log["errors"]:
            del error["message"], error["details"]
    return found


# -- values of rows

REJECTED = """\
2 row(s) were rejected with the following error: 
ORA-00001: unique constraint (FERRY.PASSENGERS_PK) violated

Rejected rows with the primary keys are: 
 Rejected row #1: 
   column TICKET: {0}
   column MAIL: {1}
 Rejected row #2: 
   column TICKET: {1}
1 row(s) were rejected with the following error: 
ORA-02290: check constraint (FERRY.PASSENGERS_CK) violated

Rejected rows with the primary keys are: 
 Rejected row #1: 
   column TICKET: {1}
"""
DUMPED = """\
ORA-02374: conversion error loading table "FERRY"."PASSENGERS"
ORA-12899: value too large for column NAME (actual: 43, maximum: 40)
ORA-02372: data for row: NAME : {0}
{1}

KUP-11007: conversion error loading table "FERRY"."PASSENGERS"
ORA-01722: unable to convert string value containing {0} to a number
KUP-11009: data for row: NAME : 0X'{0}'
  AGE : {1}
"""
STATEMENTS = """\
ORA-39083: Object type CONSTRAINT:"FERRY"."FARE_CK" failed to create with error:
ORA-02293: cannot validate (FERRY.FARE_CK) - check constraint violated

Failing sql is:
ALTER TABLE "FERRY"."FARES" ADD CONSTRAINT "FARE_CK" CHECK (CLASS IN ('{0}',
'{1}')) ENABLE
ORA-39083: Object type COMMENT failed to create with error:
ORA-00942: table or view does not exist
Failing sql is:
 COMMENT ON COLUMN "FERRY"."FARES"."CLASS" IS '{0}
{1}'
ORA-39171: Job is experiencing a resumable wait.
Resumable error: ORA-01653: unable to extend table FERRY.FARES by 128 in tablespace USERS
Resumable stmt: INSERT INTO "FERRY"."FARES" VALUES ('{0}', '{1}')
Resumable stmt status: SUSPENDED
"""
STACKS = """\
ORA-31693: Table data object "FERRY"."FARES" failed to load/unload and is being skipped due to error:
ORA-29913: error in executing ODCIEXTTABLEFETCH callout
ORA-29400: data cartridge error
{0}
ORA-31693: Table data object "FERRY"."PIERS" failed to load/unload and is being skipped due to error:
ORA-00001: unique constraint (FERRY.PIERS_PK) violated on table FERRY.PIERS columns (NAME)
ORA-03301: (ORA-00001 details) row with column values (NAME:'{0}') already exists
ORA-20001: {1} is refused
ORA-01403: no data found for '{0}'
ORA-29532: Java call terminated by uncaught Java exception: {1}
{0}
"""
BODIES = (REJECTED, DUMPED, STATEMENTS, STACKS)
#: Like no word of a log; some like a part of one.
VALUES = st.one_of(
    st.from_regex(r"[a-z]{4,12}\.[a-z]{4,12}@example\.(org|net)", fullmatch=True),
    st.from_regex(r"4[0-9]{15}", fullmatch=True),
    st.from_regex(r"Xq[a-zäöüéñ]{3,9} Zq[a-z]{3,9}(, 1[0-9]{3} Bern)?", fullmatch=True),
    st.from_regex(r"[A-Z]{4,8}_EXPORT/Q[A-Z]{6,9}|Xq[a-z]{6,9} sql is:", fullmatch=True),
    st.from_regex(r"ORA-Xq[a-z]{4,9}|Job Zq[a-z]{4,9}|0X'4F62[0-9A-F]{8,20}'", fullmatch=True),
)


@pytest.mark.parametrize("body", BODIES, ids=["rejected", "dumped", "statements", "stacks"])
def test_values_of_rows_are_counted_and_not_printed(body: str) -> None:
    values = ("jane.doe@example.org", "John Roe")
    text = log_of(body.format(*values))
    assert not [value for value in values if value in printed(text)]
    assert all(value in text for value in values)


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.sampled_from(BODIES),
    st.tuples(VALUES, VALUES),
    st.integers(72, 150),
    st.booleans(),
    st.sampled_from(["", "   IMPDP> ", "[db-7] ", "2025-06-02 08:00:00,123 INFO  - "]),
)
def test_no_value_is_printed_however_lines_are_broken(
    body: str, values: tuple[str, str], width: int, hard: bool, prefix: str
) -> None:
    text = log_of(ROWS + body.format(*values))
    broken = (hard_broken if hard else word_broken)(text, width)
    found = printed("".join(f"{prefix}{line}\n" for line in broken.splitlines()))
    for value in values:
        assert value not in found
        # Nor its parts, where a line was broken within.
        assert not [part for part in re.findall(r"[\w@.]{8,}", value) if part in found]


@settings(max_examples=25)
@given(VALUES, st.sampled_from(TEXTS), st.integers(0, 60))
def test_a_line_of_any_place_is_not_printed(value: str, text: str, place: int) -> None:
    lines = text.splitlines()
    lines.insert(min(place, len(lines)), value)
    assert value not in printed("\n".join(lines))


@pytest.mark.parametrize(
    "body",
    [
        'ORA-20001: no "Jane"."Doe" here\n',
        "ORA-39126: Worker unexpected fatal error in KUPW$WORKER.LOAD [X]\nORA-20001: no table jane.doe\n",
        "ORA-39083: Object type PROCACT_SCHEMA failed to create with error:\nORA-01722: invalid number\n"
        'Failing sql is:\nBEGIN ferry.note(\'sent\ninto jane.doe\n"Jane"."Doe"\'); END;\n',
        'ORA-02374: conversion error loading table "A"."B"\nORA-02372: data for row: NOTE : \'sent\n'
        'to "Jane"."Doe": late\'\n',
        'ORA-31154: invalid XML document\nLSX-00333: literal "Jane" is not valid with respect to the pattern\n',
    ],
    ids=["free_text", "free_text_below", "literal", "dumped", "document"],
)
def test_values_are_not_taken_for_names_of_objects_and_jobs(body: str) -> None:
    assert "jane" not in printed(f"{BANNER}{START.format(job='LOAD')}{body}").lower()


def test_codes_of_text_indexes_and_documents_are_kept() -> None:
    body = (
        'ORA-39083: Object type INDEX:"A"."I" failed to create with error:\nORA-20000: Oracle Text error:\n'
        "DRG-10700: preference does not exist: A.P\nLSX-00333: x\nJZN-00078: x\n"
    )
    assert parse_log(log_of(body)).errors[0].codes == ("ORA-20000", "DRG-10700", "LSX-00333", "JZN-00078")


def test_rejected_rows_in_another_language_are_counted() -> None:
    body = "ORA-00001: 违反唯一约束条件 (FERRY.P_PK)\n\n具有主键的被拒绝行:\n 被拒绝的行 #1:\n   列 MAIL: jane@example.org\n"
    text = log_of(f'. . 导入了 "FERRY"."P"   5.9 KB   4 行\n{body}')
    assert "jane" not in printed(text)
    assert parse_log(text).errors[0].details == ("3 more lines left out: may quote a row",)


@pytest.mark.parametrize(
    "above",
    [
        "ORA-00001: unique constraint (A.B) violated\nRejected rows with the primary keys are: \n Rejected row #1: \n",
        'ORA-02374: conversion error loading table "A"."B"\nORA-02372: data for row: NAME : x\n',
    ],
)
def test_codes_within_values_are_not_taken_for_causes(above: str) -> None:
    text = log_of(f'{above}ORA-01403: jane\nDROP TABLE jane\nso sql is:\nDROP TABLE "jane"\n')
    assert "jane" not in printed(text)
    assert len(parse_log(text).errors) == 1


def test_a_line_that_is_not_understood_is_listed_by_number_and_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "load.log"
    path.write_text(f"jane.doe\n{log_of(ROWS)}John Roe\n", encoding="utf-8")
    assert command.main([str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["unparsed"] == [
        "line 1: 8 characters",
        "line 11: 8 characters",
    ]


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ('ALTER TABLE "A"."B" MODIFY (C DEFAULT \'x\')', 'ALTER TABLE "A"."B" ...'),
        ('CREATE UNIQUE INDEX "A"."I" ON "A"."B" ("C")', 'CREATE UNIQUE INDEX "A"."I" ...'),
        (
            'create or replace editionable view "A"."V" as select 1',
            'create or replace editionable view "A"."V" ...',
        ),
        ("BEGIN SYS.DBMS_X.SET('x'); END;", "BEGIN ..."),
        ("ALTER USER \"U\" IDENTIFIED BY VALUES 'S:0'", 'ALTER USER "U" ...'),
        ('DROP TABLE "A"."B";', 'DROP TABLE "A"."B"'),
    ],
)
def test_a_statement_is_shown_up_to_the_name_of_its_object(statement: str, shown: str) -> None:
    text = log_of(
        f"ORA-39083: Object type T failed to create with error:\nORA-00942: x\nFailing sql is:\n{statement}\n"
    )
    assert parse_log(text).errors[0].details == ("ORA-00942: x", "Failing sql is:", shown)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("ORA-01403: no data found for 'O'Neil' in 'x'", "no data found for '...'"),
        ("ORA-01403: nothing of 'an open end", "nothing of '...'"),
        ("ORA-01403: no data found: jane", "no data found: ..."),
        ("ORA-12899: value too large (actual: 4, maximum: 2)", "value too large (actual: 4, maximum: 2)"),
        ("ORA-00959: tablespace 'USERS2' does not exist", "tablespace 'USERS2' does not exist"),
        ("ORA-01403: l'objet n'existe pas", "l'objet n'existe pas"),
    ],
)
def test_literals_in_texts_of_codes_are_replaced_unless_they_are_names(line: str, shown: str) -> None:
    text = log_of(f'ORA-31693: Table data object "A"."B" failed to load due to error:\n{line}\n')
    assert parse_log(text).errors[0].details == (f"{line[:9]}: {shown}",)


# -- errors


def codes(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(error.code, error.codes) for error in parse_log(text).errors]


FAILED = "ORA-39083: Object type {} failed to create with error:"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ['ORA-31684: Object type ROLE:"MATES" already exists', "ORA-39384: Warning: User MATE has been locked."],
            [("ORA-31684", ()), ("ORA-39384", ())],
        ),
        ([FAILED.format("A"), FAILED.format("B"), "ORA-01919: role 'X' does not exist"],
         [("ORA-39083", ()), ("ORA-39083", ("ORA-01919",))]),
        ([FAILED.format("A"), 'ORA-31684: Object type USER:"M" already exists'], [("ORA-39083", ()), ("ORA-31684", ())]),
        ([FAILED.format("A"), "ORA-31625: Schema M is needed", "ORA-01435: user does not exist", "ORA-39342: Internal error", "."],
         [("ORA-39083", ("ORA-31625", "ORA-01435")), ("ORA-39342", ())]),
        ([FAILED.format("TYPE"), 'ORA-39132: object type "A"."T" already exists with different hashcode', FAILED.format("B")],
         [("ORA-39083", ("ORA-39132",)), ("ORA-39083", ())]),
        (['ORA-39082: Object type VIEW:"A"."V" created with compilation warnings'] * 2,
         [("ORA-39082", ()), ("ORA-39082", ())]),
        (["ORA-39001: invalid argument value", "ORA-39000: bad dump file specification",
          'ORA-31640: unable to open dump file "/d/x" for read', "ORA-27037: unable to obtain file status",
          "Linux-x86_64 Error: 2: No such file or directory", "Additional information: 7"],
         [("ORA-39001", ("ORA-39000", "ORA-31640", "ORA-27037"))]),
        (["ORA-31626: job does not exist", 'ORA-31633: unable to create master table "A.B"', 'ORA-06512: at "SYS.X", line 1',
          "ORA-00955: name is already used by an existing object"],
         [("ORA-31626", ("ORA-31633", "ORA-06512", "ORA-00955"))]),
        (["ORA-39127: unexpected error from call to X('Y')", "ORA-06502: PL/SQL: numeric or value error",
          "ORA-39405: Oracle Data Pump does not support importing from a later time zone version."],
         [("ORA-39127", ("ORA-06502",)), ("ORA-39405", ())]),
        (['ORA-31684: Object type USER:"M" already exists', "ORA-31672: Worker process DW01 died unexpectedly."],
         [("ORA-31684", ()), ("ORA-31672", ())]),
        (["UDI-31626: operation generated ORACLE error 31626", "ORA-31626: job does not exist",
          "ORA-39086: cannot retrieve job information", "ORA-39002: invalid operation"],
         [("UDI-31626", ("ORA-31626", "ORA-39086")), ("ORA-39002", ())]),
        (["UDE-00014: invalid value for parameter, 'include'.", "LRM-00101: unknown parameter name 'x'", "ORA-39001: x"],
         [("UDE-00014", ("LRM-00101",)), ("ORA-39001", ())]),
        (["W-1 ORA-00001: unique constraint (A.B) violated", "W-2 ORA-02291: integrity constraint (A.C) violated"],
         [("ORA-00001", ()), ("ORA-02291", ())]),
    ],
)  # fmt: skip
def test_an_error_takes_the_codes_that_explain_it(lines: list[str], expected: list[Any]) -> None:
    assert codes(log_of("\n".join(lines) + "\n")) == expected


def test_lines_of_the_operating_system_and_call_stacks_are_shown() -> None:
    below = (
        "ORA-27037: unable to obtain file status",
        "Linux-x86_64 Error: 2: No such file or directory",
        "Additional information: 7",
        "----- PL/SQL Call Stack -----",
        "0x8b4fc9f30     33543  package body SYS.KUPW$WORKER.WRITE_ERROR_INFORMATION",
    )
    text = log_of(
        "ORA-39126: Worker unexpected fatal error in KUPW$WORKER.X [A]\n" + "\n".join(below) + "\nx\n"
    )
    assert parse_log(text).errors[0].details == (*below, "1 more line left out: may quote a row")


WAIT = "ORA-39171: Job is experiencing a resumable wait.\n"
STATEMENT = 'CREATE INDEX "FERRY"."FARES_IX" ON "FERRY"."FARES" ("CLASS") TABLESPACE "INDX"'


@pytest.mark.parametrize(
    ("below", "code", "found"),
    [
        ("ORA-01653: unable to extend table FERRY.FARES by 8192 in tablespace USERS", "ORA-01653", "FERRY.FARES"),
        ("ORA-01658: unable to create INITIAL extent for segment in tablespace USERS", "ORA-01658", None),
        (f"Resumable error: ORA-01658: unable to create INITIAL extent for segment in tablespace USERS\nResumable stmt: {STATEMENT}",
         "ORA-01658", "FERRY.FARES_IX"),
        (f"Resumable error: ORA-01652: unable to extend temp segment by 128 in tablespace TEMP [PDB1]\nResumable stmt: {STATEMENT}",
         "ORA-01652", "FERRY.FARES_IX"),
        (f"Fehler fortsetzbar: ORA-01536: Quota für Tablespace 'USERS' überschritten\nAnweisung: {STATEMENT}", "ORA-01536", "FERRY.FARES_IX"),
        ("Resumable error: ORA-01652: unable to extend temp segment by 128 in tablespace TEMP\n"
         "Resumable stmt: insert into ferry.fares select 1", "ORA-01652", "FERRY.FARES"),
        ("Resumable error: ORA-30036: unable to extend segment by 8 in undo tablespace 'UNDO'\nResumable stmt: BEGIN x; END;",
         "ORA-30036", None),
    ],
)  # fmt: skip
def test_a_wait_names_what_it_waits_for(below: str, code: str, found: str | None) -> None:
    text = log_of(f"{WAIT}{below}\nResumable stmt status: SUSPENDED\n{WAIT}{below}\n", errors=2)
    log = parse_log(text)
    assert [(error.codes, error.object) for error in log.errors] == [((code,), found)] * 2
    assert verdict_of(log, ()).outcome == "succeeded"
    timed_out = (
        'ORA-31693: Table data object "FERRY"."FARES" failed to load/unload and is being skipped due to error:\n'
        "ORA-30032: the suspended (resumable) statement has timed out\n"
    )
    assert verdict_of(parse_log(log_of(f"{WAIT}{below}\n{timed_out}", errors=2)), ()).lost == ("FERRY.FARES",)


# -- jobs


def test_each_job_of_a_file_has_its_own_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed = f"{BANNER}ORA-39002: invalid operation\nORA-39070: Unable to open the log file.\n\n"
    path = tmp_path / "nightly.log"
    lost = (
        'ORA-31693: Table data object "FERRY"."T" failed to load/unload and is being skipped due to error:\n'
    )
    path.write_text(
        log_of(lost, job="ONE") + failed + log_of(ROWS, job="TWO", errors=0).replace("08:00:00", "09:00:00")
    )
    assert command.main([str(path)]) == 0
    last = json.loads(capsys.readouterr().out)
    earlier = last.pop("earlier_jobs")
    assert [(log["job"], len(log["errors"]), len(log["objects"])) for log in (*earlier, last)] == [
        ("OPS.ONE", 1, 0),
        (None, 1, 0),
        ("OPS.TWO", 0, 1),
    ]
    assert last["started"] == "2025-06-02T09:00:00"


RUNS = [f"{START}{ROWS}{END}".format(job=job, errors=0) for job in ("ONE", "ONE", "TWO", "ONE")]


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from(RUNS), st.booleans()), min_size=1, max_size=5))
def test_a_file_has_as_many_jobs_as_were_written_to_it(runs: list[tuple[str, bool]]) -> None:
    texts = [(BANNER if banner else "") + run for run, banner in runs]
    assert facts("\n".join(texts)) == [fact for text in texts for fact in facts(text)]


@pytest.mark.slow
@given(st.lists(st.sampled_from([text for text in TEXTS if "Release" in text.split("\n\n")[0]]), max_size=3))
def test_logs_in_one_file_say_what_they_say_alone(texts: list[str]) -> None:
    assume(texts)
    assume(all(text.lstrip(";\n ").startswith(("Export:", "Import:")) for text in texts[1:]))
    assert facts("\n".join(texts)) == [fact for text in texts for fact in facts(text)]


def test_a_job_that_never_ended_ends_where_its_name_starts_again() -> None:
    killed = f"{START}{ROWS}".format(job="LOAD")
    again = f"{START}{ROWS}{END}".format(job="LOAD", errors=0)
    assert [log.ending for log in parse_logs(killed + again)] == [None, "completed_with_errors"]


def test_a_job_that_is_started_again_stays_one() -> None:
    stopped = f"{BANNER}{START}{ROWS}".format(job="LOAD") + (
        'Job "OPS"."LOAD" stopped by user request at Mon Jun 2 08:02:00 2025 elapsed 0 00:01:58\n\n'
    )
    again = "Job LOAD has been reopened at Mon Jun 2 08:03:00 2025 \n"
    rest = f'Restarting "OPS"."LOAD":  ops/******** \n{ROWS}{END.format(job="LOAD", errors=0)}'
    for text in (stopped + again + rest, stopped + BANNER + again + rest, stopped + BANNER + rest):
        (log,) = parse_logs(text)
        assert (log.ending, len(log.rows)) == ("completed_with_errors", 1)


# -- prefixes

PREFIXES = {
    "rman": "   IMPDP> ",
    "host": "[db-7.example.org] ",
    "comment": "--    ",
    "mail": "> ",
    "log4j": "2025-06-02 08:00:{n:02d},{n}17 {level} [pool-1-thread-{n}] c.e.Dump - ",
    "syslog": "Jun {n:2d} 08:00:{n:02d} dbhost impdp[{n}]: ",
    "scheduler": "06/02/2025 08:00:{n:02d} ({n}) ",
    "kubernetes": "2025-06-02T08:00:{n:02d}.123456{n}Z stdout F ",
    "grep": "/var/log/load.log:{n}:",
    "word": "IMPDP ",
    "number": "{n:4d}  ",
}


def prefixed(text: str, form: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        form.format(n=number % 60, level="ERROR" if "ORA-" in line else "INFO ") + line
        for number, line in enumerate(lines)
    )


@pytest.mark.parametrize("form", PREFIXES.values(), ids=list(PREFIXES))
def test_prefixes_of_other_tools_change_nothing(form: str) -> None:
    for text in TEXTS:
        assert facts(prefixed(text, form)) == facts(text)


@pytest.mark.slow
@given(
    st.sampled_from(TEXTS),
    st.from_regex(r"[ \[(<{]{0,2}[A-Za-z]{1,8}[-_.:/ ]?[a-z0-9]{0,8}[\]>)}|:#-]{1,2} {1,3}", fullmatch=True),
)
def test_any_prefix_with_punctuation_changes_nothing(text: str, prefix: str) -> None:
    assert facts("\n".join(prefix + line for line in text.split("\n"))) == facts(text)


def test_quotation_marks_and_blanks_of_a_web_page_are_read() -> None:
    text = log_of(ROWS + "ORA-01403: no data found for 'jane'\n")
    opened = re.sub(r'"([^"]*)"', "“\\1”", text).replace("'jane'", "‘jane’").replace("  ", " \xa0")
    assert facts(opened) == facts(text)
    assert "jane" not in printed(opened)


def test_lines_between_prefixed_ones_are_left_as_they_are() -> None:
    """RMAN prints its own lines without the prefix, and both jobs of a table's recovery with one each."""
    export = f"{START}{ROWS}{END}".format(job="EXP", errors=0)
    imported = f"{START}{ROWS}{END}".format(job="IMP", errors=0)
    text = "\n".join(
        ["executing Memory Script", prefixed(export, "   EXPDP> "), "Export completed", "contents of Memory Script:",
         prefixed(imported, "   IMPDP> "), "Import completed"]
    )  # fmt: skip
    assert [(log.job, len(log.rows)) for log in parse_logs(text)] == [
        (("OPS", "EXP"), 1),
        (("OPS", "IMP"), 1),
    ]


# -- broken lines


def hard_broken(text: str, width: int) -> str:
    """As a terminal breaks lines."""
    return "\n".join(
        line[start : start + width]
        for line in text.split("\n")
        for start in range(0, max(len(line), 1), width)
    )


def word_broken(text: str, width: int) -> str:
    """As a mailer breaks lines: at blanks, which it drops, and never within a word."""
    broken: list[str] = []
    for line in text.split("\n"):
        held = ""
        for word in re.findall(r"\s*\S+", line) if len(line) > width else [line]:
            if held and len(held) + len(word) > width:
                broken.append(held)
                held = word.lstrip()
            else:
                held += word
        broken.append(held)
    return "\n".join(broken)


@pytest.mark.parametrize("broken", [hard_broken, word_broken])
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
@pytest.mark.slow
def test_lines_broken_at_any_width_say_the_same(path: Path, broken: Any) -> None:
    text = path.read_text(encoding="utf-8")
    for width in range(72, 151):
        assert [{**fact, "unparsed": 0} for fact in facts(broken(text, width))] == [
            {**fact, "unparsed": 0} for fact in facts(text)
        ], width


def in_columns(text: str, width: int) -> str:
    """As a terminal breaks East Asian characters, which take two columns."""
    broken: list[str] = []
    for line in text.split("\n"):
        held, used = "", 0
        for character in line:
            wide = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if used + wide > width:
                broken.append(held)
                held, used = "", 0
            held, used = held + character, used + wide
        broken.append(held)
    return "\n".join(broken)


@pytest.mark.parametrize("path", [path for path in LOGS if not path.read_text(encoding="utf-8").isascii()])
def test_characters_of_two_columns_are_counted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for width in (77, 82, 92):
        assert [{**fact, "unparsed": 0} for fact in facts(in_columns(text, width))] == [
            {**fact, "unparsed": 0} for fact in facts(text)
        ], width


@pytest.mark.parametrize("width", [80, 120, 150])
def test_a_prefix_may_come_before_or_after_lines_are_broken(width: int) -> None:
    long = ROWS.replace("FERRY", "F" * 60).replace(" rows", " rows in 12 seconds using direct_path")
    text = log_of(ROWS + long + STATEMENTS.format("x", "y"), errors=3)
    for form in ("   IMPDP> ", "2025-06-02T08:00:00.123+02:00 "):
        assert facts(prefixed(hard_broken(text, width), form)) == facts(text)
        assert facts(hard_broken(prefixed(text, form), width)) == facts(text)


def test_a_line_that_ends_with_a_path_is_not_continued_by_a_sentence() -> None:
    (text,) = [path.read_text(encoding="utf-8") for path in LOGS if path.stem == "export_french_errors"]
    assert facts(hard_broken(prefixed(text, "   EXPDP> "), 72)) == facts(text)


@pytest.mark.parametrize("broken", [hard_broken, word_broken])
@pytest.mark.parametrize("width", [72, 80, 132])
def test_lines_broken_at_a_width_of_terminals_say_the_same(width: int, broken: Any) -> None:
    text = log_of(ROWS + STATEMENTS.format("x", "y") + STACKS.format("x", "y"), errors=6)
    assert facts(broken(text, width)) == facts(text)


def test_what_was_joined_to_the_text_of_an_error_is_not_shown() -> None:
    text = log_of(f"{FAILED.format('TABLE_STATISTICS')}\nORA-20000: x\n")
    long = 'ORA-39151: Table "FERRY"."PASSENGERS" exists. All dependent metadata and data will be skipped'
    log = parse_log(hard_broken(text.replace(FAILED.format("TABLE_STATISTICS"), long), 80))
    assert f"ORA-39151: {log.errors[0].text}" == long[:80].rstrip() + " ..."
    assert log.errors[0].object == "FERRY.PASSENGERS"


# -- encodings

WORDS = {
    "gb18030": ("连接到", "已成功加载/卸载了主表 {job}", "启动 {job}: ", "作业 {job} 已经完成, 但是有 2 个错误 (于 星期一 6月 2 08:04:10 2025 elapsed 0 00:04:08 完成)"),
    "cp932": ("接続先", "マスター表{job}は正常にロード/アンロードされました", "{job}を起動しています: ", "ジョブ{job}が月 6月 2 08:04:10 2025 elapsed 0 00:04:08で正常に完了しました"),
    "euc_jp": ("接続先", "マスター表{job}は正常にロード/アンロードされました", "{job}を起動しています: ", "ジョブ{job}が月 6月 2 08:04:10 2025 elapsed 0 00:04:08で正常に完了しました"),
    "cp949": ("접속 대상", '마스터 테이블 {job}이(가) 성공적으로 로드됨/로드 취소됨', "{job} 시작 중: ", "{job} 작업이 2 오류와 함께 월 6월 2 08:04:10 2025 elapsed 0 00:04:08에서 완료됨"),
    "cp1252": ("Connecté à", "Table maître {job} chargée/déchargée avec succès", "Démarrage de {job} : ", "Travail {job} terminé avec 2 erreur(s) à Lun. Juin 2 08:04:10 2025 elapsed 0 00:04:08"),
    "cp850": ("Connecté à", "Table maître {job} chargée/déchargée avec succès", "Démarrage de {job} : ", "Travail {job} terminé avec 2 erreur(s) à Lun. Juin 2 08:04:10 2025 elapsed 0 00:04:08"),
}  # fmt: skip


@pytest.mark.parametrize("encoding", [*WORDS, "utf-16-le", "utf-16-be", "utf-32"])
def test_an_encoding_is_known_by_the_words_of_the_messages(encoding: str) -> None:
    lines = WORDS.get(encoding, WORDS["gb18030"])
    text = '{}: Oracle Database 19c\n{}\n{}\n. . "FERRY"."P"   5.9 KB   4 rows\n{}\n'.format(*lines)
    text = text.replace("{job}", '"OPS"."LOAD"')
    assert decoded(text.encode(encoding)) == text
    log = parse_log(decoded(text.encode(encoding)))
    assert (log.ending, log.elapsed_seconds) in (("completed_with_errors", 248), ("completed", 248))
    assert log.ended is not None


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("big5hkscs", 'ORA-31684: 物件類型 USER:"M" 已存在'),
        ("cp1251", "Подключено к: Oracle Database 19c"),
        ("koi8_r", "Подключено к: Oracle Database 19c"),
        ("cp866", "Подключено к: Oracle Database 19c"),
    ],
)
def test_languages_whose_ends_are_not_known_are_decoded(encoding: str, line: str) -> None:
    assert decoded(line.encode(encoding)) == line


def test_log_that_ends_within_a_character_stays_utf_8() -> None:
    text = log_of('. . imported "FERRY"."MÜTZEN"   5 KB   4 rows\n. . imported "FERRY"."Ö')
    assert decoded(text.encode()[: text.encode().rindex("Ö".encode()) + 1]) == text[: text.rindex("Ö")]


def test_a_value_in_another_encoding_does_not_decide() -> None:
    text = f"{BANNER}处理对象类型 SCHEMA_EXPORT/USER\n".encode()
    assert decoded(text + b"\xe9\xff\n").startswith(text.decode())
    assert decoded(b"caf\xe9") == "café"
    cut = "连接到: Oracle\n处理对象类型 A_EXPORT/B".encode("gb18030")[:-1]
    assert decoded(cut).startswith("连接到")


def test_the_command_takes_an_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.log"
    path.write_bytes('ORA-31684: 物件 USER:"M" 已存在\n'.encode("big5"))
    assert command.main([str(path), "--encoding", "big5"]) == 0
    assert "物件" in json.loads(capsys.readouterr().out)["errors"][0]["message"]


def test_pairs_of_widths_do_not_matter() -> None:
    """A log that was broken may stand before one that was not."""
    texts = [
        log_of(ROWS, errors=0),
        hard_broken(log_of(ROWS, errors=0), 80),
        log_of(ROWS + "x" * 200 + "\n", errors=0),
    ]
    for first, second in pairwise([*texts, *texts]):
        got = [(log["objects"], log["elapsed_seconds"]) for log in facts(f"{first}\n{second}")]
        assert got == [(log["objects"], log["elapsed_seconds"]) for log in facts(first) + facts(second)]
