"""The kit as a file: a zip archive of known members, with the SHA-256 of each in a manifest. Pure.

The digests tell a kit that was damaged or edited from one as it was written. Who edits the manifest too is
found out only by its own digest, which whoever publishes a kit tells beside it, as the study does with the
checksum of its archive.

Nothing is ever extracted to the file system: members are read into memory, under names that are known before.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PreflightError

STEP = "kit"
MANIFEST = "manifest.json"
FORMAT, VERSION = "data load kit of airflow-provider-oracle-refresh", 1
#: A kit of a thousand schemas has some hundred kilobytes.
MOST_BYTES = 32 << 20
"""Of the archive, and of all its members unpacked."""
MOST_INTEGER = 2**63 - 1
#: The earliest time that a zip archive can tell: the same members are the same bytes, whenever packed.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED = 0x1


@dataclass(frozen=True)
class Member(Jsonable):
    """What the manifest tells of a member."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest(Jsonable):
    """`members` by their names, without the manifest itself."""

    format: str
    version: int
    members: dict[str, Member] = field(hash=False)


def pack(members: Mapping[str, bytes]) -> bytes:
    """The archive: the manifest, then the members by their names. Equal members make equal bytes, with one
    release of zlib.

    :raises PreflightError: if they are more than a kit may hold.
    """
    told = {name: Member(len(content), _sha256(content)) for name, content in sorted(members.items())}
    manifest = json_bytes(Manifest(FORMAT, VERSION, told).to_json())
    if len(manifest) + sum(map(len, members.values())) > MOST_BYTES:
        raise refused(f"its members have more than {MOST_BYTES >> 20} MB")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in ((MANIFEST, manifest), *sorted(members.items())):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # as on Unix, wherever it is packed
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()


def unpack(content: bytes, names: Collection[str]) -> dict[str, bytes]:
    """The members of an archive, each as the manifest tells it.

    :param names: of all members that a kit has, besides the manifest.
    :raises PreflightError: if it is no zip archive, is too large, has other members or one of them twice, is
        of another version, or a member is not what the manifest says.
    """
    if len(content) > MOST_BYTES:
        raise refused(f"it has more than {MOST_BYTES >> 20} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found = _members(archive, {MANIFEST, *names})
    # What a damaged archive raises: zipfile documents the first two, zlib and struct shine through.
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, OSError, ValueError) as error:
        raise refused(f"it is no whole zip archive: {error}") from error
    manifest = _manifest(found.pop(MANIFEST))
    if set(manifest.members) != set(found):
        raise refused("its manifest tells of other members than there are")
    for name, member in found.items():
        if (len(member), _sha256(member)) != (manifest.members[name].bytes, manifest.members[name].sha256):
            raise refused(
                f"{name} was changed since: its SHA-256 is {_sha256(member)}, the manifest's is"
                f" {manifest.members[name].sha256}"
            )
    return found


def json_bytes(document: Mapping[str, Any]) -> bytes:
    """A JSON member: to be read by people too, and the same whatever the order of its keys."""
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def json_object(content: bytes, name: str) -> dict[str, Any]:
    """The inverse.

    :raises PreflightError: if the member is no JSON object, or has a number that no database counts to.
    """
    try:
        document = json.loads(content, parse_int=_integer, parse_float=_number, parse_constant=_number)
    except (ValueError, RecursionError) as error:
        raise refused(f"{name} is no JSON: {error}") from error
    if not isinstance(document, dict):
        raise refused(f"{name} is no JSON object")
    return document


def _members(archive: zipfile.ZipFile, names: Collection[str]) -> dict[str, bytes]:
    entries = archive.infolist()
    given = [entry.filename for entry in entries]
    # Also what would be written outside of a folder: no member of a kit has such a name.
    if strange := sorted(set(given) - set(names)):
        raise refused(f"a kit has no member {strange[0]!r}")
    if missing := sorted(set(names) - set(given)):
        raise refused(f"{missing[0]} is missing")
    if len(given) != len(set(given)):
        raise refused("it has a member twice")
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _METHODS:
            raise refused(f"{entry.filename} is encrypted, or compressed in another way than a kit's members")
        with archive.open(entry) as stream:
            # What the archive says of a member's size is not relied on.
            found[entry.filename] = stream.read(left + 1)
        left -= len(found[entry.filename])
        if left < 0:
            raise refused(f"its members have more than {MOST_BYTES >> 20} MB")
    return found


def _manifest(content: bytes) -> Manifest:
    document = json_object(content, MANIFEST)
    given = document.get("format"), document.get("version")
    if given != (FORMAT, VERSION):
        raise refused(
            f"it is {given[0]!r}, version {given[1]!r}; this is read: {FORMAT!r}, version {VERSION}"
        )
    try:
        return Manifest.from_json(document)
    except ValueError as error:
        raise refused(f"{MANIFEST}: {error}") from error


def _integer(text: str) -> int:
    number = int(text)
    if abs(number) > MOST_INTEGER:
        raise ValueError("a number is larger than one of 64 bits")
    return number


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number that was measured")
    return number


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def refused(why: str) -> PreflightError:
    """The error of a file that is not replayed. What it quotes of the file moves no terminal's cursor."""
    shown = "".join(character if character.isprintable() else "?" for character in why)
    return PreflightError(
        f"this is no kit that can be replayed: {shown}",
        step=STEP,
        remedy="take the archive anew from where it was published",
    )
