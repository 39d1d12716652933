"""What is raised with a code and a text has the code's documented text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import localoracle
from localoracle.dictionary.documentation import message
from localoracle.postgres.errors import RULES

ROOT = Path(localoracle.__file__).parent
VARIABLE = "\0"
#: Codes whose texts are the stand-in's own: 3001 names what is not supported, 20000 to 20999 are free.
OWN = {3001, *range(20000, 21000)}
#: The column of ORA-12899 is put in afterwards, where the statement tells it (session/value_errors.py).
#: The backslashes of ORA-30186 got lost in its documentation.
INCOMPLETE = {12899, 30186}
SQL_TEXT = re.compile(r"'ORA-(\d{5}): ((?:[^'\\]|'')*)'")


def said() -> Iterator[tuple[int, str, str]]:
    """(code, first line of the text with VARIABLE for what is put in, place) of every literal raise."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("OracleError", "_named")
                and len(node.args) > 1
                and isinstance(node.args[0], ast.Constant)
            ):
                for text in _texts(node.args[1]):
                    place = f"{path.relative_to(ROOT)}:{node.lineno}"
                    yield int(str(node.args[0].value)), text.split("\n")[0], place
    for rule in RULES:
        if isinstance(rule.outcome, tuple):
            code, text = rule.outcome
            yield (
                code,
                re.sub(r"\{\w+\}", VARIABLE, text),
                f"postgres/errors.py, {rule.states} {rule.pattern}",
            )
    for path in sorted(ROOT.rglob("*.sql")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for match in SQL_TEXT.finditer(line):
                text = re.sub(r"%s|%", VARIABLE, match[2].replace("''", "'"))
                built = line[match.end() :].lstrip().startswith("||")
                yield int(match[1]), text + VARIABLE * built, f"{path.relative_to(ROOT)}:{number}"


def named() -> Iterator[tuple[str, int, str]]:
    """(PLS code, how many names are given for the variable parts of its message, place) of every refusal."""
    for path in sorted((ROOT / "plsql").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            for place, argument in enumerate(node.args if isinstance(node, ast.Call) else ()):
                if isinstance(argument, ast.Constant) and re.fullmatch(r"PLS-\d{5}", str(argument.value)):
                    names = len(node.args) - place - 1  # type: ignore[attr-defined]
                    yield str(argument.value), names, f"{path.relative_to(ROOT)}:{argument.lineno}"


def _texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [str(node.value).replace("{}", VARIABLE)]
    if isinstance(node, ast.JoinedStr):
        parts = [str(part.value) if isinstance(part, ast.Constant) else VARIABLE for part in node.values]
        return ["".join(parts)]
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    return []


def fits(text: str, documented: str) -> bool:
    """Whether both say the same where neither has a variable; one may stand for several of the other.

    What follows a documented text on its own line are other messages.
    """
    first = documented.split("\n")[0]
    return (
        _pattern(first, "{}").fullmatch(text) is not None
        or _pattern(text, VARIABLE).fullmatch(first.replace("{}", "?")) is not None
    )


def _pattern(template: str, variable: str) -> re.Pattern[str]:
    parts = [re.escape(re.sub(r"\s+", " ", part)) for part in template.split(variable)]
    return re.compile(".*".join(parts), re.DOTALL)


PLS = re.compile(r"(PLS-\d{5}): (.*)")


def test_texts_are_documented() -> None:
    texts = {(code, text): place for code, text, place in said() if code not in OWN | INCOMPLETE}
    assert len(texts) > 400
    wrong = []
    for (code, text), place in sorted(texts.items()):
        plsql = PLS.fullmatch(text) if code == 6550 else None
        documented = message(plsql[1] if plsql else f"ORA-{code:05d}")
        text = plsql[2] if plsql else text
        if documented is None or not fits(text, documented):
            wrong.append(f"{place}: ORA-{code:05d} {text!r} instead of {documented!r}")
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "documented", "same"),
    [
        ("table or view does not exist", "table or view does not exist", True),
        ("cannot insert NULL into \0", "cannot insert NULL into ({})", True),
        ("unique constraint (\0.\0) violated", "unique constraint ({}.{}) violated", True),
        ("'CHUNK' is out of range", "'{}' is out of range", True),
        ("table does not exist", "table or view does not exist", False),
        ("argument is out of range", "argument '{}' is out of range", False),
        ("snapshot too old", "snapshot too old: rollback segment number {} too small", False),
    ],
)
def test_the_check_would_notice(text: str, documented: str, same: bool) -> None:
    assert fits(text, documented) is same


def test_what_postgresql_says_has_documented_codes() -> None:
    codes = [rule.outcome for rule in RULES if isinstance(rule.outcome, int)]
    assert len(codes) > 80
    assert [code for code in codes if message(f"ORA-{code:05d}") is None] == []


def test_what_plsql_says_has_documented_codes() -> None:
    """Their messages come from the documentation: no name is lost for want of a variable part."""
    refusals = list(named())
    assert len(refusals) > 80
    documented = {code: message(code) for code, _, _ in refusals}
    lost = [
        (code, names, place)
        for code, names, place in refusals
        if (text := documented[code]) is None or names > text.count("{}")
    ]
    assert lost == []
