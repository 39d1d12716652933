"""Checks statements with a real PL/SQL grammar, and their package calls against the documented signatures.

The grammar is ANTLR's for PL/SQL as an npm package of a fixed version. It is installed once into pytest's
cache folder, and one node process reads all statements. As it takes up to a second for each, what it has
accepted is kept by the statement's hash: in pytest's cache, and for all in `grammar_accepted.txt`, which
`python tests/support/grammar.py STATEMENT_LOG...` brings up to date. What is in neither is parsed.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from localoracle.errors import dictionary

PACKAGES = ("@griffithswaite/ts-plsql-parser@1.1.1", "antlr4@4.13.0")
SCRIPT = Path(__file__).with_name("grammar.mjs")

ACCEPTED = Path(__file__).with_name("grammar_accepted.txt")

#: Calls that Oracle's own scripts make and only its files document: rdbms/admin/dbmsfuse.sql, which
#: dbfs_create_filesystem.sql uses.
ALSO_DOCUMENTED = {"DBMS_FUSE": {"FS_CHMOD": [{"params": [{"name": "path"}, {"name": "st_mode"}]}]}}

#: What the grammar does not know, by the documentation: SQL Language Reference 19c, "ALTER SYSTEM".
ALTER_SYSTEM = re.compile(
    r"""^ALTER\ SYSTEM\ (?:
        SET\ (?P<parameter>\w+)\s*=\s*(?:\w+|'[^']*')(?:\s+COMMENT\s*=\s*'[^']*')?
            (?:\s+(?:DEFERRED|CONTAINER\s*=\s*(?:CURRENT|ALL)|SCOPE\s*=\s*(?:MEMORY|SPFILE|BOTH)
            |SID\s*=\s*'[^']*'))*
        |RESET\ (?P<reset>\w+)(?:\s+SCOPE\s*=\s*(?:MEMORY|SPFILE|BOTH))?(?:\s+SID\s*=\s*'[^']*')?
        |(?:KILL|DISCONNECT)\ SESSION\ '\d+,\s*\d+(?:,\s*@\d+)?'(?:\ POST_TRANSACTION)?(?:\ IMMEDIATE)?
        |CHECKPOINT|FLUSH\ (?:SHARED_POOL|BUFFER_CACHE)|SWITCH\ LOGFILE
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
# CREATE TRIGGER has it since 12.1 (PL/SQL Language Reference); the grammar knows it elsewhere.
_EDITIONABLE = re.compile(
    r"^(CREATE(?:\s+OR\s+REPLACE)?)\s+(?:NON)?EDITIONABLE\s+(?=TRIGGER\b)", re.IGNORECASE
)
# Documented as ALTER SESSION SET parameter = value; the grammar takes names and texts, but no numbers.
_SESSION_NUMBER = re.compile(r"^(ALTER\s+SESSION\s+SET\s+\w+\s*=\s*)\d+$", re.IGNORECASE)
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_QUOTED = re.compile(r"\b[Nn]?[Qq]'")
_CALL = re.compile(
    r"\b(?:SYS\s*\.\s*)?(?P<package>(?:DBMS|UTL)_\w+)\s*\.\s*(?P<name>[\w$]+)\s*", re.IGNORECASE
)


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
        documented = dictionary()["packages"].get(package) or ALSO_DOCUMENTED.get(package, {})
        overloads: list[dict[str, Any]] | None = documented.get(name)
        if code[match.end() : match.end() + 1] == "(":
            arguments = _arguments(code[match.end() + 1 :])
        elif overloads is None and f"{package}.{name}" in dictionary()["constants"]:
            continue
        else:
            arguments = []
        if overloads is None:
            found.append(f"{package}.{name} is not documented")
        elif not any(_fits(arguments, overload["params"]) for overload in overloads):
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
    known = not name or name in dictionary()["parameters"]
    return [] if known else [f"{name} is not a documented parameter"]


class Grammar:
    """The parser in a folder; `complaints` may be asked again and again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._verdicts_file = folder / "verdicts.json"
        self.left: list[str] = []

    @classmethod
    def installed(cls, folder: Path) -> Grammar:
        """The parser in a folder; the test is skipped where it is not there and cannot be had."""
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None or npm is None:
            pytest.skip("node and npm are needed for the PL/SQL grammar")
        shutil.copy(SCRIPT, folder / SCRIPT.name)
        if not (folder / "node_modules" / "@griffithswaite" / "ts-plsql-parser").is_dir():
            (folder / "package.json").write_text('{"private": true, "type": "module"}')
            words = (npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", *PACKAGES)
            try:
                done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
            except subprocess.TimeoutExpired:
                pytest.skip("the npm registry does not answer")
            if done.returncode != 0:
                pytest.skip(f"the PL/SQL grammar cannot be installed: {done.stderr.strip()[-300:]}")
        return cls(folder)

    def complaints(self, statements: Iterable[str], seconds: float = 600.0) -> dict[str, list[str]]:
        """The statements that the grammar does not accept, each with what is wrong with it.

        Short ones are parsed first; what is not parsed within the time is in `left` afterwards.
        """
        texts = {sql: prepared(sql) for sql in statements if alter_system_complaints(sql) is None}
        known = self._parsed(set(texts.values()), seconds)
        self.left = [sql for sql, text in texts.items() if _digest(text) not in known]
        return {sql: wrong for sql, text in texts.items() if (wrong := known.get(_digest(text)))}

    def _parsed(self, texts: set[str], seconds: float) -> dict[str, list[str]]:
        """Verdicts by hash, old ones and new ones."""
        known = self._known()
        new = sorted((text for text in texts if _digest(text) not in known), key=len)
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
            self._verdicts_file.write_text(json.dumps({"packages": PACKAGES, "verdicts": known}))
        return known

    def _known(self) -> dict[str, list[str]]:
        """Verdicts by hash: those that came with the tests, and those of earlier runs here."""
        found: dict[str, list[str]] = {digest: [] for digest in _accepted()}
        try:
            document = json.loads(self._verdicts_file.read_text())
        except (OSError, ValueError):
            return found
        return found | (document["verdicts"] if tuple(document["packages"]) == PACKAGES else {})

    def remember(self, statements: Iterable[str]) -> int:
        """Put what is accepted of the statements into `ACCEPTED`, for everybody; how many are there now."""
        texts = {prepared(sql) for sql in statements if alter_system_complaints(sql) is None}
        verdicts = self._parsed(texts, 3600.0)
        fine = {digest for text in texts if verdicts.get(digest := _digest(text)) == []}
        listed = sorted(_accepted() | fine)
        ACCEPTED.write_text("\n".join([" ".join(PACKAGES), *listed, ""]))
        return len(listed)


def _dialogue(node: subprocess.Popen[str], texts: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The parser's answers, as far as they come."""
    assert node.stdin is not None
    assert node.stdout is not None
    for text in texts:
        try:
            node.stdin.write(json.dumps(text) + "\n")
            node.stdin.flush()
        except BrokenPipeError:
            return
        answer = node.stdout.readline()
        if not answer:
            return
        yield _digest(text), json.loads(answer)


def _accepted() -> set[str]:
    """Hashes of statements that this version of the grammar has accepted."""
    if not ACCEPTED.exists():
        return set()
    version, *digests = ACCEPTED.read_text().split("\n")
    return set(filter(None, digests)) if version == " ".join(PACKAGES) else set()


def prepared(sql: str) -> str:
    """What is parsed: passwords that the log leaves out are names again, and texts all the same."""
    text = _EDITIONABLE.sub(r"\1 ", sql.replace("BY ***", 'BY "x"').strip())
    text = _SESSION_NUMBER.sub(r"\1'x'", text)
    if not _QUOTED.search(text):
        text = _LITERAL.sub("'x'", text)
    return shortened(text)


_TOKEN = re.compile(r""""[^"]*"|[<>!^]=|<>|\*\*|\.\.|'(?:[^']|'')*'|\|\||=>|:=|[\w$#]+|\S""")
#: What separates parts of a list; innermost last.
_SEPARATORS = (";", ",", "||", "WHEN")
_Tree = list[Any]


def shortened(sql: str) -> str:
    """The statement with at most two parts of the same shape in each of its lists.

    The grammar needs minutes for the select list of a wide table. A part is left out only if two others
    there differ from it in names, numbers and texts alone, so nothing that is wrong can get lost.
    """
    if _QUOTED.search(sql):
        return sql
    root: _Tree = []
    open_lists = [root]
    for token in _TOKEN.findall(re.sub(r"/\*.*?\*/|--[^\n]*", " ", sql, flags=re.DOTALL)):
        if token == "(":
            inner: _Tree = []
            open_lists[-1].append(inner)
            open_lists.append(inner)
        elif token == ")":
            if len(open_lists) == 1:
                return sql
            open_lists.pop()
        else:
            open_lists[-1].append(token)
    return sql if len(open_lists) > 1 else _text(_thinned(root))


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
    words = []
    for part in tree:
        if isinstance(part, list):
            words.append(f"({_shape(part)})")
        elif part[0] in "\"'":
            words.append(part[0])
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
    code = re.sub(r"/\*.*?\*/|--[^\n]*", " ", sql, flags=re.DOTALL)
    code = re.sub(r"\b[Nn]?[Qq]'\[.*?\]'", "''", code, flags=re.DOTALL)
    return _LITERAL.sub("''", code)


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


def _fits(arguments: list[str], params: list[dict[str, Any]]) -> bool:
    names = [str(param["name"]).lower() for param in params]
    positional = arguments.count("?")
    if "?" in arguments[positional:] or positional > len(names):
        return False
    named = arguments[positional:]
    left = names[positional:]
    required = [str(param["name"]).lower() for param in params[positional:] if not param.get("optional")]
    return set(named) <= set(left) and len(set(named)) == len(named) and set(required) <= set(named)


if __name__ == "__main__":
    parser = Grammar.installed(Path(tempfile.mkdtemp(prefix="plsql_grammar_")))
    print(parser.remember(sql for log in sys.argv[1:] for sql in sent(Path(log))))
