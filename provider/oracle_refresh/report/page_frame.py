"""The frame of every page that is written to a folder: its head, its style, how its template is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.page_policy import POLICY

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE = "oracle_refresh.report"


def render(package: str, template: str, **values: Any) -> str:
    """One self-contained page of a template that extends `frame.html.j2`; no scripts, nothing loaded."""
    return environment(package).get_template(template).render(policy=POLICY, **values)


def environment(package: str) -> Environment:
    """Templates of a package beside the frame; an unknown name is an error, values are escaped."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=ChoiceLoader([PackageLoader(name, ".") for name in dict.fromkeys((package, PACKAGE))]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "table_key": lambda item: TableName(item.owner, item.name).key,
        "megabytes": lambda size: f"{size / 1e6:,.1f}",
        "thousands": lambda number: f"{number:,.0f}",
        "seconds": lambda seconds: f"{seconds:,.1f}",
    }
    return templates


def json_text(document: Mapping[str, Any]) -> str:
    """The text of a document that is written beside a page."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
