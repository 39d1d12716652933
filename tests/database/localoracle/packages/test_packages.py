"""Supplied packages through the real driver and in SQL."""

from __future__ import annotations

import hashlib
import hmac
import os
import time

import oracledb
import pytest


def code_of(error) -> int:
    return int(error.value.args[0].code)


@pytest.fixture
def cursor(oracle):
    with oracle.connect() as connection, connection.cursor() as opened:
        yield opened


def run(cursor, text: str, **outputs: object) -> list[object]:
    binds = {name: cursor.var(kind) for name, kind in outputs.items()}
    cursor.execute(text, binds)
    return [bind.getvalue() for bind in binds.values()]


# --- DBMS_LOB ---


def test_national_lobs_in_sql(cursor):
    cursor.execute("create table national (n nclob)")
    cursor.execute("insert into national values ('Größe')")
    cursor.execute(
        """select dbms_lob.getlength(n), dbms_lob.substr(n, 2, 3), dbms_lob.instr(n, N'ß'),
             dbms_lob.compare(n, n)
           from national where dbms_lob.substr(n) like 'Gr%' escape '!'"""
    )
    assert cursor.fetchall() == [(5, "öß", 4, 0)]


def test_lob_writes(cursor):
    values = run(
        cursor,
        """declare c clob; b blob; d blob; n integer; s varchar2(100); r varchar2(400);
        begin
          dbms_lob.createTemporary(c, true);
          dbms_lob.writeAppend(c, 5, 'hello world');
          dbms_lob.write(c, 2, 4, 'XY');
          r := dbms_lob.getLength(c) || dbms_lob.substr(c, 10, 2) || dbms_lob.instr(c, 'X');
          dbms_lob.trim(c, 3);
          r := r || c || dbms_lob.isTemporary(c);
          b := hextoraw('00010203'); d := hextoraw('FF');
          dbms_lob.append(d, b);
          dbms_lob.copy(d, b, 2, 1, 3);
          r := r || rawtohex(dbms_lob.substr(d, 10, 1)) || dbms_lob.compare(b, d);
          n := 2; dbms_lob.read(d, n, 4, s);
          r := r || n || s;
          n := 2; dbms_lob.erase(d, n, 2);
          :result := r || rawtohex(d);
          dbms_lob.freeTemporary(c);
        end;""",
        result=str,
    )
    assert values == ["5elXY4hel10203010203" + "-1" + "20203" + "0200000203"]


@pytest.mark.parametrize(
    ("block", "code"),
    [
        (
            "declare c clob; begin dbms_lob.createTemporary(c, true); dbms_lob.writeAppend(c, 9, 'abc'); "
            "end;",
            21560,
        ),
        (
            "declare b blob := hextoraw('01'); n integer := 5; r raw(10); begin dbms_lob.read(b, n, 2, r); "
            "end;",
            1403,
        ),
        ("declare b blob := hextoraw('01'); begin dbms_lob.trim(b, 2); end;", 22926),
        ("declare b blob; begin dbms_lob.append(b, hextoraw('01')); end;", 6502),
        ("declare b blob := hextoraw('01'); begin dbms_lob.close(b); end;", 22289),
        ("begin :r := dbms_crypto.hash(hextoraw('01'), 99); end;", 28817),
        ("begin :r := dbms_crypto.hash(hextoraw('01'), 1); end;", 3001),
        ("begin dbms_lob.setcontenttype(empty_blob(), 'x'); end;", 6550),
    ],
)
def test_lob_and_crypto_errors(cursor, block, code):
    with pytest.raises(oracledb.DatabaseError) as raised:
        run(cursor, block, **({"r": oracledb.DB_TYPE_RAW} if ":r" in block else {}))
    assert code_of(raised) == code


