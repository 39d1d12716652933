"""Every statement that stands in the provider's modules as text, found by walking them.

A text with nothing to fill in is a statement as it stands. Any other one is a template: a builder fills it
in, and a generator that drives the builder sends a statement that holds it. So nobody has to keep a list, and
a builder that nothing drives is told by its place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import oracle_refresh
from oracle_refresh.first_contact.rooms import room_of

ROOT = Path(oracle_refresh.__file__).parent
#: What stands for a value that is filled in.
HOLE = "\0"
_NAMED = re.compile(r"\{{1,2}\w*\}{1,2}")
#: Lists of binds are written at the last moment: the text is a whole statement without them.
_LISTS = ("{{names}}", "{names}")
#: How a statement begins: the verb, and words that follow it neither in a sentence nor in a privilege's name.
_BEGIN = re.compile(
    r"\s*(?:SELECT\s+(?!ANY\b|FROM\b)[^\n]*?(?:\0|\bFROM\b|,\s*$)|SELECT\s+(?!ANY\b|FROM\b)[^;]*\bFROM\b|WITH\s[^;]*(?:\bSELECT\b|\0)"
    r"|INSERT\s+(?:/\*.*?\*/\s*)?INTO\b|UPDATE\s[^;]*\bSET\b|DELETE\s+FROM\b|MERGE\s+(?:/\*.*?\*/\s*)?INTO\b"
    r"|LOCK\s+TABLE\b|COMMENT\s+ON\s+(?:TABLE|COLUMN)\b|BEGIN\s.*[;\0]|DECLARE\s.*;"
    r"|ALTER\s+(?:SESSION|SYSTEM|DATABASE)\s+[A-Z\0]|TRUNCATE\s+TABLE\b"
    r"|(?:CREATE|ALTER|DROP|GRANT|REVOKE)\s+[A-Z\0][^;]*[\0\"(.<])",
    re.DOTALL,
)
_VERB = re.compile(
    r"[\"'\n ](?:SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|LOCK|COMMENT|BEGIN|DECLARE|ALTER|CREATE|DROP|GRANT) "
)
_HINT = re.compile(r"^(?P<verb>[A-Z]+ )/\*\+ NO_MONITOR \*/ ")
#: Two words of a sentence, beside names in quotation marks, binds and comments.
_PROSE = re.compile(r"(?<![:\w$#.])[a-z]{2,},? [a-z]{2,}\b(?! =>|\()")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|/\*.*?\*/|--[^\n]*", re.DOTALL)
#: Texts that people are told: what becomes of them is theirs.
_TOLD_BY = re.compile(r"(?:\w*Error|error|warning|Finding|RunbookStep|from_root|_failed|Phase)$")
TOLD_IN = re.compile(r"(?:preflight\.(?!statements$)|plan\.|tuning\.(?:plan\w*|runbook)$)")


@dataclass(frozen=True)
class Written:
    """A text at its place; `parts` are what stands between the values that are filled in."""

    module: str
    line: int
    parts: tuple[str, ...]
    told: bool
    """Whether it is for people: a remedy, or a command of a runbook."""

    @property
    def text(self) -> str:
        return "X".join(self.parts)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is filled in, and nothing put behind it."""
        return len(self.parts) == 1 and _is_closed(self.parts[0])

    @property
    def place(self) -> str:
        return f"{self.module}:{self.line} {' ... '.join(' '.join(part.split()) for part in self.parts)}"

    def is_in(self, statement: str) -> bool:
        """Whether a statement holds the parts one after the other."""
        at = 0
        for part in self.parts:
            found = statement.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return True


@cache
def texts() -> tuple[Written, ...]:
    """All texts that begin as a statement does, but not of docstrings, regular expressions, example DAGs."""
    paths = (path for path in sorted(ROOT.rglob("*.py")) if path.parent.name != "example_dags")
    return tuple(each for path in paths for each in _of_module(path))


def templates() -> tuple[Written, ...]:
    """What has to be driven."""
    return tuple(each for each in texts() if not each.is_whole and not each.told)


@cache
def constants() -> tuple[tuple[str, str], ...]:
    """Module and value of every constant that is a text of a statement, with what its module fills in."""
    modules = dict.fromkeys(each.module for each in texts() if not each.told and room_of(each.module))
    return tuple(
        (name, _listed(value))
        for name in modules
        for constant, value in vars(import_module(f"{oracle_refresh.__name__}.{name}")).items()
        if constant.isupper()
        and isinstance(value, str)
        and _is_statement(_opened(value))
        and _is_closed(value)
    )


def undriven(statements: Iterable[str]) -> list[Written]:
    """The templates that no statement holds. What is kept from monitoring is marked when it is whole."""
    left = list(templates())
    for statement in statements:
        sent = _HINT.sub(r"\g<verb>", statement)
        left = [each for each in left if not (each.is_in(statement) or each.is_in(sent))]
    return left


def _of_module(path: Path) -> Iterator[Written]:
    module, source = ".".join(path.relative_to(ROOT).with_suffix("").parts), path.read_text(encoding="utf-8")
    if _VERB.search(source):
        for node, told in _texts(ast.parse(source), TOLD_IN.match(module) is not None):
            text = _text(node)
            if _is_statement(text):
                yield Written(module, node.lineno, tuple(text.split(HOLE)), told)


def _texts(node: ast.AST, told: bool) -> Iterator[tuple[ast.Constant | ast.JoinedStr, bool]]:
    """The texts of a tree, without those that stand alone, and whether they are for people."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node, told
        return
    told = told or (isinstance(node, ast.Call) and _TOLD_BY.match(_name(node.func)) is not None)
    told = told or (isinstance(node, ast.Assign) and _name(node.targets[0]) == "remedy")
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from _texts(child, told)


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    """A text with holes."""
    if isinstance(node, ast.Constant):
        return _opened(str(node.value))
    return "".join(
        _opened(str(part.value)) if isinstance(part, ast.Constant) else HOLE for part in node.values
    )


def _opened(text: str) -> str:
    return _NAMED.sub(HOLE, _listed(text))


def _listed(text: str) -> str:
    """With a bind for each list of them."""
    for name in _LISTS:
        text = text.replace(name, ":name")
    return text


def _is_statement(text: str) -> bool:
    plain = _QUOTED.sub("''", text)
    return (
        "(?" not in text
        and text.count('"') % 2 == 0
        and _BEGIN.match(text) is not None
        and _PROSE.search(plain) is None
    )


def _is_closed(text: str) -> bool:
    plain = _QUOTED.sub("", text)
    return plain.count("(") == plain.count(")")


def _name(named: ast.expr) -> str:
    return named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
