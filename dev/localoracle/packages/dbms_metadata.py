"""DBMS_METADATA called from PL/SQL; the work is done by the SQL functions of the same names."""

from __future__ import annotations

from typing import Any

from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram
from localoracle.values import DataType, OracleType, Value

_PACKAGE = "DBMS_METADATA"
SESSION_TRANSFORM = -1


@subprogram(_PACKAGE, "GET_DDL", "GET_DEPENDENT_DDL", "GET_GRANTED_DDL")
async def get_ddl(call: Call) -> Any:
    """The DDL as a CLOB, as far as the user may see it. ORA-31600, ORA-31603, ORA-31608."""
    values = []
    for parameter in call.overload.parameters:
        kind = OracleType.NUMBER if parameter.family == "NUMBER" else OracleType.VARCHAR2
        values.append(Value(DataType(kind, 0 if kind is OracleType.NUMBER else 4000), call[parameter.name]))
    places = ", ".join(f":{number}" for number in range(1, len(values) + 1))
    result = await call.session.run(f"SELECT {_PACKAGE}.{call.name}({places}) FROM DUAL", values)
    rows = await result.all()
    return rows[0][0]


async def _known_parameters(call: Call) -> list[str]:
    rows = await call.session.pg_system("SELECT unnest(localoracle.transform_names())")
    return [row[0] for row in rows]


@subprogram(_PACKAGE, "SET_TRANSFORM_PARAM")
async def set_transform_param(call: Call) -> None:
    """Only of the session's transform; DEFAULT resets all. ORA-31600 for an unknown handle or parameter."""
    handle, name, value = call["transform_handle"], call["name"], call.get("value", True)
    if handle != SESSION_TRANSFORM:
        raise _invalid(handle, "HANDLE")
    parameters = await _known_parameters(call)
    if name == "DEFAULT":
        for each in parameters:
            await call.session.settings.set(f"localoracle.transform_{each.lower()}", "")
        return
    if name == "COLLATION_CLAUSE" and value in ("NEVER", "ALWAYS", "NON_DEFAULT"):
        return  # without effect: no column and no table here has a collation of its own
    if call.family("value") != "BOOLEAN":
        raise not_supported(f"{_PACKAGE}.SET_TRANSFORM_PARAM {name} with a value that is not BOOLEAN")
    if name not in parameters:
        raise _invalid(name, "NAME")
    await call.session.settings.set(
        f"localoracle.transform_{name.lower()}", "false" if value is False else "true"
    )


def _invalid(value: object, parameter: str) -> OracleError:
    text = f"invalid input value {value} for parameter {parameter} in function SET_TRANSFORM_PARAM"
    return OracleError(31600, text)
