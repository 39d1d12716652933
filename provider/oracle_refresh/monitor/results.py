"""What a run has proven so far, as the second part of its page: each table's copy and masking, the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oracle_refresh.monitor.comparison import Former
from oracle_refresh.monitor.records import ACTIVE, Run, Try
from oracle_refresh.monitor.sizes import Sizes, sizes
from oracle_refresh.plan import stages
from oracle_refresh.plan.stages import Stage

#: Tables, and columns, that the page lists; the report's files have all of them.
MOST_TABLES, MOST_COLUMNS = 300, 300
_FAILED = ("failed", "upstream_failed")


def results(
    run: Run, plan: Mapping[str, Any] | None, coverage: Mapping[str, Any] | None, former: Sequence[Former]
) -> dict[str, Any]:
    """:param plan: the run's plan (`Plan.to_json`), None while there is none.
    :param coverage: what the profiler found (`Coverage.to_json`), None where it is not known.
    :param former: runs of the same DAG, the latest first.
    """
    tables = _tables(run, sizes(run, plan))
    return {
        "tables": _listed(tables),
        "table_counts": _counts(tables),
        "coverage": _coverage(run, coverage),
        "tuning": _returned(run, stages.RESTORE) or _returned(run, stages.TUNE),
        "expectations": _returned(run, stages.EXPECTATIONS),
        "proof": _returned(run, stages.PROVE),
        "inventory": _returned(run, stages.INVENTORY),
        "former": [each.to_json() for each in former],
    }


def _returned(run: Run, stage: Stage) -> Any:
    """What the task of that stage returned; None where it has not, or where the values are kept elsewhere,
    as an XCom backend may do."""
    returned = (run.results.get(each.key) for each in run.of(stage))
    return next((each for each in returned if isinstance(each, dict) and each), None)


def _tables(run: Run, item_sizes: Sizes) -> list[dict[str, Any]]:
    """One entry for each table: the comparison with the source, the masking, the comparison afterwards.

    The tables of a work unit share its tasks. Which of them are done before the task is, it says itself: in
    its progress while it works, in what it returned when it has failed.
    """
    parts_of: dict[str, dict[str, Any]] = {}
    for stage, (part, summary) in _PARTS.items():
        for each in run.of(stage):
            if each.stands_for_many(run.shape):
                continue
            item, returned = run.items.get(each.key, each.task_id), run.results.get(each.key)
            documents = returned if isinstance(returned, dict) else {}
            for table in item_sizes.tables(item) or tuple(documents) or (item,):
                done = table in documents or table in _done(run, each)
                state = "success" if done else each.state
                entry = parts_of.setdefault(table, {})
                entry[part] = {"state": state, "task": each.task_id, "map_index": each.map_index}
                if table in documents:
                    entry[part] |= summary(documents[table])
    return [{"table": table, **parts} for table, parts in sorted(parts_of.items())]


def _listed(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All of them by name; of more than MOST_TABLES those that are wrong, then the largest."""
    if len(tables) <= MOST_TABLES:
        return tables
    rows = {each["table"]: each.get("copy", {}).get("rows_source", 0) for each in tables}
    return sorted(tables, key=lambda each: (not _wrong(each), -rows[each["table"]]))[:MOST_TABLES]


def _wrong(table: Mapping[str, Any]) -> bool:
    parts = [table[part] for part, _ in _PARTS.values() if part in table]
    return any(part["state"] in _FAILED or part.get("verdict") == "different" for part in parts)


def _counts(tables: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many tables there are, are wrong, have masked columns, are proven masked, have none."""
    known = [each for each in tables if "columns" in each.get("mask", {})]
    ruled = [each for each in known if each["mask"]["columns"]]
    return {
        "all": len(tables),
        "wrong": sum(map(_wrong, tables)),
        "ruled": len(ruled),
        "proven": sum(each.get("masked", {}).get("verdict") == "masked" for each in ruled),
        "plain": len(known) - len(ruled),
    }


def _done(run: Run, attempt: Try) -> Sequence[str]:
    """The tables that a task at work has reported as done."""
    tables: Mapping[str, Any] = run.progress.get(attempt.key, {}).get("tables") or {}
    return tables.get("done", ()) if attempt.state in ACTIVE else ()


def _picked(document: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: document[name] for name in names}


def _copy(check: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_picked(check, "verdict", "rows_source", "rows_target"),
        "checksums_equal": check["checksum_source"] == check["checksum_target"],
        "lobs": [
            {
                **_picked(lob, "column", "count", "bytes"),
                "checksum": lob["checksum_source"],
                "equal": lob["checksum_source"] == lob["checksum_target"],
            }
            for lob in check["lobs"]
        ],
        "differences": check["differences"][:5],
    }


def _mask(mask: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_picked(mask, "verdict", "columns", "rows", "seconds", "strategy"),
        "non_conforming": sum(pattern["rows"] for pattern in mask["non_conforming"]),
    }


def _masked(check: Mapping[str, Any]) -> dict[str, Any]:
    columns = check["masked"]
    return {
        "verdict": check["verdict"],
        "columns": len(columns),
        "compared": sum(column["compared"] or 0 for column in columns),
        "leaked": sum(column["leaked"] or 0 for column in columns),
        "differences": check["differences"][:5],
    }


#: By stage: as what the page has its part, and what of the document it shows.
_PARTS = {
    stages.VERIFY_COPY: ("copy", _copy),
    stages.MASK: ("mask", _mask),
    stages.VERIFY_MASKED: ("masked", _masked),
}


def _coverage(run: Run, coverage: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Columns by how they are treated; which ones, once the profiler's findings can be read."""
    counts = _returned(run, stages.PROFILE)
    if counts is None:
        return None
    listed = sorted((coverage or {}).get("listed", ()), key=lambda each: each["status"] != "uncovered")
    return {
        "counts": counts,
        "listed": len(listed),
        "threshold": (coverage or {}).get("threshold"),
        "columns": [
            _picked(each, "column", "status", "kind", "confidence", "note") for each in listed[:MOST_COLUMNS]
        ],
    }
