"""What Oracle says leaves the provider without the values of rows, its codes with it."""

from __future__ import annotations

import pickle
import traceback

import oracledb
import pytest
from oracledb.errors import _Error

from oracle_refresh.oracle.errors import DataPumpError, TablesFailed, from_oracle, oracle_codes
from oracle_refresh.oracle.row_values import LEFT_OUT, RowsLeftOut, cleansed, without_rows

SECRET = "Oberhuber-4711"
UNIQUE = (
    "ORA-00001: unique constraint (APP.MAIL_UK) violated on table APP.CUSTOMERS columns (EMAIL)\n"
    f"ORA-03301: (ORA-00001 details) row with column values (EMAIL:'{SECRET}') already exists"
)


@pytest.mark.parametrize(
    "text",
    [
        f"ORA-02372: data for row: NAME : '{SECRET}'",
        f"ORA-02372: data for row: NAME : 'a\n{SECRET}\n' CITY: 0X'C3A4'",
        f"ORA-02372: data for row: NAME : 'see ORA-00942: {SECRET}'",
        f"KUP-11009: data for row: NAME : '{SECRET}'",
        "ORA-00001: violated\nRejected rows with the primary keys are: \n Rejected row #1: \n"
        f"   column ID: {SECRET}\n   column MAIL: a\n{SECRET}",
        f"ORA-29532: Java call terminated by uncaught Java exception: {SECRET}",
        f"ORA-26786: A row with key ('{SECRET}') exists but has conflicting column(s) A in table B",
        f"25-NOV-26 13:01:32.479: W-1 ORA-02372: data for row: NAME : '{SECRET}'",
        UNIQUE,
        f"ORA-02290: check constraint (A.B) violated\nORA-03303: (ORA-02290 details) VALUE '{SECRET}'",
        f"ORA-02291: integrity constraint (A.B) violated\nORA-03304: key '{SECRET}' is not there",
        f"ORA-54321: (ORA-12345 details) '{SECRET}'",
        f"ORA-01438: value {SECRET} greater than specified precision (3, 0) for column A",
        f"ORA-01722: unable to convert string value containing '{SECRET}' to a number: ",
        f"ORA-01843: month {SECRET} is not valid",
        f"ORA-01898: {SECRET} is too precise",
        f"ORA-06502: PL/SQL: value or conversion error: {SECRET}",
        f"ORA-20001: {SECRET} is no customer\nand {SECRET} is none either\nORA-06512: at line 1",
        f"ORA-14312: Value '{SECRET}' already exists in partition P",
        f"ORA-31011: XML parsing failed: {SECRET}",
        f"ORA-40441: JSON syntax error\nJZN-00078: Invalid JSON keyword '{SECRET}' (line 1, position 3)",
        f"ORA-31011: XML parsing failed\nLPX-00104: element {SECRET}",
        "ORA-31154: invalid XML document\nORA-19202: Error occurred in XML processing\n"
        f'LSX-00333: literal "{SECRET}" is not valid with respect to the pattern',
        f"ORA-31693: Table data object failed; ORA-01722: {SECRET}",
        f"DatabaseError: ORA-20999: {SECRET}",
        f"ORA-20001: refused: x\n12.05.1990 {SECRET}, Bern\nmore",
        f"ORA-20001: refused: x\n12.05.1990 10:15:00.000 {SECRET}",
        f'ORA-20001: refused: x\nKlaus "K"."L" {SECRET}',
        f"ORA-20001: refused: x\n{SECRET} at A_EXPORT/",
        f"ORA-20001: refused: x\nABC-12345 {SECRET}",
        f"ORA-20000: Unable to set the salary of {SECRET} to 9000",
        f"ORA-20000: Unable to set table {SECRET}",
        f'ORA-20000: Unable to analyze TABLE "APP"."A" for {SECRET}',
        f"ORA-20000: Insufficient privileges to analyze {SECRET}",
        f"ORA-20000: Table {SECRET} does not exist or was closed",
        f'ORA-20000: Table "A"."B" does not exist or {SECRET} has it',
        f"ORA-20000: object statistics are locked for {SECRET}",
        f"ORA-20000: ORU-12345: {SECRET}",
        f'ORA-20000: Unable to analyze TABLE "A"."B", insufficient privileges or does not exist: {SECRET}',
    ],
)
def test_values_are_left_out_and_codes_stay(text: str) -> None:
    safe = without_rows(text)
    assert SECRET not in safe
    assert oracle_codes(Exception(safe))[:1] == oracle_codes(Exception(text))[:1]
    assert without_rows(safe) == safe
    assert SECRET not in str(DataPumpError(text))


