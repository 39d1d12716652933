from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.datapump import container, files, stream
from localoracle.datapump.checksum import Checksum
from localoracle.datapump.container import HEADER_BYTES, Header
from localoracle.errors import OracleError

JSON = st.recursive(
    st.none() | st.integers(-(2**50), 2**50) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def written(path, body=b"rows", directory=None):
    container.create(path, reuse=True)
    with path.open("ab") as file:
        file.write(body)
    container.finish(path, Header("GUID", 1, file_count=1), directory or {"segments": []})
    return path


def checksum(data):
    whole = Checksum()
    whole.update(data)
    return whole.value()


@given(directory=st.dictionaries(st.text(max_size=8), JSON, max_size=4), body=st.binary(max_size=300))
def test_what_is_written_is_read(tmp_path_factory, directory, body):
    path = written(tmp_path_factory.getbasetemp() / "round.dmp", body, directory or {"a": 1})
    dump = container.open_dump(path)
    assert dump.directory == (directory or {"a": 1})
    assert (dump.header.guid, dump.header.number) == ("GUID", 1)
    assert stream.check([(path, 0, len(body), checksum(body))]) is None
    if body:
        assert stream.check([(path, 0, len(body), checksum(body) ^ 1)]) is not None


@pytest.mark.parametrize("keep", [0, 100, HEADER_BYTES, HEADER_BYTES + 2, -1])
def test_a_truncated_file_is_refused(tmp_path, keep):
    path = written(tmp_path / "cut.dmp")
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(OracleError, match="ORA-39000") as caught:
        container.open_dump(path)
    assert "ORA-31619" in caught.value.text


def test_a_damaged_directory_is_refused(tmp_path):
    path = written(tmp_path / "bad.dmp")
    raw = bytearray(path.read_bytes())
    raw[-HEADER_BYTES - 2] ^= 0xFF
    path.write_bytes(raw)
    with pytest.raises(OracleError, match="ORA-31619"):
        container.open_dump(path)


def test_an_unfinished_file_is_refused(tmp_path):
    container.create(tmp_path / "open.dmp", reuse=False)
    with pytest.raises(OracleError, match="ORA-31619"):
        container.open_dump(tmp_path / "open.dmp")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(OracleError, match=r"ORA-31640.*none\.dmp"):
        container.open_dump(tmp_path / "none.dmp")


def test_an_existing_file_is_not_overwritten_unless_asked(tmp_path):
    path = written(tmp_path / "there.dmp")
    with pytest.raises(OracleError, match="ORA-27038"):
        container.create(path, reuse=False)
    container.create(path, reuse=True)
    assert path.stat().st_size == 0


@pytest.mark.parametrize(("name", "expected"), [("a%U.dmp", "U"), ("a%l.dmp", "L"), ("plain.dmp", None)])
def test_wildcards(name, expected):
    assert files.wildcard(name) == expected


@pytest.mark.parametrize("name", ["a%Z.dmp", "a%U%U.dmp", "a%"])
def test_wrong_wildcards(name):
    with pytest.raises(OracleError, match="ORA-39001"):
        files.wildcard(name)


def test_dates_in_names():
    assert files.with_date("x_%T_%d%m%Y_%U.dmp", date(2026, 11, 21)) == "x_20261121_21112026_%U.dmp"


def test_numbers_grow_past_two_digits():
    assert [files.numbered("x%L.dmp", number) for number in (1, 99, 100)] == [
        "x01.dmp",
        "x99.dmp",
        "x100.dmp",
    ]


def test_an_import_takes_files_until_one_is_missing(tmp_path):
    for number in (1, 2, 4):
        (tmp_path / f"x{number:02d}.dmp").touch()
    found = files.existing(str(tmp_path / "x%U.dmp"))
    assert [path.name for path in found] == ["x01.dmp", "x02.dmp"]
    with pytest.raises(OracleError, match="ORA-31640"):
        files.existing(str(tmp_path / "y%U.dmp"))
