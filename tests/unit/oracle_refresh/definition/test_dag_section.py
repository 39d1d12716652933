"""The section `dag:` of a definition: what it takes, and what it refuses by line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.definition.dag_section import DagSection, OwnTimetable
from oracle_refresh.oracle.errors import PreflightError

TEXT = """\
name: nightly
source: {conn_id: prod}
target: {conn_id: test}
schemas: [app]
staging: {source_directory: DUMPS, store: FS, mount: /FS, target_directory: STAGE}
masking: {ruleset: rules.yaml, key_conn_id: key}
"""


def load(folder: Path, section: str) -> RefreshDefinition:
    path = folder / "nightly.yaml"
    path.write_text(TEXT + section)
    return load_definition(path)


@pytest.mark.parametrize("section", ["", "dag:\n", "dag: {}\n"])
def test_without_a_word_there_is_a_dag_that_runs_by_hand(tmp_path: Path, section: str) -> None:
    definition = load(tmp_path, section)
    assert definition.dag == DagSection()
    assert RefreshDefinition.from_json(definition.to_json()) == definition


def test_there_is_none_where_it_says_false(tmp_path: Path) -> None:
    definition = load(tmp_path, "dag: false\n")
    assert definition.dag is None
    assert RefreshDefinition.from_json(definition.to_json()) == definition


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    definition = load(
        tmp_path,
        """\
dag:
  id: crm.nightly
  description: The CRM's test database
  schedule: "0 2 * * 1-5"
  timezone: Europe/Berlin
  owner: crm team
  tags: [crm, nightly]
  pools: {source: crm_source}
  approvals: [publish, target]
  reason: Tests of the week
  notify_conn_id: chat
  deadline_minutes: 240
""",
    )
    section = definition.dag
    assert section is not None
    assert (section.id, section.schedule, section.timezone) == ("crm.nightly", "0 2 * * 1-5", "Europe/Berlin")
    assert (section.pools.source, section.pools.target) == ("crm_source", None)
    assert section.approvals == ("publish", "target")
    assert section.deadline_minutes == 240
    assert RefreshDefinition.from_json(definition.to_json()) == definition


@pytest.mark.parametrize(
    "schedule",
    [
        "@daily",
        "@once",
        "@continuous",
        "*/5 * * * *",
        "0 2 1 * MON",
        "0 2 * MAR,APR FRI",
        "0 2 29 2 *",
        "0 2 L * *",
    ],
)
def test_schedules(tmp_path: Path, schedule: str) -> None:
    definition = load(tmp_path, f"dag:\n  schedule: '{schedule}'\n")
    assert definition.dag is not None
    assert definition.dag.schedule == schedule


def test_what_starts_a_run_besides(tmp_path: Path) -> None:
    by_assets = load(tmp_path, "dag: {assets: [oracle-refresh://crm, orders], assets_needed: any}\n").dag
    assert by_assets is not None
    assert (by_assets.assets, by_assets.assets_needed) == (("oracle-refresh://crm", "orders"), "any")
    own = load(tmp_path, "dag: {timetable: {path: company.times.Nights, arguments: {hour: 2}}}\n").dag
    assert own is not None
    assert own.timetable == OwnTimetable(path="company.times.Nights", arguments={"hour": 2})


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ("dag: true\n", "line 7: dag: false, or a mapping of fields, is expected"),
        ("dag: nightly\n", "line 7: dag: Input should be a valid dictionary"),
        ("dag:\n  id: two words\n", "line 8: dag.id: String should match"),
        (f"dag: {{id: {'x' * 191}}}\n", "dag.id: String should match"),
        ("dag:\n  shedule: '@daily'\n", "line 8: dag.shedule: no such field, did you mean schedule?"),
        ("dag:\n  owner: me\n  schedule: 61 * * * *\n", "line 9: dag.schedule: '61 * * * *' is no cron"),
        ("dag: {schedule: ''}\n", "dag.schedule: '' is no cron expression"),
        ("dag: {schedule: every night}\n", "dag.schedule: 'every night' is no cron expression"),
        (
            "dag: {schedule: '@nightly'}\n",
            "dag.schedule: no such preset; possible are @annually, @continuous",
        ),
        ("dag: {schedule: 0 0 30 2 *}\n", "dag.schedule: '0 0 30 2 *' never comes: no month of these"),
        ("dag: {schedule: '0 0 31 4,6 *'}\n", "dag.schedule: '0 0 31 4,6 *' never comes"),
        ("dag: {schedule: 0 2 * * * 0 2020}\n", "dag.schedule: '0 2 * * * 0 2020' has 7 fields; five are"),
        ("dag: {schedule: 0 2 * * * 30}\n", "dag.schedule: '0 2 * * * 30' has 6 fields; five are minute"),
        ("dag: {schedule: R 2 * * *}\n", "dag.schedule: 'R 2 * * *' would draw a time anew"),
        ("dag: {schedule: 0 r(1-5) * * *}\n", "dag.schedule: '0 r(1-5) * * *' would draw a time anew"),
        ("dag: {schedule: H 2 * * *}\n", "dag.schedule: 'H 2 * * *' is no cron expression"),
        ("dag: {schedule: 5}\n", "dag.schedule: Input should be a valid string"),
        ("dag: {schedule: '@daily', assets: [a]}\n", "only one of schedule and assets can say when it runs"),
        ("dag: {assets: [a], timetable: {path: a.B}}\n", "only one of assets and timetable"),
        ("dag: {assets: [a, a]}\n", "dag.assets: named more than once: a"),
        ("dag: {assets_needed: both}\n", "dag.assets_needed: Input should be 'all' or 'any'"),
        ("dag: {timezone: Europe/Berlin}\n", "timezone is that of a cron expression, and schedule has none"),
        ("dag: {timezone: UTC, schedule: '@once'}\n", "timezone is that of a cron expression"),
        ("dag: {timezone: Europe/Nowhere, schedule: '@daily'}\n", "no time zone 'Europe/Nowhere' is known"),
        ("dag: {timezone: ../etc, schedule: '@daily'}\n", "dag.timezone: '../etc' is no time zone"),
        ("dag: {timezone: Europe, schedule: '@daily'}\n", "dag.timezone: 'Europe' is no time zone"),
        ("dag: {timetable: {path: Nights}}\n", "dag.timetable.path: String should match"),
        ("dag: {timetable: {arguments: {}}}\n", "dag.timetable.path: this field is missing"),
        ("dag: {tags: ['']}\n", "dag.tags.0: String should have at least 1 character"),
        (f"dag: {{tags: [{'x' * 101}]}}\n", "dag.tags.0: String should have at most 100 characters"),
        ("dag: {pools: {both: p}}\n", "dag.pools.both: no such field; possible are source, target"),
        ("dag: {approvals: [export]}\n", "dag.approvals.0: Input should be 'target' or 'publish'"),
        ("dag: {approvals: [target, target]}\n", "dag.approvals: named more than once: target"),
        ("dag: {reason: '  '}\n", "dag.reason: String should have at least 1 character"),
        ("dag: {deadline_minutes: 0}\n", "dag.deadline_minutes: Input should be greater than 0"),
    ],
)
def test_what_is_wrong_is_named_by_line_and_field(tmp_path: Path, section: str, complaint: str) -> None:
    with pytest.raises(PreflightError) as refused:
        load(tmp_path, section)
    assert complaint in str(refused.value)
    assert "line " in str(refused.value)