def test_lob_functions_in_sql(cursor):
    row = cursor.execute(
        "select dbms_lob.getlength(to_clob('äbc')), dbms_lob.substr(to_clob('abcdef'), 2, 3), "
        "dbms_lob.instr(to_clob('abab'), 'b', 1, 2),"
        " dbms_lob.substr(to_clob('abc'), 0, 1), dbms_lob.getlength(empty_blob()) from dual"
    ).fetchone()
    assert row == (3, "cd", 4, None, 0)


# --- UTL_FILE ---

WRITE = """
DECLARE f utl_file.file_type; BEGIN
  f := utl_file.fopen(:directory, :name, 'w'); utl_file.put(f, 'a'); utl_file.put_line(f, 'b');
  utl_file.fclose(f); :open := CASE WHEN utl_file.is_open(f) THEN 1 ELSE 0 END; {more} END;"""


@pytest.fixture
def folder(cursor, tmp_path):
    cursor.execute(f"create or replace directory files as '{tmp_path}'")
    yield tmp_path
    cursor.execute("drop directory files")


def test_a_file_is_written_and_removed(cursor, folder):
    still_open = cursor.var(int)
    cursor.execute(WRITE.format(more=""), directory="FILES", name="x.txt", open=still_open)
    assert (still_open.getvalue(), (folder / "x.txt").read_text()) == (0, "ab\n")
    cursor.execute("begin utl_file.fremove('FILES', 'x.txt'); end;")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("directory", "name", "more", "code"),
    [
        ("NOWHERE", "x.txt", "", "ORA-29280"),
        ("FILES", "../x.txt", "", "ORA-29288"),
        ("FILES", "folder", "", "ORA-29283"),
        ("FILES", "x.txt", "utl_file.put(f, 'c');", "ORA-29282"),
        ("FILES", "x.txt", "f := utl_file.fopen('FILES', 'x.txt', 'q');", "ORA-29281"),
        ("FILES", "x.txt", "f := utl_file.fopen('FILES', 'x.txt', 'w', 40000);", "ORA-29287"),
        ("FILES", "x.txt", "f := utl_file.fopen('FILES', 'x.txt', 'r');", "ORA-03001"),
        ("FILES", "x.txt", "utl_file.fremove('FILES', 'y.txt');", "ORA-29283"),
    ],
)
def test_files_are_refused_as_documented(cursor, folder, directory, name, more, code):
    (folder / "folder").mkdir()
    with pytest.raises(oracledb.DatabaseError, match=code):
        cursor.execute(WRITE.format(more=more), directory=directory, name=name, open=cursor.var(int))


# --- DBMS_CRYPTO, UTL_RAW, DBMS_ROWID ---


@pytest.mark.parametrize(
    ("call", "digits"),
    [
        ("double(1.5d)", "3FF8000000000000"),
        ("double(1.5d, 2)", "000000000000F83F"),
        ("double(n => 5e-324d, endianess => 1)", "0000000000000001"),
        ("double(-0d, 1)", "0000000000000000"),
        ("float(0.1f, 3)", "CDCCCC3D"),
        ("double(null, 1)", None),
    ],
)
def test_binary_numbers_as_bytes_are_the_same_in_sql_and_plsql(cursor, call, digits):
    expression = f"rawtohex(utl_raw.cast_from_binary_{call})"
    assert list(run(cursor, f"begin :digits := {expression}; end;", digits=str)) == [digits]
    assert cursor.execute(f"select {expression} from dual").fetchone() == (digits,)


def test_bytes_of_nan_and_infinity(cursor):
    cursor.execute(
        "select rawtohex(utl_raw.cast_from_binary_double(binary_double_nan, 1)),"
        " rawtohex(utl_raw.cast_from_binary_float(-binary_float_infinity, 1)) from dual"
    )
    assert cursor.fetchone() == ("7FF8000000000000", "FF800000")


def test_binary_numbers_as_bytes_refuse_an_unknown_order(cursor):
    with pytest.raises(oracledb.DatabaseError, match="ORA-06502"):
        cursor.execute("select utl_raw.cast_from_binary_double(1d, 4) from dual")


