"""The files that `init` writes: text of the definition, paths, and nothing overwritten unasked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.profiler.proposal import relative
from oracle_refresh.profiler.propose import flow

#: What stands above a field of the definition.
NOTES = {
    "schemas": "Schemas to copy. They exist at both ends; on the target their objects are replaced.",
    "application_accounts": "Locked on the target from before the first change until the refresh is"
    " published:\n# owners of the schemas, and who was granted something on their objects.",
    "staging": 'Where dump files are written, and how they reach the target: docs, "Choose a transport".',
    "deny_list": "No database that answers to one of these names is ever a target of this refresh.",
}


@dataclass(frozen=True)
class Files:
    """Where definition and ruleset belong, in the layout of `include/`."""

    definition: Path

    @property
    def name(self) -> str:
        return self.definition.stem

    @property
    def ruleset(self) -> Path:
        return self.definition.parent.parent / "rulesets" / f"{self.name}.yaml"

    @property
    def lookups(self) -> Path:
        """Folder of lookup files, unless another one is named."""
        return self.definition.parent.parent / "lookups"

    @property
    def ruleset_from_definition(self) -> str:
        return relative(self.ruleset, self.definition.parent)

    def require_free(self) -> None:
        """:raises PlanError: naming the files that are there already."""
        there = [str(path) for path in (self.definition, self.ruleset) if path.exists()]
        if there:
            raise PlanError(
                f"{' and '.join(there)} would be overwritten",
                step="init",
                remedy="name another definition, or say --overwrite",
            )


def definition_text(document: dict[str, Any]) -> str:
    """The definition as YAML, each field with what it is for where that does not go without saying."""
    lines = ['# Written by `airflow oracle-refresh init`. Every field: docs, "The refresh definition".\n']
    for field, value in document.items():
        if field in NOTES:
            lines.append(f"\n# {NOTES[field]}\n")
        if isinstance(value, dict):
            lines.append(f"{field}:\n")
            lines += [f"  {key}: {flow(inner)}\n" for key, inner in value.items()]
        else:
            lines.append(f"{field}: {flow(value)}\n")
    return "".join(lines)


@contextmanager
def written(path: Path, text: str, overwrite: bool) -> Iterator[Path]:
    """A draft of a file beside its place, which gets its name when the context ends without an error.

    :raises PlanError: if somebody has written the file in the meantime.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.stem}.draft{path.suffix}")
    draft.write_text(text, encoding="utf-8")
    try:
        yield draft
        if overwrite:
            draft.replace(path)
        else:
            os.link(draft, path)
    except FileExistsError as error:
        raise PlanError(f"{path} is there by now", step="init", remedy="say --overwrite") from error
    finally:
        draft.unlink(missing_ok=True)
