"""The predefined roles: which there are, and what they contain (data/roles.json)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from localoracle.dictionary.documentation import packages, roles


def system_privileges(role: str) -> list[tuple[str, bool]]:
    """The system privileges that a role contains, and whether it has them with ADMIN OPTION."""
    privileges: dict[str, bool] = {}
    for name, admin in map(_with_option, roles()["roles"][role]["system_privileges"]):
        missing = roles()["not_in_all_privileges"]
        every = [each for each in roles()["system_privileges"] if each not in missing]
        for each in every if name == "ALL PRIVILEGES" else [name]:
            privileges[each] = privileges.get(each, False) or admin
    return list(privileges.items())


def granted_roles(role: str) -> list[tuple[str, bool]]:
    """The roles that are granted to a role, and whether with ADMIN OPTION."""
    return [_with_option(entry) for entry in roles()["roles"][role]["roles"]]


def _with_option(entry: Any) -> tuple[str, bool]:
    return (entry, False) if isinstance(entry, str) else (entry[0], bool(entry[1]))


def grantees(privilege: str, name: str) -> list[str]:
    """The predefined roles, PUBLIC among them, that have a privilege on an object of SYS."""
    return [
        role
        for role, contents in roles()["roles"].items()
        if any(
            name in objects
            for granted, objects in contents["object_grants"].items()
            if granted.removesuffix(" WITH GRANT OPTION") == privilege
        )
    ]


def statements() -> str:
    """The script that makes system privileges and predefined roles, and grants them to one another."""
    return "\n".join(_statements())


def _statements() -> Iterator[str]:
    for name, number in roles()["system_privileges"].items():
        yield f'CREATE ROLE "{name}" NOLOGIN;'
        yield f"INSERT INTO localoracle.privilege_names VALUES ('{name}', {number or 'NULL'});"
    predefined = [role for role in roles()["roles"] if role != "PUBLIC"]
    for role in predefined:
        yield f'CREATE ROLE "{role}" NOLOGIN;'
        yield f"INSERT INTO localoracle.roles (role, oracle_maintained) VALUES ('{role}', true);"
    for role in predefined:
        for granted, admin in (*system_privileges(role), *granted_roles(role)):
            yield f'GRANT "{granted}" TO "{role}"{" WITH ADMIN OPTION" if admin else ""};'


def package_grants() -> Iterator[str]:
    """Every documented package is a schema; EXECUTE on the package is USAGE of the schema."""
    for name, package in packages().items():
        yield f'CREATE SCHEMA IF NOT EXISTS "{name}";'
        to = grantees("EXECUTE", name)
        if not to and not any(source.startswith("11.2 spec") for source in package["sources"]):
            to = ["PUBLIC"]  # newer than the scripts that list grants
        for role in to:
            yield f'GRANT USAGE ON SCHEMA "{name}" TO ' + ("PUBLIC;" if role == "PUBLIC" else f'"{role}";')
        yield f"INSERT INTO localoracle.supplied_packages VALUES ('{name}') ON CONFLICT DO NOTHING;"
