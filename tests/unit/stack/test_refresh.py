"""What `make refresh` prints of a report where nothing is drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stack import refresh, settings

LEGS = {"export_seconds": 1.25, "stage_seconds": 0.5, "load_seconds": 2.0}
REPORT = {
    "refresh": "demo",
    "status": "published",
    "scn": 4711,
    "seconds": 59.6,
    "shards": [
        {"table": "DOCS.DOCUMENTS", "scheme": "rowid_range", "rows": 1234, "bytes": 2_500_000, **LEGS},
    ],
    "tables": [
        {
            "owner": "DOCS",
            "name": "DOCUMENTS",
            "rows_source": 1234,
            "rows_target": 1234,
            "lobs": [{"count": 1000}, {"count": 34}],
            "verdict": "equal",
        }
    ],
    "masking": [{"columns": ["BODY", "AUTHOR"]}, {"columns": []}],
    "expectations": {"successful": 7, "evaluated": 8},
}


def printed(report: dict[str, object], folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(settings, "REPORTS", folder)
    (folder / "latest").mkdir()
    (folder / "latest" / "report.json").write_text(json.dumps(report))
    return refresh.summary(None)  # type: ignore[arg-type]


def test_a_published_refresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(REPORT, tmp_path, monkeypatch)
    head, jobs, job, tables, table, masked, path = filter(None, capsys.readouterr().out.splitlines())
    assert head == "demo: published at SCN 4711 in 60 s"
    assert " ".join(jobs.split()) == "job scheme rows MB export s stage s load s"
    assert job.split() == ["DOCS.DOCUMENTS", "rowid_range", "1,234", "2.5", "1.2", "0.5", "2.0"]
    assert tables.index("rows source") + len("rows source") == table.index("1,234") + len("1,234")
    assert table.split() == ["DOCS.DOCUMENTS", "1,234", "1,234", "1,034", "equal"]
    assert masked.strip() == "masked 2 columns of 1 tables; expectations 7 of 8 met"
    assert path.strip() == f"report: {tmp_path / 'latest' / 'report.html'}"


def test_one_that_was_not_published_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not printed(REPORT | {"status": "failed"}, tmp_path, monkeypatch)
