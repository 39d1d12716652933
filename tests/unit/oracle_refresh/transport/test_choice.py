"""Which transport dump files take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.definition import Staging
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.transport.choice import choose
from oracle_refresh.transport.registry import FILE_TRANSPORTS, TRANSPORTS, transport_of
from support.planner_tables import definition

WHOLE = (DumpFile("a.dmp", 4096), DumpFile("b.dmp", 512))
ODD = (*WHOLE, DumpFile("c.dmp", 4097))
GRANTED = ("DBMS_FILE_TRANSFER",)
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


def written(staging: Staging) -> set[str | None]:
    return {each.writes_to for each in staging.transports}


def link(transport: str) -> str | None:
    return definition(staging=staging(transport, "L").model_dump(mode="json")).link


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
    assert choose(staging(link=link), files, GRANTED if may_transfer else ()).name == chosen


@pytest.mark.parametrize("transport", ["stream", "shared", "mounted"])
@given(sizes=st.lists(st.integers(0, 1 << 42)), may_transfer=st.booleans())
def test_a_wish_is_kept(transport: str, sizes: list[int], may_transfer: bool) -> None:
    files = [DumpFile(f"{number}.dmp", size) for number, size in enumerate(sizes)]
    assert choose(staging(transport, "L"), files, GRANTED if may_transfer else ()).name == transport


def test_file_transfer_says_why_it_cannot_be() -> None:
    assert choose(staging("file_transfer", "L"), WHOLE, GRANTED).name == "file_transfer"
    with pytest.raises(StagingError, match="may not execute") as caught:
        choose(staging("file_transfer", "L"), WHOLE, ())
    assert "GRANT EXECUTE" in str(caught.value.remedy)
    for files in (ODD, HUGE):
        with pytest.raises(StagingError, match="multiples of 512") as caught:
            choose(staging("file_transfer", "L"), files, GRANTED)
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
    assert "directory" in written(staging("mounted"))
    assert "directory" not in written(staging("stream", "L"))
    assert [link(name) for name in ("auto", "file_transfer", "shared", "stream")] == ["L", "L", None, None]
    assert definition(staging=staging().model_dump(mode="json")).link is None
    over_link = {"transport": "network_link", "database_link": "N"}
    both = definition(staging=staging("auto", "L").model_dump(mode="json"), datapump=over_link)
    assert (both.link, both.transports, both.uses_store) == ("N", (), False)


def test_each_transport_is_found_by_the_name_that_a_definition_gives_it() -> None:
    assert [each.name.value for each in TRANSPORTS] == ["network_link", *map(str, FILE_TRANSPORTS)]
    assert all(name.label for name in FILE_TRANSPORTS)
    for name in FILE_TRANSPORTS:
        wished = definition(staging=staging(name, "L").model_dump(mode="json"))
        assert transport_of(wished).name is name
        assert transport_of(wished).dump_files
    linked = definition(datapump={"transport": "network_link", "database_link": "N"})
    assert not transport_of(linked).dump_files
