"""The commands, from their own parsers of arguments."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator

from airflow.cli.cli_config import GroupCommand

from oracle_refresh.provider_info import get_provider_info
from reference_pages.markdown import code, table

#: Modules with a function `arguments()` that makes the parser of a command for users.
PARSERS = (
    "oracle_refresh.datapump.log",
    "localoracle.__main__",
)
INTRODUCTION = """\
# Commands

`airflow oracle-refresh` takes passwords from Airflow's connections; they are never arguments. Exit code 0:
done; 1: refused, or something is left to do; 2: wrong arguments.

This page is generated from the commands (`make docs`).
"""


def page(_: str) -> str:
    found = [importlib.import_module(name).arguments() for name in PARSERS]
    found[0:0] = [_group(group) for path in get_provider_info().get("cli", ()) for group in _called(path)]
    return "\n".join([INTRODUCTION, *(part for parser in found for part in _command(parser))])


def _called(path: str) -> list[GroupCommand]:
    module, _, name = path.rpartition(".")
    groups: list[GroupCommand] = getattr(importlib.import_module(module), name)()
    return groups


def _group(group: GroupCommand) -> argparse.ArgumentParser:
    """The parser of a command group, as Airflow makes one."""
    parser = argparse.ArgumentParser(f"airflow {group.name}", description=f"{group.help}.")
    commands = parser.add_subparsers()
    for command in group.subcommands:
        inner = commands.add_parser(command.name, description=f"{command.help}.")
        for argument in command.args:
            argument.add_to_parser(inner)
    return parser


def _command(parser: argparse.ArgumentParser, level: int = 2) -> Iterator[str]:
    yield f"{'#' * level} `{parser.prog}`\n"
    yield f"{parser.description or ''}\n"
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    shown = [action for action in parser._actions if action not in inner and action.dest != "help"]
    if shown:
        yield table(["argument", "", "meaning"], [_row(action) for action in shown]) + "\n"
    for action in inner:
        for sub in dict.fromkeys(action.choices.values()):
            yield from _command(sub, level + 1)


def _row(action: argparse.Action) -> list[str]:
    value = action.metavar or (action.dest.upper().replace("-", "_") if action.nargs != 0 else "")
    names = ", ".join(action.option_strings)
    written = f"{names} {value}".strip() if action.option_strings else str(action.metavar or action.dest)
    needed = "required" if action.required else ""
    about = (action.help or "") % {"default": action.default, "prog": ""} if action.help else ""
    about = about.replace(r"\[", "[")  # escaped for the markup that Airflow's parser prints
    if action.choices:
        about = f"{about}{'; ' if about else ''}one of {', '.join(code(str(one)) for one in action.choices)}"
    return [code(written), needed, about]
