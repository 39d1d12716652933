"""Records that PostgreSQL's COPY reads of an external table: the very same as are read one by one."""

from __future__ import annotations

import re
from pathlib import Path

import oracledb

from support.external_tables import create
from support.plain_records import ACCESS, OTHERS, PLAIN
from support.stand_in import Schema


def test_both_ways_read_the_same(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    """Alone, where COPY may take the piece, and among others; a small READSIZE keeps COPY away."""
    for name, size in (("copied", ""), ("one_by_one", "READSIZE 600")):
        files = f"{size} BADFILE '{name}.bad' LOGFILE '{name}.log'"
        create(
            cursor,
            schema,
            "n NUMBER(12,2), d DATE, t VARCHAR2(6 CHAR), b VARCHAR2(6 BYTE)",
            ACCESS.format(files=files, rest=""),
            name=name,
            tail="REJECT LIMIT UNLIMITED",
        )

    def read(name: str) -> tuple[list[object], str | None]:
        bad = folder / f"{name}.bad"
        bad.unlink(missing_ok=True)
        rows = cursor.execute(f"SELECT n, d, t, b, LENGTH(n) FROM {name}").fetchall()
        return rows, bad.read_bytes().decode() if bad.exists() else None

    contents = ["\n".join(PLAIN) + end for end in ("", "\n", "|\n")]
    contents += ["\n".join(f"{line}|" for line in PLAIN), "\n\n\n"]
    contents += ["\n".join([PLAIN[0], other]) + "\n" for other in OTHERS]
    contents.append("\n".join([*PLAIN, *OTHERS, *PLAIN]))
    for content in contents:
        (folder / "data.csv").write_text(content, newline="")
        assert read("copied") == read("one_by_one"), content


def test_the_log_tells_like_oracle_s(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    files = "BADFILE 'rows.bad' LOGFILE 'rows.log'"
    access = ACCESS.format(files=files, rest="OPTIONALLY ENCLOSED BY '\"' ")
    (folder / "data.csv").write_text("1||word|x|\n2||word\n3||much too long|x|\n")
    create(
        cursor,
        schema,
        "n NUMBER(12,2), d DATE, t VARCHAR2(6 CHAR), b VARCHAR2(6 BYTE)",
        access,
        tail="REJECT LIMIT UNLIMITED",
    )
    for _ in range(2):
        assert len(cursor.execute("SELECT * FROM x").fetchall()) == 1
    path, log = folder / "data.csv", (folder / "rows.log").read_text()
    opened, told = re.split(r" LOG file opened at \d\d/\d\d/\d\d \d\d:\d\d:\d\d\n", log)[1:]
    assert opened.strip() == told.strip(), "a log goes on where there is one"
    for part in (
        "Field Definitions for table X\n  Record format DELIMITED BY NEWLINE\n",
        '    N                               CHAR (60)\n      Terminated by "|"\n      Enclosed by',
        "      Date datatype DATE, date mask YYYY-MM-DD\n",
        "KUP-04021: field formatting error for field OTHER\nKUP-04023: field start is after end of record\n"
        f"KUP-04101: record 2 rejected in file {path}\n",
        f"error processing column T in row 3 for datafile {path}\nORA-12899: value too large for column",
    ):
        assert part in told, part
    assert (folder / "rows.bad").read_text() == "2||word\n3||much too long|x|\n", "a bad file begins anew"


def test_a_path_is_never_a_command(schema: Schema, folder: Path, cursor: oracledb.Cursor) -> None:
    name = "a'; touch $(pwd)`touch x`\\ \"$HOME.csv"
    (folder / name).write_text("1||word|x|\n" * 3)
    files = "BADFILE 'x''; touch y.bad' NOLOGFILE"
    create(
        cursor,
        schema,
        "n NUMBER, t VARCHAR2(4)",
        ACCESS.format(files=files, rest="").replace("d CHAR(10) DATE_FORMAT DATE MASK 'YYYY-MM-DD'", "d"),
        location="'" + name.replace("'", "''") + "'",
        tail="REJECT LIMIT UNLIMITED",
    )
    assert len(cursor.execute("SELECT * FROM x").fetchall()) == 3
    (folder / name).write_text("1||word|x|\nwrong||word|x|\n")
    assert len(cursor.execute("SELECT * FROM x").fetchall()) == 1
    assert {path.name for path in folder.iterdir()} == {name, "x'; touch y.bad"}


def test_many_pieces_arrive_whole_and_in_order(
    schema: Schema,
    folder: Path,
    cursor: oracledb.Cursor,
) -> None:
    """Over pieces of 4 MB, with a heading to skip; one record that is none is all that is missing."""
    filler = "x" * 400
    with (folder / "data.csv").open("w") as file:
        file.write("heading\n")
        for number in range(12_000):
            file.write(f"{number}|{filler}|\n" if number != 11_990 else f"wrong|{filler}|\n")
    create(
        cursor,
        schema,
        "n NUMBER, t VARCHAR2(400)",
        "RECORDS DELIMITED BY NEWLINE SKIP 1 BADFILE 'rows.bad' LOGFILE 'rows.log' FIELDS TERMINATED BY '|'"
        " (n CHAR(60), t CHAR(400))",
        tail="REJECT LIMIT 1",
    )
    rows = cursor.execute("SELECT n, LENGTH(t) FROM x").fetchall()
    assert rows == [(number, 400) for number in range(12_000) if number != 11_990]
    assert (folder / "rows.bad").read_text() == f"wrong|{filler}|\n"
    assert "error processing column N in row 11992" in (folder / "rows.log").read_text()
