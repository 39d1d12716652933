"""The search for planted values finds them in whatever form they were kept."""

from __future__ import annotations

import base64
import gzip
import html
import json
import sqlite3
import zipfile
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from support.planted import in_folders

VALUE = "Ünsal <Planted> 4711"


@pytest.mark.parametrize(
    "content",
    [
        VALUE.encode(),
        VALUE.upper().encode().replace("Ü".encode(), "Ü".encode()),
        json.dumps({"a": VALUE}).encode(),
        html.escape(VALUE).encode(),
        VALUE.encode().hex().upper().encode(),
        VALUE.encode("utf-16-le"),
        base64.b64encode(b"12" + VALUE.encode() + b"3"),
        base64.b64encode(b"1" + VALUE.encode()),
        base64.b64encode(VALUE.encode() + b"xyz"),
        b"/runs?x=%C3%9Cnsal%20%3CPlanted%3E%204711",
        gzip.compress(VALUE.encode(), mtime=0),
    ],
)
def test_a_value_is_found_in_each_form(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.bin").write_bytes(content)
    assert in_folders([VALUE, "Anything else"], [tmp_path]) == [f"{tmp_path}/a.bin: {VALUE}"]


def test_a_value_is_found_in_archives_names_and_sqlite(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bundle.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.txt", VALUE)
    (tmp_path / f"dump {VALUE}.dmp").touch()
    with closing(sqlite3.connect(tmp_path / "airflow.db")) as database:
        database.execute("CREATE TABLE dag (data BLOB)")
        database.execute("INSERT INTO dag VALUES (?)", [zlib.compress(VALUE.encode())])
        database.commit()
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "out").write_text(VALUE)
    assert in_folders([VALUE], [tmp_path], [tmp_path / "left"]) == [
        f"{tmp_path}/airflow.db: {VALUE}",
        f"{tmp_path}/bundle.zip: {VALUE}",
        f"name of {tmp_path}/dump {VALUE}.dmp: {VALUE}",
    ]


def test_clean_folders_give_nothing(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("Planted 4711")
    assert in_folders([VALUE], [tmp_path]) == []
