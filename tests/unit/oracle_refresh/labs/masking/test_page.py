"""The page says what was measured, what was not, and why; it loads nothing and quotes what it is given."""

from __future__ import annotations

import json

import pytest

from oracle_refresh.labs.harness.trial import Trial
from oracle_refresh.labs.masking.explain import explanations
from oracle_refresh.labs.masking.model import (
    BASELINE,
    Benchmark,
    Gain,
    Measurement,
    NotMeasured,
)
from oracle_refresh.labs.masking.page import Report, page, table, wait_rows
from oracle_refresh.labs.masking.ratios import gains
from support.masking_trials import benchmark, measurement, measurements

SYNC = {"log file sync": 20.0, "db file sequential read": 3.0}


def found() -> list[Measurement]:
    return [
        measurement(1, BASELINE, 10.0, waits=SYNC),
        measurement(2, "commit", 8.0, waits={"log file sync": 1.0}, findings=("log switches <often>",)),
        measurement(3, BASELINE, 10.0, waits=SYNC),
    ]


def test_the_page_is_whole_and_loads_nothing() -> None:
    planned = benchmark(
        found(),
        trials=(*(one.trial for one in found()), Trial(4, 1, "redo")),
        not_measured=(
            NotMeasured("noarchivelog", "needs <SYSDBA>", ("SHUTDOWN IMMEDIATE", "STARTUP MOUNT")),
        ),
    )
    text = page(Report(planned, found())).html()
    for told in (
        *("<svg", "15 to 25 %", "30 to 35 %", "25 million rows", "log file sync", "10,000 rows per trial"),
        *("Not finished: 004 redo", "needs &lt;SYSDBA&gt;", "<pre>SHUTDOWN IMMEDIATE</pre>"),
        *("log switches &lt;often&gt;", "commit &lt;title&gt;", "before and after in NOARCHIVELOG mode"),
    ):
        assert told in text, told
    assert text.count("http-equiv") == text.count('http-equiv="Content-Security-Policy"') == 1
    for refused in ("<script", 'src="', "url(h", "@import"):
        assert refused not in text


def test_the_document_gives_everything_back() -> None:
    planned = benchmark(found())
    document = json.loads(json.dumps(Report(planned, found()).document()))
    assert Benchmark.from_json(document["benchmark"]) == planned
    assert [Measurement.from_json(one) for one in document["measurements"]] == found()
    assert tuple(Gain.from_json(one) for one in document["gains"]) == gains(found())
    assert "next to nothing" not in " ".join(document["explanations"])


def test_a_baseline_alone_has_a_page_without_a_chart() -> None:
    alone = measurements((BASELINE, 10.0))
    text = page(Report(benchmark(alone), alone)).html()
    assert "<svg" not in text


def test_waits_are_means_per_setting_longest_first() -> None:
    rows = wait_rows(found())
    assert [event for event, _ in rows] == ["log file sync", "db file sequential read"]
    assert rows[0][1] == {BASELINE: pytest.approx(20.0), "commit": pytest.approx(1.0)}


def test_where_nobody_waits_the_switch_has_nothing_to_save() -> None:
    quick = [
        measurement(1, BASELINE, 10.0, waits={"log file sync": 0.1}),
        measurement(2, "commit", 10.0, waits={"log file sync": 0.1}),
    ]
    (told,) = explanations(quick)
    assert "0.10 s of all jobs' 50.0 s" in told
    assert "next to nothing to save" in told
    assert explanations(measurements((BASELINE, 1.0), ("commit", 1.0))) == (), "no waits were read"


def test_the_table_for_the_log() -> None:
    text = table(Report(benchmark(found()), found()))
    assert "commit" in text
    assert "15 to 25 %" in text
    assert "20 %" in text
