"""Types of fields that definitions and profiles share: names of Oracle, paths, sizes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    ValidationInfo,
)

from oracle_refresh.oracle.identifiers import Identifier, TableName

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class Model(BaseModel):
    """Frozen; a field that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


def as_text(value: Any) -> Any:
    """A number as the text that a statement takes.

    :raises ValueError: for what YAML 1.1 reads as a boolean, such as OFF, NO and ON without quotation marks:
        what was meant is not known here.
    """
    if isinstance(value, bool):
        raise ValueError("YAML reads this as true or false: put the value in quotation marks")
    return str(value) if isinstance(value, int | float) else value


def size_bytes(size: str) -> int:
    """`512M` as bytes. The text is one that the definition has accepted."""
    number, unit = re.fullmatch(r"([0-9]+)([KMGT]?)", size.upper()).groups()  # type: ignore[union-attr]
    return int(number) * UNITS[unit]


def _read_name(text: Any) -> Any:
    return Identifier.parse(text).name if isinstance(text, str) else text


def _read_table(text: Any) -> Any:
    return TableName.parse(text) if isinstance(text, str) else text


def _resolve(path: Path, info: ValidationInfo) -> Path:
    folder = (info.context or {}).get("folder")
    return path if folder is None or path.is_absolute() else (Path(folder) / path).resolve()


def some(items: tuple[Any, ...]) -> tuple[Any, ...]:
    # min_length of the field would complain beside every item that is refused itself.
    if not items:
        raise ValueError("at least one is needed")
    return items


def unique(items: tuple[Any, ...]) -> tuple[Any, ...]:
    repeated = sorted({str(item) for item in items if items.count(item) > 1})
    if repeated:
        raise ValueError(f"named more than once: {', '.join(repeated)}")
    return items


#: A name as Oracle reads it (`app` means APP, `"app"` keeps its case); the value is the stored name.
OracleName = Annotated[
    str, BeforeValidator(_read_name), PlainSerializer(lambda name: Identifier(name).written)
]
#: OWNER.NAME.
QualifiedTable = Annotated[TableName, BeforeValidator(_read_table), PlainSerializer(lambda table: table.key)]
#: A path; in a file it is relative to the folder of that file.
DefinitionPath = Annotated[Path, AfterValidator(_resolve)]
Names = Annotated[tuple[OracleName, ...], AfterValidator(unique)]
