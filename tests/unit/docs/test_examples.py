"""YAML and Python in the documentation are what the code takes, and hand-written lists are complete."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from enum import Enum
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk import DAG
from pydantic import BaseModel

from oracle_refresh.definition import (
    CloneDefinition,
    RefreshDefinition,
    load_definition,
    load_target_definition,
)
from oracle_refresh.masking import load_ruleset
from oracle_refresh.tuning.profile import load_profile
from oracle_refresh.validation.suite_files import load_suite
from support.documents import ROOT, Block, all_blocks, name

REFERENCE = ROOT / "docs" / "reference"
#: Their rules are read by tests/unit/oracle_refresh/masking/test_documented_rules.py.
RULES = {"docs/reference/masking.md", "docs/reference/masking_algorithms.md"}
YAML = [block for block in all_blocks("yaml") if name(block.page) not in RULES]


def merged(base: Any, over: Any) -> Any:
    """`over` laid over `base`, key by key."""
    if not (isinstance(base, dict) and isinstance(over, dict)):
        return over
    return base | {key: merged(base.get(key), value) for key, value in over.items()}


def demo(kind: str) -> Any:
    return yaml.safe_load((ROOT / "include" / kind / "demo.yaml").read_text(encoding="utf-8"))


def written(folder: Path, document: Any) -> Path:
    path = folder / "example.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


@pytest.mark.parametrize("block", YAML, ids=str)
def test_yaml_is_what_its_first_line_says(block: Block, tmp_path: Path) -> None:
    """`of=definition` and the like; parts of a file are laid over a whole one."""
    document = yaml.safe_load(block.text)
    match block.options.get("of"):
        case "definition":
            assert load_definition(written(tmp_path, merged(demo("refreshes"), document)))
        case "clone":
            assert isinstance(load_target_definition(written(tmp_path, document)), CloneDefinition)
        case "ruleset":
            rules = {"APP.T": {"C": {"algorithm": None}}}
            assert load_ruleset(written(tmp_path, {"name": "example", "tables": rules} | document))
        case "tables":
            assert load_ruleset(written(tmp_path, {"name": "example", "tables": document}))
        case "profile":
            assert load_profile(written(tmp_path, document))
        case "github-workflows" | "gitlab-ci" as schema:
            vendored = resources.files("check_jsonschema.builtin_schemas.vendor")
            jsonschema.validate(document, json.loads(vendored.joinpath(f"{schema}.json").read_text()))
        case "suite":
            assert load_suite(written(tmp_path, document))
        case other:
            pytest.fail(
                f"{block}: a YAML block says what it is a part of, as in `yaml of=definition`, not {other}"
            )


@pytest.mark.parametrize(
    "block", [block for block in all_blocks("python") if "needs" not in block.options], ids=str
)
def test_python_imports_what_there_is(block: Block) -> None:
    """A block that makes a DAG is run, of others the imports."""
    tree = ast.parse(block.text)
    makes_dag = re.search(r"^(with|@)\s*DAG\(|^@dag", block.text, re.MULTILINE)
    if not makes_dag:
        tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    found: dict[str, Any] = {}
    exec(compile(tree, str(block), "exec"), found)
    if makes_dag:
        assert [value for value in found.values() if isinstance(value, DAG)] or "with DAG(" in block.text


def rows(page: Path, columns: int) -> dict[str, list[str]]:
    """The rows of the page's tables of so many columns whose first cell is one name in backticks; of a name
    that comes again the first."""
    found = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if line.startswith("| `") and len(cells) == columns:
            found.setdefault(cells[0].strip("` "), cells[1:])
    return found


def fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a definition with dots, each with its default; Ellipsis where it is required, None where
    all of its section may be left out."""
    for field, facts in model.model_fields.items():
        inner = [
            part for part in (facts.annotation, *getattr(facts.annotation, "__args__", ())) if _is_model(part)
        ]
        if inner:
            optional = not facts.is_required() and facts.get_default(call_default_factory=True) is None
            for path, default in fields(inner[0], f"{prefix}{field}."):
                yield path, None if optional and default is ... else default
        else:
            yield (
                f"{prefix}{field}",
                ... if facts.is_required() else facts.get_default(call_default_factory=True),
            )


def _is_model(part: Any) -> bool:
    return isinstance(part, type) and issubclass(part, BaseModel)


def test_every_field_of_the_definition_is_described_with_its_default() -> None:
    described = {field: cells[0] for field, cells in rows(REFERENCE / "definition.md", 3).items()}
    known = dict(fields(RefreshDefinition))
    assert sorted(known.keys() - described.keys()) == []
    whole = {field.rsplit(".", depth)[0] for field in known for depth in range(1, field.count(".") + 1)}
    assert sorted(field for field in described if "." in field and field not in known.keys() | whole) == []
    wrong = {
        field: (described[field], default)
        for field, default in known.items()
        if not _told(described[field], default)
    }
    assert wrong == {}


def _told(text: str, default: Any) -> bool:
    if default is ...:
        return text == "required"
    if default is None or (not default and not isinstance(default, bool | int)):
        return True  # "none", "empty", or what is chosen instead
    value = default.value if isinstance(default, Enum) else default
    return text.strip("`") == (str(value).lower() if isinstance(value, bool) else str(value))


def test_every_code_of_the_preflight_is_described() -> None:
    emitted = set()
    for module in (ROOT / "provider" / "oracle_refresh").rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") in ("error", "warning")
                and node.args
            ):
                emitted |= {
                    part.value
                    for part in ast.walk(node.args[0])
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    # The first part of a name that goes on with the end of the refresh.
                    if not part.value.endswith("_")
                }
    assert "SAME_DATABASE" in emitted
    described = set(
        re.findall(r"`([A-Z_]+)`", "".join(page.read_text("utf-8") for page in REFERENCE.glob("*.md")))
    )
    assert sorted(emitted - described) == []


def test_the_architecture_names_every_room_and_every_task() -> None:
    page = (ROOT / "docs" / "concepts" / "architecture.md").read_text(encoding="utf-8")
    rooms = [init.parent.name for init in (ROOT / "provider" / "oracle_refresh").glob("*/__init__.py")]
    assert [room for room in rooms if not re.search(rf"[` /]{room}/", page)] == []
    folder = ROOT / "dags"
    dag = DagBag(str(folder / "test_data_refresh.py"), bundle_path=folder, bundle_name="refresh").dags[
        "test_data_refresh"
    ]
    picture = page.partition("```text")[2].partition("```")[0]
    tasks = {task.rpartition(".")[2] for task in dag.task_ids}
    assert sorted(task for task in tasks if not re.search(rf"\b{task}\b", picture)) == []


def test_every_page_is_in_the_navigation_and_begins_with_its_title() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = [page for page in (ROOT / "docs").glob("**/*.md") if page.parent.name != "project"]
    for page in pages:
        assert page.read_text(encoding="utf-8").startswith("# "), page
    folders = {page.parent.name for page in pages} - {"docs"}
    assert all(f"{folder}/*" in index for folder in folders), folders