@pytest.mark.parametrize(
    ("number", "name"), [(2, "md5"), (3, "sha1"), (4, "sha256"), (5, "sha384"), (6, "sha512")]
)
def test_hash_is_the_same_in_sql_and_plsql(cursor, number, name):
    expected = hashlib.new(name, "straße".encode()).digest()
    raw, clob = run(
        cursor,
        f"begin :raw := dbms_crypto.hash(utl_raw.cast_to_raw('straße'), {number}); :clob := "
        f"dbms_crypto.hash(to_clob('straße'), {number}); end;",
        raw=oracledb.DB_TYPE_RAW,
        clob=oracledb.DB_TYPE_RAW,
    )
    assert (raw, clob) == (expected, expected)
    row = cursor.execute(
        f"select dbms_crypto.hash(to_clob('straße'), {number}), "
        f"dbms_crypto.hash(utl_raw.cast_to_raw('straße'), {number}) from dual"
    ).fetchone()
    assert row == (expected, expected)


def test_mac_and_random(cursor):
    mac, random = run(
        cursor,
        "begin :mac := dbms_crypto.mac(hextoraw('0102'), 3, hextoraw('AA')); :random := "
        "dbms_crypto.randombytes(20); end;",
        mac=oracledb.DB_TYPE_RAW,
        random=oracledb.DB_TYPE_RAW,
    )
    assert mac == hmac.new(b"\xaa", b"\x01\x02", "sha256").digest()
    assert len(random) == 20


def test_crypto_needs_a_grant(schema, oracle):
    statement = "begin :r := dbms_crypto.hash(hextoraw('01'), 4); end;"
    with pytest.raises(oracledb.DatabaseError) as raised:
        run(schema.connection.cursor(), statement, r=oracledb.DB_TYPE_RAW)
    assert code_of(raised) == 6550
    assert "PLS-00201: identifier 'DBMS_CRYPTO' must be declared" in str(raised.value)
    with oracle.sys() as system:
        system.cursor().execute(f"GRANT EXECUTE ON SYS.DBMS_CRYPTO TO {schema.name}")
    (value,) = run(schema.connection.cursor(), statement, r=oracledb.DB_TYPE_RAW)
    assert value == hashlib.sha256(b"\x01").digest()
    assert schema.connection.cursor().execute(
        "select dbms_crypto.hash(hextoraw('01'), 4) from dual"
    ).fetchone() == (value,)


def test_utl_raw(cursor):
    values = run(
        cursor,
        """begin
          :a := utl_raw.substr(hextoraw('01020304'), -2); :b := utl_raw.bit_xor(hextoraw('FF00'),
          hextoraw('0F'));
          :c := utl_raw.cast_to_varchar2(utl_raw.copies(hextoraw('61'), 3)); :d :=
          utl_raw.compare(hextoraw('0102'), hextoraw('0103'));
          :e := utl_raw.cast_from_binary_integer(258); :f := utl_raw.length(null);
        end;""",
        a=oracledb.DB_TYPE_RAW,
        b=oracledb.DB_TYPE_RAW,
        c=str,
        d=int,
        e=oracledb.DB_TYPE_RAW,
        f=int,
    )
    assert values == [b"\x03\x04", b"\xf0\x00", "aaa", 2, b"\x00\x00\x01\x02", None]


