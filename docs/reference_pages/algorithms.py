"""The parameters of every masking algorithm, from the classes that read them."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields

from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.algorithms.protocol import Algorithm
from reference_pages.markdown import code, table, with_block


def page(text: str) -> str:
    rows = [
        [code(kind), str(algorithm.version), "yes" if algorithm.keyed else "no", _parameters(algorithm)]
        for kind, algorithm in sorted(ALGORITHMS.items())
    ]
    return with_block(text, "parameters", table(["algorithm", "version", "domain", "parameters"], rows))


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
