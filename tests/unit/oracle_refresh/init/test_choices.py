"""What `init` makes of what both databases say."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from oracle_refresh.catalog import DatabaseIdentity
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.init.choices import Chosen, accounts_of, choose
from oracle_refresh.init.facts import Database, Surveyed, Users
from oracle_refresh.init.files import Files, definition_text
from oracle_refresh.init.request import Request


def identity(name: str, user: str) -> DatabaseIdentity:
    return DatabaseIdentity(
        1, 1, name, f"{name}_A", name.lower(), None, None, "19.3.0", "READ WRITE", "PRIMARY", user
    )


PROD, TEST = identity("PROD", "REFRESH_SOURCE"), identity("TEST", "REFRESH_TARGET")
DUMPS, STAGE = {"REFRESH_DUMPS": "/u01/dumps"}, {"REFRESH_STAGE": "/mnt/dbfs/REFRESH"}
NOBODY = Users(frozenset(), frozenset(), ())


def chosen(
    there: dict[str, str] = DUMPS,
    here: dict[str, str] = STAGE,
    users: Users = NOBODY,
    link: str | None = None,
    schemas: tuple[str, ...] = ("SALES",),
) -> Chosen:
    request = Request(Files(Path("refreshes/first.yaml")), "one", "other", "key", schemas)
    return choose(request, Surveyed(Database(PROD, there), Database(TEST, here), users, link))


def test_the_definition_is_read_back_as_it_was_chosen() -> None:
    found = chosen(schemas=("SALES", "mixed Case"), link="TO_PROD")
    document = yaml.safe_load(definition_text(found.document))
    assert document == found.document
    definition = RefreshDefinition.from_json(document)
    assert definition.schemas == ("SALES", "mixed Case")
    assert definition.staging.database_link == "TO_PROD"
    assert definition.deny_list.databases == ("PROD", "PROD_A", "prod")


@pytest.mark.parametrize(
    ("path", "mount"),
    [("/mnt/dbfs/REFRESH", "/REFRESH"), ("/mnt/dbfs/dumps/", "/dumps"), ("/a/b c", "/REFRESH")],
)
def test_the_store_is_mounted_where_its_directory_shows_it(path: str, mount: str) -> None:
    assert chosen(here={"REFRESH_STAGE": path}).document["staging"]["mount"] == mount


@pytest.mark.parametrize(
    ("granted", "taken", "doubts"),
    [
        ({}, "REFRESH_DUMPS", 0),
        ({"OURS": "/a"}, "OURS", 0),
        ({"OURS": "/a", "REFRESH_DUMPS": "/b"}, "REFRESH_DUMPS", 0),
        ({"OURS": "/a", "THEIRS": "/b"}, "OURS", 1),
    ],
)
def test_a_directory_is_taken_that_was_granted(granted: dict[str, str], taken: str, doubts: int) -> None:
    found = chosen(there=granted)
    assert found.document["staging"]["source_directory"] == taken
    assert len(found.left) == doubts


def test_owners_and_whoever_reaches_their_objects_by_whatever_role_are_locked() -> None:
    users = Users(
        present=frozenset({"SALES", "READER", "CLERK", "OTHER", "REFRESH_TARGET"}),
        grantees=frozenset({"READER", "SALES_ROLE", "GONE", "REFRESH_TARGET"}),
        members=(("SALES_ROLE", "INNER_ROLE"), ("INNER_ROLE", "CLERK"), ("OTHER_ROLE", "OTHER")),
    )
    assert accounts_of(("SALES", "HR"), users, "REFRESH_TARGET") == (
        *("SALES", "HR"),
        *("CLERK", "READER"),
    )
