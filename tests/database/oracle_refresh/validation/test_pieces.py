"""Tables that are compared in pieces, by several sessions, and by tries that were cut off."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.validation import (
    Means,
    summing,
    verify_copy,
)
from support.copies import ROWS, RULES
from support.in_pieces import InPieces, Interrupted, copies, interrupted

__all__ = ["copies"]


@pytest.mark.parametrize("degree", [2, 5])
def test_pieces_add_up_to_the_whole(copies: InPieces, degree: int) -> None:
    whole = verify_copy(copies.source, copies.connection, copies.scn, copies.table, means=Means())
    check = copies.copy(copies.means(degree))
    assert (check.verdict, check.rows_source, check.rows_target) == ("equal", ROWS, ROWS)
    assert (check.checksum_source, check.lobs) == (whole.checksum_source, whole.lobs)
    assert copies.noted() == [0, 0, 0], "notes go with the verdict"


def test_the_pieces_differ_and_so_do_their_rows(copies: InPieces, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    inner = summing.row

    def row(session: Any, sql: str, **binds: Any) -> Any:
        asked.append(sql)
        return inner(session, sql, **binds)

    monkeypatch.setattr(summing, "row", row)
    copies.copy()
    assert len(asked) == len(set(asked)) == 6, "three of each end"


@pytest.mark.parametrize("rules", [(), RULES])
def test_a_try_goes_on_behind_the_pieces_that_were_read(
    copies: InPieces, monkeypatch: pytest.MonkeyPatch, rules: Any
) -> None:
    with monkeypatch.context() as patch:
        interrupted(patch, summing.Summing, "_sum", 2)
        with pytest.raises(Interrupted):
            copies.copy(copies.means(1), rules=rules)
    with monkeypatch.context() as patch:
        calls = interrupted(patch, summing.Summing, "_sum", 9)
        assert copies.copy(rules=rules).verdict == "equal"
    wanted = 3 if rules else 6
    noted = wanted - len(calls)
    assert noted > 0
    assert copies.noted() == [0, 0, bool(rules)]


@pytest.mark.slow
def test_the_source_is_read_once(copies: InPieces) -> None:
    assert copies.copy(rules=RULES).verdict == "equal"
    assert copies.control_tables() == 1
    copies.source.close()
    copies.mask()
    check = copies.masked()
    assert (check.verdict, check.differences) == ("masked", ())
    assert (check.rows_source, [lob.column for lob in check.lobs]) == (ROWS, ["BODY", "TEXT"])
    assert (copies.noted(), copies.control_tables()) == ([0, 0, 0], 0)
    copies.source = copies.schema.connect()
    copies.change("UPDATE THINGS SET BODY = HEXTORAW('00') WHERE ID = 2")
    assert copies.masked().differences[0].startswith("BODY: "), "for a task that is cleared it sends rows"