def test_rowid_in_sql_and_plsql(cursor):
    made, block, info = run(
        cursor,
        """declare t number; o number; f number; b number; r number;
        begin
          :made := dbms_rowid.rowid_create(1, 1234, 5, 678, 9);
          :block := dbms_rowid.rowid_block_number(:made, 'BIGFILE');
          dbms_rowid.rowid_info(:made, t, o, f, b, r);
          :info := t || ',' || o || ',' || f || ',' || b || ',' || r;
        end;""",
        made=str,
        block=int,
        info=str,
    )
    assert (block, info) == (678, "1,1234,5,678,9")
    row = cursor.execute(
        "select dbms_rowid.rowid_object(:1), dbms_rowid.rowid_row_number(:1), "
        "dbms_rowid.rowid_relative_fno(:1),"
        " dbms_rowid.rowid_create(1, 1234, 5, 678, 9) from dual",
        [made, made, made],
    ).fetchone()
    assert row == (1234, 9, 5, made)
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("select dbms_rowid.rowid_object('x') from dual").fetchall()
    assert code_of(raised) == 1410


# --- BFILE ---


def test_bfile(oracle, cursor, schema):
    folder = oracle.instance.dump_directory / "bfiles"
    folder.mkdir(exist_ok=True)
    (folder / "data.bin").write_bytes(b"0123456789")
    cursor.execute(f"create or replace directory BFILES as '{folder}'")
    (length, content, exists) = run(
        cursor,
        """declare f bfile := bfilename('BFILES', 'data.bin'); b blob; d integer := 1; s integer := 3;
        begin
          :len := dbms_lob.getLength(f);
          dbms_lob.createTemporary(b, true);
          dbms_lob.fileOpen(f);
          dbms_lob.loadBlobFromFile(b, f, dbms_lob.lobmaxsize, d, s);
          dbms_lob.fileClose(f);
          :content := dbms_lob.substr(b, 100, 1);
          :found := dbms_lob.fileExists(f) || dbms_lob.fileExists(bfilename('BFILES', 'none')) || d || s;
        end;""",
        len=int,
        content=oracledb.DB_TYPE_RAW,
        found=str,
    )
    assert (length, content, exists) == (10, b"23456789", "10911")
    (value,) = cursor.execute("select bfilename('BFILES', 'data.bin') from dual").fetchone()
    assert value.size() == 10
    assert value.read(3, 4) == b"2345"
    own = schema.connection.cursor()
    for name, code in (("NO_SUCH_DIRECTORY", 22285), ("BFILES", 22286)):
        with pytest.raises(oracledb.DatabaseError) as raised:
            run(own, f"begin :n := dbms_lob.getLength(bfilename('{name}', 'data.bin')); end;", n=int)
        assert code_of(raised) == code
    cursor.execute(f"grant read on directory BFILES to {schema.name}")
    assert run(own, "begin :n := dbms_lob.getLength(bfilename('BFILES', 'data.bin')); end;", n=int) == [10]
    for name in ("none", "../bfiles/data.bin"):
        with pytest.raises(oracledb.DatabaseError) as raised:
            run(own, f"begin :n := dbms_lob.getLength(bfilename('BFILES', '{name}')); end;", n=int)
        assert code_of(raised) == 22288
    with pytest.raises(oracledb.DatabaseError) as raised:
        run(
            own,
            "declare b blob; d integer := 1; s integer := 1; begin dbms_lob.createTemporary(b, true);"
            " dbms_lob.loadBlobFromFile(b, bfilename('BFILES', 'data.bin'), 5, d, s); end;",
        )
    assert code_of(raised) in (6550, 22289)


