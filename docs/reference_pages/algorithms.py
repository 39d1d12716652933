"""The parameters of every masking algorithm, from the classes that read them."""

from __future__ import annotations

import re
import sys
from dataclasses import MISSING, Field, fields

from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.algorithms.base import CHARACTER_TYPES, NUMERIC_TYPES
from oracle_refresh.masking.algorithms.protocol import Algorithm
from reference_pages.markdown import code, table, with_block


def page(text: str) -> str:
    """Fill in both tables: what each algorithm is good for, and its parameters."""
    kinds = sorted(ALGORITHMS.items())
    overview = [
        [_linked(kind, text), _does(algorithm), _types(algorithm), *_guarantees(algorithm)]
        for kind, algorithm in kinds
    ]
    parameters = [
        [code(kind), str(algorithm.version), "yes" if algorithm.keyed else "no", _parameters(algorithm)]
        for kind, algorithm in kinds
    ]
    heading = ["algorithm", "what it does", "column types", "unique", "changes", "keeps", "reversible"]
    text = with_block(text, "overview", table(heading, overview))
    return with_block(text, "parameters", table(["algorithm", "version", "domain", "parameters"], parameters))


def _linked(kind: str, text: str) -> str:
    """The name with a link to the heading that names it, where the page has one."""
    for heading in re.findall("^### (.+)$", text, re.MULTILINE):
        if kind in re.findall(r"\w+", heading):
            return f"[{code(kind)}](#{re.sub('[^a-z0-9_ -]', '', heading.lower()).replace(' ', '-')})"
    return code(kind)


def _does(algorithm: type[Algorithm]) -> str:
    """The first sentence of the module, without the name before its colon."""
    about = " ".join((sys.modules[algorithm.__module__].__doc__ or "").split("\n\n")[0].split())
    return about.partition(": ")[2].partition(". ")[0].rstrip(".")


def _types(algorithm: type[Algorithm]) -> str:
    """The types, groups of them by one word."""
    rest = list(algorithm.types)
    found = []
    for word, group in (("character", CHARACTER_TYPES), ("numeric", NUMERIC_TYPES)):
        if set(group) <= set(rest):
            found.append(word)
            rest = [name for name in rest if name not in group]
    return ", ".join([*found, *rest]) or "all"


def _guarantees(algorithm: type[Algorithm]) -> list[str]:
    """What holds for the settings of its samples."""
    every = [sample.algorithm.guarantees for sample in algorithm.samples()]
    told = [
        [each.unique for each in every],
        ["yes" if each.changes else "no" for each in every],
        [algorithm.keeps],
        [each.reversible for each in every],
    ]
    return [" or ".join(dict.fromkeys(words)) for words in told]


def _parameters(algorithm: type[Algorithm]) -> str:
    renamed = {field: name for name, (field, _) in algorithm.sources.items()}
    return ", ".join(_parameter(renamed.get(one.name, one.name), one) for one in fields(algorithm)) or "none"


def _parameter(name: str, field: Field[object]) -> str:
    if field.default is MISSING and field.default_factory is MISSING:
        return f"{code(name)} (required)"
    value = field.default
    if value is MISSING or value is None or value == ():
        return code(name)
    return f"{code(name)} ({_written(value)})"


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
