"""Which system privileges and roles a statement takes, by its text.

Source: SQL Language Reference 19c, "Prerequisites" of each statement; PL/SQL Packages and Types Reference
19c, "Security Model" of each package.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_NAME = r'(?:"[^"]+"|[A-Za-z][\w$#]*)'
#: An object of another user: with its owner in front, who is not SYS.
OTHERS = rf"(?!\"?SYS\"?\.){_NAME}\.{_NAME}"
_CREATE = (
    r"^CREATE (?:OR REPLACE )?(?:(?:NO ?)?FORCE )?(?:(?:NON)?EDITIONABLE )?(?:UNIQUE |BITMAP )?(?P<kind>\w+) "
)
KINDS = {
    **{
        kind: kind
        for kind in ("TABLE", "INDEX", "VIEW", "SEQUENCE", "SYNONYM", "PROCEDURE", "TRIGGER", "TYPE")
    },
    **dict.fromkeys(("FUNCTION", "PACKAGE"), "PROCEDURE"),
}
PATTERNS = (
    (rf"^INSERT (?:/\*.*?\*/ )?INTO {OTHERS}", "INSERT ANY TABLE"),
    (rf"^MERGE (?:/\*.*?\*/ )?INTO {OTHERS}.*WHEN MATCHED", "UPDATE ANY TABLE"),
    (rf"^MERGE (?:/\*.*?\*/ )?INTO {OTHERS}.*WHEN NOT MATCHED", "INSERT ANY TABLE"),
    (rf"^UPDATE (?:/\*.*?\*/ )?{OTHERS}", "UPDATE ANY TABLE"),
    (rf"^DELETE (?:/\*.*?\*/ )?FROM {OTHERS}", "DELETE ANY TABLE"),
    (rf"^LOCK TABLE {OTHERS}", "LOCK ANY TABLE"),
    (rf"^TRUNCATE TABLE {OTHERS}", "DROP ANY TABLE"),
    (rf"^COMMENT ON \w+ {OTHERS}", "COMMENT ANY TABLE"),
    (rf"^(?:GRANT|REVOKE) .* ON {OTHERS}", "GRANT ANY OBJECT PRIVILEGE"),
    (r"^ALTER USER ", "ALTER USER"),
    (r"^ALTER SYSTEM ", "ALTER SYSTEM"),
    (r"^ALTER DATABASE ", "ALTER DATABASE"),
    (rf"\b(?:FROM|JOIN) {OTHERS}", "SELECT ANY TABLE"),
    (rf"\bFROM {OTHERS}.{{0,60}}\b(?:AS OF|VERSIONS BETWEEN)\b", "FLASHBACK ANY TABLE"),
    (r"\b(?:FROM|JOIN) (?:DBA_|G?V\$)", "SELECT_CATALOG_ROLE"),
    (r"\bDBMS_SCHEDULER\.(?:EN|DIS)ABLE\b", "CREATE ANY JOB"),
    (r"\bDBMS_SCHEDULER\.STOP_JOB\(.*\bforce => TRUE", "MANAGE SCHEDULER"),
    (r"\bDBMS_STATS\.(?:GATHER|LOCK|UNLOCK)_", "ANALYZE ANY"),
    (r"\b(?:DBMS_DBFS_\w+|DBMS_FUSE)\.", "DBFS_ROLE"),
    (r"\bDBMS_DATAPUMP\.", "DATAPUMP"),
    (rf"^CREATE TABLE (?!{OTHERS}){_NAME}", "CREATE TABLE"),
    (rf"^ALTER VIEW {OTHERS} COMPILE", "ALTER ANY TABLE"),
    (rf"^ALTER SYNONYM {OTHERS} COMPILE", "CREATE ANY SYNONYM"),
    (rf"^ALTER SYNONYM {OTHERS} COMPILE", "DROP ANY SYNONYM"),
    # Not among the documented prerequisites; a view that is there is dropped on the way.
    (rf"^CREATE OR REPLACE (?:FORCE )?(?:EDITIONABLE )?VIEW {OTHERS}", "DROP ANY VIEW"),
)


#: What grants.sql names beside what it grants: for some uses only.
OPTIONAL = re.compile(r"^--   GRANT (.*?) TO \w+;$", re.MULTILINE)


def granted(script: str, optional: bool = False) -> set[str]:
    """System privileges and roles that a script grants, or those that it names in comments of this form."""
    if optional:
        found = OPTIONAL.findall(script)
    else:
        text = re.sub(r"^--.*$", "", script, flags=re.MULTILINE)
        found = re.findall(r"\bGRANT ([A-Z_ ,]+?)\s+TO \w+", text)
    return {name.strip() for names in found if " ON " not in names for name in names.split(",")}


def needed(sql: str) -> set[str]:
    """Privileges and roles. DATAPUMP stands for the role of the end: DATAPUMP_EXP_ or _IMP_FULL_DATABASE."""
    text = " ".join(sql.split())
    return {name for pattern, name in PATTERNS if re.search(pattern, text, re.IGNORECASE)} | set(_ddl(text))


def _ddl(text: str) -> Iterator[str]:
    if (made := re.match(_CREATE + OTHERS, text, re.IGNORECASE)) and made["kind"].upper() in KINDS:
        yield f"CREATE ANY {KINDS[made['kind'].upper()]}"
    changed = re.match(rf"^(?P<verb>ALTER|DROP) (?P<kind>\w+) {OTHERS}", text, re.IGNORECASE)
    by_other = changed and " ".join(changed.group("verb", "kind")).upper() in ("ALTER VIEW", "ALTER SYNONYM")
    if changed and not by_other and changed["kind"].upper() in KINDS:
        yield f"{changed['verb'].upper()} ANY {KINDS[changed['kind'].upper()]}"


def templates(package: Path) -> Iterator[str]:
    """Every text of a package's modules, with an object's name in place of what is filled in."""
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else '"X"."Y"' for part in node.values)
                yield "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.sub(r"\{\w+\}", '"X"."Y"', node.value)
