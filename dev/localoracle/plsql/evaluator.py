"""The value of PL/SQL expressions, and calls of everything that has a name."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow
from typing import Any

from localoracle.errors import OracleError, not_supported
from localoracle.lobs.lob import Lob
from localoracle.plsql import syntax as tree
from localoracle.plsql.component import Component
from localoracle.plsql.conversion import (
    ARITHMETIC,
    convert,
    family_of,
    sql_value,
    tidy,
    to_number,
    to_text,
)
from localoracle.plsql.errors import unplaced_error
from localoracle.plsql.scope import Scope, Variable
from localoracle.supplied.types import (
    DATES,
    WIRE_FAMILIES,
    Collection,
    CollectionType,
    Record,
    ScalarType,
)

Typed = tuple[Any, str]


class Evaluator(Component):
    """Operators and conditions; what names mean is in `References`."""

    # --- expressions ---

    async def condition(self, expression: tree.Expression, scope: Scope) -> bool:
        value = await self.evaluate(expression, scope)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(expression.place, "PLS-00382")
        return value is True

    async def value(self, expression: tree.Expression, scope: Scope) -> Typed:
        """(value, family); the family is that of the declaration where there is one."""
        if isinstance(expression, tree.Literal):
            return expression.value, expression.family
        if isinstance(expression, tree.Reference):
            return await self.interpreter.references.value(expression, scope)
        if isinstance(expression, tree.BindReference):
            return self._bind_value(expression)
        if isinstance(expression, tree.Binary):
            return await self._binary(expression, scope)
        if isinstance(expression, tree.Unary):
            return await self._unary(expression, scope)
        if isinstance(expression, tree.IsNull):
            value = await self.evaluate(expression.operand, scope)
            return (value is None) != expression.negated, "BOOLEAN"
        if isinstance(expression, tree.Between):
            return await self._between(expression, scope), "BOOLEAN"
        if isinstance(expression, tree.InList):
            return await self._in_list(expression, scope), "BOOLEAN"
        if isinstance(expression, tree.Like):
            return await self._like(expression, scope), "BOOLEAN"
        if isinstance(expression, tree.Case):
            return await self._case(expression, scope)
        if isinstance(expression, tree.CursorAttribute):
            return self.interpreter.cursors.attribute(
                expression, scope
            ), "BOOLEAN" if expression.attribute != "ROWCOUNT" else "NUMBER"
        return await self.interpreter.sql.expression(expression, scope)

    def _bind_value(self, expression: tree.BindReference) -> Typed:
        held = self.bound(expression.name, expression.place)
        if held.datatype.is_array:
            element = ScalarType(WIRE_FAMILIES[held.datatype.type])
            kind = CollectionType.bound(element)
            return Collection.of(kind, held.value or []), kind.name
        return held.value, WIRE_FAMILIES.get(held.datatype.type, held.datatype.type.name)

    async def _case(self, expression: tree.Case, scope: Scope) -> Typed:
        subject = await self.typed(expression.operand, scope) if expression.operand is not None else None
        for condition, result in expression.branches:
            if subject is None:
                chosen = await self.condition(condition, scope)
            else:
                chosen = await self.compare("=", subject, await self.typed(condition, scope)) is True
            if chosen:
                return await self.typed(result, scope)
        return (
            await self.typed(expression.otherwise, scope) if expression.otherwise is not None else (None, "")
        )

    async def _unary(self, expression: tree.Unary, scope: Scope) -> Typed:
        value, family = await self.typed(expression.operand, scope)
        if expression.operator == "NOT":
            return None if value is None else not value, "BOOLEAN"
        if value is None or expression.operator == "+":
            return value, family
        if isinstance(value, timedelta):
            return -value, family
        number = to_number(value)
        assert number is not None
        return -number, "NUMBER"

    async def _binary(self, expression: tree.Binary, scope: Scope) -> Typed:
        operator = expression.operator
        if operator in ("AND", "OR"):
            return await self._logic(expression, scope), "BOOLEAN"
        left = await self.typed(expression.left, scope)
        right = await self.typed(expression.right, scope)
        if operator == "||":
            if any(isinstance(value, Lob) and not value.is_text for value, _ in (left, right)):
                raise self.wrong(expression.place, "PLS-00306", "||")
            texts = [await to_text(self.session, left[0]), await to_text(self.session, right[0])]
            if left[1] == right[1] == "RAW" and left[0] is not None and right[0] is not None:
                return left[0] + right[0], "RAW"
            return "".join(text for text in texts if text) or None, "CLOB" if "CLOB" in (
                left[1],
                right[1],
            ) else "VARCHAR2"
        if operator in ("=", "<>", "<", ">", "<=", ">="):
            if self._is_char(expression.left, scope) and self._is_char(expression.right, scope):
                left, right = _unpadded(left), _unpadded(right)
            return await self.compare(operator, left, right), "BOOLEAN"
        return await self._arithmetic(operator, left, right, expression.place)

    def _is_char(self, expression: tree.Expression, scope: Scope) -> bool:
        """Whether blank-padded comparison applies: text literals and CHAR variables are fixed-length."""
        if isinstance(expression, tree.Literal):
            return isinstance(expression.value, str)
        if isinstance(expression, tree.Reference) and len(expression.parts) == 1:
            meaning = scope.lookup(expression.parts[0].name)
            return (
                isinstance(meaning, Variable)
                and isinstance(meaning.type, ScalarType)
                and meaning.type.name in ("CHAR", "NCHAR")
            )
        return False

    async def _logic(self, expression: tree.Binary, scope: Scope) -> bool | None:
        left = await self.evaluate(expression.left, scope)
        decisive = expression.operator == "OR"  # TRUE decides an OR, FALSE an AND
        if left is decisive:
            return bool(decisive)
        right = await self.evaluate(expression.right, scope)
        for value in (left, right):
            if value is not None and not isinstance(value, bool):
                raise self.wrong(expression.place, "PLS-00306", expression.operator)
        if right is decisive:
            return bool(decisive)
        return None if left is None or right is None else not decisive

    async def compare(self, operator: str, left: Typed, right: Typed) -> bool | None:
        """Three-valued comparison with PL/SQL's implicit conversions."""
        first, second = left[0], right[0]
        if first is None or second is None:
            return None
        if any(isinstance(value, Lob) and not value.is_text for value in (first, second)):
            raise unplaced_error("PLS-00306", operator)
        if isinstance(first, Lob):
            first = await first.read() or None
        if isinstance(second, Lob):
            second = await second.read() or None
        if first is None or second is None:
            return None
        if isinstance(first, Collection | Record) or isinstance(second, Collection | Record):
            if operator not in ("=", "<>") or type(first) is not type(second):
                raise unplaced_error("PLS-00306", operator)
            raise not_supported("PL/SQL comparison of composite values")
        if isinstance(first, datetime) or isinstance(second, datetime):
            first, second = await self._dates(first, left[1], second, right[1])
        elif type(first) is not type(second) and not (
            isinstance(first, int | Decimal) and isinstance(second, int | Decimal)
        ):
            first, second = self._comparable(first, second)
        if operator == "=":
            return bool(first == second)
        if operator == "<>":
            return bool(first != second)
        if operator == "<":
            return bool(first < second)
        if operator == ">":
            return bool(first > second)
        return bool(first <= second) if operator == "<=" else bool(first >= second)

    async def _dates(self, first: Any, first_family: str, second: Any, second_family: str) -> tuple[Any, Any]:
        family = first_family if isinstance(first, datetime) else second_family
        if isinstance(first, str):
            first = await convert(self.session, first, ScalarType(family))
        if isinstance(second, str):
            second = await convert(self.session, second, ScalarType(family))
        if not (isinstance(first, datetime) and isinstance(second, datetime)):
            raise unplaced_error("PLS-00306", "=")
        if (first.tzinfo is None) != (second.tzinfo is None):
            zone = ScalarType("TIMESTAMP WITH TIME ZONE")
            first, second = (
                await convert(self.session, first, zone),
                await convert(self.session, second, zone),
            )
        return first, second

    def _comparable(self, first: Any, second: Any) -> tuple[Any, Any]:
        if isinstance(first, bool) or isinstance(second, bool):
            raise unplaced_error("PLS-00306", "=")
        if isinstance(first, bytes) and isinstance(second, str):
            return first.hex().upper(), second
        if isinstance(first, str) and isinstance(second, bytes):
            return first, second.hex().upper()
        if isinstance(first, float) or isinstance(second, float):
            return float(to_number(first) or 0), float(to_number(second) or 0)
        return to_number(first), to_number(second)

    async def _arithmetic(self, operator: str, left: Typed, right: Typed, place: int) -> Typed:
        (first, first_family), (second, second_family) = left, right
        if first_family in DATES or second_family in DATES:
            return await self._date_arithmetic(operator, left, right)
        if isinstance(first, Collection | Record | bool | Lob) or isinstance(
            second, Collection | Record | bool | Lob
        ):
            raise self.wrong(place, "PLS-00306", operator)
        number, other = to_number(first), to_number(second)
        if number is None or other is None:
            return None, "NUMBER"
        try:
            if isinstance(number, float) or isinstance(other, float):
                return _float(operator, float(number), float(other)), "BINARY_DOUBLE"
            return _number(operator, number, other), "NUMBER"
        except (ZeroDivisionError, DivisionByZero):
            raise OracleError(1476, "divisor is equal to zero") from None
        except (InvalidOperation, Overflow, OverflowError):
            raise OracleError(1426, "numeric overflow") from None

    async def _date_arithmetic(self, operator: str, left: Typed, right: Typed) -> Typed:
        (first, first_family), (second, second_family) = left, right
        if first is None or second is None:
            both = first_family in DATES and second_family in DATES
            return (
                None,
                "NUMBER" if both else first_family if first_family in DATES else second_family,
            )
        if first_family == "DATE" and second_family in ("NUMBER", "") and operator in "+-":
            days = to_number(second)
            assert days is not None
            seconds = round(Decimal(str(days)) * 86400)
            return first + timedelta(seconds=seconds if operator == "+" else -seconds), "DATE"
        if first_family == second_family == "DATE" and operator == "-":
            span = first - second
            return tidy(
                ARITHMETIC.divide(Decimal(span.days * 86400 + span.seconds), Decimal(86400))
            ), "NUMBER"
        value = await sql_value(
            self.session, f":1 {operator} :2", [first, second], [first_family, second_family]
        )
        return value, family_of(value)

    async def _between(self, expression: tree.Between, scope: Scope) -> bool | None:
        operand = await self.typed(expression.operand, scope)
        above = await self.compare(">=", operand, await self.typed(expression.low, scope))
        below = await self.compare("<=", operand, await self.typed(expression.high, scope))
        if above is False or below is False:
            inside: bool | None = False
        else:
            inside = None if above is None or below is None else True
        return None if inside is None else inside != expression.negated

    async def _in_list(self, expression: tree.InList, scope: Scope) -> bool | None:
        operand = await self.typed(expression.operand, scope)
        unknown = False
        for item in expression.items:
            equal = await self.compare("=", operand, await self.typed(item, scope))
            if equal:
                return not expression.negated
            unknown = unknown or equal is None
        return None if unknown else expression.negated

    async def _like(self, expression: tree.Like, scope: Scope) -> bool | None:
        text = await to_text(self.session, await self.evaluate(expression.operand, scope))
        pattern = await to_text(self.session, await self.evaluate(expression.pattern, scope))
        escape = await self.evaluate(expression.escape, scope) if expression.escape is not None else None
        if text is None or pattern is None:
            return None
        parts = []
        characters = iter(pattern)
        for character in characters:
            if escape is not None and character == escape:
                following = next(characters, None)
                if following is None or following not in ("%", "_", escape):
                    raise OracleError(1424, "missing or illegal character following the escape character")
                parts.append(re.escape(following))
            else:
                parts.append({"%": ".*", "_": "."}.get(character, re.escape(character)))
        return (re.fullmatch("".join(parts), text, re.DOTALL) is not None) != expression.negated


def _unpadded(value: Typed) -> Typed:
    return (value[0].rstrip(" ") if isinstance(value[0], str) else value[0]), value[1]


def _float(operator: str, number: float, other: float) -> float:
    if operator == "+":
        return number + other
    if operator == "-":
        return number - other
    if operator == "*":
        return number * other
    return number / other if operator == "/" else float(number**other)


def _number(operator: str, number: int | Decimal | float, other: int | Decimal | float) -> int | Decimal:
    if isinstance(number, int) and isinstance(other, int) and operator in "+-*":
        exact = number + other if operator == "+" else number - other if operator == "-" else number * other
        if abs(exact) < 10**38:
            return exact
    first, second = Decimal(number), Decimal(other)
    if operator == "/" and second == 0:
        raise ZeroDivisionError
    if operator in ("MOD", "REM"):
        return tidy(ARITHMETIC.remainder(first, second)) if second else tidy(first)
    methods = {
        "+": ARITHMETIC.add,
        "-": ARITHMETIC.subtract,
        "*": ARITHMETIC.multiply,
        "/": ARITHMETIC.divide,
        "**": ARITHMETIC.power,
    }
    return tidy(methods[operator](first, second))
