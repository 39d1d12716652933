"""The dictionary views: which there are, their columns, and who may read them.

Columns and types are the documented ones (data/views.json), grants those of Oracle's own scripts
(data/roles.json). The rows come from the base views of the bootstrap scripts 42 to 45 (schema `dictionary`).
"""

from __future__ import annotations

from localoracle.dictionary import documentation
from localoracle.dictionary.column_types import family, postgres_type
from localoracle.dictionary.roles import grantees, package_grants


def views() -> dict[str, list[str]]:
    """Every dictionary view and its columns in their order; fixed views under their V$ names."""
    return {name: [column for column, _ in columns] for name, columns in documentation.views().items()}


def _literal(values: list[str]) -> str:
    return "ARRAY[" + ", ".join("'" + value + "'" for value in values) + "]"


def _scope(name: str) -> str:
    return {"ALL": "all", "USER": "user"}.get(name.split("_", 1)[0], "dba")


def statements() -> str:
    """The script that makes the views of schema SYS; V$SESSION is a second name of V_$SESSION."""
    lines = []
    for name, described in sorted(documentation.views().items(), key=lambda item: item[0].startswith("GV$")):
        real = _real(name)
        if name.startswith("GV$"):
            inner = _real(name.removeprefix("G"))
            lines.append(
                f'CREATE VIEW "SYS"."{real}" AS SELECT 1::numeric AS "INST_ID", v.* FROM "SYS"."{inner}" v;'
            )
        else:
            columns = _literal([column for column, _ in described])
            types = _literal([postgres_type(kind) for _, kind in described])
            lines.append(
                f"SELECT localoracle.make_view('{real}', '{family(name).lower()}', '{_scope(name)}',"
                f" {columns}, {types});"
            )
        if real != name:
            lines.append(f'CREATE VIEW "SYS"."{name}" AS SELECT * FROM "SYS"."{real}";')
    for name, target in documentation.view_synonyms().items():
        lines.append(f'CREATE VIEW "SYS"."{name}" AS SELECT * FROM "SYS"."{target}";')
    return "\n".join(lines)


def _real(name: str) -> str:
    """V$ and GV$ names are synonyms of views named V_$ and GV_$."""
    return name.replace("V$", "V_$", 1) if name.startswith(("V$", "GV$")) else name


def readers(name: str) -> list[str]:
    """The roles that may read a view without a grant, PUBLIC among them."""
    grantees_of = grantees("SELECT", name.removeprefix("G") if name.startswith("GV$") else name)
    if grantees_of:
        return grantees_of
    # Newer than the scripts that list grants, all of which follow this rule.
    return ["PUBLIC"] if name.startswith(("ALL_", "USER_")) else ["SELECT_CATALOG_ROLE"]


def grants() -> str:
    """The script that lets roles read them."""
    lines = []
    for name in views():
        to = ["SELECT ANY DICTIONARY", *readers(name)]
        roles = ", ".join("PUBLIC" if role == "PUBLIC" else f'"{role}"' for role in to)
        for each in dict.fromkeys([name, _real(name)]):
            lines.append(f'GRANT SELECT ON "SYS"."{each}" TO {roles};')
    lines += [f'GRANT SELECT ON "SYS"."{name}" TO PUBLIC;' for name in documentation.view_synonyms()]
    return "\n".join([*lines, *package_grants()])
