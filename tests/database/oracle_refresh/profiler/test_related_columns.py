"""Logins and names in other columns than those that are named for them, from the sample to the rules."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.profiler.profile import profile
from oracle_refresh.profiler.proposal import Draft, propose
from oracle_refresh.profiler.propose import lookup_files
from oracle_refresh.profiler.sampling import Bounds

TODAY = date(2026, 11, 21)
LOOKUPS = Path(__file__).parents[4] / "include" / "lookups"
TABLES = (
    "CREATE TABLE APP_USER (ID_ VARCHAR2(40), USER_NAME VARCHAR2(30), NICK_NAME VARCHAR2(30), K VARCHAR2(9))",
    "CREATE TABLE POST (NR NUMBER(9), CREATE_BY VARCHAR2(64), UPDATE_BY VARCHAR2(64), CODE VARCHAR2(9))",
    "CREATE TABLE DEPT (DEPT_ID NUMBER(9), LEADER VARCHAR2(30), STR_PROP_1 VARCHAR2(200))",
    "CREATE TABLE HI_COMMENT (USER_ID_ VARCHAR2(60), NICK_NAME VARCHAR2(30))",
)
NICKNAMES = [f"山本{chr(0x4E00 + n)}" for n in range(25)]
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "APP_USER": [(f"kmeier{n}", f"login{n}x", NICKNAMES[n], "A") for n in range(25)],
    "POST": [(n, f"login{n}x", "batch" if n else "login3x", f"{1000 + n} AB") for n in range(25)],
    "DEPT": [(n, NICKNAMES[n], "value") for n in range(25)],
    "HI_COMMENT": [("kmeier7", None)],
}


def test_related_columns_get_rules_that_take_their_values(schema: Any, tmp_path: Path) -> None:
    with schema.server.connect() as system:
        system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
    with schema.connection.cursor() as cursor:
        for statement in TABLES:
            cursor.execute(statement)
        for table, rows in ROWS.items():
            marks = ", ".join(f":{place}" for place in range(1, len(rows[0]) + 1))
            cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    schema.connection.commit()
    catalogue = read_catalogue(schema.connection, (schema.name,))
    found = profile(schema.connection, catalogue, Bounds(), TODAY, keep_values=True)
    path = tmp_path / "first.yaml"
    made = propose(found, catalogue, Draft(path, lookup_files(LOOKUPS), 0.6, TODAY, None, "init"))
    path.write_text(made.text)
    rules = {
        f"{table[1]}.{rule.column}": (rule.kind, rule.domain)
        for table, of_table in load_ruleset(path).tables.items()
        for rule in of_table
    }
    logins, nicknames = rules["APP_USER.USER_NAME"], rules["APP_USER.NICK_NAME"]
    assert (logins[0], nicknames[0]) == ("character_mapping", "secure_lookup")
    assert rules == {
        "APP_USER.ID_": logins,
        "APP_USER.USER_NAME": logins,
        "APP_USER.NICK_NAME": nicknames,
        "POST.CREATE_BY": logins,
        "POST.UPDATE_BY": logins,
        "DEPT.LEADER": nicknames,
        "HI_COMMENT.USER_ID_": logins,
        "HI_COMMENT.NICK_NAME": nicknames,
    }
    unclassified = ("APP_USER.K", "DEPT.STR_PROP_1", "POST.CODE")
    assert made.unclassified == tuple(f"{schema.name}.{name}" for name in unclassified)
    assert not [value for value in ("山本", "kmeier7", "login3x") if value in f"{made.text} {found!r}"]
