"""Whole jobs through DBMS_DATAPUMP, on real tables and real files."""

from __future__ import annotations

import asyncio
import re
import time

import pytest

from localoracle.errors import OracleError
from localoracle.server.control import ControlError
from support.waiting import PATIENCE


def fill(world, schema, table, rows, start=1):
    world.sql(f'DROP TABLE IF EXISTS "{schema}"."{table}" CASCADE')
    world.sql(f'CREATE TABLE "{schema}"."{table}" ("ID" numeric, "NAME" varchar(40), "BODY" bytea)')
    world.sql(f'ALTER TABLE "{schema}"."{table}" ALTER "BODY" SET STORAGE EXTERNAL')
    world.sql(f"SELECT localoracle.set_attribute('\"{schema}\".\"{table}\"', 'BODY', 'securefile', 'YES')")
    world.sql(
        f'INSERT INTO "{schema}"."{table}" SELECT i, \'row \' || i,'
        " CASE WHEN i % 3 > 0 THEN decode(repeat(md5(i::text), 300), 'hex') END"
        f" FROM generate_series({start}, {start + rows - 1}) i"
    )


def digest(world, name):
    return world.sql(f"SELECT count(*), md5(string_agg(t::text, ',' ORDER BY \"ID\")) FROM {name} t")[0]


@pytest.fixture(scope="module")
def app(world):
    world.user("DPAPP", "CREATE TABLE", "CREATE SESSION")
    world.user("DPOTHER", "CREATE TABLE", "CREATE SESSION")
    fill(world, "DPAPP", "T", 500)
    fill(world, "DPAPP", "U", 40)
    fill(world, "DPOTHER", "T", 5)
    return world


@pytest.fixture(autouse=True)
def clean_directory(world):
    yield
    for path in world.dumps.iterdir():
        if path.is_file():
            path.unlink()


def job(world, operation, name, body, *, mode="TABLE", session=None, wait=True, **binds):
    """Open, describe, start and wait for one job; its state at the end."""
    ending = (
        "dbms_datapump.wait_for_job(h, :state);" if wait else "dbms_datapump.detach(h); :state := 'left';"
    )
    text = f"""
    declare h number;
    begin
      h := dbms_datapump.open('{operation}', '{mode}', null, '{name}');
      {body}
      dbms_datapump.start_job(h);
      {ending}
    end;"""
    return world.block(text, session, state=None, **binds)["state"]


def export(world, name, body="", *, file="x%U.dmp", owner="DPAPP", data_only=True, extra="", **more):
    content = "dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);" if data_only else ""
    return job(
        world,
        "EXPORT",
        name,
        f"""dbms_datapump.add_file(h, '{file}', 'DATA_PUMP_DIR'{extra});
        dbms_datapump.add_file(h, '{name}.log', 'DATA_PUMP_DIR', filetype => 3);
        dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''{owner}'')'); {content} {body}""",
        **more,
    )


def load(world, name, body="", *, file="x%U.dmp", to=None, **more):
    remap = f"dbms_datapump.metadata_remap(h, 'REMAP_TABLE', '{to[0]}', '{to[1]}');" if to else ""
    return job(
        world,
        "IMPORT",
        name,
        f"""dbms_datapump.add_file(h, '{file}', 'DATA_PUMP_DIR');
        dbms_datapump.add_file(h, '{name}.log', 'DATA_PUMP_DIR', filetype => 3);
        dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''DPAPP'')');
        dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0); {remap} {body}""",
        **more,
    )


def state(world, name):
    """What the dictionary shows; None when it does not know the job."""
    rows = world.sql("SELECT state FROM localoracle.datapump_jobs WHERE job_name = %s", name)
    return rows[0][0] if rows else None


