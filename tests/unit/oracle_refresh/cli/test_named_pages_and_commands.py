"""What the provider's texts send a user to is there: pages of the documentation, commands of Airflow."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from airflow.cli.cli_config import ActionCommand, Arg, GroupCommand
from airflow.cli.cli_parser import get_parser

import oracle_refresh
from oracle_refresh.cli.definition import get_cli_commands

PROVIDER = Path(oracle_refresh.__file__).parent
ROOT = PROVIDER.parents[1]
PAGE = re.compile(r"\bdocs/[\w/-]+\.md")
COMMAND = re.compile(r"\bairflow oracle-refresh ([a-z][a-z-]*)")


def _named(pattern: re.Pattern[str], beginning: str) -> list[tuple[str, str]]:
    """Return places and names in string constants. Only modules that contain the beginning are parsed."""
    return [
        (f"{path.relative_to(PROVIDER)}:{node.lineno}", name)
        for path in sorted(PROVIDER.rglob("*.py"))
        if beginning in (source := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for name in pattern.findall(node.value)
    ]


def _commands() -> set[str]:
    group = get_cli_commands()[0]
    assert isinstance(group, GroupCommand)
    return {command.name for command in group.subcommands if isinstance(command, ActionCommand)}


def _arguments(name: str) -> tuple[Arg, ...]:
    group = get_cli_commands()[0]
    assert isinstance(group, GroupCommand)
    (found,) = (each for each in group.subcommands if each.name == name)
    assert isinstance(found, ActionCommand)
    return tuple(found.args)


def test_pages_are_there() -> None:
    pages = _named(PAGE, "docs/")
    assert pages
    assert [(place, page) for place, page in pages if not (ROOT / page).is_file()] == []


def test_commands_are_there() -> None:
    commands = _named(COMMAND, "airflow oracle-")
    assert commands
    assert [(place, name) for place, name in commands if name not in _commands()] == []


@pytest.mark.parametrize("folder", ["docs", "include", "dags"])
def test_commands_of_the_documentation_and_the_examples_are_there(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in (".md", ".yaml", ".sql", ".py")]
    named = {
        (path.name, name) for path in files for name in COMMAND.findall(path.read_text("utf-8", "replace"))
    }
    assert {(path, name) for path, name in named if name not in _commands()} == set()


def test_commands_of_the_readme_are_there() -> None:
    assert set(COMMAND.findall((ROOT / "README.md").read_text("utf-8"))) <= _commands()


@pytest.mark.parametrize("name", sorted(_commands()))
def test_help_prints_its_text_with_brackets(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Airflow's parser prints rich markup, in which `[oracle_refresh]` would be a style."""
    with pytest.raises(SystemExit):
        get_parser().parse_args(["oracle-refresh", name, "--help"])
    printed = " ".join(capsys.readouterr().out.split())
    for argument in _arguments(name):
        defaults = {"default": argument.kwargs.get("default")}
        written = (argument.kwargs["help"] % defaults).replace(r"\[", "[")
        assert " ".join(written.split()) in printed
        assert not re.search(r"(?<!\\)\[", argument.kwargs["help"])
