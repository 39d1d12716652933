"""Oracle text to tokens: sqlglot's tokenizer, with bind variables as one token and hints left out.

Also the small cursor with which the hand-written parsers (DDL, DML) walk over tokens. String literals are
tokens here, so nothing that looks like syntax inside them can be mistaken for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing import database_link
from localoracle.sql.parsing.dialect import DIALECT
from localoracle.sql.parsing.unicode_literals import national_string
from localoracle.sql.parsing.words import reserved_words

_NO_MERGE = re.compile(r"\bNO_MERGE\b", re.IGNORECASE)
_STRINGS = {TokenType.STRING, TokenType.RAW_STRING, TokenType.NATIONAL_STRING, TokenType.NATIONAL_RAW_STRING}
_NUMBER_AND_SIGN = re.compile(r"([\d.]+e[+-]?\d+)[+-]", re.IGNORECASE)
LONGEST_NAME = 128
"""Bytes of a name ("Database Object Naming Rules")."""
LONGEST_KEPT_NAME = 63
"""PostgreSQL's limit: names between the two are refused."""


@dataclass(frozen=True)
class Tokenized:
    """The tokens of one statement and the names of its bind variables in order of occurrence."""

    sql: str
    tokens: tuple[Token, ...]
    binds: tuple[str, ...]
    insert_hint: str = ""
    """The hint behind INSERT, with its comment signs."""


def tokenize(sql: str) -> Tokenized:
    """Split a statement. A final semicolon is dropped (ORA-00911 when anything follows it)."""
    try:
        raw = _split(sql)
    except TokenError as error:
        raise OracleError(1756, "quoted string not properly terminated") from error
    tokens: list[Token] = []
    binds: list[str] = []
    insert_hint = ""
    index = 0
    while index < len(raw):
        token = raw[index]
        following = raw[index + 1] if index + 1 < len(raw) else None
        if token.token_type == TokenType.HINT:
            # Hints do nothing here but two. An inline view that must not be merged keeps expressions that
            # are used more than once above from being computed as often, as the planner below would do too.
            # And an INSERT may load directly.
            if index == 1 and raw[0].token_type == TokenType.INSERT:
                insert_hint = token.text
            elif tokens and tokens[-1].token_type == TokenType.SELECT and _NO_MERGE.search(token.text):
                token.comments = [" NO_MERGE "]
                tokens.append(token)
        elif token.token_type == TokenType.COLON and following is not None and _names_bind(following):
            quoted = following.token_type == TokenType.IDENTIFIER
            name = following.text if quoted else following.text.upper()
            if not quoted and name in reserved_words():
                raise OracleError(1745, "invalid host/bind variable name", following.start)
            tokens.append(_bind_token(token, following, len(binds)))
            binds.append(name)
            index += 1
        elif token.token_type in (TokenType.BLOCK_START, TokenType.BLOCK_END, TokenType.UNKNOWN):
            raise OracleError(911, "invalid character", token.start)
        elif token.token_type == TokenType.UNICODE_STRING:
            tokens.append(national_string(token))
        else:
            tokens += database_link.split(token)
        index += 1
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
    database_link.check(tokens)
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            raise OracleError(911, "invalid character", token.start)
    if not tokens:
        raise OracleError(900, "invalid SQL statement")
    return Tokenized(sql, tuple(tokens), tuple(binds), insert_hint)


def _split(sql: str) -> list[Token]:
    """sqlglot's tokens; it takes a sign behind a number with an exponent, 1e3+5, as part of that."""
    tokens = DIALECT.tokenize(sql)
    for index, token in enumerate(tokens):
        if token.token_type == TokenType.NUMBER and (joined := _NUMBER_AND_SIGN.match(token.text)):
            sign = token.start + len(joined[1])
            number = Token(token.token_type, joined[1], token.line, token.col, token.start, sign - 1, [])
            return [*tokens[:index], number, *(_moved(other, sign) for other in _split(sql[sign:]))]
    return tokens


