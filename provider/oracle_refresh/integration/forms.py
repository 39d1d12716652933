"""The trigger form of a refresh as Airflow's params, made of the fields of `RefreshForm` and their schema.

What Airflow checks of a field when the form is sent is that JSON schema; what fields have to do with each
other is checked by `definition/form.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from airflow.sdk import Param

from oracle_refresh.definition.form import RefreshForm, Shown, shown
from oracle_refresh.integration import compat, settings

#: What only a refresh has.
COPYING = frozenset({"prepare", "staging_transport"})
AS_WRITTEN = "As the definition says"


def definition_param(folder: Path, default: str, title: str, description: str, section: str) -> Param:
    """Return a field that takes a name, and proposes the names of the YAML files in a folder."""
    return Param(
        default,
        type="string",
        pattern=settings.NAME,
        examples=settings.definition_names(folder),
        title=title,
        description=f"{description}. Name of a YAML file in {folder}, without .yaml",
        section=section,
    )


def refresh_params() -> dict[str, Param]:
    """The form of `test_data_refresh`. Reads the names in the definitions folder, nothing else."""
    about = shown("definition")
    folder, default = settings.definitions_directory(), settings.default_definition()
    params = {"definition": definition_param(folder, default, about.title, about.description, about.section)}
    return params | _other_params()


def masking_params() -> dict[str, Param]:
    """The form of `mask_database`: what it says of rows that are copied has no meaning there."""
    return {name: param for name, param in refresh_params().items() if name not in COPYING}


def own_params(name: str, demanded: Collection[str], reason: str) -> dict[str, Param]:
    """The form of the DAG of one definition: that stands fast, and so does what every run is asked.

    :param name: of the definition; a form that says another one is refused, and the UI shows no field.
    :param demanded: fields of approvals, which are not asked for.
    :param reason: what stands in the field of the reason, and for runs that have no form.
    """
    about = shown("definition")
    said: dict[str, Any] = {"title": about.title, "description": about.description, "section": about.section}
    params = {"definition": Param(name, type="string", const=name, **said)} | _other_params()
    params["reason"].value = reason
    return {field: param for field, param in params.items() if field not in demanded}


def _other_params() -> dict[str, Param]:
    return {name: _param(shown(name), schema) for name, schema in _schemas().items() if name != "definition"}


@cache
def _schemas() -> dict[str, Any]:
    """Of the fields. It takes longer to make than a DAG, and a file may have hundreds of them."""
    schemas: dict[str, Any] = RefreshForm.model_json_schema()["properties"]
    return schemas


def optional(default: Any, **shown: Any) -> Param:
    """Return a field that may be cleared: Airflow's form then sends null and shows no star.

    If this Airflow lacks `HAS_NULL_CHOICES`, a field with choices is a text that proposes them.

    :param shown: the field's JSON schema, with its own type only.
    """
    if "enum" in shown:
        choices = shown.pop("enum")
        shown |= {"enum": [None, *choices]} if compat.HAS_NULL_CHOICES else {"examples": choices}
    return Param(default, **shown | {"type": ["null", shown["type"]]})


def _param(about: Shown, schema: Mapping[str, Any]) -> Param:
    own, default, description = dict(schema), schema["default"], about.description
    for variant in own.pop("anyOf", ()):
        own |= variant if variant["type"] != "null" else {}
    if default is None:
        description += "; empty: as the definition says"
    if about.labels:
        own["values_display"] = {"null": AS_WRITTEN, **about.labels}
    own |= {"title": about.title, "section": about.section, "description": description}
    own.pop("default")
    return optional(None if default == "" else default, **own)
