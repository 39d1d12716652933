# ruff: noqa: E501, W291 - log lines are kept as Data Pump writes them
"""The log parser against logs of several releases and ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.datapump.logfile import DataPumpLog, LoggedRows, parse_log

EXPORT_19C = """\
;;; 
Export: Release 19.0.0.0.0 - Production on Tue Apr 29 13:01:30 2025
Version 19.21.0.0.0

;;; Connected to: Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
29-APR-25 13:01:32.479: Starting "REFRESH_SOURCE"."RF_DEMO_S001":  
29-APR-25 13:01:32.650: W-1 Startup took 0 seconds
29-APR-25 13:01:34.062: W-1 Processing object type TABLE_EXPORT/TABLE/TABLE_DATA
29-APR-25 13:01:36.278: W-1 . . exported "TEST"."TESTTABLE"                    7.389 MB    1112 rows in 2 seconds using external_table
29-APR-25 13:01:36.422: W-1      Completed 1 TABLE_EXPORT/TABLE/TABLE_DATA objects in 2 seconds
29-APR-25 13:01:37.055: W-1 Master table "REFRESH_SOURCE"."RF_DEMO_S001" successfully loaded/unloaded
29-APR-25 13:01:37.057: ******************************************************************************
29-APR-25 13:01:37.058: Dump file set for REFRESH_SOURCE.RF_DEMO_S001 is:
29-APR-25 13:01:37.059:   /u01/dumps/refresh/rf_demo_s001_01.dmp
29-APR-25 13:01:37.062: Job "REFRESH_SOURCE"."RF_DEMO_S001" successfully completed at Tue Apr 29 13:01:37 2025 elapsed 0 00:00:05
"""

IMPORT_WITH_ERRORS_11G = """\
Master table "SCOTT"."LOAD 01" successfully loaded/unloaded
Starting "SCOTT"."LOAD 01":  
Processing object type TABLE_EXPORT/TABLE/TABLE_DATA
ORA-31693: Table data object "SCOTT"."EMP" failed to load/unload and is being skipped due to error:
ORA-29913: error in executing ODCIEXTTABLEFETCH callout
ORA-01653: unable to extend table SCOTT.EMP by 128 in tablespace USERS
. . imported "SCOTT"."SALGRADE"                          5.867 KB       5 rows
. . imported "SH"."SALES":"SALES_Q4_2003"                    0 KB       0 rows
. . imported "SH"."SALES":"SALES_Q3_1998"."S 2"           4.335 GB   50515 rows
Job "SCOTT"."LOAD 01" completed with 1 error(s) at 19:39:20
"""

STOPPED_23AI = """\
02-MAY-25 14:34:13.647: ORA-31697: aborting operation at process order number 10
02-MAY-25 14:34:13.660: Job "DPUSER"."MONITORING" stopped due to fatal error at Fri May 2 14:34:13 2025 elapsed 0 00:00:02
"""


def test_export_with_metrics_and_timestamps() -> None:
    log = parse_log(EXPORT_19C)
    assert log.rows == (
        LoggedRows("TEST", "TESTTABLE", None, None, 1112, round(7.389 * 1024**2), 2, "external_table", 1),
    )
    assert log.dump_files == ("rf_demo_s001_01.dmp",)
    assert (log.ending, log.error_count, log.elapsed_seconds) == ("completed", 0, 5)
    assert log.errors == ()


def test_old_log_with_errors_partitions_and_blanks_in_names() -> None:
    log = parse_log(IMPORT_WITH_ERRORS_11G)
    assert log.codes == ("ORA-31693", "ORA-29913", "ORA-01653")
    assert [error.object for error in log.errors] == ["SCOTT.EMP"]
    assert (log.ending, log.error_count, log.elapsed_seconds) == ("completed_with_errors", 1, None)
    assert log.table_rows() == {("SCOTT", "SALGRADE"): 5, ("SH", "SALES"): 50515}
    assert log.rows[2].subpartition == "S 2"
    assert log.rows[2].bytes == round(4.335 * 1024**3)


def test_fatal_end() -> None:
    log = parse_log(STOPPED_23AI)
    assert (log.ending, log.elapsed_seconds, log.codes) == ("stopped", 2, ("ORA-31697",))


def test_a_job_that_was_reopened_has_not_ended() -> None:
    reopened = STOPPED_23AI + 'Job "DPUSER"."MONITORING" has been reopened at Fri May 2 14:40:00 2025\n'
    assert parse_log(reopened).ending is None
    end = 'Job "DPUSER"."MONITORING" successfully completed at Fri May 2 14:41:00 2025 elapsed 1 02:03:04\n'
    finished = parse_log(reopened + end)
    assert (finished.ending, finished.elapsed_seconds) == ("completed", 93784)


def test_the_later_line_about_an_object_counts() -> None:
    line = '. . imported "A"."B"   1 KB   {} rows\n'
    assert parse_log(line.format(3) + line.format(4)).table_rows() == {("A", "B"): 4}


def test_several_dump_files_and_windows_paths() -> None:
    text = 'Dump file set for A.B is:\n  D:\\dumps\\b_01.dmp\n  /x/b_02.dmp\nJob "A"."B" successfully completed\n'
    log = parse_log(text)
    assert log.dump_files == ("b_01.dmp", "b_02.dmp")
    assert log.ending == "completed"


TABLE_FAILED = (
    'ORA-31693: Table data object "A"."{}" failed to load/unload and is being skipped due to error:\n'
    "ORA-02354: error in exporting/importing data\n"
)


@pytest.mark.parametrize("stamp", ["", "29-APR-25 13:01:36.278: "])
def test_a_code_that_heads_a_stack_begins_an_error_with_or_without_a_timestamp(stamp: str) -> None:
    text = (
        f'{stamp}Starting "R"."J":  \n'
        f"{stamp}{TABLE_FAILED.format('X')}ORA-39171: Job is experiencing a resumable wait.\n"
        "ORA-01653: unable to extend table A.X by 128 in tablespace USERS\n"
        f'{TABLE_FAILED.format("Y")}{stamp}Job "R"."J" completed with 3 error(s) at 13:01:37\n'
    )
    log = parse_log(text)
    assert [(error.code, error.codes) for error in log.errors] == [
        ("ORA-31693", ("ORA-02354",)),
        ("ORA-39171", ("ORA-01653",)),
        ("ORA-31693", ("ORA-02354",)),
    ]
    assert [error.object for error in log.errors] == ["A.X", "A.X", "A.Y"]
    assert log.unseen_errors == 0


# As published: those of French, and of Portuguese and Spanish with errors. The others by Oracle's vocabulary.
@pytest.mark.parametrize(
    ("line", "ending", "errors"),
    [
        ("L'exécution du travail {} a abouti à 21:56:47", "completed", 0),
        ("Travail {} terminé avec 12 erreur(s) à 21:41:47", "completed_with_errors", 12),
        ("Travail {} arrêté en raison d'une erreur fatale à 21:41:47", "stopped", 0),
        ("Job {} erfolgreich um Di Okt 15 11:42:13 2019 elapsed 0 00:00:33 abgeschlossen", "completed", 0),
        ("Job {} mit 3 Fehler(n) um 11:42:13 abgeschlossen", "completed_with_errors", 3),
        ("Job {} wegen schwerwiegendem Fehler um 11:42:13 gestoppt", "stopped", 0),
        (
            "O job {} foi concluído com 8422 erro(s) em Seg Mar 19 22:20:25 2018 elapsed 0 02:03:01",
            "completed_with_errors",
            8422,
        ),
        ("O job {} foi conclu\ufffddo com sucesso em Seg Mar 19 22:20:25 2018", "completed", 0),
        ("O job {} foi interrompido devido a erro fatal em Seg Mar 19 22:20:25 2018", "stopped", 0),
        ("Job {} completato in 11:07:32", "completed", 0),
        ("Job {} completato con 2 errore/i in 11:07:32", "completed_with_errors", 2),
        ("Job {} interrotto a causa di un errore irreversibile in 11:07:32", "stopped", 0),
        (
            "El trabajo {} ha terminado con 7 error(es) en Dom Feb 26 13:37:19 2023",
            "completed_with_errors",
            7,
        ),
        ("Tabella principale {} caricata/scaricata: completato", None, 0),
        ("Der Job {} tut etwas um Di Okt 15 11:42:13 2019", None, 0),
    ],
)
def test_an_end_is_known_in_the_languages_of_data_pump(line: str, ending: str | None, errors: int) -> None:
    job = '"R"."J"'
    log = parse_log(f"Démarrage de {job} : \n{line.format(job)}\n")
    assert (log.ending, log.error_count) == (ending, errors)


def test_what_follows_an_end_in_a_language_that_is_not_known_takes_the_end_back() -> None:
    ended = 'Starting "R"."J":  \nJob "R"."J" stopped due to fatal error at Fri May 2 14:34:13 2025\n'
    assert parse_log(ended).ending == "stopped"
    assert parse_log(ended + 'Jobben "R"."J" har öppnats igen Fri May 2 14:40:00 2025\n').ending is None


@given(st.text())
def test_any_text_is_read_without_error(text: str) -> None:
    assert isinstance(parse_log(text), DataPumpLog)


@given(st.integers(0, 30))
def test_a_cut_log_never_claims_an_end(lines: int) -> None:
    cut = "\n".join(EXPORT_19C.splitlines()[: min(lines, 14)])
    assert parse_log(cut).ending is None
