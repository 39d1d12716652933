"""Find places to change in product files and draw a sample of them."""

from __future__ import annotations

import ast
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

PRODUCTS = ("provider/oracle_refresh", "dev/localoracle")
#: Half of the sample is drawn from these.
EMPHASIS = (
    *("provider/oracle_refresh/target/objects", "provider/oracle_refresh/validation"),
    *("provider/oracle_refresh/masking", "provider/oracle_refresh/operators", "provider/oracle_refresh/plan"),
    *("provider/oracle_refresh/preflight", "dev/localoracle/sql", "dev/localoracle/datapump"),
    "dev/localoracle/session",
)
FEWEST = 3
MOST_LINES = 8
#: How often a category of changes is chosen where a file has it.
WEIGHTS = {
    **{"comparison": 4, "statement": 4, "sql": 12, "and/or": 2, "arithmetic": 2, "number": 2},
    **{"text": 2, "arguments": 2, "not": 1, "truth": 1},
}
COMPARISONS = {
    **{ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")},
    **{ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in")},
    **{ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is")},
}
ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "*")}
SQL = re.compile(r"\b(SELECT|FROM|WHERE|UPDATE|DELETE|INSERT|ORDER BY|UNION|MERGE|JOIN|ALTER|GRANT)\b")
_PREDICATE = r"[\w. :=<>$%*+-]+?"
SQL_CHANGES = [
    *[(r"(?<!BETWEEN)(?<!BETWEEN.{8})\bAND\b", "OR"), (r"\bOR\b(?! REPLACE)", "AND")],
    *[("UNION ALL", "UNION"), (r"\bDISTINCT ", ""), ("LEFT (OUTER )?JOIN", "JOIN"), (" FOR UPDATE", "")],
    *[("IS NOT NULL", "IS NULL"), ("IS NULL", "IS NOT NULL"), ("NOT EXISTS", "EXISTS")],
    *[(r"\bNOT IN\b", "IN"), (r"\bMAX\(", "MIN("), (r"\bMIN\(", "MAX("), (" <> ", " = "), (" != ", " = ")],
    *[(" < ", " <= "), (" > ", " >= "), (" <= ", " < "), (" >= ", " > ")],
    *[(r"\bDESC\b", "ASC"), (r"\bASC\b", "DESC"), (r"(?<=ORDER BY )([\w.]+)", r"\1 DESC")],
    *[(rf"\bWHERE {_PREDICATE} AND ", "WHERE "), (rf" AND {_PREDICATE}(?= AND |\"|'|\n|$)", "")],
    (r"(?<= )= ", "<> "),
]
_IN_PREDICATE = re.compile(r"\b(WHERE|AND|OR|ON|WHEN)\b(?!.*\bSET\b)")
_LOGGING = {"debug", "info", "warning", "error", "exception", "critical", "log"}
_LOGGERS = re.compile(r"\b_?log(ger|ging)?$", re.IGNORECASE)
#: Arguments for readers only.
_PROSE_ARGUMENTS = {"description", "help", "title", "doc_md", "message", "encoding", "text"}
_PROSE = re.compile(r"(^|[ '])[a-z]{3,}[ ,:](.* )?[a-z]{3,}([ .,:;]|$)", re.DOTALL)


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the lines `old`, from `line` on, become `new`."""

    id: int
    file: str
    line: int
    category: str
    description: str
    old: str
    new: str


@dataclass(frozen=True)
class Site:
    """A place of a source text and what replaces it."""

    category: str
    start: int
    end: int
    text: str


class Finder:
    """Finds the sites of one source text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.sites: list[Site] = []
        # Columns of the syntax tree count bytes.
        self._lines = [line.encode() for line in source.splitlines(keepends=True)]
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line.decode()))
        self._visit(ast.parse(source))

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1][:column].decode())

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _text(self, node: ast.expr) -> str:
        return self.source[slice(*self._span(node))]

    def _add(self, category: str, start: int, end: int, text: str) -> None:
        self.sites.append(Site(category, start, end, text))

    def _between(self, category: str, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        start, end = self._span(left)[1], self._span(right)[0]
        pattern = re.escape(old) if not old[0].isalpha() else rf"\b{old.replace(' ', r' +')}\b"
        if found := re.search(pattern, self.source[start:end]):
            self._add(category, start + found.start(), start + found.end(), new)

    def _visit(self, node: ast.AST, last: bool = False) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.stmt):
            self._statement(node, last)
        if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom | ast.Assert) or _for_readers(node):
            return
        if isinstance(node, ast.expr):
            self._expression(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list") or isinstance(node, ast.JoinedStr):
                continue
            nodes = value if isinstance(value, list) else [value]
            for each in nodes:
                if isinstance(each, ast.AST):
                    function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                    self._visit(each, last=function and name == "body" and each is nodes[-1])

    def _statement(self, node: ast.stmt, last: bool) -> None:
        call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
        stored = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
        leaves = isinstance(node, ast.Raise | ast.Continue) or (isinstance(node, ast.Return) and not last)
        if (call and not _for_readers(node)) or stored or leaves:
            self._add("statement", *self._span(node), "pass")

    def _expression(self, node: ast.expr) -> None:
        if isinstance(node, ast.Compare):
            self._between("comparison", node.left, node.comparators[0], *COMPARISONS[type(node.ops[0])])
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            if not any(_is_text(each) for each in (node.left, node.right)):
                self._between("arithmetic", node.left, node.right, *ARITHMETIC[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            self._between("and/or", node.values[0], node.values[1], *words)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._add("not", *self._span(node), self._text(node.operand))
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            first, second = node.args[:2]
            literal = ast.Starred | ast.Constant | ast.JoinedStr
            plain = not (isinstance(first, literal) or isinstance(second, literal))
            name = self._text(node.func)
            if plain and name not in ("isinstance", "cast", "super", "partial"):
                between = self.source[self._span(first)[1] : self._span(second)[0]]
                swapped = f"{self._text(second)}{between}{self._text(first)}"
                self._add("arguments", self._span(first)[0], self._span(second)[1], swapped)
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            self._constant(node)

    def _constant(self, node: ast.Constant | ast.JoinedStr) -> None:
        start, end = self._span(node)
        text = self.source[start:end]
        value = node.value if isinstance(node, ast.Constant) else text
        if isinstance(value, bool):
            self._add("truth", start, end, str(not value))
        elif isinstance(value, int):
            self._add("number", start, end, str(value + 1))
        elif isinstance(value, str) and SQL.search(text):
            for pattern, new in SQL_CHANGES:
                for found in re.finditer(pattern, text, re.DOTALL):
                    if new == "<> " and not _IN_PREDICATE.search(text[: found.start()]):
                        continue
                    self._add("sql", start + found.start(), start + found.end(), found.expand(new))
        elif isinstance(value, str) and value and not _PROSE.search(value):
            opening = re.match(r"[a-zA-Z]*(\"\"\"|'''|\"|')", text)
            assert opening is not None, text
            self._add("text", start + opening.end(), start + opening.end(), "XX")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _for_readers(node: ast.AST) -> bool:
    """Return whether only readers see the value: docstrings, log messages, descriptions."""
    if isinstance(node, ast.keyword):
        return node.arg in _PROSE_ARGUMENTS
    if isinstance(node, ast.Expr):
        return _is_text(node.value) or _for_readers(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LOGGING:
        return bool(_LOGGERS.search(ast.unparse(node.func.value)))
    return False


def mutant(source: str, file: str, site: Site) -> Mutant | None:
    """Return the change as lines, unless it is no valid Python, changes nothing, or is long."""
    changed = source[: site.start] + site.text + source[site.end :]
    first, last = source.count("\n", 0, site.start), source.count("\n", 0, max(site.start, site.end - 1))
    try:
        if last - first >= MOST_LINES or ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source)):
            return None
    except SyntaxError:
        return None
    lines = source.splitlines()
    after = changed.splitlines()[first : last + 1 + changed.count("\n") - source.count("\n")]
    before = " ".join(source[site.start : site.end].split())[:60]
    description = f"{before} -> {' '.join(site.text.split())[:60]}" if before else f"{site.text} inserted"
    old = "\n".join(lines[first : last + 1])
    return Mutant(0, file, first + 1, site.category, description, old, "\n".join(after))


def package(file: str) -> str:
    """Return the top-level package of a product file."""
    parts = file.split("/")
    return "/".join(parts[:3]) if len(parts) > 3 else "/".join(parts[:2])


def draw(root: Path, number: int, seed: int) -> list[Mutant]:
    """Draw half of the sample from the emphasised packages, the rest from all others, by statements."""
    statements = {}
    for product in PRODUCTS:
        for path in sorted((root / product).rglob("*.py")):
            count = sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(path.read_text())))
            statements[str(path.relative_to(root))] = count
    chance = random.Random(seed)
    emphasised = {file for file in statements if file.startswith(tuple(f"{each}/" for each in EMPHASIS))}
    pick = _picker(root, statements, chance)
    drawn: list[Mutant] = []
    for group, wanted in ((emphasised, number // 2), (statements.keys() - emphasised, number - number // 2)):
        sizes = Counter[str]()
        for file in sorted(group):
            sizes[package(file)] += statements[file]
        shares = {each: min(FEWEST, size) for each, size in sorted(sizes.items())}
        while sum(shares.values()) < wanted:
            # The package that is furthest below its share.
            shares[max(shares, key=lambda each: sizes[each] / (shares[each] + 1))] += 1
        for each, share in shares.items():
            files = sorted(file for file in group if package(file) == each)
            drawn += pick(files, share)
    drawn.sort(key=lambda each: (each.file, each.line))
    return [Mutant(**{**asdict(each), "id": index}) for index, each in enumerate(drawn, 1)]


def _picker(
    root: Path, sizes: dict[str, int], chance: random.Random
) -> Callable[[list[str], int], list[Mutant]]:
    known: dict[str, list[Site]] = {}
    taken: set[tuple[str, int, str]] = set()

    def candidate(files: list[str]) -> Mutant | None:
        file = chance.choices(files, [sizes[each] for each in files])[0]
        source = (root / file).read_text()
        if file not in known:
            known[file] = list(dict.fromkeys(Finder(source).sites))
        categories = sorted({each.category for each in known[file]})
        if not categories:
            return None
        category = chance.choices(categories, [WEIGHTS[each] for each in categories])[0]
        sites = [each for each in known[file] if each.category == category]
        return mutant(source, file, chance.choice(sites))

    def pick(files: list[str], number: int) -> list[Mutant]:
        picked: list[Mutant] = []
        for _ in range(1000):
            found = candidate(files) if len(picked) < number else None
            if found is not None and (key := (found.file, found.line, found.new)) not in taken:
                taken.add(key)
                picked.append(found)
        return picked

    return pick


def read(path: Path) -> list[Mutant]:
    return [Mutant(**each) for each in json.loads(path.read_text())["mutants"]]


def write(path: Path, mutants: list[Mutant], commit: str, seed: int) -> None:
    lines = ",\n".join(json.dumps(asdict(each)) for each in mutants)
    path.write_text(f'{{"commit": "{commit}", "seed": {seed}, "mutants": [\n{lines}\n]}}\n')