def _moved(token: Token, by: int) -> Token:
    start, end = token.start + by, token.end + by
    return Token(token.token_type, token.text, token.line, token.col, start, end, token.comments)


def _names_bind(token: Token) -> bool:
    return token.token_type in (TokenType.NUMBER, TokenType.IDENTIFIER) or (
        token.token_type not in _STRINGS and token.text[:1].isalpha()
    )


def _bind_token(colon: Token, name: Token, index: int) -> Token:
    return Token(TokenType.PLACEHOLDER, str(index), colon.line, colon.col, colon.start, name.end, [])


def nesting(token: Token) -> int:
    """By how much a token changes the depth of parentheses."""
    return (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)


def is_string(token: Token) -> bool:
    return token.token_type in _STRINGS


class Cursor:
    """A position in a list of tokens, with the few moves that a recursive descent needs.

    Words are compared in upper case and only with unquoted tokens. Errors carry the token's offset.
    `lengths_in_bytes`: what VARCHAR2(n) and CHAR(n) count, NLS_LENGTH_SEMANTICS of the session.
    """

    def __init__(self, tokens: Sequence[Token], sql: str, *, lengths_in_bytes: bool = True) -> None:
        self.tokens = tokens
        self.sql = sql
        self.index = 0
        self.lengths_in_bytes = lengths_in_bytes

    def over(self, tokens: Sequence[Token]) -> Cursor:
        """A cursor over other tokens of the same statement."""
        return Cursor(tokens, self.sql, lengths_in_bytes=self.lengths_in_bytes)

    @property
    def done(self) -> bool:
        return self.index >= len(self.tokens)

    @property
    def position(self) -> int:
        if self.done:
            return self.tokens[-1].end + 1 if self.tokens else 0
        return int(self.tokens[self.index].start)

    def word(self, ahead: int = 0) -> str:
        """The unquoted word or the sign at `index + ahead`, in upper case; "" at the end and for literals."""
        at = self.index + ahead
        if at >= len(self.tokens):
            return ""
        token = self.tokens[at]
        if token.token_type == TokenType.IDENTIFIER or is_string(token):
            return ""
        return str(token.text).upper()

    def at(self, *phrases: str) -> str | None:
        """The first of the phrases ("PRIMARY KEY") that stands here, or None.

        sqlglot joins some words into one token ("ORDER BY"), so words are compared, not tokens.
        """
        word = self.word()
        for phrase in phrases:
            if self._length(phrase, word):
                return phrase
        return None

    def _length(self, phrase: str, word: str) -> int:
        """How many tokens the phrase takes that begins here, with `word`; 0 where another one does."""
        if word == phrase:
            return 1
        if not word or word[0] != phrase[0]:
            return 0
        want = phrase.split()
        have = word.split()
        ahead = 1
        while len(have) < len(want):
            if have != want[: len(have)]:
                return 0
            following = self.word(ahead)
            if not following:
                return 0
            have.extend(following.split())
            ahead += 1
        return ahead if have == want else 0

    def take(self, *phrases: str) -> str | None:
        """Like `at`, and moves behind the phrase."""
        word = self.word()
        for phrase in phrases:
            length = self._length(phrase, word)
            if length:
                self.index += length
                return phrase
        return None

    def expect(self, phrase: str, code: int = 922, text: str = "missing or invalid option") -> None:
        if not self.take(phrase):
            raise self.error(code, text)

    def next(self) -> Token:
        if self.done:
            raise self.error(921, "unexpected end of SQL command")
        token = self.tokens[self.index]
        self.index += 1
        return token

    def error(self, code: int, text: str) -> OracleError:
        return OracleError(code, text, self.position)

    @property
    def at_name(self) -> bool:
        """Whether an identifier stands here, quoted or not."""
        if self.done:
            return False
        token = self.tokens[self.index]
        return token.token_type == TokenType.IDENTIFIER or (token.text[:1].isalpha() and not is_string(token))

    def name(self) -> str:
        """An identifier: upper case unless quoted. ORA-00904 when there is none."""
        if not self.at_name:
            raise self.error(904, "invalid identifier")
        token = self.tokens[self.index]
        quoted = token.token_type == TokenType.IDENTIFIER
        name = str(token.text) if quoted else str(token.text).upper()
        self.index += 1
        check_identifier(name, token.start)
        return name

    def dotted(self) -> list[str]:
        """Identifiers with periods between them."""
        names = [self.name()]
        while self.take("."):
            names.append(self.name())
        return names

    def qualified(self) -> tuple[str | None, str]:
        """`name` or `schema.name`."""
        first = self.name()
        if self.take("."):
            return first, self.name()
        return None, first

    def number(self) -> int:
        negative = bool(self.take("-"))
        if self.done or self.tokens[self.index].token_type != TokenType.NUMBER or not self.word().isdigit():
            raise self.error(1722, "invalid number")
        value = int(self.next().text)
        return -value if negative else value

    def string(self) -> str:
        if self.done or not is_string(self.tokens[self.index]):
            raise self.error(1780, "string literal required")
        return str(self.next().text)

    def parenthesised(self) -> list[Token]:
        """The tokens inside the parenthesis that starts here."""
        self.expect("(", 906, "missing left parenthesis")
        start = self.index
        depth = 1
        while depth:
            if self.done:
                raise self.error(907, "missing right parenthesis")
            token = self.tokens[self.index]
            depth += nesting(token)
            self.index += 1
        return list(self.tokens[start : self.index - 1])

    def inside(self) -> Cursor:
        """A cursor over the same."""
        return self.over(self.parenthesised())

    def until(self, *phrases: str) -> list[Token]:
        """The tokens up to one of the phrases outside parentheses and CASE ... END, or up to the end."""
        start = self.index
        depth = 0
        while not self.done:
            token = self.tokens[self.index]
            if depth == 0 and self.at(*phrases):
                break
            if token.token_type == TokenType.L_PAREN or self.word() == "CASE":
                depth += 1
            elif token.token_type == TokenType.R_PAREN or (self.word() == "END" and depth):
                if depth == 0:
                    break
                depth -= 1
            self.index += 1
        return list(self.tokens[start : self.index])

    def rest(self) -> list[Token]:
        start, self.index = self.index, len(self.tokens)
        return list(self.tokens[start:])

    def finish(self, code: int = 922, text: str = "missing or invalid option") -> None:
        if not self.done:
            raise self.error(code, text)