def until(world, condition):
    """Jobs go on only while the loop of the world runs."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        world.run(asyncio.sleep(0.02))


ONLY_T = "dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'IN (''T'')');"


def empty_copy(world, name="COPY_OF_T"):
    world.sql(f'DROP TABLE IF EXISTS "DPAPP"."{name}"')
    world.sql(f'CREATE TABLE "DPAPP"."{name}" (LIKE "DPAPP"."T" INCLUDING STORAGE)')
    return f'"DPAPP"."{name}"'


def test_rows_survive_export_and_import(app):
    assert export(app, "E1", "dbms_datapump.set_parallel(h, 2);") == "COMPLETED"
    copy = empty_copy(app)
    assert load(app, "I1", ONLY_T, to=("T", "COPY_OF_T")) == "COMPLETED"
    assert digest(app, copy) == digest(app, '"DPAPP"."T"')
    log = app.log("E1.log")
    assert re.search(r'^\. \. exported "DPAPP"\."T" {31,} *\d+\.\d+ [KM]B     500 rows$', log, re.MULTILINE)
    assert re.search(
        r'Job "SYSTEM"\."E1" successfully completed at \w+ \w+ +\d+ [\d:]{8} \d{4} elapsed 0 00:00:\d\d',
        log.rstrip(),
    )
    assert '. . imported "DPAPP"."COPY_OF_T"' in app.log("I1.log")
    assert state(app, "E1") is state(app, "I1") is None
    assert app.sql('SELECT to_regclass(\'"SYSTEM"."E1"\')') == [(None,)]


def test_flashback_scn_shows_the_past(app):
    scn = app.run(app.database.snapshots.take())
    before = digest(app, '"DPAPP"."T"')
    app.sql('DELETE FROM "DPAPP"."T" WHERE "ID" <= 100')
    try:
        flashback = f"dbms_datapump.set_parameter(h, 'FLASHBACK_SCN', {scn});"
        assert export(app, "E2", ONLY_T + flashback) == "COMPLETED"
        copy = empty_copy(app)
        load(app, "I2", to=("T", "COPY_OF_T"))
        assert digest(app, copy) == before
    finally:
        fill(app, "DPAPP", "T", 500)


def test_a_changed_definition_cannot_be_read_in_the_past(app):
    scn = app.run(app.database.snapshots.take())
    fill(app, "DPAPP", "T", 500)
    export(app, "E3", ONLY_T + f"dbms_datapump.set_parameter(h, 'FLASHBACK_SCN', {scn});")
    log = app.log("E3.log")
    assert 'ORA-31693: Table data object "DPAPP"."T" failed to load/unload' in log
    assert "ORA-01466" in log
    assert "completed with 1 error(s)" in log


@pytest.mark.slow
def test_shards_by_block_are_disjoint_and_exhaustive(app):
    whole, copy = digest(app, '"DPAPP"."T"'), empty_copy(app)
    for shard in range(3):
        where = f"WHERE MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID), 3) = {shard}"
        query = f"dbms_datapump.data_filter(h, 'SUBQUERY', '{where}', 'T');"
        assert export(app, f"S{shard}", ONLY_T + query, file=f"s{shard}.dmp") == "COMPLETED"
        options = "dbms_datapump.set_parameter(h, 'DATA_OPTIONS', 8);"
        assert load(app, f"L{shard}", options, file=f"s{shard}.dmp", to=("T", "COPY_OF_T")) == "COMPLETED"
    assert digest(app, copy) == whole


@pytest.mark.parametrize(
    ("method", "options", "waits"),
    [
        ("AUTOMATIC", 0, True),
        ("AUTOMATIC", 8, True),
        ("DIRECT_PATH", 8, True),
        ("EXTERNAL_TABLE", 0, True),
        ("EXTERNAL_TABLE", 8, False),
    ],
)
def test_only_loads_by_external_tables_without_append_do_not_queue(app, method, options, waits):
    """sutil, Using Direct Path to Move Data: the hint is no reason against direct path."""
    export(app, "E4", ONLY_T)
    empty_copy(app)
    body = f"dbms_datapump.set_parameter(h, 'DATA_OPTIONS', {options});" if options else ""
    body += f"dbms_datapump.set_parameter(h, 'DATA_ACCESS_METHOD', '{method}');"

    holder = app.run(app.database.services["datapump"].connections.connect())
    app.run(holder.execute('BEGIN; LOCK TABLE "DPAPP"."COPY_OF_T" IN ROW EXCLUSIVE MODE'))
    load(app, "I4", body, to=("T", "COPY_OF_T"), wait=False)
    queued = 'SELECT 1 FROM pg_locks WHERE relation = \'"DPAPP"."COPY_OF_T"\'::regclass AND NOT granted'
    until(app, lambda: app.sql(queued) if waits else state(app, "I4") is None)
    app.run(holder.close())
    until(app, lambda: state(app, "I4") is None)
    assert app.sql('SELECT count(*) FROM "DPAPP"."COPY_OF_T"') == [(500,)]


def test_truncate_before_load(app):
    export(app, "E5", ONLY_T)
    copy = empty_copy(app)
    app.sql(f"INSERT INTO {copy} VALUES (-1)")
    load(
        app, "I5", "dbms_datapump.set_parameter(h, 'TABLE_EXISTS_ACTION', 'TRUNCATE');", to=("T", "COPY_OF_T")
    )
    assert digest(app, copy) == digest(app, '"DPAPP"."T"')


def test_append_adds(app):
    export(app, "E6", ONLY_T)
    copy = empty_copy(app)
    app.sql(f"INSERT INTO {copy} VALUES (-1)")
    load(app, "I6", to=("T", "COPY_OF_T"))
    assert app.sql(f"SELECT count(*) FROM {copy}") == [(501,)]


def test_a_missing_table_is_an_error_of_the_job(app):
    export(app, "E7", ONLY_T)
    assert load(app, "I7", to=("T", "NOWHERE")) == "COMPLETED"
    assert 'ORA-39034: Table TABLE_DATA:"DPAPP"."NOWHERE" does not exist.' in app.log("I7.log")
    assert "completed with 1 error(s)" in app.log("I7.log")


def test_constraint_errors_can_be_skipped(app):
    export(app, "E8", ONLY_T)
    copy = empty_copy(app)
    app.sql(f'ALTER TABLE {copy} ADD CONSTRAINT "COPY_CK" CHECK ("ID" > 10)')
    load(app, "I8", to=("T", "COPY_OF_T"))
    assert app.sql(f"SELECT count(*) FROM {copy}") == [(0,)]
    assert "ORA-02290" in app.log("I8.log")
    load(app, "I9", "dbms_datapump.set_parameter(h, 'DATA_OPTIONS', 1);", to=("T", "COPY_OF_T"))
    assert app.sql(f"SELECT count(*) FROM {copy}") == [(490,)]
    assert "490 out of 500 rows" in app.log("I9.log")


@pytest.mark.parametrize(
    ("method", "error", "shown"),
    [("DIRECT_PATH", "ORA-02374", "ORA-02372"), ("EXTERNAL_TABLE", "KUP-11007", "KUP-11009")],
)
def test_rows_with_values_that_do_not_fit_are_left_out_and_shown(app, method, error, shown):
    """Error Messages 19c, ORA-02372 and KUP-11009; published logs show the value in hexadecimal digits."""
    app.sql("""UPDATE "DPAPP"."T" SET "NAME" = 'Ärger mit der Länge' WHERE "ID" = 7""")
    export(app, "E9", ONLY_T)
    copy = empty_copy(app)
    app.sql(f'ALTER TABLE {copy} ALTER "NAME" TYPE varchar(8)')
    body = f"dbms_datapump.set_parameter(h, 'DATA_ACCESS_METHOD', '{method}');"
    load(app, "I9B", body, to=("T", "COPY_OF_T"))
    assert app.sql(f'SELECT count(*), count(*) FILTER (WHERE "ID" = 7) FROM {copy}') == [(499, 0)]
    digits = "Ärger mit der Länge".encode().hex().upper()
    assert (
        f'{error}: conversion error loading table "DPAPP"."COPY_OF_T"\n'
        "ORA-12899: value too large for column NAME (actual: 21, maximum: 8)\n"
        f"{shown}: data for row: NAME : 0X'{digits}'\n"
        '. . imported "DPAPP"."COPY_OF_T"'
    ) in app.log("I9B.log")
    assert "499 out of 500 rows" in app.log("I9B.log")
    assert "successfully completed" in app.log("I9B.log")


@pytest.mark.parametrize("compression", ["NONE", "ALL"])
def test_file_sizes_are_kept(app, compression):
    body = ONLY_T + f"dbms_datapump.set_parameter(h, 'COMPRESSION', '{compression}');"
    assert export(app, "E10", body, extra=", filesize => '100K'") == "COMPLETED"
    paths = sorted(app.dumps.glob("x*.dmp"))
    assert (len(paths) > 5) == (compression == "NONE")
    assert all(path.stat().st_size <= 102_400 for path in paths)
    assert [path.name for path in paths] == [f"x{number:02d}.dmp" for number in range(1, len(paths) + 1)]
    copy = empty_copy(app)
    load(app, "I10", to=("T", "COPY_OF_T"))
    assert digest(app, copy) == digest(app, '"DPAPP"."T"')


def test_full_files_stop_the_job_and_a_further_file_resumes_it(app):
    assert export(app, "E11", file="one.dmp", extra=", filesize => '60K'") == "STOPPED"
    assert "ORA-39095" in app.log("E11.log")
    assert "stopped due to fatal error" in app.log("E11.log")
    assert state(app, "E11") == "NOT RUNNING"
    app.block(
        """declare h number; s varchar2(30);
        begin
          h := dbms_datapump.attach('E11', 'SYSTEM');
          dbms_datapump.add_file(h, 'more%U.dmp', 'DATA_PUMP_DIR');
          dbms_datapump.start_job(h);
          dbms_datapump.wait_for_job(h, s);
          if s <> 'COMPLETED' then raise_application_error(-20001, s); end if;
        end;"""
    )
    assert "has been reopened" in app.log("E11.log")
    for file in ("one.dmp", "more01.dmp"):
        assert (app.dumps / file).exists()


def test_existing_dump_files_are_protected(app):
    export(app, "E12", ONLY_T, file="once.dmp")
    with pytest.raises(OracleError, match="ORA-39001"):
        export(app, "E13", ONLY_T, file="once.dmp")
    assert "ORA-27038" in details(app)
    assert export(app, "E14", ONLY_T, file="once.dmp", extra=", reusefile => 1") == "COMPLETED"


def details(world, session=None):
    """What GET_STATUS knows about the last exception, as the facts about the API say to ask for it."""
    return world.block(
        """declare s ku$_Status; st varchar2(30); t varchar2(4000);
        begin
          dbms_datapump.get_status(null, 8, 0, st, s);
          if s.error is not null then
            for i in 1..s.error.count loop t := t || s.error(i).LogText || chr(10); end loop;
          end if;
          :t := t;
        end;""",
        session,
        t=None,
    )["t"]


@pytest.mark.parametrize(
    ("body", "code", "detail"),
    [
        ("dbms_datapump.add_file(h, 'x.dmp', 'NO_SUCH_DIR');", "ORA-39001", "ORA-39087"),
        ("dbms_datapump.add_file(h, '../x.dmp', 'DATA_PUMP_DIR');", "ORA-39001", "ORA-39000"),
        ("dbms_datapump.add_file(h, 'x.log', 'NO_SUCH_DIR', filetype => 3);", "ORA-39001", "ORA-39070"),
        ("dbms_datapump.set_parameter(h, 'NO_SUCH', 1);", "ORA-39001", ""),
        ("dbms_datapump.set_parameter(h, 'FLASHBACK_SCN', '12');", "ORA-39001", ""),
        ("dbms_datapump.set_parallel(h, 0);", "ORA-39001", ""),
        ("dbms_datapump.metadata_filter(h, 'NO_SUCH', '1');", "ORA-39001", ""),
        ("dbms_datapump.data_filter(h, 'SUBQUERY', 5);", "ORA-39001", ""),
        ("dbms_datapump.metadata_remap(h, 'REMAP_SCHEMA', 'A', 'B');", "ORA-39002", ""),
        ("dbms_datapump.set_parallel(h + 7, 2);", "ORA-31623", ""),
        ("dbms_datapump.start_job(h);", "ORA-39002", "ORA-39095"),
    ],
)
def test_wrong_calls(app, body, code, detail):
    session = app.session("SYSTEM")
    text = f"declare h number; begin h := dbms_datapump.open('EXPORT', 'TABLE', null, 'WRONG'); {body} end;"
    with pytest.raises(OracleError, match=code):
        app.block(text, session)
    assert detail in details(app, session)
    app.run(session.close())
    assert app.sql("SELECT count(*) FROM localoracle.datapump_jobs WHERE job_name = 'WRONG'") == [(0,)]
    assert app.sql('SELECT to_regclass(\'"SYSTEM"."WRONG"\')') == [(None,)]


def test_names_clash(app):
    app.block("declare h number; begin h := dbms_datapump.open('EXPORT', 'TABLE', null, 'TWICE'); end;")
    with pytest.raises(OracleError, match="ORA-31634"):
        app.block("declare h number; begin h := dbms_datapump.open('EXPORT', 'TABLE', null, 'TWICE'); end;")
    app.sql('CREATE TABLE "SYSTEM"."ATABLE" (n int)')
    with pytest.raises(OracleError, match="ORA-31626"):
        app.block("declare h number; begin h := dbms_datapump.open('EXPORT', 'TABLE', null, 'ATABLE'); end;")
    assert "ORA-31633" in (text := details(app))
    assert "ORA-00955" in text


def test_the_last_detach_removes_a_job_that_was_not_started(app):
    app.block(
        "declare h number; begin h := dbms_datapump.open('EXPORT', 'TABLE', null, 'GONE');"
        " dbms_datapump.detach(h); end;"
    )
    with pytest.raises(OracleError, match="ORA-31626"):
        app.block("declare h number; begin h := dbms_datapump.attach('GONE', 'SYSTEM'); end;")


def test_calls_in_the_wrong_state(app):
    export(app, "E15", ONLY_T, file="state.dmp")
    app.run(app.database.services["control"].execute("delay-lobs", "100"))
    text = """declare h number;
    begin
      h := dbms_datapump.open('EXPORT', 'TABLE', null, 'BUSY');
      dbms_datapump.add_file(h, 'busy.dmp', 'DATA_PUMP_DIR');
      dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''DPAPP'')');
      dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);
      dbms_datapump.start_job(h);
      dbms_datapump.set_parameter(h, 'KEEP_MASTER', 1);
    end;"""
    with pytest.raises(OracleError, match="ORA-39004"):
        app.block(text)
    app.block(
        """declare h number;
        begin
          h := dbms_datapump.attach('BUSY', 'SYSTEM');
          dbms_datapump.stop_job(h, immediate => 1, keep_master => 0);
        end;"""
    )
    app.run(app.database.services["control"].execute("delay-lobs", "0"))
    assert not (app.dumps / "busy.dmp").exists()
    assert app.sql('SELECT to_regclass(\'"SYSTEM"."BUSY"\')') == [(None,)]


def test_other_schemas_need_the_role(app):
    session = app.session("DPAPP")
    app.sql(
        "INSERT INTO localoracle.directory_privileges VALUES"
        " ('DPAPP', 'DATA_PUMP_DIR', 'READ', false, 'SYS'),"
        " ('DPAPP', 'DATA_PUMP_DIR', 'WRITE', false, 'SYS') ON CONFLICT DO NOTHING"
    )
    with pytest.raises(OracleError, match="ORA-31631"):
        export(app, "F1", owner="DPOTHER", session=session)
    assert export(app, "F2", file="own%U.dmp", session=session) == "COMPLETED"
    steal = "WHERE EXISTS (SELECT 1 FROM DPOTHER.T)"
    query = f"dbms_datapump.data_filter(h, 'SUBQUERY', '{steal}', 'T');"
    export(app, "F3", ONLY_T + query, file="steal%U.dmp", session=session)
    assert "ORA-00942" in app.log("F3.log") or "ORA-01031" in app.log("F3.log")
    app.run(session.close())


def test_a_directory_must_be_granted(app):
    session = app.session("DPOTHER")
    with pytest.raises(OracleError, match="ORA-39001"):
        export(app, "G1", owner="DPOTHER", session=session)
    app.run(session.close())


def test_missing_names_of_a_list_are_reported(app):
    names = "dbms_datapump.metadata_filter(h, 'NAME_LIST', '''U'',''NOPE''');"
    assert export(app, "E16", names) == "COMPLETED"
    log = app.log("E16.log")
    assert "ORA-39166: Object DPAPP.NOPE was not found" in log
    assert '. . exported "DPAPP"."U"' in log


def test_nothing_selected(app):
    export(app, "E17", "dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'LIKE ''Z%''');")
    assert "ORA-31655: no data or metadata objects selected for job" in app.log("E17.log")


@pytest.mark.parametrize("place", [0.3, 0.9])
def test_damaged_rows_are_not_loaded(app, place):
    export(app, "E18", ONLY_T, file="bad.dmp")
    raw = bytearray((app.dumps / "bad.dmp").read_bytes())
    raw[int(len(raw) * place)] ^= 0x55
    (app.dumps / "bad.dmp").write_bytes(raw)
    copy = empty_copy(app)
    load(app, "I18", file="bad.dmp", to=("T", "COPY_OF_T"))
    assert "ORA-31619" in app.log("I18.log")
    assert app.sql(f"SELECT count(*) FROM {copy}") == [(0,)]


def test_an_incomplete_set_is_refused(app):
    control = app.database.services["control"]
    app.run(control.execute("delay-lobs", "50"))  # so that the second worker finds something left
    export(app, "E19", "dbms_datapump.set_parallel(h, 2);", file="set%U.dmp", wait=False)
    until(app, lambda: len(list(app.dumps.glob("set*.dmp"))) == 2)
    app.run(control.execute("delay-lobs", "0"))
    until(app, lambda: state(app, "E19") is None)
    names = sorted(path.name for path in app.dumps.glob("set*.dmp"))
    with pytest.raises(OracleError, match="ORA-39002"):
        load(app, "I19", file=names[1])
    assert "ORA-39059" in details(app)


def test_a_killed_worker_stops_the_job_and_the_job_resumes(app):
    control = app.database.services["control"]
    app.run(control.execute("delay-lobs", "50"))
    export(app, "E20", file="killed%U.dmp", wait=False)

    def killed():
        try:
            return app.run(control.execute("kill-worker", "SYSTEM", "E20"))
        except ControlError:
            return None

    until(app, killed)
    app.run(control.execute("delay-lobs", "0"))
    until(app, lambda: state(app, "E20") == "NOT RUNNING")
    assert "ORA-39014" in app.log("E20.log")
    resume(app, "E20")
    copy = empty_copy(app)
    load(app, "I20", ONLY_T, file="killed%U.dmp", to=("T", "COPY_OF_T"))
    assert digest(app, copy) == digest(app, '"DPAPP"."T"')


def resume(world, name):
    state = world.block(
        f"""declare h number;
        begin
          h := dbms_datapump.attach('{name}', 'SYSTEM');
          dbms_datapump.start_job(h);
          dbms_datapump.wait_for_job(h, :state);
        end;""",
        state=None,
    )["state"]
    assert state == "COMPLETED"


def test_an_import_that_lost_its_server_resumes_without_doubling(app):
    """The first table is in, the second waits for a lock, the server's jobs end: then the job is resumed."""
    export(app, "E21")
    for name in ("T", "U"):
        app.sql(f'DROP TABLE IF EXISTS "DPAPP"."{name}2"')
        app.sql(f'CREATE TABLE "DPAPP"."{name}2" (LIKE "DPAPP"."{name}")')
    pump = app.database.services["datapump"]
    remaps = "".join(
        f"dbms_datapump.metadata_remap(h, 'REMAP_TABLE', '{name}', '{name}2');" for name in ("T", "U")
    )

    async def crash():
        connection = await pump.connections.connect()
        async with connection:
            await connection.execute('BEGIN; LOCK TABLE "DPAPP"."U2" IN ACCESS EXCLUSIVE MODE')
            await start()
            loaded, end = None, time.monotonic() + PATIENCE
            while loaded is None:
                assert time.monotonic() < end
                await asyncio.sleep(0.02)
                loaded = await (await connection.execute('SELECT 1 FROM "DPAPP"."T2" LIMIT 1')).fetchone()
            await pump.close()

    async def start():
        await app.system.run(
            f"""declare h number;
            begin
              h := dbms_datapump.open('IMPORT', 'TABLE', null, 'I21');
              dbms_datapump.add_file(h, 'x%U.dmp', 'DATA_PUMP_DIR');
              dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''DPAPP'')');
              dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0); {remaps}
              dbms_datapump.start_job(h);
              dbms_datapump.detach(h);
            end;"""
        )

    app.run(crash())
    pump._jobs.clear()
    assert app.sql("SELECT state FROM localoracle.datapump_jobs WHERE job_name = 'I21'") == [("NOT RUNNING",)]
    assert app.sql('SELECT count(*) FROM "DPAPP"."U2"') == [(0,)]
    resume(app, "I21")
    assert digest(app, '"DPAPP"."T2"') == digest(app, '"DPAPP"."T"')
    assert digest(app, '"DPAPP"."U2"') == digest(app, '"DPAPP"."U"')


