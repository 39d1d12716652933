"""Jobs of other users that reach the schemas: by a procedure, a program, or a chain."""

from __future__ import annotations

import pytest

from oracle_refresh.preflight.others_jobs import Action, names_of, reaching

OWNERS = ("APP", "docs")
PROCEDURE, BLOCK, CHAIN = "STORED_PROCEDURE", "PLSQL_BLOCK", "CHAIN"


@pytest.mark.parametrize(
    ("action", "names"),
    [
        ("APP.TIDY", ("APP", "TIDY")),
        (" app.pkg.proc ", ("APP", "PKG", "PROC")),
        ('"docs"."Pack.age".proc', ("docs", "Pack.age", "PROC")),
        ("TIDY", ("TIDY",)),
        ("BEGIN APP.TIDY; END;", ()),
        ("/home/app/tidy.sh", ()),
        ("", ()),
        (None, ()),
    ],
)
def test_names(action: str | None, names: tuple[str, ...]) -> None:
    assert names_of(action) == names


@pytest.mark.parametrize(
    ("kind", "action", "program", "named"),
    [
        (PROCEDURE, "APP.TIDY", (None, None), True),
        (PROCEDURE, "APP.PKG.PROC", (None, None), True),
        (PROCEDURE, '"docs".PKG.PROC', (None, None), True),
        (PROCEDURE, "OTHER.PKG.PROC", (None, None), False),
        (PROCEDURE, "APP", (None, None), False),
        (BLOCK, "APP.TIDY;", (None, None), False),
        (None, None, ("APP", "ANY"), True),
        (None, None, ("OTHER", "CALLS_APP"), True),
        (None, None, ("OTHER", "CALLS_ITSELF"), False),
        (CHAIN, "APP.NIGHT", (None, None), True),
        (CHAIN, "BY_PROGRAM", (None, None), True),
        (CHAIN, "OTHER.BY_PROGRAM", (None, None), True),
        (CHAIN, "OF_APP", (None, None), True),
        (CHAIN, "BY_CHAIN", (None, None), True),
        (CHAIN, "ALONE", (None, None), False),
        (CHAIN, "THIRD.BY_PROGRAM", (None, None), False),
    ],
)
def test_jobs(
    kind: str | None, action: str | None, program: tuple[str | None, str | None], named: bool
) -> None:
    programs = [
        Action("OTHER", "CALLS_APP", PROCEDURE, "APP.PKG.PROC"),
        Action("OTHER", "CALLS_ITSELF", PROCEDURE, "OTHER.PROC"),
    ]
    steps = [
        ("OTHER", "BY_CHAIN", "OTHER", "BY_PROGRAM"),
        ("OTHER", "BY_PROGRAM", "OTHER", "CALLS_ITSELF"),
        ("OTHER", "BY_PROGRAM", "OTHER", "CALLS_APP"),
        ("OTHER", "OF_APP", "APP", "ANY"),
        ("OTHER", "ALONE", "OTHER", "CALLS_ITSELF"),
        ("OTHER", "ALONE", "OTHER", "ALONE"),
    ]
    job = Action("OTHER", "JOB", kind, action, program)
    assert reaching([job], programs, steps, OWNERS) == ["OTHER.JOB"] * named
