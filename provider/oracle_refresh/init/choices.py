"""From what both databases say to the fields of a definition, and what somebody has to look at. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from oracle_refresh.init.facts import Database, Surveyed, Users
from oracle_refresh.init.request import Request
from oracle_refresh.oracle.identifiers import Identifier

#: The names that include/sql/grants.sql gives.
SOURCE_DIRECTORY, TARGET_DIRECTORY = "REFRESH_DUMPS", "REFRESH_STAGE"
STORE = "FS_REFRESH"
MOUNT = "/REFRESH"


@dataclass(frozen=True)
class Chosen:
    """The document of a definition, and decisions that are left to the user, one sentence each."""

    document: dict[str, Any] = field(hash=False)
    left: tuple[str, ...]


def choose(request: Request, surveyed: Surveyed) -> Chosen:
    """The definition of a refresh between two databases."""
    source, target = surveyed.source, surveyed.target
    accounts = accounts_of(request.schemas, surveyed.users, target.identity.user)
    source_directory, doubt_there = _directory("source", source, SOURCE_DIRECTORY)
    target_directory, doubt_here = _directory("target", target, TARGET_DIRECTORY)
    staging: dict[str, Any] = {
        "source_directory": Identifier(source_directory).written,
        "store": STORE,
        "mount": _mount(target.directories.get(target_directory)),
        "target_directory": Identifier(target_directory).written,
    }
    if surveyed.link is not None:
        staging["database_link"] = surveyed.link
    document = {
        "name": request.files.name,
        "source": {"conn_id": request.source},
        "target": {"conn_id": request.target},
        "schemas": [Identifier(schema).written for schema in request.schemas],
        "application_accounts": [Identifier(account).written for account in accounts],
        "staging": staging,
        "masking": {
            "ruleset": request.files.ruleset_from_definition,
            "key_conn_id": request.key,
            "unclassified": "refuse",
        },
        "deny_list": {"databases": list(source.identity.names)},
    }
    return Chosen(document, (*doubt_there, *doubt_here))


def accounts_of(schemas: tuple[str, ...], users: Users, refresh_user: str) -> tuple[str, ...]:
    """The users of the target who must not see unmasked rows: the schemas' owners, who may still have to be
    created there, and who was granted something on their objects, be it by a role."""
    reached = set(users.grantees)
    while more := {member for role, member in users.members if role in reached} - reached:
        reached |= more
    others = (reached & users.present) - {refresh_user, *schemas}
    return (*(schema for schema in schemas if schema != refresh_user), *sorted(others))


def _directory(role: str, database: Database, usual: str) -> tuple[str, tuple[str, ...]]:
    """The DIRECTORY for dump files: the usual one, or the only one that was granted."""
    names = sorted(database.directories)
    if usual in names or not names:
        return usual, ()
    if len(names) == 1:
        return names[0], ()
    others = ", ".join(Identifier(name).written for name in names)
    return names[0], (
        f"staging.{role}_directory is one of several that {database.identity.user} may use: {others}",
    )


def _mount(path: str | None) -> str:
    """The store's mount: the last folder of the path at which its DIRECTORY shows it."""
    folder = PurePosixPath(path).name if path else ""
    return f"/{folder}" if re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*", folder) else MOUNT