@pytest.mark.parametrize("immediate", [0, 1])
def test_a_stopped_job_resumes(app, immediate):
    control = app.database.services["control"]
    app.run(control.execute("delay-lobs", "100"))
    export(app, "E25", file="stop%U.dmp", wait=False)
    app.block(
        f"""declare h number;
        begin
          h := dbms_datapump.attach('E25', 'SYSTEM');
          dbms_datapump.stop_job(h, immediate => {immediate}, keep_master => 1, delay => 1);
        end;"""
    )
    app.run(control.execute("delay-lobs", "0"))
    assert state(app, "E25") == "NOT RUNNING"
    assert "stopped by user request" in app.log("E25.log")
    resume(app, "E25")
    copy = empty_copy(app)
    load(app, "I25", ONLY_T, file="stop%U.dmp", to=("T", "COPY_OF_T"))
    assert digest(app, copy) == digest(app, '"DPAPP"."T"')


def test_a_kept_master_table_tells_what_was_done(app):
    keep = "dbms_datapump.set_parameter(h, 'KEEP_MASTER', 1);"
    export(app, "E26", ONLY_T + keep)
    rows = app.sql(
        'SELECT "OBJECT_SCHEMA", "OBJECT_NAME", "COMPLETED_ROWS", "DUMP_LENGTH" > 0 FROM "SYSTEM"."E26"'
        " WHERE \"OBJECT_TYPE_PATH\" LIKE '%/TABLE_DATA'"
    )
    assert rows == [("DPAPP", "T", 500, True)]
    assert app.sql("SELECT state FROM localoracle.datapump_jobs WHERE job_name = 'E26'") == [("NOT RUNNING",)]
    app.sql('DROP TABLE "SYSTEM"."E26"')
    app.sql("DELETE FROM localoracle.datapump_jobs")


