"""DAGs of definition files, as Airflow's DAG processor finds, stores and schedules them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import structlog
from airflow import settings as airflow_settings
from airflow.dag_processing.collection import update_dag_parsing_results_in_db
from airflow.dag_processing.dagbag import BundleDagBag
from airflow.dag_processing.processor import DagFileParseRequest, DagFileParsingResult, _parse_file
from airflow.models import import_all_models
from airflow.models.base import Base
from airflow.models.dag import DagModel
from airflow.models.dagbundle import DagBundleModel
from airflow.models.errors import ParseImportError
from airflow.models.serialized_dag import SerializedDagModel
from airflow.utils.session import create_session
from airflow.utils.types import DagRunType
from sqlalchemy import delete, select

from oracle_refresh.bundle import refresh_dag

BUNDLE = "of_definitions"
TEXT = """\
name: {name}
source: {{conn_id: prod}}
target: {{conn_id: test_{name}}}
schemas: [APP]
staging: {{source_directory: DUMPS, store: FS, mount: /FS, target_directory: STAGE}}
masking: {{ruleset: rules.yaml, key_conn_id: key}}
"""
FILES = {
    name: f'"""A DAG file of airflow"""\nfrom oracle_refresh.bundle import {made}\n{made}("{path}")\n'
    for name, made, path in (
        ("all.py", "refresh_dags", "refreshes"),
        ("check.py", "check_definitions", "refreshes"),
        ("one.py", "refresh_dag", "refreshes/crm.yaml"),
    )
}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundle with `dags/all.py` and `dags/check.py`, and definitions beside, of which two load."""
    (tmp_path / "dags").mkdir()
    (tmp_path / "refreshes").mkdir()
    for name in ("all.py", "check.py"):
        (tmp_path / "dags" / name).write_text(FILES[name])
    for name in ("crm", "hr"):
        define(tmp_path, name)
    return tmp_path


def define(bundle: Path, name: str, more: str = "", file: str | None = None) -> Path:
    path = bundle / "refreshes" / f"{file or name}.yaml"
    path.write_text(TEXT.format(name=name) + more)
    return path


def parse(bundle: Path, name: str) -> DagFileParsingResult:
    """What a process of the DAG processor tells of a file."""
    request = DagFileParseRequest(
        file=str(bundle / "dags" / name), bundle_path=bundle, bundle_name=BUNDLE, callback_requests=[]
    )
    told = _parse_file(request, structlog.get_logger())
    assert told is not None
    return told


def dag_ids(told: DagFileParsingResult) -> list[str]:
    return sorted(dag.dag_id for dag in told.serialized_dags)


def test_each_definition_of_a_folder_has_a_dag(bundle: Path) -> None:
    define(bundle, "erp", "dag: {id: erp.nightly, schedule: '0 2 * * *'}\n")
    define(bundle, "by_form_only", "dag: false\n")
    told = parse(bundle, "all.py")
    assert (dag_ids(told), told.import_errors) == (["crm", "erp.nightly", "hr"], {})
    checked = parse(bundle, "check.py")
    assert (checked.serialized_dags, checked.import_errors) == ([], {})


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (TEXT.format(name="bad") + "degre: 3\n", "line 7: degre: no such field, did you mean degree?"),
        (
            TEXT.format(name="bad") + "dag:\n  schedule: at night\n",
            "line 8: dag.schedule: 'at night' is no cron",
        ),
        (TEXT.format(name="bad") + "dag: {timetable: {path: no.Such}}\n", "dag.timetable: no.Such"),
        (
            TEXT.format(name="bad") + "dag: {deadline_minutes: 5}\n",
            "dag.deadline_minutes: nobody would be told",
        ),
        (TEXT.format(name="masking_benchmark"), "dag.id: masking_benchmark is another DAG of this"),
        ("name: [", "line 2: not valid YAML"),
        ("", "a mapping of fields is expected"),
        ("- a list", "a mapping of fields is expected"),
        (b"\xff\xfe", "cannot be read: it is not UTF-8 text"),
        ("name: &a [*a]\n" + "[" * 5000, "bad.yaml"),
        (None, "cannot be read: Is a directory"),
    ],
)
def test_one_that_does_not_load_is_shown_and_hurts_no_other(
    bundle: Path, content: str | bytes | None, complaint: str
) -> None:
    bad = bundle / "refreshes" / "bad.yaml"
    if content is None:
        bad.mkdir()
    else:
        bad.write_bytes(content.encode() if isinstance(content, str) else content)
    told = parse(bundle, "all.py")
    assert (dag_ids(told), told.import_errors) == (["crm", "hr"], {})
    checked = parse(bundle, "check.py")
    assert checked.serialized_dags == []
    (error,) = checked.import_errors.values()
    assert list(checked.import_errors) == ["dags/check.py"]
    assert str(bad) in error
    assert complaint in error
    assert "crm.yaml" not in error


