"""Steps for a DBA: what a connection of a refresh cannot or must not do. Pure.

Sources of 19c: Administrator's Guide, "Changing the Database Archiving Mode"; Multitenant Administrator's
Guide, "Modifying a CDB with ALTER SYSTEM"; Backup and Recovery User's Guide, "Disabling Flashback Database".
"""

from __future__ import annotations

from oracle_refresh.tuning import statements
from oracle_refresh.tuning.changes import RunbookStep
from oracle_refresh.tuning.instance import ALL_INSTANCES, Instance, Parameter

AS_SYSDBA = "CONNECT / AS SYSDBA"
TO_ROOT = "ALTER SESSION SET CONTAINER = CDB$ROOT;"


def static_parameter(parameter: Parameter, value: str, instance: Instance) -> RunbookStep:
    """A parameter that only the server parameter file takes, and a restart makes effective."""
    before = (AS_SYSDBA, TO_ROOT) if instance.in_pdb else (AS_SYSDBA,)
    former = parameter.spfile[ALL_INSTANCES] or "" if ALL_INSTANCES in parameter.spfile else None
    return RunbookStep(
        f"parameter {parameter.name}: {parameter.value or 'unset'} -> {value}",
        "it is static: it takes effect when the instance is started (ORA-02095 otherwise)",
        (*before, f"{_set(parameter, value, 'SPFILE')};", *_restart(instance)),
        (*before, f"{_set(parameter, former, 'SPFILE')};", *_restart(instance)),
    )


def root_parameter(parameter: Parameter, value: str) -> RunbookStep:
    """A dynamic parameter that a pluggable database may not change."""
    return RunbookStep(
        f"parameter {parameter.name}: {parameter.value or 'unset'} -> {value}",
        "it cannot be changed in a pluggable database (ORA-65040)",
        (AS_SYSDBA, TO_ROOT, f"{_set(parameter, value, 'MEMORY')};"),
        (AS_SYSDBA, TO_ROOT, f"{_set(parameter, parameter.value, 'MEMORY')};"),
    )


def source_parameter(parameter: Parameter, value: str) -> RunbookStep:
    """A dynamic parameter of the source."""
    return RunbookStep(
        f"parameter {parameter.name} of the source: {parameter.value or 'unset'} -> {value}",
        "a refresh only reads its source",
        (f"{_set(parameter, value, 'MEMORY')};",),
        (f"{_set(parameter, parameter.value, 'MEMORY')};",),
    )


def from_root(what: str, *commands: str, undo: tuple[str, ...] = ()) -> RunbookStep:
    """A change of the whole container database."""
    return RunbookStep(
        what,
        "it concerns the whole container database, so only its root can do it",
        (AS_SYSDBA, TO_ROOT, *commands),
        (AS_SYSDBA, TO_ROOT, *undo) if undo else (),
    )


def log_mode(instance: Instance, archivelog: bool) -> RunbookStep:
    """ARCHIVELOG or NOARCHIVELOG: only while the database is mounted and not open (ORA-01126)."""
    flashback = instance.flashback_on == "YES" and not archivelog
    before = ["ALTER DATABASE FLASHBACK OFF;"] if flashback else []
    before += [f"DROP RESTORE POINT {name};" for name in instance.guaranteed_restore_points if not archivelog]
    after = ["ALTER DATABASE FLASHBACK ON;"] if flashback else []
    off = (
        "it saves the archiving of all redo; without archived logs the database can only be restored as a"
        " whole, so take a backup before and after"
    )
    on = "the profile asks for archived redo logs"
    return RunbookStep(
        f"log mode: {instance.log_mode} -> {_mode(archivelog)}",
        f"{on if archivelog else off}; the database has to be mounted, not open",
        (AS_SYSDBA, *before, *_remounted(instance, archivelog)),
        (AS_SYSDBA, *_remounted(instance, not archivelog), *after),
    )


def _set(parameter: Parameter, value: str | None, scope: str) -> str:
    """SQL: sets it on all instances; None takes it back to what it is unset."""
    if value is None:
        return statements.reset_parameter(parameter.name, scope, ALL_INSTANCES)
    return statements.set_parameter(parameter.name, value, scope, ALL_INSTANCES)


def _mode(archivelog: bool) -> str:
    return "ARCHIVELOG" if archivelog else "NOARCHIVELOG"


def _remounted(instance: Instance, archivelog: bool) -> tuple[str, ...]:
    change = f"ALTER DATABASE {_mode(archivelog)};"
    if len(instance.instances) == 1:
        return ("SHUTDOWN IMMEDIATE", "STARTUP MOUNT", change, "ALTER DATABASE OPEN;")
    name = instance.identity.db_unique_name
    return (
        f"HOST srvctl stop database -db {name}",
        f"HOST srvctl start database -db {name} -startoption mount",
        change,
        f"HOST srvctl stop database -db {name}",
        f"HOST srvctl start database -db {name}",
    )


def _restart(instance: Instance) -> tuple[str, ...]:
    if len(instance.instances) == 1:
        return ("SHUTDOWN IMMEDIATE", "STARTUP")
    name = instance.identity.db_unique_name
    return (f"HOST srvctl stop database -db {name}", f"HOST srvctl start database -db {name}")
