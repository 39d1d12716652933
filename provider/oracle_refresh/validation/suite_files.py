"""Suites as files: those that users wrote, and the generated ones beside them.

    <folder>/*.yaml                                  suites of one's own
    <folder>/generated/<refresh>/<OWNER.TABLE>.json  made new at each run, as Great Expectations keeps suites

An expectation of one's own takes the place of a generated one of the same type on the same column.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic import ValidationError as Invalid

from oracle_refresh.definition import yaml_text
from oracle_refresh.oracle.errors import RefreshError, ValidationError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.validation.suite_queries import ROWS_QUERY

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table

STEP = "expectations"
GENERATED = "generated"
COLUMN_ARGUMENTS = ("column", "column_A", "column_B")
COLUMN_LISTS = ("column_list", "column_set")


class Expectation(BaseModel):
    """One expectation: its type in snake case, everything else its arguments."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str = Field(pattern=rf"^(expect_[a-z0-9_]+|{ROWS_QUERY})$")
    meta: dict[str, Any] = Field(default_factory=dict)
    description: str | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        return dict(self.model_extra or {})

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that its arguments name, as the dictionary stores them.

        :raises ValidationError: for what is not an identifier.
        """
        given = self.arguments
        written = [given.get(name) for name in COLUMN_ARGUMENTS]
        for name in COLUMN_LISTS:
            written += listed if isinstance(listed := given.get(name), list) else []
        try:
            return tuple(Identifier.parse(name).name for name in written if isinstance(name, str))
        except (RefreshError, ValueError) as error:
            raise ValidationError(f"{self.type}: {error}", step=STEP) from error

    @property
    def about(self) -> tuple[str, str | None]:
        """Its type and the column it looks at."""
        column = self.arguments.get("column")
        return self.type, Identifier.parse(column).name if isinstance(column, str) else None


class SuiteDefinition(BaseModel):
    """A YAML file as it is written, or all suites of a run together."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    tables: dict[str, list[Expectation]]


def load_suite(path: Path) -> SuiteDefinition:
    """Read and check a suite.

    :raises ValidationError: naming the file and the field.
    """
    try:
        _, document = yaml_text.parse(path.read_text(encoding="utf-8"))
        suite = SuiteDefinition.model_validate(document)
        for table in suite.tables:
            TableName.parse(table)
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}") from error
    except Invalid as error:
        problems = [f"{'.'.join(map(str, item['loc'])) or 'suite'}: {item['msg']}" for item in error.errors()]
        raise _refused(path, "; ".join(problems)) from error
    except (RefreshError, ValueError) as error:
        raise _refused(path, str(error)) from error
    return suite


def own_suites(path: Path) -> list[SuiteDefinition]:
    """The suites that users wrote: one file, or all YAML files of a folder by name; none is fine.

    :raises ValidationError: naming the file and the field.
    """
    return [load_suite(file) for file in (sorted(path.glob("*.yaml")) if path.is_dir() else [path])]


def skipped_tables(
    own: Iterable[SuiteDefinition], excluded: Collection[TableName], tables: Iterable[Table]
) -> dict[TableName, str]:
    """Return why tables of suites are not evaluated: the definition excludes them, or they are temporary."""
    temporary = {table.full_name for table in tables if table.temporary}
    named = {TableName.parse(table) for suite in own for table in suite.tables}
    return {
        table: "excluded by the definition" if table in excluded else "temporary"
        for table in sorted(named)
        if table in excluded or table in temporary
    }


def merged(
    name: str,
    own: Iterable[SuiteDefinition],
    generated: Mapping[str, Sequence[Mapping[str, Any]]],
    skipped: Collection[TableName] = (),
) -> SuiteDefinition:
    """All expectations by table, one's own first.

    :param generated: expectations as `suites.suite_of` makes them, by OWNER.TABLE.
    :param skipped: tables whose own expectations are left out.
    """
    tables: dict[str, list[Expectation]] = {}
    for suite in own:
        for table, expectations in suite.tables.items():
            if TableName.parse(table) in skipped:
                continue
            tables.setdefault(TableName.parse(table).key, []).extend(expectations)
    for table, made in generated.items():
        known = {expectation.about for expectation in tables.get(table, ()) if expectation.about[1]}
        more = [Expectation.model_validate(each) for each in made]
        tables.setdefault(table, []).extend(each for each in more if each.about not in known)
    return SuiteDefinition(name=name, tables=tables)


def write_generated(path: Path, refresh: str, documents: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write the generated suites of a refresh beside one's own, in place of the last run's; the folder.

    :param path: the folder of the suites, or the one file.
    :param documents: by OWNER.TABLE, see `suites.suite_json`.
    :raises OSError: when the folder cannot be written.
    """
    folder = (path if path.is_dir() else path.parent) / GENERATED / refresh
    folder.mkdir(parents=True, exist_ok=True)
    names = {f"{table.replace('/', '_')}.json": document for table, document in documents.items()}
    for name, document in names.items():
        scratch = folder / f".{name}.{os.getpid()}"
        scratch.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(scratch, folder / name)
    for former in folder.glob("*.json"):
        if former.name not in names:
            former.unlink()
    return folder


def _refused(path: Path, why: str) -> ValidationError:
    return ValidationError(why, object_name=str(path), step=STEP)