def test_two_of_one_id_have_no_dag(bundle: Path) -> None:
    """Which target its schedule refreshes would be a matter of the order of the files."""
    copy = define(bundle, "crm", file="a_copy")
    assert dag_ids(parse(bundle, "all.py")) == ["hr"]
    (error,) = parse(bundle, "check.py").import_errors.values()
    assert f"{copy}, {bundle / 'refreshes' / 'crm.yaml'}: dag.id: all of them name the DAG crm" in error


def test_every_definition_that_does_not_load_is_named(bundle: Path) -> None:
    for name in ("first", "second"):
        define(bundle, name, "degree: 0\n")
    (error,) = parse(bundle, "check.py").import_errors.values()
    assert "2 without a DAG" in error
    for name in ("first", "second"):
        assert f"{name}.yaml: line 7: degree: Input should be greater than or equal to 1" in error


def test_it_is_logged_where_there_is_no_other_file(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    define(bundle, "bad", "degree: 0\n")
    with caplog.at_level(logging.ERROR, "oracle_refresh.bundle.files"):
        parse(bundle, "all.py")
    assert "bad.yaml: line 7: degree" in caplog.text


def store(bundle: Path) -> None:
    """Parse both files, and let Airflow take down what it has found."""
    for name in ("all.py", "check.py"):
        told = parse(bundle, name)
        with create_session() as session:
            update_dag_parsing_results_in_db(
                bundle_name=BUNDLE,
                bundle_version=None,
                dags=told.serialized_dags,
                import_errors={(BUNDLE, file): text for file, text in (told.import_errors or {}).items()},
                parse_duration=1.0,
                warnings=set(),
                session=session,
                files_parsed={(BUNDLE, f"dags/{name}")},
            )


@pytest.fixture
def stored_bundle(bundle: Path) -> Path:
    """The same, in a database of Airflow that knows of it."""
    import_all_models()
    Base.metadata.create_all(airflow_settings.get_engine())
    with create_session() as session:
        session.execute(delete(ParseImportError).where(ParseImportError.bundle_name == BUNDLE))
        if session.get(DagBundleModel, BUNDLE) is None:
            session.add(DagBundleModel(name=BUNDLE))
    return bundle


def test_the_scheduler_names_runs_of_two_dags_with_one_cron_otherwise(stored_bundle: Path) -> None:
    for name in ("crm", "hr"):
        define(stored_bundle, name, "dag: {schedule: '0 2 * * *'}\n")
    store(stored_bundle)
    ids = []
    for name in ("crm", "hr"):
        with create_session() as session:
            dag = SerializedDagModel.get_dag(name, session=session)
            model = session.get(DagModel, name)
            assert dag is not None
            assert model is not None
            due = dag.timetable.next_run_info_from_dag_model(dag_model=model)
            assert due is not None
            run = {"run_after": due.run_after, "data_interval": due.data_interval, "partition_key": None}
            ids.append(dag.timetable.generate_run_id(run_type=DagRunType.SCHEDULED, **run))
    crm, hr = ids
    assert crm.endswith(":00__crm")
    assert crm.removesuffix("crm") == hr.removesuffix("hr"), "they are due at one time"


def test_the_others_are_scheduled_on_when_one_breaks(stored_bundle: Path) -> None:
    bundle = stored_bundle

    def stored() -> tuple[dict[str, tuple[bool, bool]], list[str]]:
        with create_session() as session:
            dags = session.scalars(select(DagModel).where(DagModel.bundle_name == BUNDLE))
            states = {dag.dag_id: (dag.is_stale, dag.has_import_errors) for dag in dags}
            errors = select(ParseImportError.stacktrace).where(ParseImportError.bundle_name == BUNDLE)
            return states, [str(text) for text in session.scalars(errors)]

    store(bundle)
    good = {"crm": (False, False), "hr": (False, False)}
    assert stored() == (good, [])
    define(bundle, "hr", "degree: 0\n")
    store(bundle)
    states, (error,) = stored()
    # Airflow calls a DAG stale, which its file no longer makes, after a while (`stale_dag_threshold`).
    assert states["crm"] == (False, False)
    assert "hr.yaml: line 7: degree" in error
    define(bundle, "hr")
    store(bundle)
    assert stored() == (good, [])


def test_the_process_of_a_task_makes_its_dag_only(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    define(bundle, "erp", "dag: {id: nightly}\n")
    define(bundle, "bad", "degree: 0  # not of nightly\n")
    (bundle / "refreshes" / "folder.yaml").mkdir()
    for wanted in ("nightly", "crm"):
        monkeypatch.setenv("_AIRFLOW_PARSING_CONTEXT_DAG_ID", wanted)
        assert dag_ids(parse(bundle, "all.py")) == [wanted]


def test_an_id_that_yaml_writes_otherwise_is_found(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    define(bundle, "erp", 'dag: {id: "night\\x6cy"}\n')
    monkeypatch.setenv("_AIRFLOW_PARSING_CONTEXT_DAG_ID", "nightly")
    assert dag_ids(parse(bundle, "all.py")) == ["nightly"]


def test_a_file_of_its_own_fails_by_itself(bundle: Path) -> None:
    (bundle / "dags" / "one.py").write_text(FILES["one.py"])
    told = parse(bundle, "one.py")
    assert (dag_ids(told), told.import_errors) == (["crm"], {})
    define(bundle, "crm", "degree: 0\n")
    told = parse(bundle, "one.py")
    assert told.serialized_dags == []
    assert "crm.yaml: line 7: degree" in told.import_errors["dags/one.py"]
    define(bundle, "crm", "dag: false\n")
    assert "the definition says dag: false" in parse(bundle, "one.py").import_errors["dags/one.py"]


def test_a_relative_path_is_found_from_the_nearest_folder_on(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bundle / "dags" / "one.py").write_text(FILES["one.py"])
    near = bundle / "dags" / "refreshes"
    near.mkdir()
    (near / "crm.yaml").write_text(TEXT.format(name="near"))
    monkeypatch.chdir("/")
    assert dag_ids(parse(bundle, "one.py")) == ["near"]
    assert refresh_dag(define(bundle, "absolute")).dag_id == "absolute"


def test_a_path_that_is_not_there_is_named(bundle: Path) -> None:
    (bundle / "dags" / "one.py").write_text(FILES["one.py"].replace("crm", "nothing"))
    assert (
        "refreshes/nothing.yaml: is neither in the folder of the DAG file nor in one above"
        in (parse(bundle, "one.py").import_errors["dags/one.py"])
    )


def test_without_a_folder_it_is_the_configured_one(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("all.py", "check.py"):
        (bundle / "dags" / name).write_text(FILES[name].replace('"refreshes"', ""))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY", str(bundle / "refreshes"))
    assert dag_ids(parse(bundle, "all.py")) == ["crm", "hr"]
    assert parse(bundle, "check.py").import_errors == {}
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY", str(bundle / "nowhere"))
    assert dag_ids(parse(bundle, "all.py")) == []
    assert "nowhere: no such folder" in parse(bundle, "check.py").import_errors["dags/check.py"]


def test_airflow_takes_the_files_for_dag_files(bundle: Path) -> None:
    """Those without the words `dag` and `airflow` are not read."""
    (bundle / "dags" / "one.py").write_text(FILES["one.py"].replace("crm", "hr"))
    bag = BundleDagBag(dag_folder=str(bundle / "dags"), bundle_path=bundle, bundle_name=BUNDLE)
    assert len(bag.dagbag_stats) == 3
