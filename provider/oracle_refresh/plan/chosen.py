"""Whether what the definition chooses for single tables can be done with the tables that there are. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.definition import USUAL_SHARDS, RefreshDefinition, TableChoice
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.plan.schemes import no_scheme
from oracle_refresh.plan.treatment import obstacle


def choice_findings(catalogue: Catalogue, definition: RefreshDefinition) -> Iterator[Finding]:
    """Tables that are chosen for and are not copied, and choices that cannot be followed, with why."""
    copied = {table.full_name: table for table in catalogue.tables}
    skipped = {each.full_name: each.reason for each in catalogue.skipped}
    for name, choice in definition.tables.items():
        table = copied.get(name)
        if table is None:
            why = f"is not copied: {skipped[name]}" if name in skipped else "the source does not have"
            yield error(
                "UNKNOWN_CHOSEN_TABLE",
                f"`tables` of the definition names {name.key}, which {why}",
                "correct `tables` of the definition",
            )
        elif hindered := impossible(table, choice, definition.datapump.over_link):
            yield error(
                "IMPOSSIBLE_CHOICE",
                f"`tables` of the definition cannot be followed for {name.key}: {hindered}",
                "correct `tables` of the definition",
            )


def require_possible(catalogue: Catalogue, definition: RefreshDefinition, max_map_length: int) -> None:
    """Refuse choices that no plan can follow. The usual number of shards is none: it is cut back as needed.

    :param max_map_length: the most jobs that Airflow maps over.
    :raises PlanError: naming each of them.
    """
    if definition.most_shards > max(max_map_length, USUAL_SHARDS):
        raise PlanError(
            f"{definition.most_shards:,} shards of one table are more than the {max_map_length:,} jobs that"
            " Airflow maps over",
            object_name=definition.name,
            step="plan",
            remedy="lower max_shards, or shards of the table, or raise [core] max_map_length"
            " (AIRFLOW__CORE__MAX_MAP_LENGTH)",
        )
    if found := list(choice_findings(catalogue, definition)):
        raise PlanError(
            "; ".join(each.message for each in found),
            object_name=definition.name,
            step="plan",
            remedy="correct `tables` of the definition",
        )


def impossible(table: Table, choice: TableChoice, over_link: bool) -> str | None:
    """Why a choice cannot be followed for a table; None if it can."""
    if table.temporary:
        return "it is temporary, so it has no rows to copy"
    if choice.scheme or (choice.shards or 1) > 1:
        hindered = obstacle(table, over_link and not choice.scheme)
        if hindered is None and choice.scheme:
            hindered = no_scheme(table, choice.scheme)
        if hindered:
            return f"it cannot be cut{f' by {choice.scheme}' if choice.scheme else ''}: {hindered}"
    if choice.access_method == "external_table" and table.has_long:
        return "external tables take no LONG column"
    return no_direct_path(table) if choice.access_method == "direct_path" else None


def no_direct_path(table: Table) -> str | None:
    """Why Data Pump does not load a table by direct path; None if it may.

    Utilities 19c, "Using Direct Path to Move Data", as far as the source's catalogue tells. Tables are built
    before they are loaded, so what is said of tables that exist holds: they may be neither partitioned nor
    have a unique index, which of the indexes only an index-organized table has at that time. Supplemental
    logging of tables with LOBs, which forbids it too, is not looked for.
    """
    if table.clustered:
        return "direct path loads no table of a cluster"
    if table.partitions:
        return "direct path loads no partitioned table that is there already"
    if table.iot:
        return "direct path loads no table that has a unique index, as an index-organized one has"
    if any(column.data_type == "BFILE" for column in table.columns):
        return "direct path loads no BFILE column"
    if any(column.data_type == "XMLTYPE" for column in table.columns):
        return "direct path loads no column of an opaque type, as XMLTYPE is"
    if table.encrypted_columns:
        return "direct path loads no table with encrypted columns"
    return None
