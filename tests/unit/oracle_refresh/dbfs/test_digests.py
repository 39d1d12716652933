"""Digests of staged files, whichever pieces they are read in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.dbfs import digests
from oracle_refresh.dbfs.digests import Checked, digest_of, piece_end
from support.staging import chained


@given(st.binary(max_size=50), st.integers(1, 60))
def test_the_digest_of_a_file_does_not_depend_on_where_a_try_ended(content: bytes, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "PIECE_BYTES", piece)

        def hash_piece(position: int, count: int) -> bytes:
            return digests.hashlib.sha256(content[position : position + count]).digest()

        assert digest_of(hash_piece, len(content)) == chained(content, piece)
        checked = Checked()
        while checked.size < len(content):
            again = Checked(checked.size, checked.digest)  # what the ledger keeps
            count = piece_end(again.size, len(content)) - again.size
            assert 0 < count <= piece
            checked = again.and_then(count, hash_piece(again.size, count))
        assert checked.digest == chained(content, piece)
