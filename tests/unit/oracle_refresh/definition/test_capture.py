"""The section `capture` of a definition: names, what is set, and what no section may say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.definition import Capture, CloneDefinition, RefreshDefinition, load_target_definition
from oracle_refresh.oracle.errors import PreflightError

REFRESH = """\
name: nightly
source: {conn_id: prod}
target: {conn_id: test}
schemas: [app]
staging: {source_directory: DUMPS, store: FS, mount: /FS, target_directory: STAGE}
masking: {ruleset: rules.yaml, key_conn_id: key}
"""
CLONE = """\
name: clone
target: {conn_id: test}
database: CLONE
schemas: [app]
masking: {ruleset: rules.yaml, key_conn_id: key}
"""


def load(folder: Path, text: str) -> Any:
    path = folder / "any.yaml"
    path.write_text(text)
    return load_target_definition(path)


def test_names_are_read_as_oracle_reads_them_and_values_are_texts(tmp_path: Path) -> None:
    section = "capture: {apply_name: apply_sales, parameters: {apply: {parallelism: 8, batchsql_mode: seq}}}"
    found = load(tmp_path, REFRESH + section)
    assert isinstance(found, RefreshDefinition)
    capture = found.capture
    assert capture is not None
    assert capture.names == {"apply_name": "APPLY_SALES", "capture_name": None}
    assert capture.given == {"apply.PARALLELISM": "8", "apply.BATCHSQL_MODE": "seq"}
    assert (capture.end, capture.seconds, capture.recommended) == ("target", 60, False)
    assert RefreshDefinition.from_json(found.to_json()) == found


def test_without_the_section_there_is_none(tmp_path: Path) -> None:
    assert load(tmp_path, REFRESH).capture is None


def test_a_source_is_diagnosed_only(tmp_path: Path) -> None:
    section = "capture: {end: source, capture_name: '\"Cap$1\"', seconds: 5}"
    capture = load(tmp_path, REFRESH + section).capture
    assert capture == Capture(end="source", capture_name='"Cap$1"', seconds=5)
    assert capture.names["capture_name"] == "Cap$1"


def test_a_clone_s_processes_are_its_own(tmp_path: Path) -> None:
    found = load(tmp_path, CLONE + "capture: {capture_name: CAP, recommended: true}")
    assert isinstance(found, CloneDefinition)
    assert CloneDefinition.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (REFRESH + "capture: {}", "name an apply_name, a capture_name, or both"),
        (REFRESH + "capture: {seconds: 5}", "name an apply_name, a capture_name, or both"),
        (REFRESH + "capture: {end: source, apply_name: A, recommended: true}", "the source is only read"),
        (
            REFRESH + "capture: {end: source, capture_name: C, parameters: {capture: {parallelism: 2}}}",
            "the source is only read",
        ),
        (CLONE + "capture: {end: source, capture_name: C}", "there is no source"),
        (REFRESH + "capture: {end: both, apply_name: A}", "source"),
        (REFRESH + "capture: {apply_name: A, seconds: 0}", "seconds"),
        (REFRESH + "capture: {apply_name: A, seconds: 3601}", "seconds"),
        (REFRESH + "capture: {apply_name: 'A B'}", "apply_name"),
        (REFRESH + "capture: {apply_name: A, parameters: {apply: {_hidden: 1}}}", "_hidden"),
        (
            REFRESH + "capture: {apply_name: A, parameters: {apply: {disable_on_error: no}}}",
            "quotation marks",
        ),
        (REFRESH + "capture: {apply_name: A, parameters: {apply: {parallelism: ''}}}", "parallelism"),
        (REFRESH + "capture: {apply_name: A, parameters: {system: {streams_pool_size: 1}}}", "system"),
        (REFRESH + "capture: {apply_name: A, approved: true}", "approved"),
    ],
)
def test_what_a_section_cannot_say(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PreflightError, match=message):
        load(tmp_path, text)
