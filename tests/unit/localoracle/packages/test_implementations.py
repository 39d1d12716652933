"""What is written for supplied packages reads and sets documented formals, and nothing else."""

from __future__ import annotations

import ast
import inspect
import textwrap

import pytest

from localoracle.packages import registry
from localoracle.supplied.signatures import documented


def names_used(function: object) -> set[str]:
    """The formals that an implementation names: call["x"], call.get("x"), call.set("x", ...) and so on."""
    found = set()
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):  # type: ignore[arg-type]
        if isinstance(node, ast.Subscript) and _is_call(node.value) and isinstance(node.slice, ast.Constant):
            found.add(str(node.slice.value))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and _is_call(node.func.value)
            and node.func.attr in ("get", "given", "set", "family")
            and isinstance(node.args[0], ast.Constant)
        ):
            found.add(str(node.args[0].value))
    return found


def _is_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "call"


IMPLEMENTED = sorted(registry._implementations.items(), key=lambda item: item[0])


@pytest.mark.parametrize(
    ("key", "function"), [pytest.param(*item, id=".".join(item[0])) for item in IMPLEMENTED]
)
def test_formals_are_documented(key: tuple[str, str], function: object) -> None:
    package, _ = key
    names = [name for (where, name), each in IMPLEMENTED if each is function and where == package]
    formals = {
        parameter.name
        for name in names
        for overload in documented(package)[name]
        for parameter in overload.parameters
    }
    assert names_used(function) <= formals


def test_formals_are_found() -> None:
    async def example(call: registry.Call) -> None:
        if call.given("path"):
            call.set("content", call["properties"])

    assert names_used(example) == {"path", "content", "properties"}
