"""The commands expdp and impdp as one calls them, against a running stand-in."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

import localoracle.client
from localoracle.client.errors import EX_FAIL, EX_SUCC, EX_SUCC_ERR
from support.waiting import until

BIN = Path(localoracle.client.__file__).parent / "bin"
ROWS = 300


def client(name, *words, answers=""):
    """What a client printed and its exit code. PATH need not lead to the Python with the driver."""
    done = subprocess.run(
        [BIN / name, *words],
        input=answers,
        env={"PATH": "/usr/bin:/bin", "LOCALORACLE_PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    return done.stdout, done.returncode


@pytest.fixture
def filled(schema, oracle):
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (ID NUMBER CONSTRAINT T_PK PRIMARY KEY, NAME VARCHAR2(20), B BLOB)")
    cursor.execute("CREATE INDEX T_NAME ON T (NAME)")
    cursor.execute('CREATE TABLE "Mixed" (ID NUMBER)')
    rows = [(n, f"n{n}", os.urandom(5000)) for n in range(ROWS)]
    cursor.executemany("INSERT INTO T VALUES (:1, :2, :3)", rows)
    cursor.execute('INSERT INTO "Mixed" VALUES (1)')
    schema.connection.commit()
    with oracle.connect() as system:
        system.cursor().execute(f"GRANT READ, WRITE ON DIRECTORY DATA_PUMP_DIR TO {schema.name}")
    yield schema
    for path in oracle.instance.dump_directory.glob(f"{schema.name}*"):
        path.unlink()


def parfile(tmp_path, schema, *lines):
    path = tmp_path / "job.par"
    path.write_text("\n".join([f"userid={schema.name}@{schema.server.dsn}", *lines]) + "\n")
    path.chmod(0o600)
    return f"parfile={path}"


def count(schema, text):
    with schema.connection.cursor() as cursor:
        cursor.execute(text)
        return cursor.fetchone()[0]


def test_a_table_there_and_back(filled, tmp_path):
    name = filled.name
    file = parfile(
        tmp_path,
        filled,
        f"job_name={name}_JOB",
        f"dumpfile={name}_%U.dmp",
        f"logfile={name}.log",
        f'tables="{name}"."T",\'"Mixed"\'',
        f'query="{name}"."T":"WHERE \\"ID\\" < 50"',
        "parallel=2 logtime=all metrics=y",
    )
    begun = datetime.now().replace(microsecond=0)
    output, code = client("expdp", file, "reuse_dumpfiles=y", answers=f"{filled.password}\n")
    assert code == EX_SUCC, output
    assert f'Starting "{name}"."{name}_JOB":  {name.lower()}/********@' in output
    assert re.search(r" 50 rows in \d+ seconds using external_table", output), output
    assert '"Mixed"' in output
    assert "successfully completed at" in output
    assert filled.password not in output
    log = (filled.server.instance.dump_directory / f"{name}.log").read_text()
    moved = next(line for line in output.splitlines() if '"T"' in line and "exported" in line)
    # LOGTIME=ALL: both have the time, taken one after the other.
    assert moved.split(": ", 1)[1] in log
    assert begun <= datetime.strptime(moved[:18], "%d-%b-%y %H:%M:%S") <= datetime.now()

    output, code = client(
        "impdp",
        f"{name}@{filled.server.dsn}",
        f"dumpfile={name}_%U.dmp",
        f"tables={name}.T",
        "remap_table=T:COPY",
        "exclude=constraint,index:\"LIKE 'T_NAME%'\"",
        "nologfile=y",
        answers=f"{filled.password}\n",
    )
    assert code == EX_SUCC, output
    assert count(filled, "SELECT COUNT(*) FROM COPY") == 50
    assert count(filled, "SELECT COUNT(*) FROM USER_INDEXES WHERE TABLE_NAME = 'COPY'") == 0

    output, code = client(
        "impdp",
        f"{name}@{filled.server.dsn}",
        f"dumpfile={name}_%U.dmp",
        "table_exists_action=skip",
        "nologfile=y",
        answers=f"{filled.password}\n",
    )
    assert code == EX_SUCC_ERR, output
    assert f'ORA-39151: Table "{name}"."T" exists.' in output
    assert "error(s) at" in output


def test_what_cannot_be_started(filled, tmp_path):
    name = filled.name
    file = parfile(tmp_path, filled, "tables=t", f"dumpfile={name}.dmp", "nologfile=y")
    output, code = client("expdp", file, answers="wrong\n")
    assert (code, "UDE-01017: operation generated ORACLE error 1017" in output) == (EX_FAIL, True)
    assert "ORA-01017: invalid" in output
    output, code = client("impdp", file, answers="")
    assert (code, "UDI-00005" in output) == (EX_FAIL, True)
    output, code = client("expdp", file, "directory=NOWHERE", answers=f"{filled.password}\n")
    assert code == EX_FAIL
    assert "ORA-39087: directory name NOWHERE is invalid" in output
    output, code = client("expdp", file, "nonsense=1")
    assert (code, output) == (EX_FAIL, "LRM-00101: unknown parameter name 'nonsense'\n\n")
    assert count(filled, "SELECT COUNT(*) FROM USER_DATAPUMP_JOBS") == 0
    output, code = client("expdp", "help=y")
    assert (code, "  REUSE_DUMPFILES" in output) == (EX_SUCC, True)


@pytest.fixture
def slow(oracle):
    """Every LOB takes its time, so that a job lasts."""
    oracle.command("control", "delay-lobs", "200")
    yield
    oracle.command("control", "delay-lobs", "0")


def running(schema, tmp_path, *lines):
    """A client in the midst of an export of some seconds."""
    name = schema.name
    file = parfile(
        tmp_path,
        schema,
        "tables=t",
        f"job_name={name}_J",
        f"dumpfile={name}.dmp",
        f"logfile={name}.log",
        *lines,
    )
    process = subprocess.Popen(
        [BIN / "expdp", file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "LOCALORACLE_PYTHON": sys.executable},
        text=True,
    )
    process.stdin.write(f"{schema.password}\n")
    process.stdin.flush()
    for line in process.stdout:
        if "Processing object type" in line:
            return process
    raise AssertionError("the job did not start")


def state(schema):
    with schema.connection.cursor() as cursor:
        cursor.execute("SELECT STATE FROM USER_DATAPUMP_JOBS WHERE JOB_NAME = USER || '_J'")
        row = cursor.fetchone()
        return row[0].strip() if row else None


def test_a_killed_client_leaves_its_job_to_another(filled, slow, tmp_path):
    process = running(filled, tmp_path)
    process.kill()
    process.communicate()
    assert state(filled) == "EXECUTING"
    output, code = client("expdp", f"{filled.name}@{filled.server.dsn}", f"attach={filled.name}_J")
    assert code == EX_FAIL
    assert "ORA-03001: unimplemented feature: expdp parameter ATTACH" in output
    stop(filled)


def stop(schema):
    """The job is taken up by another session, which ends it."""
    with schema.connection.cursor() as cursor:
        cursor.execute(
            "DECLARE h NUMBER; BEGIN h := DBMS_DATAPUMP.ATTACH(:name, USER);"
            " DBMS_DATAPUMP.STOP_JOB(h, immediate => 1, keep_master => 0); END;",
            name=f"{schema.name}_J",
        )
    until(lambda: state(schema) is None)
    assert not list(schema.server.instance.dump_directory.glob(f"{schema.name}*.dmp"))


def test_an_interrupted_client_leaves_its_job_running(filled, slow, tmp_path):
    process = running(filled, tmp_path, "status=1")
    assert any("Object Name: T" in line for line in process.stdout)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == EX_SUCC, output
    assert state(filled) == "EXECUTING"
    stop(filled)
