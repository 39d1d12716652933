"""ARCHIVELOG and NOARCHIVELOG with a restart, flashback, restore points, force and supplemental logging."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import oracledb
import pytest

from localoracle.instance.control_file import ARCHIVELOG, NOARCHIVELOG, ControlFile
from support.cursors import fails, one
from support.killed_server import kill_server
from support.stand_in import SYSTEM_PASSWORD, Server, new_server
from support.waiting import PATIENCE


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    server, end = new_server("logmode")
    yield server
    end()


def switch(server: Server, mode: str) -> None:
    done = server.command("control", "log-mode", mode)
    assert done.returncode == 0, done.stderr


def refused(server: Server, mode: str) -> str:
    done = server.command("control", "log-mode", mode)
    assert done.returncode == 1
    return done.stderr


def database(server: Server, columns: str) -> object:
    with server.connect() as connection:
        return one(connection.cursor(), f"SELECT {columns} FROM V$DATABASE")


def test_a_restart_ends_sessions_and_keeps_what_was_committed(own_server: Server) -> None:
    assert database(own_server, "LOG_MODE") == NOARCHIVELOG
    with own_server.connect() as writer, own_server.connect() as busy:
        cursor = writer.cursor()
        cursor.execute("CREATE TABLE KEPT (N NUMBER)")
        cursor.execute("INSERT INTO KEPT VALUES (1)")
        writer.commit()
        scn = one(cursor, "SELECT CURRENT_SCN FROM V$DATABASE")
        cursor.execute("INSERT INTO KEPT VALUES (2)")
        writer.commit()
        cursor.execute("INSERT INTO KEPT VALUES (3)")
        failure: list[oracledb.Error] = []

        def wait() -> None:
            try:
                busy.cursor().execute("BEGIN DBMS_SESSION.SLEEP(60); END;")
            except oracledb.Error as error:
                failure.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        switch(own_server, "archivelog")
        waiting.join(PATIENCE)
        assert not waiting.is_alive()
        assert "ORA-01089" in str(failure[0])
        fails(cursor, 1089, "INSERT INTO KEPT VALUES (4)")
    with own_server.connect() as connection:
        cursor = connection.cursor()
        assert one(cursor, "SELECT LOG_MODE FROM V$DATABASE") == ARCHIVELOG
        assert one(cursor, "SELECT ARCHIVER FROM V$INSTANCE") == "STARTED"
        assert one(cursor, "SELECT COUNT(*) FROM KEPT") == 2
        assert one(cursor, f"SELECT COUNT(*) FROM KEPT AS OF SCN {scn}") == 1
        fails(cursor, 1126, "ALTER DATABASE NOARCHIVELOG")


def test_the_mode_stays_and_redo_is_archived(own_server: Server) -> None:
    switch(own_server, "archivelog")
    assert own_server.command("stop").returncode == 0
    assert own_server.command("start").returncode == 0
    assert database(own_server, "LOG_MODE") == ARCHIVELOG
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE MUCH (TEXT VARCHAR2(1000))")
        cursor.execute("INSERT INTO MUCH SELECT RPAD('x', 1000, 'x') FROM DUAL CONNECT BY LEVEL <= 40000")
        connection.commit()
    assert own_server.command("stop").returncode == 0
    names = [path.name for path in own_server.instance.archive_directory.iterdir()]
    assert len(names) >= 2
    assert not [name for name in names if name.startswith(".")]
    assert own_server.command("start").returncode == 0


def test_a_change_of_a_killed_restart_is_made_at_the_next_start(own_server: Server) -> None:
    assert own_server.command("stop").returncode == 0
    ControlFile(NOARCHIVELOG).write(own_server.instance.root)
    assert own_server.command("start").returncode == 0
    assert database(own_server, "LOG_MODE") == NOARCHIVELOG


@pytest.mark.parametrize("seconds", [0.0, 0.3, 1.0])
def test_killed_while_the_mode_is_switched(own_server: Server, seconds: float) -> None:
    wanted = NOARCHIVELOG if database(own_server, "LOG_MODE") == ARCHIVELOG else ARCHIVELOG
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE STAYS (N NUMBER)")
        cursor.execute("INSERT INTO STAYS VALUES (1)")
        connection.commit()
    switching = threading.Thread(target=own_server.command, args=("control", "log-mode", wanted.lower()))
    switching.start()
    # The command itself takes a moment to begin; the kill comes at any point of the restart, or after it.
    end = time.monotonic() + PATIENCE
    while ControlFile.read(own_server.instance.root).log_mode != wanted and switching.is_alive():
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(seconds)
    kill_server(own_server)
    switching.join(PATIENCE)
    assert not switching.is_alive()
    started = own_server.command("start")
    assert started.returncode == 0, started.stderr
    assert database(own_server, "LOG_MODE") == wanted
    with own_server.connect() as connection:
        cursor = connection.cursor()
        assert one(cursor, "SELECT COUNT(*) FROM STAYS") == 1
        cursor.execute("DROP TABLE STAYS PURGE")


def test_flashback_needs_archived_redo_and_keeps_it(own_server: Server) -> None:
    switch(own_server, "noarchivelog")
    with own_server.connect() as connection:
        fails(connection.cursor(), 38706, "ALTER DATABASE FLASHBACK ON", text="ORA-38707")
    switch(own_server, "archivelog")
    with own_server.connect() as connection:
        cursor = connection.cursor()
        fails(cursor, 38706, "ALTER DATABASE FLASHBACK ON", text="ORA-38709")
        cursor.execute("ALTER SYSTEM SET db_recovery_file_dest_size = 4G")
        cursor.execute("ALTER SYSTEM SET db_recovery_file_dest = '/u01/fra'")
        cursor.execute("ALTER DATABASE FLASHBACK ON")
        fails(cursor, 38706, "ALTER DATABASE FLASHBACK ON", text="ORA-38713")
    assert "ORA-38774" in refused(own_server, "noarchivelog")
    with own_server.connect() as connection:
        connection.cursor().execute("ALTER DATABASE FLASHBACK OFF")
    switch(own_server, "noarchivelog")
    assert "no log mode" in refused(own_server, "manual")


def test_guaranteed_restore_points_keep_the_redo(own_server: Server) -> None:
    switch(own_server, "noarchivelog")
    with own_server.connect("SYS", SYSTEM_PASSWORD) as connection:
        create = "CREATE RESTORE POINT BEFORE_IT GUARANTEE FLASHBACK DATABASE"
        fails(connection.cursor(), 38784, create, text="ORA-38785")
    switch(own_server, "archivelog")
    with own_server.connect() as connection:
        fails(connection.cursor(), 1031, create)
    with own_server.connect("SYS", SYSTEM_PASSWORD) as connection:
        connection.cursor().execute(create)
        fails(connection.cursor(), 38778, create)
    assert database(own_server, "FLASHBACK_ON") == "RESTORE POINT ONLY"
    assert "ORA-38781" in refused(own_server, "noarchivelog")
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("DROP RESTORE POINT BEFORE_IT")
        fails(cursor, 38780, "DROP RESTORE POINT BEFORE_IT")
        cursor.execute("CREATE RESTORE POINT A_MARK")
        assert one(cursor, "SELECT NAME, GUARANTEE_FLASHBACK_DATABASE FROM V$RESTORE_POINT") == (
            "A_MARK",
            "NO",
        )
        cursor.execute("DROP RESTORE POINT A_MARK")


def test_force_and_supplemental_logging(own_server: Server) -> None:
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("ALTER DATABASE FORCE LOGGING")
        fails(cursor, 12920, "ALTER DATABASE FORCE LOGGING")
        assert database(own_server, "FORCE_LOGGING") == "YES"
        cursor.execute("ALTER DATABASE NO FORCE LOGGING")
        fails(cursor, 12921, "ALTER DATABASE NO FORCE LOGGING")

        marks = "SUPPLEMENTAL_LOG_DATA_MIN, SUPPLEMENTAL_LOG_DATA_PK, SUPPLEMENTAL_LOG_DATA_UI"
        assert database(own_server, marks) == ("NO", "NO", "NO")
        cursor.execute("ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY, UNIQUE INDEX) COLUMNS")
        assert database(own_server, marks) == ("IMPLICIT", "YES", "YES")
        cursor.execute("ALTER DATABASE ADD SUPPLEMENTAL LOG DATA")
        assert database(own_server, marks) == ("YES", "YES", "YES")
        fails(cursor, 32589, "ALTER DATABASE DROP SUPPLEMENTAL LOG DATA")
        fails(cursor, 905, "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (EVERY) COLUMNS")
        cursor.execute("ALTER DATABASE DROP SUPPLEMENTAL LOG DATA (PRIMARY KEY, UNIQUE) COLUMNS")
        cursor.execute("ALTER DATABASE DROP SUPPLEMENTAL LOG DATA")
        assert database(own_server, marks) == ("NO", "NO", "NO")


def test_supplemental_logging_of_a_table(own_server: Server) -> None:
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE LOGGED (A NUMBER PRIMARY KEY, B VARCHAR2(10))")
        cursor.execute("ALTER TABLE LOGGED ADD SUPPLEMENTAL LOG DATA (ALL, UNIQUE) COLUMNS")
        fails(cursor, 32588, "ALTER TABLE LOGGED ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
        fails(cursor, 32587, "ALTER TABLE LOGGED DROP SUPPLEMENTAL LOG DATA (FOREIGN KEY) COLUMNS")
        cursor.execute("ALTER TABLE LOGGED ADD SUPPLEMENTAL LOG GROUP G (A) ALWAYS")
        cursor.execute(
            "SELECT LOG_GROUP_TYPE, ALWAYS FROM DBA_LOG_GROUPS WHERE TABLE_NAME = 'LOGGED' ORDER BY 1"
        )
        assert cursor.fetchall() == [
            ("ALL COLUMN LOGGING", "ALWAYS"),
            ("UNIQUE KEY LOGGING", "CONDITIONAL"),
            ("USER LOG GROUP", "ALWAYS"),
        ]
        cursor.execute("ALTER TABLE LOGGED DROP SUPPLEMENTAL LOG DATA (ALL, UNIQUE) COLUMNS")
        cursor.execute("ALTER TABLE LOGGED DROP SUPPLEMENTAL LOG GROUP G")
        assert one(cursor, "SELECT COUNT(*) FROM DBA_LOG_GROUPS") == 0


def test_database_changes_need_a_privilege(own_server: Server) -> None:
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute('CREATE USER PLAIN IDENTIFIED BY "a_test_password"')
        cursor.execute("GRANT CREATE SESSION TO PLAIN")
    with own_server.connect("PLAIN", "a_test_password") as connection:
        cursor = connection.cursor()
        for statement in (
            "ALTER DATABASE FORCE LOGGING",
            "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA",
            "ALTER DATABASE FLASHBACK OFF",
            "ALTER DATABASE ADD LOGFILE SIZE 1G",
            "ALTER SYSTEM SWITCH LOGFILE",
            "ALTER SYSTEM SET undo_retention = 1",
            "CREATE RESTORE POINT R",
        ):
            fails(cursor, 1031, statement)
