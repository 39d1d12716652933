"""The DAGs of definition files: of one, and of all in a folder.

Airflow stores import errors by DAG file, and an error makes all DAGs of its file stale: none of them is
scheduled any more (`airflow.dag_processing.collection`, `_update_import_errors`). So a file that makes the
DAGs of a folder never fails by a definition. It leaves out what does not load, and another file, which makes
no DAG, fails by it. A file with the DAG of one definition fails by itself.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from airflow.sdk import DAG, get_parsing_context

from oracle_refresh.bundle import building
from oracle_refresh.definition.dag_section import DagSection
from oracle_refresh.definition.load import load_target_definition
from oracle_refresh.integration import settings
from oracle_refresh.oracle.errors import PreflightError

log = logging.getLogger(__name__)
STEP = "DAG of a definition"


def refresh_dag(path: str | Path) -> DAG:
    """Make the DAG of one definition file, by its section `dag:`. To be called by a DAG file of its own.

    :param path: of the YAML file. A relative one is looked for in the folder of the calling file and in those
        above, the nearest first, wherever a bundle is checked out.
    :raises PreflightError: naming file, line and field of what is wrong.
    """
    found = _Found.read(_beside_caller(Path(path), sys._getframe(1).f_globals))
    if found is None:
        raise PreflightError(
            "the definition says dag: false, so there is no DAG of it",
            object_name=str(path),
            step=STEP,
            remedy="remove this call, or what the definition says",
        )
    return found.build()


def refresh_dags(folder: str | Path | None = None) -> list[DAG]:
    """Make the DAG of every definition in a folder, but of those that say `dag: false`.

    A definition that does not load, and one whose DAG would have the id of another one's, is left out;
    `check_definitions`, called in another DAG file, shows it as an import error. The process of a task makes
    the DAG of that task only.

    :param folder: with the YAML files, found as by `refresh_dag`; None: `[oracle_refresh]
        definitions_directory`.
    """
    paths = settings.definition_files(_folder(folder, sys._getframe(1).f_globals))
    wanted = get_parsing_context().dag_id
    if wanted is not None:
        looked = _look(_naming(wanted, paths))
        return [found.build() for found in looked.found if found.dag.dag_id == wanted]
    looked = _look(paths)
    for problem in looked.problems:
        log.error("no DAG: %s", problem)
    return [found.build() for found in looked.found]


def check_definitions(folder: str | Path | None = None) -> None:
    """Fail if `refresh_dags` leaves out a definition of the folder. To be called by a DAG file without a DAG.

    :param folder: as for `refresh_dags`.
    :raises PreflightError: with all definitions that are left out, of each file, line, field and reason; if
        there is no such folder.
    """
    where = _folder(folder, sys._getframe(1).f_globals)
    if not where.is_dir():
        raise PreflightError("no such folder", object_name=str(where), step=STEP)
    problems = _look(settings.definition_files(where)).problems
    if problems:
        raise PreflightError("\n".join([f"{len(problems)} without a DAG", *problems]), step=STEP)


@dataclass(frozen=True)
class _Found:
    """A definition that a DAG can be made of.

    :ivar dag: without its tasks.
    """

    path: Path
    section: DagSection
    work: building.Work
    dag: DAG

    @classmethod
    def read(cls, path: Path) -> _Found | None:
        """None where there shall be no DAG.

        :raises PreflightError: if it does not load, or Airflow does not take what it says.
        """
        definition = load_target_definition(path)
        section = definition.dag
        if section is None:
            return None
        try:
            dag = building.empty_dag(definition, section, path)
            return cls(path, section, building.work_of(definition), dag)
        except ValueError as error:
            raise PreflightError(str(error), object_name=str(path), step=STEP) from error

    def build(self) -> DAG:
        building.fill(self.dag, self.section, self.work)
        return self.dag


@dataclass(frozen=True)
class _Looked:
    """What was found in a folder, and what is wrong with the rest."""

    found: tuple[_Found, ...]
    problems: tuple[str, ...]


def _look(paths: Iterable[Path]) -> _Looked:
    by_id: dict[str, list[_Found]] = {}
    problems = []
    for path in paths:
        try:
            found = _Found.read(path)
        except PreflightError as error:
            problems.append(str(error))
        except Exception as error:  # whatever is wrong with one of them is not to hurt the others
            problems.append(f"{STEP} {path}: {type(error).__name__}: {error}")
        else:
            if found is not None:
                by_id.setdefault(found.dag.dag_id, []).append(found)
    # None of them gets the id: which target its schedule refreshes must not depend on the order of files.
    for same in (each for each in by_id.values() if len(each) > 1):
        names = ", ".join(str(found.path) for found in same)
        problems.append(
            f"{STEP} {names}: dag.id: all of them name the DAG {same[0].dag.dag_id};"
            " Remedy: give each an id of its own"
        )
    return _Looked(tuple(same[0] for same in by_id.values() if len(same) == 1), tuple(problems))


def _naming(dag_id: str, paths: list[Path]) -> list[Path]:
    """Those that the DAG of this id may be of: as a rule the id stands in the file, as `dag.id` or `name`."""
    return [path for path in paths if _names(path, dag_id)] or paths


def _names(path: Path, dag_id: str) -> bool:
    try:
        return dag_id.encode() in path.read_bytes()
    except OSError:
        return False


def _folder(named: str | Path | None, caller: dict[str, Any]) -> Path:
    if named is None:
        return settings.definitions_directory().absolute()
    return _beside_caller(Path(named), caller)


def _beside_caller(path: Path, caller: dict[str, Any]) -> Path:
    """The path, absolute: a relative one from the nearest folder above the calling file that has it."""
    if path.is_absolute():
        return path
    above = Path(caller["__file__"]).absolute().parents
    for folder in above:
        if (folder / path).exists():
            return folder / path
    raise PreflightError(
        "is neither in the folder of the DAG file nor in one above",
        object_name=str(path),
        step=STEP,
        remedy=f"name a path that is, or an absolute one; looked for from {above[0]} on",
    )
