"""What is imported of what was exported, and where it goes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.definition import DataPump
from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.labs.datapump_degree import loading
from oracle_refresh.labs.datapump_degree.loading import import_specs, require_importable
from oracle_refresh.labs.datapump_degree.measure import Place, specs
from oracle_refresh.labs.datapump_degree.plan import Trial
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.sample_schema import SCHEMA
from support.planner_tables import MB, definition

SAMPLE = Sample("APP", "T", 7, 100 * MB, 200 * MB, "named")
PLACE = Place("demo", "run-1", "DUMPS", DataPump())


def test_as_many_jobs_import_into_the_throwaway_schema_without_its_lock() -> None:
    exports = specs(SAMPLE, Trial(3, 1), PLACE)
    imports = import_specs(exports, "ARRIVED", DataPump())
    assert [spec.dump_files for spec in imports] == [spec.dump_files for spec in exports]
    assert len({spec.log_file for spec in (*exports, *imports)}) == 6
    assert {spec.operation for spec in imports} == {"IMPORT"}
    assert {spec.directory for spec in imports} == {"ARRIVED"}
    assert {spec.remap_schema for spec in imports} == {(("APP", SCHEMA),)}
    # Direct path and APPEND would hold the TM lock, one job after the other.
    assert {(spec.access_method, spec.disable_append_hint) for spec in imports} == {("EXTERNAL_TABLE", True)}
    assert {spec.table_exists_action for spec in imports} == {"APPEND"}


def test_one_job_has_all_workers_and_a_file_for_each() -> None:
    (exported,) = specs(SAMPLE, Trial(64, 1, "workers"), PLACE)
    assert exported.parallel == 64
    assert exported.dump_files[0].endswith("_%U.dmp")
    assert exported.subqueries[0][1].startswith("WHERE MOD(")
    (imported,) = import_specs([exported], "ARRIVED", DataPump())
    assert (imported.parallel, imported.dump_files) == (64, exported.dump_files)
    assert (imported.access_method, imported.disable_append_hint) == (None, False)


def test_encrypted_samples_are_decrypted() -> None:
    options = DataPump(encryption_conn_id="dumps")
    exports = specs(SAMPLE, Trial(2, 1), Place("demo", "run-1", "DUMPS", options))
    assert {spec.encryption for spec in import_specs(exports, "ARRIVED", options)} == {"ALL"}


def test_rows_over_a_link_leave_nothing_to_import() -> None:
    require_importable(definition())
    with pytest.raises(PlanError, match="no dump files"):
        require_importable(definition(datapump={"transport": "network_link", "database_link": "L"}))


def test_where_the_source_is_away_jobs_end_before_their_table_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """An import that goes on would hold the table, or fill it again."""
    done: list[Any] = []
    monkeypatch.setattr(loading.job, "discard_all", lambda _, names: done.append(names))
    monkeypatch.setattr(loading, "drop_sample", lambda _: done.append("schema"))
    monkeypatch.setattr(loading, "tear_down_store", lambda *_: done.append("store"))

    class Run:
        id, target, refresh_definition = "run", None, None
        documents = SimpleNamespace(ensure=lambda: None, all=lambda _: [SimpleNamespace(job_name="CALI_1")])

        @property
        def source(self) -> Any:
            raise PlanError("the source is away")

    with pytest.raises(PlanError, match="away"):
        loading.remove_all(Run())  # type: ignore[arg-type]
    assert done == [["CALI_1"], "schema", "store"]
