"""LOBs: locators, contents in the row, streamed writes, temporary LOBs, locked rows."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema, Server

MEGABYTE = bytes(range(256)) * 4096


@pytest.fixture
def documents(schema: Schema) -> Schema:
    schema.connection.cursor().execute(
        "create table documents (id number(10) primary key, body blob, text clob, note nclob)"
    )
    return schema


def test_insert_and_read_back(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    text = "häß€" * 300_000
    rows = [(1, MEGABYTE * 3, text, "ñ"), (2, b"", "", None), (3, b"x", "y", "z")]
    for row in rows:
        cursor.setinputsizes(None, oracledb.DB_TYPE_BLOB, oracledb.DB_TYPE_CLOB, oracledb.DB_TYPE_NCLOB)
        cursor.execute("insert into documents values (:1, :2, :3, :4)", row)
    cursor.execute("select id, body, text, note from documents order by id")
    got = [
        tuple(value.read() if isinstance(value, oracledb.LOB) else value for value in row) for row in cursor
    ]
    assert got[0] == rows[0]
    assert got[2] == rows[2]
    assert [column[1] for column in cursor.description[1:]] == [
        oracledb.DB_TYPE_BLOB,
        oracledb.DB_TYPE_CLOB,
        oracledb.DB_TYPE_NCLOB,
    ]


def test_contents_in_the_row(documents: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    cursor = documents.connection.cursor()
    cursor.executemany(
        "insert into documents (id, body, text) values (:1, :2, :3)",
        [(number, bytes([number]) * 5000, "t" * number) for number in range(1, 60)] + [(60, None, None)],
    )
    monkeypatch.setattr(oracledb.defaults, "fetch_lobs", False)
    for _ in range(2):
        rows = (
            documents.connection.cursor()
            .execute("select id, body, text from documents order by id")
            .fetchall()
        )
        assert rows[41] == (42, b"\x2a" * 5000, "t" * 42)
        assert rows[-1] == (60, None, None)


def test_long_and_long_raw_binds_come_last(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    cursor.execute("insert into documents (body, text, id) values (:1, :2, :3)", [MEGABYTE, "c" * 100_000, 7])
    cursor.execute("select dbms_lob.getlength(body), dbms_lob.getlength(text), id from documents")
    assert cursor.fetchone() == (len(MEGABYTE), 100_000, 7)


def test_streamed_write_reaches_the_row(documents: Schema) -> None:
    connection = documents.connection
    cursor = connection.cursor()
    body, text = cursor.var(oracledb.DB_TYPE_BLOB), cursor.var(oracledb.DB_TYPE_CLOB)
    cursor.execute(
        "insert into documents (id, body, text) values (1, empty_blob(), empty_clob()) "
        "returning body, text into :1, :2",
        [body, text],
    )
    lob = body.getvalue()[0]
    for part in range(0, len(MEGABYTE), 100_000):
        lob.write(MEGABYTE[part : part + 100_000], part + 1)
    text.getvalue()[0].write("héllo")
    row = cursor.execute("select body, text from documents").fetchone()
    assert row[0].read() == MEGABYTE
    connection.commit()
    with documents.connect() as other:
        row = other.cursor().execute("select body, text from documents").fetchone()
        assert (row[0].read(), row[1].read()) == (MEGABYTE, "héllo")


def test_locked_row(documents: Schema) -> None:
    connection = documents.connection
    cursor = connection.cursor()
    cursor.execute("insert into documents (id, body, text) values (1, :1, 'abc')", [b"0123456789"])
    connection.commit()
    body, text = cursor.execute("select body, text from documents where id = 1 for update").fetchone()
    body.write(b"XY", 3)
    text.write("!", 4)
    cursor.execute("update documents set note = 'moved' where id = 1")
    body.trim(5)
    connection.commit()
    row = cursor.execute("select body, text, note from documents").fetchone()
    assert [value.read() for value in row] == [b"01XY4", "abc!", "moved"]
    body, _ = cursor.execute("select body, text from documents where id = 1 for update").fetchone()
    body.write(b"zz")
    connection.rollback()
    assert cursor.execute("select body from documents").fetchone()[0].read() == b"01XY4"


def test_row_that_is_not_locked(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    cursor.execute("insert into documents (id, body) values (1, :1)", [b"abc"])
    documents.connection.commit()
    (lob,) = cursor.execute("select body from documents").fetchone()
    with pytest.raises(oracledb.DatabaseError, match="ORA-22920"):
        lob.write(b"x")
    assert lob.read() == b"abc"


def test_locator_sees_the_value_of_its_query(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    cursor.execute("insert into documents (id, text) values (1, 'before')")
    (lob,) = cursor.execute("select text from documents").fetchone()
    cursor.execute("update documents set text = 'after'")
    assert lob.read() == "before"


@pytest.mark.parametrize("kind", [oracledb.DB_TYPE_BLOB, oracledb.DB_TYPE_CLOB, oracledb.DB_TYPE_NCLOB])
def test_temporary_lob(documents: Schema, kind: oracledb.DbType) -> None:
    is_blob = kind is oracledb.DB_TYPE_BLOB
    unit = b"abcdefghij" if is_blob else "abcdéfghïj"
    lob = documents.connection.createlob(kind, unit * 200_000)
    assert lob.size() == 2_000_000
    assert lob.read(1_999_996) == unit[5:]
    lob.trim(10)
    assert lob.read() == unit
    lob.write(unit[:2], 13)
    assert lob.size() == 14
    assert lob.read(11, 2) == (b"\0\0" if is_blob else "  ")
    assert not lob.isopen()
    lob.open()
    assert lob.isopen()
    lob.close()
    with pytest.raises(oracledb.DatabaseError, match="ORA-22926"):
        lob.trim(1000)
    cursor = documents.connection.cursor()
    column = {"DB_TYPE_BLOB": "body", "DB_TYPE_CLOB": "text", "DB_TYPE_NCLOB": "note"}[kind.name]
    cursor.execute(f"insert into documents (id, {column}) values (1, :1)", [lob])
    assert cursor.execute(f"select {column} from documents").fetchone()[0].read() == lob.read()


def test_lobs_of_blocks(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    out = cursor.var(oracledb.DB_TYPE_CLOB)
    cursor.execute(
        "declare l clob; begin dbms_lob.createtemporary(l, true); "
        "dbms_lob.writeappend(l, 5, :t); :o := l; end;",
        t="hello",
        o=out,
    )
    assert out.getvalue().read() == "hello"
    number = cursor.var(int)
    cursor.execute("begin :n := dbms_lob.getlength(:b); end;", n=number, b="x" * 100_000)
    assert number.getvalue() == 100_000


async def test_async_lobs(documents: Schema) -> None:
    connection = await documents.connect_async()
    async with connection:
        lob = await connection.createlob(oracledb.DB_TYPE_BLOB)
        await lob.write(MEGABYTE * 2)
        cursor = connection.cursor()
        await cursor.execute("insert into documents (id, body) values (1, :1)", [lob])
        await cursor.execute("select body from documents")
        (got,) = await cursor.fetchone()
        assert await got.read() == MEGABYTE * 2
        assert await got.size() == 2 * len(MEGABYTE)


def test_freed_locators_are_forgotten(documents: Schema) -> None:
    """A loop over many LOBs must not pile them up in the server (they are spilled, then freed)."""
    cursor = documents.connection.cursor()
    cursor.execute("insert into documents (id, body) values (0, :1)", [MEGABYTE])
    cursor.arraysize = 50
    cursor.execute(
        "select d.body from documents d cross join (select level from dual connect by level <= 150)"
    )
    total = sum(len(lob.read()) for (lob,) in cursor)
    assert total == 150 * len(MEGABYTE)


def test_bfile(documents: Schema) -> None:
    server = documents.server
    (server.instance.dump_directory / "a file.txt").write_bytes(b"0123456789")
    with server.connect() as system:
        cursor = system.cursor()
        (lob,) = cursor.execute("select bfilename('DATA_PUMP_DIR', 'a file.txt') from dual").fetchone()
        assert lob.getfilename() == ("DATA_PUMP_DIR", "a file.txt")
        assert lob.size() == 10
        assert lob.read(3, 4) == b"2345"
        lob.setfilename("DATA_PUMP_DIR", "missing")
        with pytest.raises(oracledb.DatabaseError, match="ORA-22288"):
            lob.read()


def test_length_of_a_bfile_in_sql(oracle: Server, schema: Schema) -> None:
    (oracle.instance.dump_directory / "measured.txt").write_bytes(b"x" * 1234)
    query = "select dbms_lob.getlength(bfilename('DATA_PUMP_DIR', :1)) from dual"
    with oracle.connect() as system:
        cursor = system.cursor()
        assert cursor.execute(query, ["measured.txt"]).fetchone() == (1234,)
        with pytest.raises(oracledb.DatabaseError, match="ORA-22288"):
            cursor.execute(query, ["missing.txt"]).fetchall()
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-2228[56]"):
        schema.connection.cursor().execute(query, ["measured.txt"]).fetchall()


def test_offset_beyond_any_lob(schema: Schema) -> None:
    """A gap is filled up: one that no column could hold is refused before it fills the disk."""
    lob = schema.connection.createlob(oracledb.DB_TYPE_BLOB)
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
        lob.write(b"x", 1 << 40)
    lob.write(b"x", 3 << 20)
    assert lob.size() == 3 << 20


def test_an_empty_temporary_lob_is_no_null(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    empty = documents.connection.createlob(oracledb.DB_TYPE_CLOB)
    cursor.execute("insert into documents (id, text, note) values (1, :1, '')", [empty])
    cursor.execute("select nvl2(text, 'a locator', 'null'), nvl2(note, 'a locator', 'null') from documents")
    assert cursor.fetchone() == ("a locator", "null")


def test_writes_are_kept_when_the_locator_is_dropped_at_once(documents: Schema) -> None:
    connection = documents.connection
    cursor = connection.cursor()
    cursor.execute("insert into documents (id, text) values (1, 'before')")
    connection.commit()
    cursor.execute("select text from documents where id = 1 for update")
    cursor.fetchone()[0].write("AFTER")
    assert cursor.execute("select text from documents").fetchone()[0].read() == "AFTERe"
    connection.commit()
    cursor.execute("select text from documents where id = 1 for update")
    cursor.fetchone()[0].trim(2)
    connection.commit()
    assert cursor.execute("select text from documents").fetchone()[0].read() == "AF"


def test_writes_that_are_rolled_back_are_gone(documents: Schema) -> None:
    connection = documents.connection
    cursor = connection.cursor()
    cursor.execute("insert into documents (id, text) values (1, 'before')")
    connection.commit()
    cursor.execute("select text from documents where id = 1 for update")
    cursor.fetchone()[0].write("AFTER")
    connection.rollback()
    assert cursor.execute("select text from documents").fetchone()[0].read() == "before"


def test_a_row_of_the_own_transaction_can_be_written(documents: Schema) -> None:
    """Its row is locked (SecureFiles and Large Objects Guide, "Locking a Row Before Writing")."""
    connection = documents.connection
    cursor = connection.cursor()
    cursor.execute("insert into documents (id, body, text) values (1, empty_blob(), 'before')")
    cursor.execute("savepoint inserted")
    body, text = cursor.execute("select body, text from documents").fetchone()
    text.write("AFTER")
    body.write(b"bytes")
    connection.commit()
    body, text = cursor.execute("select * from documents").fetchone()[1:3]
    assert (body.read(), text.read()) == (b"bytes", "AFTERe")
    cursor.execute("update documents set note = 'n' where id = 1")
    text = cursor.execute("select d.* from documents d where rownum = 1").fetchone()[2]
    text.write("third")
    connection.commit()
    assert cursor.execute("select text from documents").fetchone()[0].read() == "thirde"


def test_a_row_of_nobody_or_of_another_transaction_cannot_be_written(documents: Schema) -> None:
    connection = documents.connection
    cursor = connection.cursor()
    cursor.executemany("insert into documents (id, text) values (:1, 't')", [(1,), (2,)])
    connection.commit()
    texts = [text for (text,) in cursor.execute("select text from documents order by id")]
    with pytest.raises(oracledb.DatabaseError, match="ORA-22920"):
        texts[0].write("x")
    cursor.execute("update documents set note = 'n' where id = 1")
    mine, other = (text for (text,) in cursor.execute("select text from documents order by id"))
    mine.write("x")
    with pytest.raises(oracledb.DatabaseError, match="ORA-22920"):
        other.write("x")
    with pytest.raises(oracledb.DatabaseError, match="ORA-22920"):
        other.trim(0)
    connection.commit()
    rows = [text.read() for (text,) in cursor.execute("select text from documents order by id")]
    assert rows == ["x", "t"]


def test_every_column_of_a_locked_row_can_be_written(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    cursor.execute("insert into documents (id, text) values (1, 'before')")
    documents.connection.commit()
    row = cursor.execute("select * from documents for update").fetchone()
    row[2].write("AFTER")
    assert cursor.execute("select text from documents").fetchone()[0].read() == "AFTERe"


def test_a_character_lob_is_converted_to_the_variable(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    cursor.execute("insert into documents (id, text, note) values (1, 'clob €', 'nclob ñ')")
    for kind in (oracledb.DB_TYPE_NCLOB, oracledb.DB_TYPE_CLOB):
        text, note = cursor.var(kind), cursor.var(kind)
        cursor.execute("begin select text, note into :1, :2 from documents; end;", [text, note])
        assert (text.getvalue().read(), note.getvalue().read()) == ("clob €", "nclob ñ")


def test_lobs_as_long_come_with_the_answer_of_the_next_execution(documents: Schema) -> None:
    """A client that asks for rows with an execution, and has told before what it takes the LOBs as."""
    connection = documents.connection
    with documents.server.connect() as system:
        system.cursor().execute(f"GRANT SELECT ANY DICTIONARY TO {documents.name}")
    connection.cursor().executemany(
        "insert into documents (id, text) values (:1, 't')", [(number,) for number in range(5)]
    )
    counter = (
        "select value from v$mystat join v$statname using (statistic#) "
        "where name = 'SQL*Net roundtrips to/from client'"
    )

    def read() -> float:
        (before,) = connection.cursor().execute(counter).fetchone()
        assert len(connection.fetch_df_all("select id, text from documents order by id").column_arrays()) == 2
        (after,) = connection.cursor().execute(counter).fetchone()
        return float(after - before)

    assert read() > read() == 2


def test_characters_of_two_units_count_twice(documents: Schema) -> None:
    """As Oracle counts a CLOB: JDBC and others take as many UTF-16 code units as they are told to."""
    cursor = documents.connection.cursor()
    text = "ab😀cd" * 1000
    cursor.execute("insert into documents (id, text, note) values (1, :1, :2)", [text, "😀!"])
    cursor.execute("select text, note from documents for update")
    row = cursor.fetchone()
    assert row is not None
    long, short = row
    assert (long.size(), short.size()) == (6000, 3)
    assert (long.read(), short.read()) == (text, "😀!")
    assert (long.read(5997), long.read(6000)) == ("😀cd", "d")
    assert (long.read(3, 4), long.read(1, 3)) == ("😀cd", "ab")  # half a character is not read
    long.write("XY", 7)
    assert long.read(5, 6) == "cdXY😀"
    long.trim(4)
    assert long.read() == "ab😀"


def test_text_of_one_unit_counts_as_characters(documents: Schema) -> None:
    cursor = documents.connection.cursor()
    cursor.execute("insert into documents (id, text) values (1, :1)", ["häß€" * 1000])
    (text,) = cursor.execute("select text from documents for update").fetchone() or (None,)
    assert (text.size(), text.read(3999)) == (4000, "ß€")
    text.write("😀", 4)
    assert (text.size(), text.read(3, 4)) == (4000, "ß😀ä")
    text.write("!😀", 4001)
    assert (text.size(), text.read(3999)) == (4003, "ß€!😀")
