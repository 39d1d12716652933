"""Databases of the tests that are made once for all mutants.

A mutant of the provider does not change how the stand-in makes its databases; a mutant of the stand-in does
only where a function of its file runs while they are made. `use` replaces functions of tests/support; where
those have other names, tests make their databases themselves.
"""

from __future__ import annotations

import ast
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from mutants.sample import Mutant

STAND_IN = "dev/localoracle/"


class Templates:
    """Files of an empty database, and of the demo's source and target."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.made = place / "made.json"

    def make(self) -> None:
        """Make the databases by the functions of tests/support, and note which files took part."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir(parents=True)
        files: set[str] = set()

        # What runs while a database is made, and while the modules are imported.
        def note(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and STAND_IN in frame.f_code.co_filename:
                files.add(STAND_IN + frame.f_code.co_filename.rpartition(STAND_IN)[2])

        sys.path.insert(0, "tests")
        sys.setprofile(note)
        from support import demo, forked_servers, stand_in
        from support.grants import make_user_anew

        empty = _made_once(stand_in)()
        sys.setprofile(None)
        stand_in.copy_tree(empty, self.place / "empty")
        homes = {}
        fillings = {"source": ("load-demo", "--scale", str(demo.SCALE)), "target": ("prepare-target",)}
        for name, filling in fillings.items():
            server, stop = stand_in.new_server(name, self.place / f"{name}-home")
            assert server.command(*filling).returncode == 0
            if name == "source":
                make_user_anew(demo.DemoDatabase(server, name))
            assert server.command("stop").returncode == 0
            stand_in.remove_spare_log(server.instance)
            homes[name] = str(server.instance.root.parent)
            stand_in.copy_tree(Path(homes[name]), self.place / name)
            stop()
        forked_servers.end()
        shutil.rmtree(empty.parents[1], ignore_errors=True)
        self.made.write_text(json.dumps({"homes": homes, "files": sorted(files)}))

    def use(self, mutant: Mutant | None) -> None:
        """Let the tests of a mutant begin with copies."""
        if mutant is None or not self.made.exists():
            return
        made = json.loads(self.made.read_text())
        if mutant.file.startswith(STAND_IN) and (mutant.file in made["files"] or not _in_function(mutant)):
            return
        from support import demo, stand_in

        class Empty:
            def __call__(self) -> Path:
                return place / "empty"

            def cache_info(self) -> Any:
                return type("Info", (), {"currsize": 0})

        place = self.place
        setattr(stand_in, _made_once(stand_in).__name__, Empty())
        if mutant.file.startswith(STAND_IN):
            return

        def running(name: str, *_: str) -> Iterator[Any]:
            home = Path(made["homes"][name])
            shutil.rmtree(home, ignore_errors=True)
            stand_in.copy_tree(place / name, home)
            server, stop = stand_in.new_server(name, home)
            try:
                yield demo.DemoDatabase(server, name)
            finally:
                stop()

        def prepare() -> Any:
            files = stand_in.new_home()
            stand_in.copy_tree(place / "target", files)
            return demo.Kept(files, Path(made["homes"]["target"]))

        demo.running, demo._prepare = running, prepare


def _made_once(stand_in: Any) -> Any:
    return getattr(stand_in, "empty_cluster", None) or stand_in._empty_cluster


def _in_function(mutant: Mutant) -> bool:
    """Return whether the change is within a function: it has effects only when that is called."""
    root = Path.cwd()
    tree = ast.parse((root / mutant.file).read_text())
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body[0].lineno <= mutant.line <= (node.end_lineno or 0)
        for node in ast.walk(tree)
    )