def test_a_large_bfile(oracle, cursor):
    """Reads, copies and hashes that are longer than what is held at once, at odd places, and at the end."""
    content = os.urandom((3 << 20) + 12_345)
    path = oracle.instance.dump_directory / "large.bin"
    path.write_bytes(content)
    (file,) = cursor.execute("select bfilename('DATA_PUMP_DIR', 'large.bin') from dual").fetchone()
    for offset, amount in (
        (1, len(content)),
        (7, 2 << 20),
        ((2 << 20) + 3, 4 << 20),
        (len(content) + 1, 1 << 20),
    ):
        assert (file.read(offset, amount) or b"") == content[offset - 1 : offset - 1 + amount]
    digest, piece, length = run(
        cursor,
        """declare
          f bfile := bfilename('DATA_PUMP_DIR', 'large.bin'); b blob; d integer := 11; s integer := 6;
        begin
          dbms_lob.createTemporary(b, true);
          dbms_lob.writeAppend(b, 10, utl_raw.copies('ff', 10));
          dbms_lob.fileOpen(f);
          dbms_lob.loadBlobFromFile(b, f, 2500000, d, s);
          dbms_lob.fileClose(f);
          dbms_lob.writeAppend(b, 1, 'aa');
          :digest := dbms_crypto.hash(b, dbms_crypto.hash_sh256);
          :piece := dbms_lob.substr(b, 20, 1);
          :len := dbms_lob.getLength(b);
        end;""",
        digest=oracledb.DB_TYPE_RAW,
        piece=oracledb.DB_TYPE_RAW,
        len=int,
    )
    expected = b"\xff" * 10 + content[5:2_500_005] + b"\xaa"
    assert (digest, piece, length) == (hashlib.sha256(expected).digest(), expected[:20], len(expected))
    path.unlink()
    with pytest.raises(oracledb.DatabaseError) as raised:
        file.read(1, 1 << 20)
    assert code_of(raised) == 22288
    assert run(cursor, "begin :n := 1; end;", n=int) == [1]


# --- sessions and locks ---


def test_session_information(cursor):
    cursor.execute(
        "begin dbms_application_info.set_module('mod', 'act'); dbms_application_info.set_client_info('info');"
        " dbms_session.set_identifier('me'); end;"
    )
    module, action = run(cursor, "begin dbms_application_info.read_module(:m, :a); end;", m=str, a=str)
    assert (module, action) == ("mod", "act")
    row = cursor.execute(
        "select module, action, client_info, client_identifier from v$session where sid = "
        "sys_context('USERENV', 'SID')"
    ).fetchone()
    assert row == ("mod", "act", "info", "me")


def test_sleep(cursor):
    started = time.monotonic()
    cursor.callproc("dbms_session.sleep", [0.5])
    assert 0.45 < time.monotonic() - started < 29, "seconds, and not minutes"


def test_user_locks(oracle, cursor):
    with oracle.connect() as other_connection, other_connection.cursor() as other:
        request = (
            "begin dbms_lock.allocate_unique('a lock', :h);"
            " :r := dbms_lock.request(:h, :m, timeout => 0); end;"
        )

        def ask(who, mode: int) -> int:
            result = who.var(int)
            who.execute(request, h=who.var(str), r=result, m=mode)
            return int(result.getvalue())

        assert ask(cursor, 6) == 0
        assert ask(cursor, 6) == 4
        assert ask(other, 4) == 1
        handle = cursor.var(str)
        cursor.execute("begin dbms_lock.allocate_unique('a lock', :h); end;", h=handle)
        assert cursor.callfunc("dbms_lock.release", int, [handle.getvalue()]) == 0
        assert ask(other, 4) == 0
        assert ask(cursor, 4) == 0


def test_current_scn_and_transaction(schema, oracle):
    cursor = schema.connection.cursor()
    assert cursor.execute("select dbms_transaction.local_transaction_id from dual").fetchone() == (None,)
    with oracle.connect() as system:
        first = system.cursor().callfunc("dbms_flashback.get_system_change_number", int)
        (second,) = (
            system.cursor().execute("select dbms_flashback.get_system_change_number from dual").fetchone()
        )
    assert isinstance(first, int)
    assert second >= first > 0


def test_what_is_documented_but_missing_is_refused(cursor):
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("declare b blob := hextoraw('01'); begin\n dbms_lob.fragment_delete(b, 1, 1); end;")
    assert code_of(raised) == 3001
    assert "DBMS_LOB.FRAGMENT_DELETE" in str(raised.value)
    assert "line 2" in str(raised.value)


# --- the registry ---
