"""What a kit holds: it comes back as it was written, without names of connections, and is checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.kit.archive import json_bytes, pack, unpack
from oracle_refresh.labs.data_load.kit.contents import (
    DEFINITION,
    MEMBERS,
    PARAMETERS,
    RESULTS,
    STATEMENTS,
    VERSIONS,
    Kit,
    Results,
    read_kit,
    write_kit,
)
from oracle_refresh.labs.data_load.kit.recipe import Recipe, listing
from oracle_refresh.labs.data_load.model import BatchLoad, Chosen, DegreeTrial, Plan, SchemaLoad, Seed, Work
from oracle_refresh.oracle.errors import PreflightError

WORK = Work("SLOB_", "USERS", 2, 100, 0, "study", True, 50, 2)
DEFINED = LoadDefinition(
    name="slob",
    target={"conn_id": "secret_connection"},
    tablespace="USERS",
    seed_degree=3,
    deny_list={"databases": ["PRODUCTION"]},
)
TRIALS = (DegreeTrial(1.0, 50, 1000, 1), DegreeTrial(1.0, 100, 1900, 2))
LOADED = Loaded(
    Plan("run of somebody", "secret_connection", "DEMO 19", WORK, False),
    Seed(2.0, 100, 4000),
    Chosen(2, "1.9 times the rate of one session", TRIALS),
    (BatchLoad(1, 4.0, (SchemaLoad("SLOB_1", 100, 4000, 0.0, {"load": 2.5}),)),),
)
KIT = Kit.of(
    Recipe.of(WORK, DEFINED),
    {"processes": "300", "log_archive_dest_1": None},
    {"database": "19.3.0.0.0", "provider": "1.0.0"},
    Results.of(LOADED),
)


def with_member(name: str, content: bytes) -> bytes:
    """A kit whose member is another one, and whose manifest says so."""
    return pack({**unpack(write_kit(KIT), MEMBERS), name: content})


def with_field(name: str, **fields: Any) -> bytes:
    return with_member(name, json_bytes({**json.loads(unpack(write_kit(KIT), MEMBERS)[name]), **fields}))


def test_a_kit_comes_back() -> None:
    assert read_kit(write_kit(KIT)) == KIT
    assert write_kit(read_kit(write_kit(KIT))) == write_kit(KIT)


def test_a_kit_names_neither_connection_nor_run_nor_other_databases() -> None:
    whole = b"".join(unpack(write_kit(KIT), MEMBERS).values())
    assert b"SLOB_1" in whole
    for name in (b"secret_connection", b"run of somebody", b"PRODUCTION"):
        assert name not in whole


def test_a_replay_has_the_same_work_on_another_connection() -> None:
    recipe = read_kit(write_kit(KIT)).recipe
    assert recipe.work == WORK
    defined = recipe.definition("replay", "oracle_here")
    assert defined.target.conn_id == "oracle_here"
    assert (defined.tablespace, defined.seed_degree, defined.people) == ("USERS", 3, DEFINED.people)
    assert (defined.trials.rows, defined.trials.most_degree) == (50, 2)


def test_names_keep_their_case() -> None:
    work = Work("slob_", "users", 2, 100, 0, "none", False, 50, 2)
    recipe = Recipe.read(json.loads(json_bytes(Recipe.of(work, DEFINED).document())), DEFINITION)
    assert recipe.work == work
    assert recipe.definition("replay", "here").tablespace == "users"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("schemas", number) for number in (0, 100_001, 10**12, "many", None)),
        *(("rows", number) for number in (0, 10**10)),
        *(("degree", number) for number in (-1, 257)),
        *(("seed_degree", number) for number in (0, 257, "1 AS SELECT")),
        *(("prefix", name) for name in ("", 'A" IDENTIFIED BY X', "A B", "1A", 3, None)),
        *(("tablespace", name) for name in ("", 'USERS" QUOTA', "USERS; DROP")),
        ("profile", "unheard of"),
        ("blocks", "half"),
        ("people", {"number": 10**9}),
        ("trials", {"most_degree": 10**9}),
        ("password", "x"),
    ],
)
def test_a_definition_that_is_no_load_is_refused_by_its_field(field: str, value: Any) -> None:
    with pytest.raises(PreflightError, match=rf"definition\.json: {field}"):
        read_kit(with_field(DEFINITION, **{field: value}))


def test_a_prefix_that_no_schema_can_have_is_refused() -> None:
    with pytest.raises(PreflightError, match=r"definition\.json.*invalid identifier"):
        read_kit(with_field(DEFINITION, prefix="A" * 127))


@pytest.mark.parametrize("name", [PARAMETERS, VERSIONS])
@pytest.mark.parametrize("value", [3, ["a"], {"a": "b"}, "\x1b[2J", "a\nb"])
def test_only_texts_that_can_be_shown_are_taken(name: str, value: Any) -> None:
    with pytest.raises(PreflightError, match=f"{name}: odd has no text"):
        read_kit(with_field(name, odd=value))


@pytest.mark.parametrize(
    "fields",
    [{"seed": 3}, {"batches": None}, {"chosen": {"degree": "2"}}, {"more": 1}, {"seed": {"rows": 1}}],
)
def test_results_of_another_form_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(PreflightError, match="no kit that can be replayed"):
        read_kit(with_field(RESULTS, **fields))


def test_statements_are_text() -> None:
    with pytest.raises(PreflightError, match="no kit that can be replayed"):
        read_kit(with_member(STATEMENTS, b"\xff\xfe"))


def test_the_listing_has_the_statements_of_this_shape() -> None:
    sparse = listing(KIT.recipe)
    assert sparse.count("\n/\n") == 13
    assert '"SLOB_SEED"."PIECES"' in sparse
    assert "MINIMIZE RECORDS_PER_BLOCK" in sparse
    assert "{" not in sparse
    filled = listing(KIT.recipe.model_copy(update={"blocks": "filled", "profile": "none"}))
    assert "MINIMIZE" not in filled
    assert "PIECES" not in filled
