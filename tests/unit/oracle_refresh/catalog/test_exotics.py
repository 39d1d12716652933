"""What is refused, left out or changed is told by name and count."""

from __future__ import annotations

from dataclasses import replace

from oracle_refresh.catalog import left_out
from oracle_refresh.catalog.attributes import attributes
from oracle_refresh.catalog.exotics import clone_exotics, exotics, findings_of
from oracle_refresh.catalog.model import Catalogue, Index, Sequence, Skipped, Table
from support.samples import plain

PLAIN = Table("APP", "PLAIN", 10, 8192, 1, ())
JOIN = Index("APP", "FACTS_BJX", "BITMAP", False, False, (), None, joins=True)
USUAL = ("DISABLED", None, 10, 1, "YES", "    N", "DEFAULT", "         1", "DISABLED", "NO", "DISABLED", "NO",
         "DEFAULT", None)  # fmt: skip


def catalogue(*tables: Table, skipped: tuple[Skipped, ...] = (), **fields: object) -> Catalogue:
    return Catalogue(("APP",), tables, skipped=skipped, **fields)  # type: ignore[arg-type]


REFUSED = catalogue(
    PLAIN,
    replace(PLAIN, name="CHILD", partitioning="REFERENCE"),
    replace(PLAIN, name="IN_CLUSTER", clustered=True),
    replace(PLAIN, name="CHAIN", unchangeable=True),
    replace(PLAIN, name="FACTS", indexes=(JOIN,)),
    skipped=(
        Skipped("APP", "OBJECTS", left_out.OBJECT_TABLE),
        Skipped("APP", "XML", left_out.XML_TABLE),
    ),
)
OTHERWISE = catalogue(
    replace(PLAIN, attributes=("COMPRESS BASIC", "PCTFREE 20")),
    skipped=tuple(
        Skipped("APP", f"{reason.split()[0]}_{number}", reason)
        for reason in (left_out.EXTERNAL, left_out.MATERIALIZED_VIEW, left_out.QUEUE_TABLE)
        for number in range(2)
    ),
    sequences=(Sequence("APP", "DONE", 1, 11, 1, 10),),
)


def test_a_plain_schema_has_none() -> None:
    parts = (Skipped("APP", "SYS_IOT_OVER_1", left_out.PART_OF_IOT), Skipped("APP", "X", left_out.EXCLUDED))
    assert exotics(catalogue(PLAIN, skipped=parts, sequences=(Sequence("APP", "S", 1, 7, 1, 10),))) == ()


def test_what_cannot_be_refreshed_is_an_error_until_it_is_excluded() -> None:
    found = findings_of(exotics(REFUSED))
    assert {(each.severity, each.code) for each in found} == {("error", "NOT_REFRESHED")}
    assert all("exclude_tables" in each.remedy for each in found)
    told = "\n".join(each.message for each in found)
    for name in ("CHILD", "IN_CLUSTER", "CHAIN", "FACTS", "OBJECTS", "XML"):
        assert f"APP.{name}" in told
    assert "APP.PLAIN" not in told
    assert "ORA-14652" in told


def test_nothing_of_a_clone_is_copied_left_out_or_changed() -> None:
    """It has everything already: what cannot be masked there is refused, with a remedy for a clone."""
    found = findings_of(clone_exotics(REFUSED))
    assert {(each.severity, each.code) for each in found} == {("error", "NOT_MASKED_IN_PLACE")}
    told = "\n".join(f"{each.message} {each.remedy}" for each in found)
    for name in ("CHILD", "IN_CLUSTER", "CHAIN", "FACTS"):
        assert f"APP.{name}" in told
    for untrue in ("cop", "refresh", "built", "carried", "source", "target"):
        assert untrue not in told
    assert clone_exotics(OTHERWISE) == ()


def test_what_is_left_out_or_changed_is_a_warning() -> None:
    found = exotics(OTHERWISE)
    assert [(each.kind, each.treatment, len(each.names)) for each in found] == [
        ("external tables", "left out", 2),
        ("materialized views", "left out", 2),
        ("queue tables", "left out", 2),
        ("tables with attributes of their storage", "changed", 1),
        ("sequences at their end", "changed", 1),
    ]
    assert found[3].names == ("APP.PLAIN (COMPRESS BASIC, PCTFREE 20)",)
    assert "`masking.after`" in found[3].remedy, "the field of the definition"


def test_columns_of_rowids_are_warned_about() -> None:
    columns = (plain("ID", "NUMBER", 22), plain("AT_ROW", "ROWID", 10), plain("AT_KEY", "UROWID", 4000))
    table = replace(PLAIN, name="LOCATED", columns=columns, attributes=())
    found = exotics(catalogue(table, replace(table, name="SCRATCH", temporary=True)))
    assert [each.names for each in found] == [("APP.LOCATED.AT_ROW", "APP.LOCATED.AT_KEY")]
    (finding,) = findings_of(found)
    assert (finding.severity, finding.code) == ("warning", "CHANGED_ON_THE_WAY")


def test_a_finding_lists_some_names_and_counts_all() -> None:
    many = tuple(Skipped("APP", f"E{number:02d}", left_out.EXTERNAL) for number in range(25))
    (finding,) = findings_of(exotics(catalogue(PLAIN, skipped=many)))
    assert finding.message.startswith("25 external tables are left out")
    assert finding.message.endswith("APP.E09 and 15 more")


def test_attributes_are_those_that_are_not_usual() -> None:
    assert attributes(USUAL) == ()
    said = ("ENABLED", "ADVANCED", 20, 4, "NO", "    Y", "FORCE", "   DEFAULT", "ENABLED", "YES", "ENABLED",
            "YES", "KEEP", None)  # fmt: skip
    assert attributes(said) == (
        "COMPRESS ADVANCED",
        "PCTFREE 20",
        "INITRANS 4",
        "NOLOGGING",
        "CACHE",
        "RESULT_CACHE (MODE FORCE)",
        "PARALLEL DEFAULT",
        "ROWDEPENDENCIES",
        "READ ONLY",
        "INMEMORY",
        "CLUSTERING",
        "BUFFER_POOL KEEP",
    )
    of_an_index = (*USUAL[:2], 0, 2, *USUAL[4:-1], "IOT")
    assert attributes(of_an_index) == ()


def test_a_sequence_at_its_end_begins_within_its_bounds() -> None:
    assert Sequence("APP", "S", 1, 11, 1, 10).start == 10
    assert Sequence("APP", "S", 1, 11, 1, 10, cycles=True).start == 1
    assert Sequence("APP", "S", -1, -11, -10, -1).start == -10
    assert Sequence("APP", "S", -1, -11, -10, -1, cycles=True).start == -1
    assert not Sequence("APP", "S", 1, 10, 1, 10).at_its_end
