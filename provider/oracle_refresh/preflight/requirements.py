"""The privileges a refresh uses, as include/sql/grants.sql grants them, and which of them are missing.

Source: Utilities 19c, "Required Roles for Data Pump Export and Import Operations"; SQL Language Reference
19c, GRANT, "System Privileges".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.definition import CloneDefinition, RefreshDefinition
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.oracle.identifiers import Identifier

DICTIONARY = ("SELECT_CATALOG_ROLE", "SELECT ANY DICTIONARY")


@dataclass(frozen=True)
class Requirement:
    """One of several privileges or roles, the first being the one to grant, and what it is used for."""

    any_of: tuple[str, ...]
    purpose: str


@dataclass(frozen=True)
class ObjectRequirement:
    """A privilege on an object of SYS. `on` is written as in GRANT: `SYS.DBMS_CRYPTO`, `DIRECTORY "X"`."""

    privilege: str
    object_name: str
    on: str
    purpose: str


@dataclass(frozen=True)
class Privileges:
    """What a session may do: its system privileges, its enabled roles, and (object, privilege) of SYS."""

    user: str
    system: frozenset[str]
    roles: frozenset[str]
    objects: frozenset[tuple[str, str]]
    quota: bool
    """Whether the user has a quota on any tablespace."""

    def holds(self, name: str) -> bool:
        if name == "UNLIMITED TABLESPACE" and self.quota:
            return True
        return name in self.system or name in self.roles


SOURCE = (
    Requirement(DICTIONARY, "to read the catalogue"),
    Requirement(("CREATE TABLE", "CREATE ANY TABLE"), "for the master tables of the export jobs"),
    Requirement(("UNLIMITED TABLESPACE",), "for the master tables of the export jobs"),
    Requirement(("SELECT ANY TABLE",), "to compare the copy with its source"),
    Requirement(("FLASHBACK ANY TABLE",), "to read the source as of the SCN"),
    Requirement(("DATAPUMP_EXP_FULL_DATABASE",), "to export schemas of other users"),
)
#: Who logs on as the owner of the one schema that is refreshed needs no privilege on ANY table and no role
#: of Data Pump: Utilities 19c, "Required Roles for Data Pump Export and Import Operations".
BEYOND_OWN_SCHEMA = frozenset({"SELECT ANY TABLE", "FLASHBACK ANY TABLE", "DATAPUMP_EXP_FULL_DATABASE"})
TARGET = (
    Requirement(DICTIONARY, "to read the catalogue"),
    Requirement(
        ("CREATE TABLE", "CREATE ANY TABLE"), "for the ledger and the master tables of the load jobs"
    ),
    Requirement(("UNLIMITED TABLESPACE",), "for the ledger and the master tables of the load jobs"),
    Requirement(("SELECT ANY TABLE",), "to verify the copy"),
    Requirement(("FLASHBACK ANY TABLE",), "to prove that nobody can look back behind the masking"),
    Requirement(("INSERT ANY TABLE",), "to load"),
    Requirement(("UPDATE ANY TABLE",), "to mask"),
    Requirement(("LOCK ANY TABLE",), "to keep others out of a table while it is masked"),
    Requirement(("CREATE ANY TABLE",), "to build the tables"),
    Requirement(("ALTER ANY TABLE",), "to add constraints"),
    Requirement(("DROP ANY TABLE",), "to replace or truncate tables"),
    Requirement(("CREATE ANY INDEX",), "to build the indexes"),
    Requirement(("ALTER ANY INDEX",), "to set built indexes back to NOPARALLEL LOGGING"),
    Requirement(("DROP ANY INDEX",), "to replace indexes"),
    Requirement(("CREATE ANY VIEW",), "to build the views"),
    Requirement(("DROP ANY VIEW",), "to replace views"),
    Requirement(("CREATE ANY SEQUENCE",), "to build the sequences"),
    Requirement(("DROP ANY SEQUENCE",), "to replace sequences"),
    Requirement(("CREATE ANY SYNONYM",), "to build synonyms that are missing, to compile invalid ones"),
    Requirement(("CREATE ANY PROCEDURE",), "to build procedures, functions and packages that are missing"),
    Requirement(("CREATE ANY TYPE",), "to build types that are missing"),
    Requirement(("CREATE ANY TRIGGER",), "to build the triggers"),
    Requirement(("ALTER ANY TRIGGER",), "to disable the triggers that are disabled on the source"),
    Requirement(("DROP ANY TRIGGER",), "to replace triggers"),
    Requirement(("ALTER ANY PROCEDURE",), "to compile code that is invalid after its tables were replaced"),
    Requirement(("ALTER ANY TYPE",), "to compile types that are invalid"),
    Requirement(("DROP ANY SYNONYM",), "to compile invalid synonyms"),
    Requirement(("GRANT ANY OBJECT PRIVILEGE",), "to repeat the grants of the source"),
    Requirement(("ANALYZE ANY",), "to lock and gather statistics"),
    Requirement(("COMMENT ANY TABLE",), "to repeat the comments of the source"),
    Requirement(("ALTER USER",), "to lock and release the application accounts"),
    Requirement(("ALTER SYSTEM",), "to end sessions of locked accounts"),
    Requirement(("CREATE ANY JOB",), "to disable jobs of locked accounts, and to enable them again"),
    Requirement(("MANAGE SCHEDULER",), "to stop jobs of locked accounts that run"),
    Requirement(("DATAPUMP_IMP_FULL_DATABASE",), "to load schemas of other users"),
    Requirement(("DBFS_ROLE",), "to stage dump files in the DBFS"),
)


#: What only a refresh uses, which makes objects and moves rows; masking a clone changes what is there.
COPYING = frozenset(
    {
        *(f"{verb} ANY {kind}" for verb in ("CREATE", "DROP") for kind in ("VIEW", "SEQUENCE", "TRIGGER")),
        *("CREATE ANY PROCEDURE", "CREATE ANY TYPE"),
        *("DATAPUMP_IMP_FULL_DATABASE", "DBFS_ROLE"),
    }
)


def clone_requirements(definition: CloneDefinition) -> tuple[Requirement, ...]:
    """What the user of a clone needs that is masked where it is."""
    wanted = tuple(need for need in TARGET if COPYING.isdisjoint(need.any_of))
    if not definition.purge_statistics_history:
        return wanted
    purge = "to purge the history of statistics, which holds originals"
    return (*wanted, Requirement(("ANALYZE ANY DICTIONARY",), purge))


def clone_objects() -> tuple[ObjectRequirement, ...]:
    """What the user of a clone executes."""
    return CHECKSUMS, *PUBLIC_PACKAGES


def source_requirements(definition: RefreshDefinition, user: str) -> tuple[Requirement, ...]:
    """What the source's user needs, who may be the owner of what is refreshed."""
    if definition.schemas != (user,):
        return SOURCE
    return tuple(need for need in SOURCE if not BEYOND_OWN_SCHEMA.intersection(need.any_of))


