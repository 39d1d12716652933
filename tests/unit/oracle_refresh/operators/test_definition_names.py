"""A trigger form names a definition of its folder; only the author of a DAG may write a path."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import DAG

from oracle_refresh.integration import settings
from oracle_refresh.operators.clone import CheckClone
from oracle_refresh.operators.dbfs_calibration import CheckMount
from oracle_refresh.operators.masking_benchmark import PlanTrials
from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.oracle.errors import PreflightError

INCLUDE = Path(__file__).parents[4] / "include"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the definitions `demo` and `2026`, and a definition outside it."""
    made = tmp_path / "definitions"
    made.mkdir()
    for path in (made / "demo.yaml", made / "2026.yml", tmp_path / "outside.yaml"):
        path.write_text((INCLUDE / "refreshes" / "demo.yaml").read_text().replace("../", f"{INCLUDE}/"))
    shutil.copy(INCLUDE / "benchmarks" / "masking.yaml", made / "masking.yaml")
    for option in ("DEFINITIONS", "BENCHMARKS"):
        monkeypatch.setenv(f"AIRFLOW__ORACLE_REFRESH__{option}_DIRECTORY", str(made))
    return made


def rendered(name: object, operator: Any = CheckPreflight, template: str = "{{ params.definition }}") -> Any:
    """Return a task whose definition a form has supplied."""
    with DAG("refresh", schedule=None):
        task = operator(task_id="task", definition=template)
    task.render_template_fields({"params": {"definition": name}})
    return task


def read(task: Any) -> str:
    return str(task.read_definition().name)


@pytest.mark.parametrize("name", ["demo", "2026", 2026])
def test_name_of_the_folder_is_read(name: object) -> None:
    assert read(rendered(name)) == "demo"


@pytest.mark.parametrize("operator", [CheckPreflight, CheckClone, CheckMount, PlanTrials])
@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "../outside.yaml",
        "{outside}",
        "{outside}.yaml",
        "demo.yaml",
        "./demo",
        "sub/../demo",
        "",
        ".",
        "demo\x00",
        "..\\outside",
        "demo\n",
        "file://outside",
    ],
)
def test_form_cannot_leave_the_folder(operator: Any, name: str, folder: Path) -> None:
    given = name.format(outside=folder.parent / "outside")
    with pytest.raises(
        PreflightError, match=r"^definition: the definition '.*' (is not a name|does not exist)"
    ) as refused:
        read(rendered(given, operator))
    assert refused.value.remedy == f"name a definition in {folder}: 2026, demo, masking"


def test_template_within_a_name_is_checked_too() -> None:
    with pytest.raises(PreflightError, match="is not a name"):
        read(rendered("../../outside", template="{% if params %}x/{{ params.definition }}{% endif %}"))


def test_link_that_leads_out_of_the_folder_is_refused(folder: Path) -> None:
    (folder / "linked.yaml").symlink_to(folder.parent / "outside.yaml")
    with pytest.raises(PreflightError, match="is a link that leads out of its folder"):
        read(rendered("linked"))


def test_links_of_a_mounted_volume_are_followed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kubernetes shows the files of a ConfigMap as links into a folder that a link names."""
    (data := folder / "..2026_11").mkdir()
    (folder / "demo.yaml").rename(data / "demo.yaml")
    (folder / "..data").symlink_to(data.name)
    (folder / "demo.yaml").symlink_to(Path("..data") / "demo.yaml")
    (mounted := folder.parent / "mounted").symlink_to(folder)
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY", str(mounted))
    assert read(rendered("demo")) == "demo"


def test_author_of_a_dag_may_write_a_path(folder: Path) -> None:
    task = CheckPreflight(task_id="task", definition=str(folder.parent / "outside.yaml"))
    assert read(task) == "demo"


def test_long_list_of_definitions_is_cut(folder: Path) -> None:
    for number in range(30):
        (folder / f"d{number:02}.yaml").touch()
    with pytest.raises(PreflightError) as refused:
        read(rendered("absent"))
    assert str(refused.value.remedy).endswith("d18 and 13 more")


def test_name_for_a_run_is_that_of_a_file_in_the_folder(folder: Path) -> None:
    assert settings.definition_name(folder / ".." / "definitions" / "demo.yaml") == "demo"
    with pytest.raises(PreflightError, match="where a run looks for it"):
        settings.definition_name(folder.parent / "outside.yaml")