def test_a_full_directory(app):
    control = app.database.services["control"]
    app.run(control.execute("fill-directory", "DATA_PUMP_DIR"))
    try:
        assert export(app, "E22", ONLY_T) == "STOPPED"
        assert "ORA-39095" in app.log("E22.log")
    finally:
        app.run(control.execute("empty-directory", "DATA_PUMP_DIR"))
    resume(app, "E22")


@pytest.mark.slow
def test_status_while_a_job_runs(app):
    app.run(app.database.services["control"].execute("delay-lobs", "3"))
    values = app.block(
        """declare h number; s ku$_Status; st varchar2(30);
        begin
          h := dbms_datapump.open('EXPORT', 'TABLE', null, 'E23');
          dbms_datapump.add_file(h, 'status.dmp', 'DATA_PUMP_DIR');
          dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''DPAPP'')');
          dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);
          dbms_datapump.start_job(h);
          dbms_datapump.get_status(h, 1+2+4+8, 0.3, st, s);
          :first := st;
          :operation := s.job_description.operation;
          while st not in ('COMPLETED', 'STOPPED') loop
            dbms_datapump.get_status(h, 1+4+8, 2, st, s);
            if s.job_status is not null then
              :done := s.job_status.percent_done; :total := s.job_status.total_bytes;
              :errors := s.job_status.error_count;
            end if;
            if s.wip is not null then
              for i in 1..s.wip.count loop :last := s.wip(i).LogText; end loop;
            end if;
          end loop;
          :final := st;
          begin
            dbms_datapump.get_status(h, 4, 0, st, s);
          exception when others then :after := sqlcode; end;
        end;""",
        first=None, operation=None, done=0, total=0, errors=-1, last=None, final=None, after=0,
    )  # fmt: skip
    app.run(app.database.services["control"].execute("delay-lobs", "0"))
    assert values["first"] in ("EXECUTING", "COMPLETING")
    assert (values["operation"], values["final"], values["done"], values["errors"]) == (
        "EXPORT",
        "COMPLETED",
        100,
        0,
    )
    assert values["total"] > 100_000
    assert values["last"].startswith('Job "SYSTEM"."E23" successfully completed')
    assert values["after"] == -31623


def test_dump_file_information(app):
    export(app, "E24", ONLY_T, file="info.dmp")
    (app.dumps / "other.dmp").write_bytes(b"x" * 5000)
    text = """declare i ku$_dumpfile_info; t number;
    begin
      dbms_datapump.get_dumpfile_info(:file, 'DATA_PUMP_DIR', i, t);
      :kind := t;
      if t = 1 then
        for n in 1..i.count loop
          if i(n).item_code = dbms_datapump.ku$_dfhdr_job_name then :job := i(n).value; end if;
        end loop;
      end if;
    end;"""
    found = app.block(text, file="info.dmp", kind=-1, job=None)
    assert (found["kind"], found["job"]) == (1, '"SYSTEM"."E24"')
    assert app.block(text, file="other.dmp", kind=-1, job=None)["kind"] == 0
    with pytest.raises(OracleError, match="ORA-39211"):
        app.block(text, file="none.dmp", kind=-1, job=None)