def split_commas(cursor: Cursor) -> list[list[Token]]:
    """The comma separated parts of the rest of a cursor, commas inside parentheses aside."""
    parts = []
    while True:
        parts.append(cursor.until(","))
        if not parts[-1]:
            raise cursor.error(936, "missing expression")
        if not cursor.take(","):
            cursor.finish(907, "missing right parenthesis")
            return parts


def check_identifier(name: str, position: int = 0) -> str:
    """ORA-00972 for names that are too long, ORA-03001 for those that PostgreSQL cannot keep."""
    if not name:
        raise OracleError(1741, "illegal zero-length identifier", position)
    if len(name.encode()) > LONGEST_NAME:
        raise OracleError(972, "identifier is too long", position)
    if len(name.encode()) > LONGEST_KEPT_NAME:
        raise not_supported(f"a name of more than {LONGEST_KEPT_NAME} bytes")
    return name


def quote(name: str) -> str:
    """A name as PostgreSQL wants it."""
    return '"' + name.replace('"', '""') + '"'


def quote_qualified(schema: str | None, name: str) -> str:
    return f"{quote(schema)}.{quote(name)}" if schema else quote(name)


def literal(text: str) -> str:
    """A string literal; standard_conforming_strings is on, so only quotes are doubled."""
    return "'" + text.replace("'", "''") + "'"


def named(alias: str | None) -> str:
    """What gives a table its alias."""
    return f" AS {quote(alias)}" if alias else ""


def last_part(target: str) -> str:
    """The unquoted last part of a quoted name."""
    return target.rsplit('."', 1)[-1].strip('"').replace('""', '"')
