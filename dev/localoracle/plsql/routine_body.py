"""Stored procedures and functions as plpgsql, so that triggers and SQL can call them.

Blocks are interpreted; what PostgreSQL itself calls needs a function of PostgreSQL's. It is made beside the
stored text, as localoracle$NAME in the owner's schema, and runs with the owner's rights and names (PL/SQL
Language Reference, "Invoker's Rights and Definer's Rights"). Where the text has no such form, the function
says why when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.plsql import syntax as tree
from localoracle.plsql.compiled_body import BodyCompiler
from localoracle.plsql.compiled_collections import PIPED
from localoracle.plsql.compiled_expressions import PG_TYPES, literal_text, pg_type
from localoracle.plsql.compiled_forms import compiled_name, dollar_quoted, drop_compiled
from localoracle.plsql.compiled_unit import CompiledUnit
from localoracle.plsql.errors import line_and_column
from localoracle.plsql.interpreter import Interpreter
from localoracle.plsql.owner_names import rights_of
from localoracle.plsql.schema_types import SchemaType, representation
from localoracle.plsql.scope import Scope, Variable
from localoracle.plsql.stored import subprogram
from localoracle.plsql.units import is_compiling, sources
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.supplied.types import CollectionType, RecordType, ScalarType

if TYPE_CHECKING:
    from localoracle.plsql.compiled_packages import PackageAround
    from localoracle.session.session import Session

_CHANGES = ("INSERT", "UPDATE", "DELETE", "MERGE")


class RoutineUnit(CompiledUnit):
    """One procedure or function; `package` is what it is declared in."""

    has_collections = True

    def __init__(
        self,
        session: Session,
        owner: str,
        name: str,
        source: str,
        declaration: tree.SubprogramDeclaration | None = None,
        package: PackageAround | None = None,
    ) -> None:
        super().__init__(session, source, owner)
        self.name = name
        self.declaration = declaration or subprogram(source)
        self.kind = self.declaration.kind.lower()
        self.returns = "RETURN;"
        self.has_default = False
        self.package = package

    async def create(self) -> list[str]:
        """The statements that make the function."""
        scope = Scope(await self.package.scope(self.interpreter) if self.package is not None else None)
        formals = [
            await self._formal(number, formal, scope)
            for number, formal in enumerate(self.declaration.formals, 1)
        ]
        returned = "void"
        if self.declaration.returns is not None:
            returned = await self._returned(self.declaration.returns, scope)
        declared: list[str] = []
        if self.declaration.pipelined:
            self.returns = f"RETURN {PIPED};"
            declared = [f"DECLARE {PIPED} {returned} := '{{}}';"]
        assert self.declaration.body is not None
        try:
            if self.declaration.invokers_rights:
                raise not_supported("AUTHID CURRENT_USER of what SQL or a trigger calls")
            lines = await BodyCompiler(self).block(self.declaration.body, scope)
        except OracleError as error:
            if error.code != 3001:
                raise
            lines = [f"RAISE EXCEPTION USING ERRCODE = 'ORA00', MESSAGE = {literal(str(error))};"]
        if self.declaration.pipelined:
            lines.append(self.returns)
        body = "\n".join(["#variable_conflict use_variable", *declared, "BEGIN", *lines, "END"])
        name = compiled_name(self.owner, self.name)
        stable = " IMMUTABLE" if self.declaration.deterministic else ""
        return [
            f"CREATE FUNCTION {name}({', '.join(formals)}) RETURNS {returned} LANGUAGE plpgsql{stable}"
            f' SECURITY DEFINER SET search_path = {quote(self.owner)}, "SYS", "PUBLIC", ora'
            f" AS {dollar_quoted(body)}",
            f"SELECT ora.share_compiled({literal(self.owner)}, {literal(self.name)})",
        ]

    async def _formal(self, number: int, formal: tree.Formal, scope: Scope) -> str:
        if formal.mode != "IN":
            raise self.refuse(f"a parameter {formal.mode}", formal.place)
        kind = await self._kind(formal.type, scope)
        default = ""
        if formal.default is not None:
            if not isinstance(formal.default, tree.Literal):
                raise self.refuse("this default of a parameter", formal.place)
            default = f" DEFAULT {literal_text(formal.default)}"
            self.has_default = True
        scope.names[formal.name] = Variable(kind, f"${number}", constant=True)
        written = pg_type(ScalarType(kind.name)) if isinstance(kind, ScalarType) else representation(kind)
        if self.has_default and not default:
            # PostgreSQL wants a default behind one that has a default.
            default = f" DEFAULT ora.missing_argument(NULL::{written}, {literal(self.declaration.name)})"
        return f"{quote(formal.name)} {written}{default}"

    async def _returned(self, name: tree.TypeName, scope: Scope) -> str:
        kind = await self._kind(name, scope)
        if self.declaration.pipelined and not isinstance(kind, CollectionType):
            raise self.refuse("PIPELINED without a collection type of a schema", name.place)
        self.returned = kind
        return pg_type(kind) if isinstance(kind, ScalarType) else representation(kind)

    async def _kind(self, name: tree.TypeName, scope: Scope) -> ScalarType | SchemaType:
        kind = await self.interpreter.types.resolve_type(name, scope, constrained=False)
        if isinstance(kind, RecordType | CollectionType) and kind.owner:
            return kind
        if not isinstance(kind, ScalarType) or kind.family not in PG_TYPES:
            raise self.refuse(f"a parameter of type {'.'.join(name.parts)}", name.place)
        return kind

    async def has_routine(self, owner: str, name: str, kind: str) -> bool:
        return await check_routine(self.session, owner, name, kind)

    def before_sql(self, tables: str) -> list[str]:
        return [f"PERFORM ora.refuse_mutating({tables});"]

    def statement(self, statement: tree.Statement) -> list[str] | None:
        match statement:
            case tree.SqlStatement(verb=verb, bulk=False) if self.kind == "function" and verb in _CHANGES:
                raise self.refuse(verb, statement.place)  # ORA-14551 where a query calls it
        return None

    def packages(self) -> frozenset[str]:
        own = frozenset([self.package.name]) if self.package is not None else frozenset()
        return super().packages() | own

    def reference(self, reference: tree.Reference, scope: Scope) -> tree.Reference:
        return reference if self.package is None else self.package.reference(self, reference, scope)

    def stack(self, place: int) -> str:
        line = line_and_column(self.text, place)[0]
        unit = self.name if self.package is None else self.package.name
        return f'\\nORA-06512: at "{self.owner}.{unit}", line {line}'


async def compile_routine(session: Session, owner: str, name: str, source: str) -> None:
    """Make the function anew. Nothing is made where even its signature has no counterpart."""
    await drop_compiled(session, owner, name)
    try:
        async with rights_of(session, owner):
            statements = await RoutineUnit(session, owner, name, source).create()
    except OracleError as error:
        if error.code not in (3001, 6550):
            raise
        return
    for statement in (*statements, "SELECT ora.revive_views()"):
        await session.pg_system(statement, write=True)


async def check_signature(session: Session, owner: str, source: str) -> None:
    """The types of parameters and of what is returned. ORA-06550 for one that is not there."""
    declaration = subprogram(source)
    types = Interpreter(session, source).types
    named = [formal.type for formal in declaration.formals]
    async with rights_of(session, owner):
        for name in (*named, declaration.returns) if declaration.returns is not None else named:
            await types.resolve_type(name, Scope(), constrained=False)


async def check_routine(session: Session, owner: str, name: str, kind: str) -> bool:
    """Whether there is such a unit. Raises the refusal where it has no compiled form."""
    source = (await sources(session, owner, name)).get(kind)
    if source is None or is_compiling(owner, name):
        return source is not None
    async with rights_of(session, owner):
        await RoutineUnit(session, owner, name, source).create()
    return True
