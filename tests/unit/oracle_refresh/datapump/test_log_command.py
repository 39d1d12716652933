"""`python -m oracle_refresh.datapump.log`: logs of all releases against their meaning, and any other file."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_refresh.datapump import log as command
from oracle_refresh.datapump.log import as_json
from oracle_refresh.datapump.logencoding import decoded
from oracle_refresh.datapump.logfile import DataPumpLog, parse_log
from oracle_refresh.datapump.loglines import STAMP, month, quantity, stamped

LOGS = sorted((Path(__file__).parent / "logs").glob("*.log"))
TEXTS = [path.read_text(encoding="utf-8") for path in LOGS]
LINES = [line for text in TEXTS for line in text.splitlines()]
KEYS = (
    *("operation", "version", "job", "started", "ended", "elapsed_seconds", "outcome", "error_count"),
    *("objects", "errors", "object_types", "unparsed"),
)


def meaning(text: str) -> dict[str, object]:
    return as_json(parse_log(text))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_logs_mean_what_lies_beside_them(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert meaning(path.read_text(encoding="utf-8")) == expected
    assert tuple(expected) == KEYS


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_line_ends_indentation_and_encoding_change_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected = meaning(text)
    assert meaning(decoded(text.replace("\n", "\r\n").encode("utf-8-sig"))) == expected
    assert meaning(decoded(text.encode("utf-16"))) == expected
    indented = meaning("".join(f"    {line}\n" for line in text.splitlines()))
    del indented["unparsed"], expected["unparsed"]
    assert indented == expected


@pytest.mark.parametrize("path", [p for p in LOGS if "chinese" in p.stem or "japanese" in p.stem])
def test_rows_are_read_in_an_encoding_that_is_wrong(path: Path) -> None:
    """The words become rubbish, names and numbers do not."""
    encoding = "gb18030" if "chinese" in path.stem else "shift-jis"
    text = path.read_text(encoding="utf-8")
    found = meaning(text.encode(encoding).decode("latin-1"))
    assert found["objects"] == meaning(text)["objects"]
    assert found["elapsed_seconds"] == meaning(text)["elapsed_seconds"]
    assert found["outcome"] == "unfinished"  # how the job ended is not guessed


def test_without_logtime_and_metrics_the_rest_is_the_same() -> None:
    path = next(path for path in LOGS if path.stem == "export_snapshot_too_old")
    text = path.read_text(encoding="utf-8")
    bare = "\n".join(STAMP.sub("", line) for line in text.splitlines())
    assert meaning(bare) == meaning(text)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "oracle_refresh.datapump.log", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=600)


def test_the_command_prints_json() -> None:
    done = run(str(LOGS[0]))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(LOGS[0].with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-"], "standard input is not read"),
        (["/nonexistent/x.log"], "/nonexistent/x.log cannot be read: No such file"),
        (["/tmp"], "/tmp cannot be read: Is a directory"),
        ([str(LOGS[0]), "--encoding", "klingon"], "there is no encoding klingon"),
        ([], "the following arguments are required: FILE"),
    ],
)
def test_what_cannot_be_read_is_said(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main(arguments)
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err


def test_binary_rubbish_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "core"
    path.write_bytes(b"\x00\xff\xfe\x80" * 100 + b"\nJob \xc3\x28\n. . exported \x85\n")
    assert command.main([str(path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["outcome"] == "unfinished"
    assert len(found["unparsed"]) == 3


def test_endless_lines_are_kept_at_once() -> None:
    lines = [". . " + " " * 1_000_000 + '"', '"a"."b" ' * 200_000, "Job " * 300_000, ". . exported " * 700]
    assert len(parse_log("\n".join(lines)).unparsed) == len(lines)


@given(st.text())
def test_any_text_is_read_and_kept(text: str) -> None:
    found = parse_log(text)
    assert isinstance(found, DataPumpLog)
    json.dumps(as_json(found))


@given(st.sampled_from(TEXTS), st.floats(0, 1))
def test_a_cut_log_is_read(text: str, part: float) -> None:
    found = parse_log(text[: int(len(text) * part)])
    json.dumps(as_json(found))
    assert len(found.rows) <= len(parse_log(text).rows)


@settings(max_examples=60)
@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=60)), max_size=40))
def test_lines_of_all_logs_in_any_order_are_read(lines: list[str]) -> None:
    json.dumps(as_json(parse_log("\n".join(lines))))


@settings(max_examples=40)
@given(
    st.sampled_from(TEXTS),
    st.text("abcdefghijklmnopqrstuvwxyzäßéñ .(){}", min_size=1, max_size=30),
    st.integers(0, 60),
)
def test_a_strange_line_spoils_nothing_and_is_not_printed(text: str, strange: str, place: int) -> None:
    strange = f"zz{strange}zz"  # like no line of any log
    lines = text.splitlines()
    lines.insert(min(place, len(lines)), strange)
    found, expected = parse_log("\n".join(lines)), parse_log(text)
    assert strange not in json.dumps(as_json(found), ensure_ascii=False)
    assert (found.rows, found.ending, found.codes) == (expected.rows, expected.ending, expected.codes)


@given(st.text(max_size=200))
def test_a_row_line_with_any_tail_keeps_its_numbers(tail: str) -> None:
    line = '. . exported "A"."B"   1.5 KB      12 rows' + tail.split("\n")[0].split("\r")[0]
    assert parse_log(line).table_rows() == {("A", "B"): 12}


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("29-APR-25 13:01:32.479: ", datetime(2025, 4, 29, 13, 1, 32, 479000)),
        ("09-MÄR-24 01:02:03.5: ", datetime(2024, 3, 9, 1, 2, 3, 500000)),
        ("29-4月 -25 13:01:32.479: ", datetime(2025, 4, 29, 13, 1, 32, 479000)),
        ("29-AVR.-25 13:01:32,479: ", datetime(2025, 4, 29, 13, 1, 32, 479000)),
        ("01-DIC-2023 12:00:00.000000 AM: ", datetime(2023, 12, 1)),
        ("31-FEB-25 13:01:32.479: ", None),
        ("29-XYZ-25 13:01:32.479: ", None),
    ],
)
def test_timestamps_in_several_languages(stamp: str, moment: datetime | None) -> None:
    match = STAMP.match(stamp + "W-1 Startup took 0 seconds")
    assert match is not None
    assert stamped(match) == moment
    assert match.end() == len(stamp)


@pytest.mark.parametrize(
    ("text", "value"),
    [("4.335", 4.335), ("4,335", 4.335), ("1.234,5", 1234.5), ("1,234.5", 1234.5), ("1,234,567", 1234567)],
)
def test_sizes_with_points_and_commas(text: str, value: float) -> None:
    assert quantity(text) == value


def test_months_that_are_none() -> None:
    assert [month(name) for name in ("13", "0", "sun", "")] == [None] * 4
