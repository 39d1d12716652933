"""The folder of the reports: local, and as an object store without rename or links."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest
from airflow.sdk import ObjectStoragePath
from fsspec.implementations.memory import MemoryFileSystem

from oracle_refresh.integration import settings
from oracle_refresh.integration.report_store import DAG_FILE, ReportStore
from oracle_refresh.oracle.errors import RefreshError

DAG, RUN = "test_data_refresh", "manual__2026-01-02T03:04:05+00:00"


@pytest.fixture
def memory() -> Iterator[str]:
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]
    yield "memory://bucket/reports"
    MemoryFileSystem.store.clear()


class Bucket(MemoryFileSystem):
    """Keys without folders behind an Airflow connection, as the file system of a cloud's provider."""

    protocol = "s3"
    cachable = False
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    connections: ClassVar[list[str | None]] = []

    def mkdir(self, path: str, create_parents: bool = True, **_: Any) -> None:
        raise PermissionError(f"{path}: the key may write objects and make no buckets")

    makedirs = mkdir

    @classmethod
    def opened(cls, conn_id: str | None, storage_options: Any = None) -> Bucket:
        cls.connections.append(conn_id)
        return cls()


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr("airflow.sdk.io.fs._register_filesystems", lambda: {"s3": Bucket.opened})
    monkeypatch.setattr("airflow.sdk.io.store._STORE_CACHE", {})
    yield "s3://keeper@bucket/reports"
    Bucket.store.clear()
    Bucket.connections.clear()


@pytest.fixture(params=["path", "file", "memory", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path, memory: str) -> ReportStore:
    folder = tmp_path / "not yet" / "reports"
    if request.param == "bucket":
        return ReportStore.at(request.getfixturevalue("bucket"))
    return ReportStore.at({"path": str(folder), "file": f"file://{folder}", "memory": memory}[request.param])


def test_what_is_written_is_read_again(store: ReportStore) -> None:
    files = {"report.json": '{"ä": 1}', "report.html": b"\x00page", "docs/a/index.html": "docs"}
    address = store.write(RUN, files, DAG)
    assert address.endswith(f"reports/{RUN}")
    assert store.address(RUN, "docs/a/index.html") == f"{address}/docs/a/index.html"
    assert store.read(DAG, RUN, "report.json") == '{"ä": 1}'.encode()
    assert store.read(DAG, RUN, "report.html") == b"\x00page"
    assert store.read(DAG, RUN, "docs/a/index.html") == b"docs"
    store.write(RUN, {"report.html": "shorter"})
    assert store.read(DAG, RUN, "report.html") == b"shorter"
    assert store.read(DAG, RUN, "report.json") == '{"ä": 1}'.encode()


def test_only_the_files_of_the_dag_asked_for(store: ReportStore) -> None:
    store.write(RUN, {"report.json": "{}"})
    assert store.read(DAG, RUN, "report.json") is None  # nobody knows yet whose it is
    store.write(RUN, {}, DAG)
    store.point_latest(RUN)
    assert store.read(DAG, RUN, "report.json") == b"{}"
    assert store.read("another", RUN, "report.json") is None
    assert store.read(DAG, "another", "report.json") is None
    assert store.read(DAG, RUN, "docs") is None
    store.write(RUN, {"docs/x": ""})
    assert store.read(DAG, RUN, "docs") is None  # a folder
    assert store.read(DAG, RUN, "report.json/x") is None


def test_runs_of_two_dags_with_one_id_do_not_mix(store: ReportStore) -> None:
    """Airflow names a scheduled run by its time: two DAGs of one schedule have runs of the same id."""
    for dag in (DAG, "another"):
        for name in ("plan.txt", "report.json"):
            store.write(RUN, {name: f"{name} of {dag}"}, dag)
    for dag in (DAG, "another"):
        for name in ("plan.txt", "report.json"):
            assert store.read(dag, RUN, name) == f"{name} of {dag}".encode()
    assert store.address(RUN, "report.json", DAG).endswith(f"{RUN}/report.json")
    assert store.address(RUN, "report.json", "another").endswith(f"{RUN}.another/report.json")
    assert store.read("a third", RUN, "report.json") is None


def test_two_dags_that_come_at_the_same_moment(tmp_path: Path) -> None:
    store, both = ReportStore.at(str(tmp_path)), threading.Barrier(2)

    def write(dag: str) -> None:
        both.wait()
        store.write(RUN, {"plan.txt": dag}, dag)
        store.write(RUN, {"report.json": dag}, dag)

    for _ in range(20):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(write, (DAG, "another")))
        for dag in (DAG, "another"):
            assert [store.read(dag, RUN, name) for name in ("plan.txt", "report.json")] == [dag.encode()] * 2
        for folder in list(tmp_path.iterdir()):
            shutil.rmtree(folder)


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    """A task that was given up and its next try, in containers even with the same process id."""
    store, texts, both = (
        ReportStore.at(str(tmp_path)),
        ["a" * 3_000_000, "b" * 2_000_000],
        threading.Barrier(2),
    )

    def write(text: str) -> None:
        both.wait()
        for _ in range(10):
            store.write(RUN, {"report.html": text}, DAG)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, texts))
    assert (store.read(DAG, RUN, "report.html") or b"").decode() in texts
    assert sorted(path.name for path in (tmp_path / RUN).iterdir()) == [DAG_FILE, "report.html"]


