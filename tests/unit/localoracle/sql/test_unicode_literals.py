from __future__ import annotations

import pytest

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import tokenize


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("u'a'", "a"),
        (r"U'Gr\00fc\00dfe'", "Grüße"),
        (r"u'\d83d\de00'", "😀"),
        (r"u'a\\00fc'", r"a\00fc"),
        ("u'it''s'", "it's"),
    ],
)
def test_escapes(written: str, meant: str) -> None:
    assert tokenize(f"select {written} from dual").tokens[1].text == meant


def test_a_backslash_alone_is_refused() -> None:
    with pytest.raises(OracleError) as caught:
        tokenize(r"select u'a\b' from dual")
    assert caught.value.code == 30186
