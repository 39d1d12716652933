"""Values of INSERT and UPDATE."""

from __future__ import annotations

from localoracle.sql import translate


def test_a_literal_that_reads_default_is_no_default() -> None:
    (sql,) = translate("INSERT INTO T VALUES ('DEFAULT', default)", ()).sql
    assert sql == """INSERT INTO "T" VALUES ('DEFAULT'::text, DEFAULT)"""
    (sql,) = translate("UPDATE T SET A = 'DEFAULT', B = DEFAULT", ()).sql
    assert sql == """UPDATE "T" SET "A" = 'DEFAULT'::text, "B" = DEFAULT"""