def test_a_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr("oracle_refresh.integration.report_store.os.link", refused)
    store = ReportStore.at(str(tmp_path))
    store.write(RUN, {"report.json": "{}"}, DAG)
    assert store.read(DAG, RUN, "report.json") == b"{}"
    assert sorted(path.name for path in (tmp_path / RUN).iterdir()) == [DAG_FILE, "report.json"]


def test_the_files_of_a_folder(store: ReportStore) -> None:
    assert store.names(DAG, RUN, "tries") == []
    store.write(RUN, {"tries/b.json": "", "tries/a.json": "", "report.json": ""}, DAG)
    assert store.names(DAG, RUN, "tries") == ["tries/a.json", "tries/b.json"]
    assert store.names("another", RUN, "tries") == store.names(DAG, RUN, "docs") == []
    with pytest.raises(RefreshError, match="no folder name"):
        store.names(DAG, "..", "tries")


NO_RUNS = ["", ".", "..", "../x", "a/b", "/etc", "latest", "a\0b", "..\\x", ".hidden"]
NO_NAMES = ["..", "../x", "docs/../../x", "/etc/passwd", "docs//x", "a\0b", ".hidden"]


@pytest.mark.parametrize("run", NO_RUNS)
def test_run_ids_that_are_no_folder_names(store: ReportStore, run: str) -> None:
    for refused in (
        lambda: store.write(run, {"report.json": ""}),
        lambda: store.point_latest(run),
        lambda: store.address(run),
    ):
        with pytest.raises(RefreshError, match="no folder name"):
            refused()
    assert store.read(DAG, run, "report.json") is None


@pytest.mark.parametrize("name", NO_NAMES)
def test_names_that_could_lead_elsewhere(store: ReportStore, name: str) -> None:
    with pytest.raises(RefreshError, match="no name of a report's file"):
        store.write(RUN, {"report.json": "", name: ""}, DAG)
    assert store.read(DAG, RUN, "report.json") is None  # nothing is written when one name is wrong
    store.write(RUN, {}, DAG)
    assert store.read(DAG, RUN, name) is None


def test_latest_is_a_link_where_there_are_links(tmp_path: Path) -> None:
    store = ReportStore.at(str(tmp_path))
    for run in ("first", RUN):
        store.write(run, {"report.json": run}, DAG)
        store.point_latest(run)
    assert (tmp_path / "latest").readlink() == Path(RUN)
    assert (tmp_path / "latest" / "report.json").read_text() == RUN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "latest", RUN]
    assert sorted(path.name for path in (tmp_path / RUN).iterdir()) == [DAG_FILE, "report.json"]


def test_latest_in_an_object_store(memory: str) -> None:
    store = ReportStore.at(memory)
    store.point_latest("first")
    store.point_latest(RUN)
    assert ObjectStoragePath(memory).joinpath("latest").read_text() == RUN


def test_a_bucket_behind_a_connection(bucket: str) -> None:
    store = ReportStore.at(bucket)
    store.write(RUN, {"report.json": "{}", "docs/index.html": "docs"}, DAG)
    store.point_latest(RUN)
    assert set(Bucket.connections) == {"keeper"}
    names = (DAG_FILE, "report.json", "docs/index.html")
    assert list(Bucket.store) == [
        *(f"/bucket/reports/{RUN}/{name}" for name in names),
        "/bucket/reports/latest",
    ]


def test_a_link_to_another_run_gives_nothing_away(tmp_path: Path) -> None:
    store = ReportStore.at(str(tmp_path))
    store.write(RUN, {"report.json": "{}"}, DAG)
    (tmp_path / "alias").symlink_to(RUN)
    assert store.read(DAG, "alias", "report.json") is None


def test_readers_never_see_half_a_file(tmp_path: Path) -> None:
    store, texts = ReportStore.at(str(tmp_path)), [character * 2_000_000 for character in "ab"]
    store.write(RUN, {"report.html": texts[0]}, DAG)
    done = threading.Event()

    def rewrite() -> None:
        try:
            for number in range(20):
                store.write(RUN, {"report.html": texts[number % 2]})
        finally:
            done.set()

    writer = threading.Thread(target=rewrite)
    writer.start()
    seen, over = set(), False
    while not over:
        over = done.is_set()
        content = store.read(DAG, RUN, "report.html")
        assert content is not None
        seen.add((len(content), content[:1] == content[-1:]))
    writer.join()
    assert seen == {(2_000_000, True)}


@pytest.mark.parametrize(
    ("url", "word"), [("s3://keeper@bucket/reports", "s3fs"), ("nosuch://x/y", "nosuch")]
)
def test_stores_that_cannot_be_opened(url: str, word: str) -> None:
    with pytest.raises(RefreshError, match="cannot be used") as caught:
        ReportStore.at(url).write(RUN, {"report.json": ""})
    assert word in str(caught.value)
    assert "report_directory" in str(caught.value.remedy)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = ReportStore.at(str(tmp_path / "file"))
    with pytest.raises(RefreshError, match="cannot be used"):
        store.write(RUN, {"report.json": ""})
    assert store.read(DAG, RUN, "report.json") is None


def test_the_option_is_a_path_or_a_url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, memory: str) -> None:
    for url, address in ((str(tmp_path), f"{tmp_path}/{RUN}"), (memory, f"{memory}/{RUN}")):
        monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", url)
        assert settings.report_directory().address(RUN) == address
