"""Which way dump files take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.dbfs.choice import choose
from oracle_refresh.definition.model import Staging, StagingTransport
from oracle_refresh.oracle.errors import StagingError

WHOLE = (DumpFile("a.dmp", 4096), DumpFile("b.dmp", 512))
ODD = (*WHOLE, DumpFile("c.dmp", 4097))
HUGE = (DumpFile("d.dmp", (2 << 40) + 512),)


def staging(transport: str = "auto", link: str | None = None) -> Staging:
    return Staging.model_validate(
        {
            "source_directory": "A",
            "store": "S",
            "mount": "/S",
            "target_directory": "B",
            "transport": transport,
            "database_link": link,
            "mounted_path": "/mnt" if transport == "mounted" else None,
        }
    )


@pytest.mark.parametrize(
    ("link", "files", "may_transfer", "chosen"),
    [
        (None, WHOLE, False, "stream"),
        ("L", WHOLE, True, "file_transfer"),
        ("L", WHOLE, False, "stream"),
        ("L", ODD, True, "stream"),
        ("L", HUGE, True, "stream"),
    ],
)
def test_auto(link: str | None, files: tuple[DumpFile, ...], may_transfer: bool, chosen: str) -> None:
    assert choose(staging(link=link), files, may_transfer) == StagingTransport(chosen)


@pytest.mark.parametrize("transport", ["stream", "shared", "mounted"])
@given(sizes=st.lists(st.integers(0, 1 << 42)), may_transfer=st.booleans())
def test_a_wish_is_kept(transport: str, sizes: list[int], may_transfer: bool) -> None:
    files = [DumpFile(f"{number}.dmp", size) for number, size in enumerate(sizes)]
    assert choose(staging(transport, "L"), files, may_transfer) == StagingTransport(transport)


def test_file_transfer_says_why_it_cannot_be() -> None:
    assert choose(staging("file_transfer", "L"), WHOLE, True) == StagingTransport.FILE_TRANSFER
    with pytest.raises(StagingError, match="may not execute") as caught:
        choose(staging("file_transfer", "L"), WHOLE, False)
    assert "GRANT EXECUTE" in str(caught.value.remedy)
    for files in (ODD, HUGE):
        with pytest.raises(StagingError, match="multiples of 512") as caught:
            choose(staging("file_transfer", "L"), files, True)
        assert caught.value.object_name == files[-1].name


def test_what_a_transport_needs() -> None:
    with pytest.raises(ValidationError, match="needs a database_link"):
        staging("file_transfer")
    with pytest.raises(ValidationError, match="needs a mounted_path"):
        Staging.model_validate(staging().model_dump(mode="json") | {"transport": "mounted"})
    with pytest.raises(ValidationError, match="an absolute path"):
        Staging.model_validate(staging().model_dump(mode="json") | {"mounted_path": "mnt"})
    with pytest.raises(ValidationError):
        staging("pigeon")
    with pytest.raises(ValidationError):
        staging("auto", "not a link")
    assert [staging(name, "L").uses_store for name in ("auto", "stream", "file_transfer", "shared")] == [
        True,
        True,
        False,
        False,
    ]
    assert not staging("mounted").uses_store
    assert staging("mounted").uses_directory
    assert not staging("stream", "L").uses_directory
    assert not staging("auto").may_use_link
    assert staging("auto", "L").may_use_link
    assert not staging("shared", "L").may_use_link
