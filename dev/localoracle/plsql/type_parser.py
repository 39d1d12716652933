"""The definition that CREATE TYPE gives (PL/SQL Language Reference, "CREATE TYPE Statement").

Object types of scalar attributes, nested tables and varrays of scalars or of such objects. Methods, subtypes,
REF and incomplete types are refused by name.
"""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.errors import OracleError
from localoracle.plsql import syntax as tree
from localoracle.plsql.declaration_parser import DeclarationParser
from localoracle.plsql.errors import compilation_error

OBJECT, COLLECTION = "OBJECT", "COLLECTION"
_METHODS = ("MEMBER", "STATIC", "CONSTRUCTOR", "MAP", "ORDER", "OVERRIDING", "FINAL", "INSTANTIABLE", "NOT")


@dataclass(frozen=True)
class TypeDefinition:
    """`kind` is OBJECT, NESTED or VARRAY; a collection has one attribute, its element, without a name."""

    kind: str
    attributes: tuple[tuple[str | None, tree.TypeName], ...]
    limit: int | None = None
    forced: bool = False


class TypeParser(DeclarationParser):
    """Reads TYPE [schema.]name ... as it stands behind CREATE."""

    def definition(self) -> TypeDefinition:
        """Raises ORA-06550 with PLS-00103 where it is no definition, ORA-03001 for what is lacking."""
        self.expect_word("TYPE")
        if self.is_word("BODY"):
            raise self.refuse("TYPE BODY (methods of object types)")
        self.name()
        if self.accept_op("."):
            self.name()
        forced = self.accept_word("FORCE")
        if self.is_word("OID", "SHARING", "DEFAULT", "ACCESSIBLE"):
            raise self.refuse(f"CREATE TYPE ... {self.token.value}")
        if self.accept_word("AUTHID") and self.expect_word("DEFINER", "CURRENT_USER").value != "DEFINER":
            raise self.refuse("AUTHID CURRENT_USER")
        if self.is_word("UNDER"):
            raise self.refuse("subtypes (UNDER)")
        if self.token.kind == "end" or self.is_op(";"):
            raise self.refuse("incomplete types")
        self.expect_word("IS", "AS")
        definition = self._object(forced) if self.accept_word("OBJECT") else self._collection(forced)
        self.accept_op(";")
        if self.token.kind != "end":
            self.fail("end-of-file")
        return definition

    def _object(self, forced: bool) -> TypeDefinition:
        self.expect_op("(")
        attributes: list[tuple[str | None, tree.TypeName]] = []
        while True:
            if self.is_word(*_METHODS) and self.peek().kind == "word":
                raise self.refuse("methods of object types")
            place = self.token.start
            if self.token.kind == "quoted" and self.token.value != self.token.value.upper():
                raise self.refuse("attributes with names in lower case")
            name = self.name()
            if any(name == other for other, _ in attributes):
                raise self._duplicate(name, place)
            attributes.append((name, self._datatype()))
            if not self.accept_op(","):
                break
        self.expect_op(")")
        while self.accept_word("FINAL", "INSTANTIABLE"):
            pass
        if self.is_word("NOT", "PERSISTABLE"):
            words = f"{self.token.value} {self.peek().value}" if self.is_word("NOT") else "PERSISTABLE"
            raise self.refuse(f"{words} types")
        return TypeDefinition(OBJECT, tuple(attributes), None, forced)

    def _duplicate(self, name: str, place: int) -> OracleError:
        return compilation_error(self.text, place, "PLS-00371", name)

    def _collection(self, forced: bool) -> TypeDefinition:
        kind, limit = "NESTED", None
        if self.accept_word("VARRAY") or self.is_word("VARYING"):
            if self.accept_word("VARYING"):
                self.expect_word("ARRAY")
            kind = "VARRAY"
            self.expect_op("(")
            bound = self.advance()
            if bound.kind != "number" or not bound.value.isdigit():
                self.fail("<a number>")
            limit = int(bound.value)
            self.expect_op(")")
        else:
            self.expect_word("TABLE")
        self.expect_word("OF")
        if self.is_op("("):
            raise self.refuse("PERSISTABLE types")
        element = self._datatype()
        if self.is_word("NOT"):
            raise self.refuse("collection types of NOT NULL elements")
        if self.is_word("INDEX"):
            self.fail("; not null")
        return TypeDefinition(kind, ((None, element),), limit, forced)

    def _datatype(self) -> tree.TypeName:
        kind = self.type_name()
        if kind.attribute is not None:
            raise self.refuse(f"%{kind.attribute} in CREATE TYPE", kind.place)
        return kind
