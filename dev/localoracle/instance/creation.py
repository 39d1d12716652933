"""What CREATE DATABASE decides once and for all: character set, string size, language, tablespaces ...

One server process serves one database; what that one was created with is `created_with()`. Sources: SQL
Language Reference, "CREATE DATABASE"; Database Reference, MAX_STRING_SIZE, NLS_LANGUAGE, NLS_TERRITORY;
Database Globalization Support Guide, appendix A.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal, get_args, get_type_hints

_FILE = "creation.json"


class CreationMismatch(ValueError):
    """No database can be created so, or it exists and was created with other options."""


@dataclass(frozen=True)
class Creation:
    """Options of `localoracle start` for a database that does not exist yet.

    `log_mode` and `container` are what it begins with: commands change them later.
    """

    character_set: Literal["AL32UTF8", "WE8MSWIN1252"] = "AL32UTF8"
    max_string_size: Literal["STANDARD", "EXTENDED"] = "STANDARD"
    language: Literal["AMERICAN", "GERMAN"] = "AMERICAN"
    territory: Literal["AMERICA", "GERMANY"] = "AMERICA"
    tablespaces: Literal["SMALLFILE", "BIGFILE"] = "SMALLFILE"
    release: Literal["19c", "23ai"] = "19c"
    container: Literal["none", "pdb", "root"] = "none"
    log_mode: Literal["NOARCHIVELOG", "ARCHIVELOG"] = "NOARCHIVELOG"

    @property
    def major_version(self) -> int:
        return int(self.release[:2])

    @property
    def longest_string(self) -> int:
        """Bytes of the longest VARCHAR2 or NVARCHAR2 in SQL."""
        return 32767 if self.max_string_size == "EXTENDED" else 4000

    @property
    def longest_raw(self) -> int:
        """Bytes of the longest RAW in SQL."""
        return 32767 if self.max_string_size == "EXTENDED" else 2000

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """Every option with its values, the usual one first."""
        hints = get_type_hints(cls)
        return {option.name: get_args(hints[option.name]) for option in fields(cls)}

    @classmethod
    def settle(cls, root: Path, wanted: dict[str, str]) -> Creation:
        """That of the database in `root`; at its first start what is wanted, and the rest as usual.

        Raises CreationMismatch when it exists and something else is wanted.
        """
        path = root / _FILE
        if not path.exists():
            if wanted.get("release") == "23ai":
                # Database Upgrade Guide: since 21c every database is a container database.
                wanted = {"container": "pdb", **wanted}
            creation = cls(**wanted)  # type: ignore[arg-type]
            if creation.release == "23ai" and creation.container == "none":
                raise CreationMismatch("there are no 23ai databases outside a container database")
            for folder in (root.parent, root):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = path.with_suffix(".new")
            new.write_text(json.dumps(asdict(creation)))
            os.replace(new, path)
            return creation
        made = json.loads(path.read_text())
        other = [f"{name} {made[name]}, not {value}" for name, value in wanted.items() if made[name] != value]
        if other:
            raise CreationMismatch(f"the database in {root} was created with {', '.join(other)}")
        return cls(**made)


_created = Creation()


def created_with() -> Creation:
    """That of the database that this process serves."""
    return _created


def serve(creation: Creation) -> None:
    """This process serves a database that was created so; before its first session."""
    global _created
    _created = creation
