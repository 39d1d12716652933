"""The arguments of `python -m localoracle`; `python -m localoracle.server` takes those of its `start`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from localoracle.instance.config import Instance, instance
from localoracle.instance.creation import Creation


def _same_case(values: tuple[str, ...]) -> Callable[[str], str]:
    """What takes a value in any case."""
    return lambda text: next((value for value in values if value.casefold() == text.casefold()), text)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m localoracle", description="Local stand-ins for Oracle databases."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("start", "start a database and print its DSN"),
        ("stop", "stop a database"),
        ("status", "is it running?"),
        ("load-demo", "fill a database with the demo data"),
        ("prepare-target", "make the demo target's users"),
        ("control", "make a running database fail on purpose"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("name", help="instance name: source, target or your own")
        command.add_argument("--port", type=int, help="port on 127.0.0.1 (own instances need one)")
        command.add_argument(
            "--home", type=Path, help="folder of the instances (default: LOCALORACLE_HOME or .local)"
        )
        if name == "start":
            command.add_argument("--foreground", action="store_true", help="serve in this process")
            for option, values in Creation.choices().items():
                command.add_argument(
                    f"--{option.replace('_', '-')}",
                    type=_same_case(values),
                    choices=values,
                    help=f"of a new database (default: {values[0]})",
                )
        elif name == "load-demo":
            command.add_argument("--scale", type=float, default=1.0, help="1 is about 300 MB")
        elif name == "control":
            command.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND")
    return parser


def named_instance(options: argparse.Namespace) -> Instance:
    """The instance that a command is for. Raises ValueError."""
    if options.home is not None:
        os.environ["LOCALORACLE_HOME"] = str(options.home.resolve())
    # A server is stopped and looked for by its pid file: its port need not be known.
    unneeded = 0 if options.command in ("stop", "status") else None
    return instance(options.name, port=unneeded if options.port is None else options.port)


def creation_options(options: argparse.Namespace) -> dict[str, str]:
    """The options of `start` for a new database."""
    asked = {option: getattr(options, option) for option in Creation.choices()}
    return {option: value for option, value in asked.items() if value is not None}
