"""Reading a definition file: YAML with line numbers in every complaint."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from oracle_refresh.definition import yaml_text
from oracle_refresh.definition.model import CloneDefinition, RefreshDefinition, TargetDefinition
from oracle_refresh.oracle.errors import PreflightError

STEP = "definition"
Location = tuple[int | str, ...]
Model = TypeVar("Model", bound=BaseModel)


def load_definition(path: Path, overrides: Mapping[str, Any] | None = None) -> RefreshDefinition:
    """Read and check a refresh definition.

    :param path: the YAML file; paths inside it are relative to its folder.
    :param overrides: fields from the trigger form that replace those of the file; None leaves the file's.
    :raises PreflightError: with file, line, field and reason of everything that is wrong.
    """
    return _validated(path, *_read(path), RefreshDefinition, overrides)


def load_target_definition(path: Path, overrides: Mapping[str, Any] | None = None) -> TargetDefinition:
    """The same of a refresh or of a clone that is masked where it is: that is one without `source` and
    `staging`."""
    root, data = _read(path)
    copies = {"source", "staging"}.intersection(data)
    model: type[TargetDefinition] = RefreshDefinition if copies else CloneDefinition
    return _validated(path, root, data, model, overrides)


def require_refresh(definition: TargetDefinition) -> RefreshDefinition:
    """The definition, where it says what is copied.

    :raises PreflightError: where it is that of a clone.
    """
    if isinstance(definition, RefreshDefinition):
        return definition
    raise PreflightError(
        "the definition has no source and no staging: it is that of a clone, which is masked where it is",
        object_name=definition.name,
        step=STEP,
        remedy="use the DAG mask_database, or add what is copied from where",
    )


def read_model(path: Path, model: type[Model]) -> Model:
    """Read a YAML file into a pydantic model, complaining as `load_definition` does."""
    return _validated(path, *_read(path), model)


def _read(path: Path) -> tuple[yaml.Node | None, dict[str, Any]]:
    """What a file says, with where it says so."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise PreflightError(f"cannot be read: {reason}", object_name=str(path), step=STEP) from error
    try:
        root, data = yaml_text.parse(text)
    except ValueError as error:
        raise _failure(path, [str(error)]) from error
    if not isinstance(data, dict):
        raise _failure(path, ["line 1: a mapping of fields is expected"])
    return root, data


def _validated(
    path: Path,
    root: yaml.Node | None,
    data: Mapping[str, Any],
    model: type[Model],
    overrides: Mapping[str, Any] | None = None,
) -> Model:
    path = Path(path)
    replaced = {name: value for name, value in (overrides or {}).items() if value is not None}
    try:
        return model.model_validate({**data, **replaced}, context={"folder": path.parent.absolute()})
    except ValidationError as error:
        problems = [_problem(root, detail, model, replaced) for detail in error.errors()]
        raise _failure(path, problems) from error


def _failure(path: Path, problems: Sequence[str]) -> PreflightError:
    remedy = "correct the file; its fields are described in docs/reference/definition.md"
    return PreflightError("; ".join(problems), object_name=str(path), step=STEP, remedy=remedy)


def _problem(
    root: yaml.Node | None, detail: Any, model: type[BaseModel], overrides: Mapping[str, Any]
) -> str:
    location: Location = detail["loc"]
    where = ".".join(str(part) for part in location)
    message = str(detail["msg"]).removeprefix("Value error, ")
    if detail["type"] == "extra_forbidden":
        message = "no such field" + _suggestion(location, model)
    elif detail["type"] == "missing":
        message = "this field is missing"
    if location and location[0] in overrides:
        return f"form field {where}: {message}"
    return f"line {_line(root, location)}: " + (f"{where}: " if where else "") + message


def _line(node: yaml.Node | None, location: Location) -> int:
    """The line of the innermost node on the way to a location; 1-based."""
    line = node.start_mark.line if node is not None else 0
    for part in location:
        if isinstance(node, yaml.MappingNode):
            pair = next(((key, value) for key, value in node.value if key.value == str(part)), None)
            if pair is None:
                break
            line, node = pair[0].start_mark.line, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line
        else:
            break
    return line + 1


def _suggestion(location: Location, model: type[BaseModel]) -> str:
    """`, did you mean ...?` from the fields of the model that the location leads to."""
    current: Any = model
    for part in location[:-1]:
        field = current.model_fields.get(part) if isinstance(part, str) else None
        candidates = [] if field is None else [field.annotation, *get_args(field.annotation)]
        current = next(
            (item for item in candidates if isinstance(item, type) and issubclass(item, BaseModel)), None
        )
        if current is None:
            return ""
    near = difflib.get_close_matches(str(location[-1]), current.model_fields, n=1)
    return f", did you mean {near[0]}?" if near else f"; possible are {', '.join(current.model_fields)}"