def target_requirements(definition: RefreshDefinition) -> tuple[Requirement, ...]:
    """What the target's user needs; the DBFS only where dump files may be staged in it."""
    staging = definition.staging
    if not definition.uses_store:
        return tuple(requirement for requirement in TARGET if requirement.any_of != ("DBFS_ROLE",))
    if staging.store.create_tablespace is None:
        return TARGET
    create = Requirement(("CREATE TABLESPACE",), "to create the tablespace of the store")
    drop = Requirement(("DROP TABLESPACE",), "to drop the tablespace of the store when the run ends")
    return (*TARGET, create) if staging.store.keep else (*TARGET, create, drop)


CHECKSUMS = ObjectRequirement("EXECUTE", "DBMS_CRYPTO", "SYS.DBMS_CRYPTO", "for checksums")
#: What PUBLIC may execute as Oracle delivers it, and hardened databases and Database Vault take away: the
#: scripts of 11.2 that create the packages, and dvremov.sql.
PUBLIC_PACKAGES = tuple(
    ObjectRequirement("EXECUTE", package, f"SYS.{package}", purpose)
    for package, purpose in (
        ("DBMS_DATAPUMP", "to run the jobs"),
        ("DBMS_LOB", "to read LOBs and files"),
        ("DBMS_METADATA", "to read definitions of objects"),
        ("DBMS_ROWID", "to divide tables by rowids"),
        ("UTL_FILE", "to remove dump files"),
        ("UTL_RAW", "to compare BINARY_FLOAT and BINARY_DOUBLE"),
    )
)


def source_objects(definition: RefreshDefinition) -> tuple[ObjectRequirement, ...]:
    return _objects(definition.staging.source_directory)


def target_objects(definition: RefreshDefinition) -> tuple[ObjectRequirement, ...]:
    """What the target's user needs; what a transport executes only where `auto` has no other choice."""
    packages = definition.transports[0].packages if len(definition.transports) == 1 else ()
    return (
        *_objects(definition.staging.target_directory),
        *(
            ObjectRequirement("EXECUTE", package, f"SYS.{package}", "to fetch the dump files")
            for package in packages
        ),
    )


def _objects(directory: str) -> tuple[ObjectRequirement, ...]:
    on = f"DIRECTORY {Identifier(directory).written}"
    return (
        CHECKSUMS,
        ObjectRequirement("READ", directory, on, "for the dump files"),
        ObjectRequirement("WRITE", directory, on, "for the dump and log files"),
    )


def missing(
    end: str,
    privileges: Privileges,
    wanted: Sequence[Requirement],
    objects: Sequence[ObjectRequirement] = (),
) -> list[Finding]:
    """A finding per missing privilege of the user at one end (`source` or `target`)."""
    user = Identifier(privileges.user).written
    findings = [
        error(
            "MISSING_GRANT",
            f"user {user} of the {end} lacks {' or '.join(requirement.any_of)} {requirement.purpose}",
            "let a DBA grant it",
            f"GRANT {requirement.any_of[0]} TO {user}",
        )
        for requirement in wanted
        if not any(privileges.holds(name) for name in requirement.any_of)
    ]
    findings += [
        error(
            "MISSING_GRANT",
            f"user {user} of the {end} lacks {need.privilege} ON {need.on} {need.purpose}",
            # What belongs to SYS is out of reach of privileges on ANY object (Security Guide 19c).
            "let SYS grant it (AS SYSDBA)" if need.on.startswith("SYS.") else "let a DBA grant it",
            f"GRANT {need.privilege} ON {need.on} TO {user}",
        )
        for need in objects
        if (need.object_name, need.privilege) not in privileges.objects
    ]
    return findings
