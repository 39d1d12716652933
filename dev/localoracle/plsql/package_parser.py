"""Packages and their bodies (PL/SQL Language Reference, "CREATE PACKAGE Statement", "... BODY Statement")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from localoracle.plsql import syntax as tree
from localoracle.plsql.parser import Parser


@dataclass(frozen=True, eq=False)
class PackageDeclaration:
    """A specification, or a body; `initialization` is the body's statements behind BEGIN."""

    name: str
    declarations: tuple[tree.Declaration, ...]
    initialization: tree.Block | None
    place: int

    @property
    def subprograms(self) -> list[tree.SubprogramDeclaration]:
        return [each for each in self.declarations if isinstance(each, tree.SubprogramDeclaration)]


class PackageParser(Parser):
    """Reads PACKAGE [BODY] [schema.]name ... as it stands behind CREATE."""

    def package(self) -> PackageDeclaration:
        """Raises ORA-06550 where it is no package, ORA-03001 for AUTHID CURRENT_USER."""
        place = self.expect_word("PACKAGE").start
        is_body = self.accept_word("BODY")
        named = self.token.start
        name = self.name()
        if self.accept_op("."):
            named = self.token.start
            name = self.name()
        if self.accept_word("AUTHID") and self.expect_word("DEFINER", "CURRENT_USER").value != "DEFINER":
            raise self.refuse("AUTHID CURRENT_USER")
        if self.is_word("ACCESSIBLE", "SHARING", "DEFAULT"):
            raise self.refuse(f"CREATE PACKAGE ... {self.token.value}")
        self.expect_word("IS", "AS")
        declarations = self.declarations()
        initialization = None
        if is_body and self.is_word("BEGIN"):
            initialization = self._body(name, (), self.token.start, named)
        else:
            self.expect_word("END")
            self.end_name(name, named)
        self.expect_op(";")
        self.accept_op("/")
        if self.token.kind != "end":
            self.fail("end-of-file")
        if not is_body:
            self._without_bodies(declarations)
        return PackageDeclaration(name, declarations, initialization, place)

    def _without_bodies(self, declarations: tuple[tree.Declaration, ...]) -> None:
        for declaration in declarations:
            if isinstance(declaration, tree.SubprogramDeclaration) and declaration.body is not None:
                self.index = next(
                    index
                    for index, token in enumerate(self.tokens)
                    if token.start >= declaration.place and token.value in ("IS", "AS")
                )
                self.fail(";")


@lru_cache(maxsize=200)
def parse_package(source: str) -> PackageDeclaration:
    return PackageParser(source).package()
