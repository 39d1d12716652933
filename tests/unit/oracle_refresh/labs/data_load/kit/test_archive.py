"""The kit's archive: equal bytes for equal members, and whatever is not as it was written is refused."""

from __future__ import annotations

import contextlib
import io
import json
import struct
import warnings
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.labs.data_load.kit import archive
from oracle_refresh.labs.data_load.kit.archive import MANIFEST, json_bytes, json_object, pack, refused, unpack
from oracle_refresh.oracle.errors import PreflightError

MEMBERS = {"one.json": b"{}\n", "two.sql": b"SELECT 1 FROM DUAL\n/\n"}
PACKED = pack(MEMBERS)


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method) as made:
        warnings.simplefilter("ignore", UserWarning)  # of a name that is there twice
        for name, content in entries:
            made.writestr(name, content)
    return buffer.getvalue()


def entries(content: bytes = PACKED) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def manifest_with(change: Callable[[dict[str, object]], object]) -> bytes:
    found = entries()
    document = json.loads(found[MANIFEST])
    change(document)
    return zipped(*{**found, MANIFEST: json.dumps(document).encode()}.items())


@given(st.dictionaries(st.sampled_from(["a.json", "b.sql", "c"]), st.binary(max_size=200), min_size=1))
def test_members_come_back(members: dict[str, bytes]) -> None:
    assert unpack(pack(members), members.keys()) == members


def test_equal_members_are_equal_bytes_in_whatever_order() -> None:
    assert pack(dict(reversed(MEMBERS.items()))) == PACKED
    with zipfile.ZipFile(io.BytesIO(PACKED)) as opened:
        assert opened.namelist() == [MANIFEST, "one.json", "two.sql"]
        assert {entry.date_time for entry in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_changed_member_is_named(name: str) -> None:
    changed = zipped(*{**entries(), name: MEMBERS[name] + b" "}.items())
    with pytest.raises(PreflightError, match=f"{name} was changed since"):
        unpack(changed, MEMBERS)


@pytest.mark.parametrize(
    "name", ["../two.sql", "/etc/passwd", "C:\\two.sql", "folder/../../two.sql", "three.json", "folder/"]
)
def test_a_member_that_no_kit_has_is_refused(name: str) -> None:
    with pytest.raises(PreflightError, match="a kit has no member"):
        unpack(zipped(*entries().items(), (name, b"")), MEMBERS)


def test_a_member_that_is_missing_is_named() -> None:
    for name in (MANIFEST, *MEMBERS):
        rest = {other: content for other, content in entries().items() if other != name}
        with pytest.raises(PreflightError, match=f"{name} is missing"):
            unpack(zipped(*rest.items()), MEMBERS)


def test_a_member_that_is_there_twice_is_refused() -> None:
    with pytest.raises(PreflightError, match="twice"):
        unpack(zipped(*entries().items(), ("two.sql", b"DROP USER APP")), MEMBERS)


def test_the_manifest_tells_of_every_member_and_no_other() -> None:
    def forget(document: dict[str, object]) -> None:
        del document["members"]["two.sql"]  # type: ignore[attr-defined]

    def invent(document: dict[str, object]) -> None:
        document["members"]["three"] = {"bytes": 0, "sha256": ""}  # type: ignore[index]

    for change in (forget, invent):
        with pytest.raises(PreflightError, match="other members than there are"):
            unpack(manifest_with(change), MEMBERS)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("version", 2, "version 2"),
        ("format", "something else", "something else"),
        ("members", [], "Manifest.members"),
        ("members", {"one.json": 3}, "Manifest.members"),
        ("more", 1, "no field more"),
    ],
)
def test_another_manifest_is_refused(field: str, value: object, told: str) -> None:
    with pytest.raises(PreflightError, match=told):
        unpack(manifest_with(lambda document: document.update({field: value})), MEMBERS)


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive", PACKED[:-30], PACKED[: len(PACKED) // 2]])
def test_what_is_no_whole_archive_is_refused(content: bytes) -> None:
    with pytest.raises(PreflightError, match="no whole zip archive"):
        unpack(content, MEMBERS)


@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255))
def test_a_flipped_byte_changes_nothing_or_is_refused(place: int, by: int) -> None:
    damaged = bytearray(PACKED)
    damaged[place] ^= by
    with contextlib.suppress(PreflightError):
        assert unpack(bytes(damaged), MEMBERS) == MEMBERS


def test_other_compressions_and_encryption_are_refused() -> None:
    with pytest.raises(PreflightError, match="encrypted, or compressed in another way"):
        unpack(zipped(*entries().items(), method=zipfile.ZIP_BZIP2), MEMBERS)
    encrypted = bytearray(PACKED)
    # Of the last entry of the central directory: its flags stand 8 bytes behind the signature.
    place = encrypted.rindex(b"PK\x01\x02") + 8
    encrypted[place : place + 2] = struct.pack("<H", 1)
    with pytest.raises(PreflightError, match="encrypted, or compressed in another way"):
        unpack(bytes(encrypted), MEMBERS)


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped(*{**entries(), "two.sql": b" " * 200_000}.items())
    monkeypatch.setattr(archive, "MOST_BYTES", 100_000)
    assert len(bomb) < 100_000
    with pytest.raises(PreflightError, match="its members have more than"):
        unpack(bomb, MEMBERS)
    with pytest.raises(PreflightError, match="it has more than"):
        unpack(bytes(100_001), MEMBERS)
    with pytest.raises(PreflightError, match="its members have more than"):
        pack({"two.sql": bytes(100_001)})


def test_json_is_the_same_whatever_the_order_of_its_keys() -> None:
    assert json_bytes({"b": 1, "a": "ü"}) == json_bytes({"a": "ü", "b": 1})
    assert json_object(json_bytes({"b": 1, "a": [0.5]}), "x") == {"a": [0.5], "b": 1}


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"3", b"{", b"\xff\xfe{", b'{"a": NaN}', b'{"a": -Infinity}', b'{"a": 1e999}'),
        *(b'{"a": 9223372036854775808}', b'{"a": ' + b"9" * 5000 + b"}", b"[" * 100_000),
    ],
)
def test_what_is_no_json_object_of_numbers_is_refused(content: bytes) -> None:
    with pytest.raises(PreflightError, match=r"member\.json is no JSON"):
        json_object(content, "member.json")


def test_what_is_quoted_of_a_file_moves_no_cursor() -> None:
    assert "\x1b" not in str(refused("\x1b[2Jname\r"))
