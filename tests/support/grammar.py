"""Checks statements with a real PL/SQL grammar, and their package calls against the documented signatures.

The grammar is ANTLR's for PL/SQL as an npm package of a fixed version. It is installed once into pytest's
cache folder, and one node process reads everything. It needs minutes and gigabytes for a few nested calls, so
a statement is parsed in pieces: an inner call, CASE or query is parsed by itself, and a name stands in its
place. Pieces that differ in names and texts alone are one for the grammar. Accepted pieces are kept by their
hash in pytest's cache and in `grammar_accepted.txt`; all others are parsed. After a run of all tests, `make
grammar` writes the file from the cache.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from localoracle.dictionary.documentation import parameters
from localoracle.supplied.object_types import object_type
from localoracle.supplied.signatures import Parameter, constant, documented

PACKAGES = ("@griffithswaite/ts-plsql-parser@1.1.1", "antlr4@4.13.0")
SCRIPT = Path(__file__).with_name("grammar.mjs")
ACCEPTED = Path(__file__).with_name("grammar_accepted.txt")
CACHE = "plsql_grammar"
"""The parser's folder in pytest's cache."""

#: What the grammar does not know, by the documentation: SQL Language Reference 19c, "ALTER SYSTEM".
ALTER_SYSTEM = re.compile(
    r"""^ALTER\ SYSTEM\ (?:
        SET\ (?P<parameter>\w+)\s*=\s*(?:\w+|'(?:[^']|\'\')*')(?:\s+COMMENT\s*=\s*'[^']*')?
            (?:\s+(?:DEFERRED|CONTAINER\s*=\s*(?:CURRENT|ALL)|SCOPE\s*=\s*(?:MEMORY|SPFILE|BOTH)
            |SID\s*=\s*'[^']*'))*
        |RESET\ (?P<reset>\w+)(?:\s+SCOPE\s*=\s*(?:MEMORY|SPFILE|BOTH))?(?:\s+SID\s*=\s*'[^']*')?
        |(?:KILL|DISCONNECT)\ SESSION\ '\d+,\s*\d+(?:,\s*@\d+)?'(?:\ POST_TRANSACTION)?(?:\ IMMEDIATE)?
        |CHECKPOINT(?:\ (?:GLOBAL|LOCAL))?|ARCHIVE\ LOG\ CURRENT|SWITCH\ LOGFILE
        |FLUSH\ (?:SHARED_POOL|BUFFER_CACHE)
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
# All have it since 12.1 (PL/SQL Language Reference, SQL Language Reference); the grammar knows it of views.
_EDITIONABLE = re.compile(
    r"^(CREATE(?:\s+OR\s+REPLACE)?)\s+(?:NON)?EDITIONABLE\s+"
    r"(?=(?:TRIGGER|PROCEDURE|FUNCTION|PACKAGE|TYPE|SYNONYM)\b)",
    re.IGNORECASE,
)
# Documented as integers in CREATE SEQUENCE; the grammar takes no sign.
_NEGATIVE = re.compile(r"\b(MINVALUE|MAXVALUE|INCREMENT BY|START WITH) -(?=\d)")
# CREATE USER has it since 18c.
_NO_AUTHENTICATION = re.compile(r'^(CREATE USER "[^"]*") NO AUTHENTICATION\b')
# redo_log_file_spec: Oracle names the file where none is named.
_UNNAMED_LOG = re.compile(r"^(ALTER DATABASE ADD LOGFILE THREAD \d+ GROUP \d+)(?= SIZE)")
# Documented as ALTER SESSION SET parameter = value; the grammar takes names and texts, but no numbers.
_SESSION_NUMBER = re.compile(r"^(ALTER\s+SESSION\s+SET\s+\w+\s*=\s*)\d+$", re.IGNORECASE)
# A schema may be quoted there (SQL Language Reference, ALTER SESSION); the grammar takes a plain name.
_SCHEMA = re.compile(r'^(ALTER SESSION SET CURRENT_SCHEMA =) "[^"]+"$')
# ALTER PACKAGE takes a schema as all others do (PL/SQL Language Reference); the grammar a plain name.
_OWNER_OF_PACKAGE = re.compile(r'^(ALTER PACKAGE )"[^"]+"\.(?="[^"]+" COMPILE\b)')
# composite_list_partitions has it, as list_partitions (SQL Language Reference, CREATE TABLE).
_AUTOMATIC = re.compile(r"(\bPARTITION BY LIST \([^()]*\)) AUTOMATIC(?= SUBPARTITION BY\b)")
_LITERAL = re.compile(
    r"""\b[Nn]?[Qq]'(?:\[.*?\]|\{.*?\}|\(.*?\)|<.*?>|(?P<mark>[^\s\[{(<]).*?(?P=mark))'|\b[Nn]?'(?:[^']|'')*'|'(?:[^']|'')*'""",
    re.DOTALL,
)
_QUOTED = re.compile(rf'(?P<name>"[^"]*")|(?P<comment>/\*.*?\*/|--[^\n]*)|(?:{_LITERAL.pattern})', re.DOTALL)
_CALL = re.compile(
    r"\b(?:SYS\s*\.\s*)?(?P<package>(?:DBMS|UTL)_\w+)\s*\.\s*(?P<name>[\w$]+)\s*", re.IGNORECASE
)
# What stands before a call that is a statement of its own.
_STATEMENT = re.compile(r"(^|;|\b(BEGIN|CALL|THEN|ELSE|LOOP)|:?\w+\s*>>)$")

#: Behind these words there is a statement, or an expression of CASE.
_BRANCH = re.compile(r"\b(THEN|ELSE)$")


def sent(log: Path, users: Iterable[str] = (), skip: int = 0) -> list[str]:
    """The statements in a stand-in's statement log, each once; those of some users, after some bytes."""
    wanted = {user.upper() for user in users}
    with log.open("rb") as file:
        file.seek(skip)
        entries = [json.loads(line) for line in file]
    return list(dict.fromkeys(e["sql"] for e in entries if not wanted or (e["user"] or "").upper() in wanted))


def call_complaints(sql: str) -> list[str]:
    """What is wrong with the statement's calls of documented packages, or with their constants."""
    code = _without_texts(sql)
    found = []
    for match in _CALL.finditer(code):
        package, name = match["package"].upper(), match["name"].upper()
        overloads = documented(package).get(name, ())
        called = code[match.end() : match.end() + 1] == "("
        if not overloads and not called and (constant(package, name)[0] or object_type(f"{package}.{name}")):
            continue
        arguments = _arguments(code[match.end() + 1 :]) if called else []
        before = code[: match.start()].rstrip().upper()
        form = "procedure" if _STATEMENT.search(before) else "function"
        if _BRANCH.search(before) and any(overload.form == "function" for overload in overloads):
            form = "function"
        if re.search(r"\bTABLE\s*\($", before):
            form = "pipelined"
        if not overloads:
            found.append(f"{package}.{name} is not documented")
        elif all(overload.form != form for overload in overloads):
            found.append(f"{package}.{name} is no {form}")
        elif not any(
            overload.form == form and _fits(arguments, overload.parameters) for overload in overloads
        ):
            found.append(f"{package}.{name} has no parameters ({', '.join(arguments)})")
    return found


def alter_system_complaints(sql: str) -> list[str] | None:
    """For ALTER SYSTEM what is wrong with it; None for every other statement."""
    if not re.match(r"\s*ALTER\s+SYSTEM\b", sql, re.IGNORECASE):
        return None
    match = ALTER_SYSTEM.match(" ".join(sql.split()))
    if match is None:
        return ["not a documented form of ALTER SYSTEM"]
    name = (match["parameter"] or match["reset"] or "").lower()
    known = not name or name in parameters()
    return [] if known else [f"{name} is not a documented parameter"]


class Grammar:
    """The parser in a folder; `complaints` may be asked again and again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._verdicts_file = folder / "verdicts.json"

    @classmethod
    def installed(cls, cache: pytest.Cache) -> Grammar:
        """The parser in pytest's cache; the test is skipped where it is not there and cannot be had."""
        folder = cache.mkdir(CACHE)
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None or npm is None:
            pytest.skip("node and npm are needed for the PL/SQL grammar")
        with (folder / "lock").open("w") as lock:
            # Workers of a test run share the folder. Half a parser is none, nor is what a timeout has left.
            fcntl.flock(lock, fcntl.LOCK_EX)
            _install(npm, folder)
        return cls(folder)

    def complaints(self, statements: Iterable[str], seconds: float = 1800.0) -> dict[str, list[str]]:
        """The statements that the grammar does not accept, each with what is wrong with it.

        :raises AssertionError: when that takes longer than it may.
        """
        parts = {sql: shapes(sql) for sql in statements if alter_system_complaints(sql) is None}
        wanted = {digest: piece for found in parts.values() for digest, piece in found.items()}
        known = self._parsed(wanted, seconds)
        left = [piece for digest, piece in wanted.items() if digest not in known]
        assert not left, f"no time to parse {len(left)} of {len(wanted)} pieces, such as {left[0]}"
        wrong = {sql: [text for digest in found for text in known[digest]] for sql, found in parts.items()}
        return {sql: found for sql, found in wrong.items() if found}

    def _parsed(self, pieces: dict[str, str], seconds: float) -> dict[str, list[str]]:
        """Verdicts by the hash of the shape, old ones and new ones; short pieces are parsed first."""
        known = self._known()
        new = sorted(
            ((digest, text) for digest, text in pieces.items() if digest not in known),
            key=lambda one: len(one[1]),
        )
        if new:
            with subprocess.Popen(
                ["node", SCRIPT.name],
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as node:
                alarm = Timer(seconds, node.kill)
                alarm.start()
                try:
                    known |= dict(_dialogue(node, new))
                finally:
                    alarm.cancel()
                    node.kill()
            # Another worker may have written meanwhile.
            verdicts = self._known() | known
            self._verdicts_file.write_text(json.dumps({"packages": PACKAGES, "verdicts": verdicts}))
        return known

    def _known(self) -> dict[str, list[str]]:
        """Verdicts by hash: those that came with the tests, and those of earlier runs here."""
        found: dict[str, list[str]] = {}
        lines = ACCEPTED.read_text().splitlines() if ACCEPTED.exists() else []
        if lines[:1] == [" ".join(PACKAGES)]:
            found |= {digest: [] for digest in lines[1:]}
        try:
            document = json.loads(self._verdicts_file.read_text())
        except (OSError, ValueError):
            return found
        return found | (document["verdicts"] if tuple(document["packages"]) == PACKAGES else {})


def _install(npm: str, folder: Path) -> None:
    """Parser and script in the folder, once; the test is skipped where the registry does not give it."""
    shutil.copy(SCRIPT, folder / SCRIPT.name)
    complete = folder / "installed"
    if complete.exists() and complete.read_text() == " ".join(PACKAGES):
        return
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    words = (npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", *PACKAGES)
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("the npm registry does not answer")
    if done.returncode != 0:
        pytest.skip(f"the PL/SQL grammar cannot be installed: {done.stderr.strip()[-300:]}")
    complete.write_text(" ".join(PACKAGES))


def _dialogue(
    node: subprocess.Popen[str], texts: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, list[str]]]:
    """The parser's answers, as far as they come."""
    assert node.stdin is not None
    assert node.stdout is not None
    for digest, text in texts:
        try:
            node.stdin.write(json.dumps(text) + "\n")
            node.stdin.flush()
        except BrokenPipeError:
            return
        answer = node.stdout.readline()
        if not answer:
            return
        yield digest, json.loads(answer)


def pieces(sql: str) -> tuple[str, ...]:
    """What is parsed of a statement: itself, with names in place of what is parsed apart, and that.

    Passwords that the log leaves out are names again, and all texts are the same.
    """
    text = _EDITIONABLE.sub(r"\1 ", sql.replace("BY ***", 'BY "x"').strip())
    text = _SESSION_NUMBER.sub(r"\1'x'", text)
    text = _SCHEMA.sub(r"\1 A", text)
    text = _OWNER_OF_PACKAGE.sub(r"\1", text)
    text = _AUTOMATIC.sub(r"\1", text)
    if text.startswith("CREATE SEQUENCE"):
        text = _NEGATIVE.sub(r"\1 ", text)
    text = _NO_AUTHENTICATION.sub(r'\1 IDENTIFIED BY "x"', text)
    text = _UNNAMED_LOG.sub(r"\1 ('x')", text)
    tree = _tree(_blanked(text, "'x'"))
    if tree is None:
        return (text,)
    apart: list[_Tree] = []
    if str(tree[0]).upper() in _SQL:
        tree = _lifted(tree, apart, calls=False)
    seen: dict[str, list[str]] = {}
    for part in (*apart, tree):
        thin = _thinned(part)
        alike = seen.setdefault(_shape(thin), [])
        if len(alike) < 2:
            alike.append(_text(thin))
    return tuple(dict.fromkeys(text for alike in seen.values() for text in alike))


_TOKEN = re.compile(r""""[^"]*"|[<>!^]=|<>|\*\*|\.\.|'(?:[^']|'')*'|\|\||=>|:=|[\w$#]+|\S""")
#: What separates parts of a list; innermost last.
_SEPARATORS = (";", ",", "||", "WHEN")
_Tree = list[Any]


def shapes(sql: str) -> dict[str, str]:
    """The pieces of a statement by the hash of what the grammar sees of them."""
    return {_digest(_shape(_tree(piece) or [piece])): piece for piece in pieces(sql)}


#: Statements whose brackets hold expressions and queries; a block's may hold statements.
_SQL = frozenset({"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE"})
#: Words before an opening bracket that do not make it a call of a function with plain arguments.
_NO_CALLS = re.compile(
    "IN|EXISTS|ANY|ALL|SOME|AND|OR|NOT|WHEN|THEN|ELSE|CASE|WHERE|HAVING|ON|USING|BY|SELECT|FROM|INTO|VALUES|SET"
    "|AS|OVER|GROUP|KEEP|JOIN|UNION|MINUS|INTERSECT|BETWEEN|LIKE|CAST|EXTRACT|TRIM|TABLE|PARTITION|SAMPLE"
    "|BLOCK|LISTAGG|XMLTABLE|JSON_TABLE|PRIOR|DISTINCT|UNIQUE|RETURNING|COLUMNS|FIRST|NEXT",
    re.IGNORECASE,
)


def _tree(sql: str) -> _Tree | None:
    """Tokens, with what stands in brackets as a list of its own; None where brackets do not match."""
    root: _Tree = []
    open_lists = [root]
    for token in _TOKEN.findall(re.sub(r"/\*.*?\*/|--[^\n]*", " ", sql, flags=re.DOTALL)):
        if token == "(":
            inner: _Tree = []
            open_lists[-1].append(inner)
            open_lists.append(inner)
        elif token == ")":
            if len(open_lists) == 1:
                return None
            open_lists.pop()
        else:
            open_lists[-1].append(token)
    return root if len(open_lists) == 1 else None


def _lifted(tree: _Tree, apart: list[_Tree], calls: bool) -> _Tree:
    """The tree with names for its inner queries, for each CASE, and with `calls` for calls of functions.

    Where a call or a CASE stands among arguments, a name may stand, so nothing that is wrong gets lost.
    """
    found: _Tree = []
    for part in tree:
        if not isinstance(part, list):
            found.append(part)
            if part.upper() == "END" and "CASE" in (words := [str(one).upper() for one in found]):
                begin = len(words) - 1 - words[::-1].index("CASE")
                apart.append(["SELECT", *found[begin:], "FROM", "DUAL"])
                found[begin:] = ["LIFTED"]
            continue
        if part and str(part[0]).upper() in ("SELECT", "WITH"):
            apart.append(_lifted(part, apart, calls=False))
            found.append(["SELECT", "LIFTED", "FROM", "DUAL"])
            continue
        name = str(found[-1]) if found else ""
        function = re.fullmatch(r"[A-Za-z]\w*", name) is not None and not _NO_CALLS.fullmatch(name)
        columns = len(found) > 1 and str(found[-2]).upper() in ("INTO", "AS", "TABLE", "JOIN")
        inner = _lifted(part, apart, calls=function and not columns)
        qualified = len(found) > 1 and found[-2] in (".", ":", "@")
        if calls and function and not qualified:
            apart.append(["SELECT", name, inner, "FROM", "DUAL"])
            found[-1] = "LIFTED"
        else:
            found.append(inner)
    return found


def _thinned(tree: _Tree) -> _Tree:
    parts: _Tree = [_thinned(part) if isinstance(part, list) else part for part in tree]
    for separator in _SEPARATORS:
        places = [place for place, part in enumerate(parts) if str(part).upper() == separator]
        if not places:
            continue
        kept = parts[: places[0]]
        seen: dict[str, int] = {}
        for place, end in zip(places, [*places[1:], len(parts)], strict=True):
            segment = parts[place:end]
            shape = _shape(segment)
            seen[shape] = seen.get(shape, 0) + 1
            if seen[shape] <= 2 or end == len(parts):
                kept = [*kept, *segment]
        parts = kept
    return parts


def _shape(tree: _Tree) -> str:
    """The tree with quoted names, names on either side of a dot, binds, numbers and texts all the same."""
    words = []
    for place, part in enumerate(tree):
        beside = (*tree[max(place - 1, 0) : place], *tree[place + 1 : place + 2])
        if isinstance(part, list):
            words.append(f"({_shape(part)})")
        elif part[0] in "\"'" or ("." in beside and part != "."):
            words.append("'" if part[0] == "'" else "name")
        elif place and tree[place - 1] == ":":
            words.append("bind")
        else:
            words.append(re.sub(r"\d+", "0", part))
    return " ".join(words)


def _text(tree: _Tree) -> str:
    """Tokens with spaces between, as `:name` and `a.b` have none."""
    text = " ".join(f"({_text(part)})" if isinstance(part, list) else part for part in tree)
    return re.sub(r"\s*([.@%])\s*", r"\1", re.sub(r":\s+(?=\w)", ":", text)).replace(": =", ":=")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _without_texts(sql: str) -> str:
    """The statement without comments and with empty literals."""
    return _blanked(sql, "''")


def _blanked(sql: str, text: str) -> str:
    """The statement with `text` for every literal, without comments, and with names of plain letters: what
    stands in quotation marks is not mistaken for anything else."""

    def plain(match: re.Match[str]) -> str:
        if match["name"]:
            return '"' + re.sub(r"\W", "x", match["name"][1:-1]) + '"'
        return " " if match["comment"] else text

    return _QUOTED.sub(plain, sql)


def _arguments(rest: str) -> list[str]:
    """The arguments up to the closing bracket: the name of a named one, `?` for the others."""
    found, depth, begun = [], 0, 0
    for place, sign in enumerate(rest):
        if sign == ")" and depth == 0:
            found.append(rest[begun:place])
            break
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            found.append(rest[begun:place])
            begun = place + 1
    texts = [text for text in found if text.strip()]
    named = [re.match(r"\s*(\w+)\s*=>", text) for text in texts]
    return [match[1].lower() if match else "?" for match in named]


def _fits(arguments: list[str], parameters: tuple[Parameter, ...]) -> bool:
    names = [parameter.name for parameter in parameters]
    positional = arguments.count("?")
    if "?" in arguments[positional:] or positional > len(names):
        return False
    named = arguments[positional:]
    left = names[positional:]
    required = {parameter.name for parameter in parameters[positional:] if not parameter.optional}
    return set(named) <= set(left) and len(set(named)) == len(named) and required <= set(named)


if __name__ == "__main__":
    document = json.loads(Path(sys.argv[1], CACHE, "verdicts.json").read_text())
    fine = sorted(digest for digest, complaints in document["verdicts"].items() if not complaints)
    ACCEPTED.write_text("\n".join([" ".join(document["packages"]), *fine, ""]))