@pytest.mark.parametrize(
    "text",
    [
        "ORA-01722: invalid number",
        "ORA-01722: invalid number [ORA-06512]",
        "ORA-06502: PL/SQL: numeric or value error: character string buffer too small\nORA-06512: at line 3",
        'ORA-20000: Unable to analyze TABLE "APP"."A", insufficient privileges or does not exist',
        'ORA-20000: Unable to analyze TABLE "APP"."A" P1, insufficient privileges or does not exist\n'
        "ORA-06512: at line 1",
        'ORA-20000: Schema "APP" does not exist or insufficient privileges Remedy: grant it',
        'ORA-20000: Insufficient privileges to analyze an object in Schema "APP"',
        "ORA-20000: Insufficient privileges to analyze an object in Dictionary Schema",
        "ORA-20000: ORU-10027: buffer overflow, limit of 2000 bytes",
        "ORA-20000: ORU-10028: line length overflow, limit of 32767 bytes per line",
        "ORA-20005: object statistics are locked (stattype = ALL)",
        'ORA-00942: table or view "APP"."A" does not exist',
        'ORA-12899: value too large for column "APP"."A"."B" (actual: 12, maximum: 10)',
        "ORA-02291: integrity constraint (APP.A_FK) violated - parent key not found",
        'ORA-31693: Table data object "A"."B" failed to load/unload and is being skipped due to error:\n'
        "ORA-02354: error in exporting/importing data\nORA-01555: snapshot too old",
        "2 of 3 tables: APP.A: ORA-01722: invalid number; APP.B: ORA-00942: table or view does not exist",
        "nothing of Oracle",
        "",
    ],
)
def test_names_counts_and_codes_are_passed_on(text: str) -> None:
    assert without_rows(text) == text


def test_a_log_goes_on_behind_a_rejected_row() -> None:
    log = (
        "Processing object type TABLE_EXPORT/TABLE/TABLE_DATA\n"
        'ORA-02374: conversion error loading table "APP"."A"\n'
        "ORA-12899: value too large for column NAME (actual: 12, maximum: 10)\n"
        f"ORA-02372: data for row: NAME : 'O'Brien {SECRET}'\n"
        f"{SECRET} of the second line'\n"
        '. . imported "APP"."A"     6.5 KB   3 out of 4 rows\n'
        'Job "R"."J" successfully completed at Wed Nov 25 22:00:00 2026 elapsed 0 00:00:01'
    )
    lines = without_rows(log).split("\n")
    assert SECRET not in str(lines)
    assert [*lines[:3], *lines[-2:]] == [*log.split("\n")[:3], *log.split("\n")[-2:]]
    assert lines[3] == f"ORA-02372: {LEFT_OUT}"


@pytest.mark.parametrize(
    "line",
    [
        '. . imported "APP"."A"     6.5 KB   3 rows',
        'W-1 . . imported "APP"."A"     6.5 KB   3 rows',
        "25-NOV-26 13:01:32.479: W-1 Startup took 1 seconds",
        "29-4月 -25 13:01:32.479: W-1 ORA-00942: table or view does not exist",
        "KUP-11007: conversion error loading table A",
        'Job "R"."J" stopped due to fatal error at Wed Nov 25 22:00:00 2026',
    ],
)
def test_what_is_data_pumps_own_is_told_again(line: str) -> None:
    safe = RowsLeftOut()
    assert [safe.line(each) for each in (f"ORA-20001: {SECRET}", SECRET, line)][1:] == [None, line]


def test_lines_that_come_one_by_one() -> None:
    safe = RowsLeftOut()
    told = [safe.line(line) for line in (f"ORA-20001: {SECRET}", f"more of {SECRET}", ". . imported")]
    assert told == [f"ORA-20001: {LEFT_OUT}", None, ". . imported"]


def driver_error(text: str = UNIQUE, code: int = 1) -> oracledb.DatabaseError:
    return oracledb.DatabaseError(_Error(text, code=code))


def test_an_error_of_the_driver_is_cleansed_in_place() -> None:
    error = driver_error()
    assert SECRET in str(error)
    assert cleansed(error) is error
    assert SECRET not in str(error)
    assert SECRET not in repr(error)
    assert error.args[0].code == 1
    assert error.args[0].full_code == "ORA-00001"
    assert oracle_codes(error) == ("ORA-00001", "ORA-03301")


def test_what_is_printed_of_a_chain_has_no_values() -> None:
    """As Airflow prints it, with causes and contexts."""
    try:
        try:
            try:
                raise driver_error()
            except oracledb.DatabaseError as error:
                raise ValueError(f"ORA-20001: {SECRET}") from error
        except ValueError as error:
            raise from_oracle(error, "mask", "APP.CUSTOMERS") from error
    except DataPumpError as last:
        text = "".join(traceback.format_exception(last))
    assert SECRET not in text
    assert "APP.MAIL_UK" in text


def test_a_context_that_was_handled_is_cleansed_too() -> None:
    error = RuntimeError("another one")
    error.__context__ = driver_error()
    error.__suppress_context__ = True
    cleansed(error)
    assert SECRET not in str(error.__context__)


def test_groups_are_cleansed() -> None:
    group = ExceptionGroup("several", [driver_error(), ValueError(f"ORA-20000: {SECRET}")])
    assert SECRET not in "".join(traceback.format_exception(cleansed(group)))


def test_tables_of_a_unit_are_told_without_values() -> None:
    failures = {"APP.A": driver_error(), "APP.B": DataPumpError(f"ORA-20001: {SECRET}")}
    error = TablesFailed.of(failures, 2, "unit 1")
    assert SECRET not in str(error)
    assert "APP.B: ORA-20001" in str(error)
    assert SECRET not in str(pickle.loads(pickle.dumps(error)))
