"""What an instance is like, as far as tuning is concerned: read once, then only reasoned about.

V$PARAMETER shows what a session sees, so values are those of V$SYSTEM_PARAMETER; what stands in the server
parameter file is another question, which V$SPPARAMETER answers. Source: Database Reference 19c.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from oracle_refresh.catalog.identity import DatabaseIdentity, identify
from oracle_refresh.catalog.rows import whole
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import TuningError, from_oracle, oracle_codes
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.tuning import statements

if TYPE_CHECKING:
    import oracledb

STEP = "tuning"
ALL_INSTANCES = "*"
#: V$PARAMETER.TYPE
BOOLEAN, STRING, INTEGER, BIG_INTEGER = 1, 2, 3, 6


@dataclass(frozen=True)
class Parameter(Jsonable):
    """An initialization parameter. Values are as V$SYSTEM_PARAMETER.VALUE shows them: sizes in bytes."""

    name: str
    kind: int
    value: str | None
    default: bool
    modifiable: str
    """ISSYS_MODIFIABLE: IMMEDIATE, DEFERRED (sessions to come) or FALSE (after a restart)."""
    in_pdb: bool
    memory: dict[str, str | None] = field(default_factory=dict, hash=False)
    """The value of each instance, by its name."""
    spfile: dict[str, str | None] = field(default_factory=dict, hash=False)
    """The entries of the server parameter file, by SID; empty where it is not specified."""
    valid: tuple[str, ...] = ()
    """V$PARAMETER_VALID_VALUES; empty where the view lists none."""


@dataclass(frozen=True)
class RedoGroup(Jsonable):
    """A group of online redo log files. `bytes` are those of one member."""

    number: int
    thread: int
    bytes: int
    members: tuple[str, ...]
    status: str = "UNUSED"
    archived: bool = True


@dataclass(frozen=True)
class UndoTablespace(Jsonable):
    name: str
    guarantee: bool
    bytes: int
    max_bytes: int
    """Bytes that its files can grow to."""
    file: str


@dataclass(frozen=True)
class TempFile(Jsonable):
    name: str
    bytes: int
    max_bytes: int


@dataclass(frozen=True)
class TempSpace(Jsonable):
    """The temporary tablespace of the connected user; of a group the one that takes a further file, if any.

    :ivar files: its own.
    :ivar elsewhere: what the other tablespaces of the group hold at most.
    """

    tablespace: str
    bigfile: bool
    files: tuple[TempFile, ...]
    elsewhere: int = 0

    @property
    def own_bytes(self) -> int:
        return sum(file.max_bytes for file in self.files)

    @property
    def max_bytes(self) -> int:
        """What sessions of the user can fill."""
        return self.own_bytes + self.elsewhere


@dataclass(frozen=True)
class OpenInstance(Jsonable):
    number: int
    name: str
    thread: int


@dataclass(frozen=True)
class Instance(Jsonable):
    """The facts of a database and its open instances; `memory`, `sga`, `granule` in bytes, None if untold."""

    identity: DatabaseIdentity
    log_mode: str
    flashback_on: str
    force_logging: str
    broker: str
    in_pdb: bool
    standby_destinations: tuple[str, ...]
    standby_logs: int
    guaranteed_restore_points: tuple[str, ...]
    instances: tuple[OpenInstance, ...]
    cpus: int | None
    memory: int | None
    sga: int | None
    granule: int
    local_undo: bool
    parameters: dict[str, Parameter] = field(hash=False)
    redo: tuple[RedoGroup, ...]
    undo: tuple[UndoTablespace, ...]
    temp: TempSpace
    privileges: tuple[str, ...] = ()

    def value(self, name: str) -> str | None:
        """The value of a parameter in memory; None where it has none, or is not known."""
        parameter = self.parameters.get(name)
        return None if parameter is None else parameter.value

    @property
    def with_spfile(self) -> bool:
        """Whether the instance was started with a server parameter file."""
        return bool(self.value("spfile")) or any(parameter.spfile for parameter in self.parameters.values())

    def facts(self, current: int | None) -> dict[str, int | None]:
        """What formulas may name. `current` is the value of the parameter concerned."""
        pga = self.value("pga_aggregate_target")
        return {
            "cpus": self.cpus,
            "memory": self.memory,
            "sga": self.sga,
            "pga": int(pga) if pga and pga.isdigit() else None,
            "instances": len(self.instances),
            "current": current,
        }


def read_instance(connection: oracledb.Connection) -> Instance:
    """Read the facts. Changes nothing; needs SELECT_CATALOG_ROLE.

    :raises TuningError: if a view cannot be read.
    """
    try:
        return _read(connection)
    except Exception as error:
        if {"ORA-00942", "ORA-01031"}.intersection(oracle_codes(error)):
            raise TuningError(
                f"a view about the instance cannot be read: {error}",
                codes=oracle_codes(error),
                step=STEP,
                remedy="grant SELECT_CATALOG_ROLE to the user of the connection",
            ) from error
        if oracle_codes(error):
            raise from_oracle(error, STEP, kind=TuningError) from error
        raise


def read_redo(connection: oracledb.Connection) -> tuple[RedoGroup, ...]:
    """The groups of all threads, by number."""
    groups: dict[int, RedoGroup] = {}
    for number, thread, size, status, archived, member in rows(connection, statements.REDO_GROUPS):
        former = groups[number].members if number in groups else ()
        groups[number] = RedoGroup(
            int(number), int(thread), int(size), (*former, str(member)), str(status), archived == "YES"
        )
    return tuple(groups.values())


def read_temp(connection: oracledb.Connection) -> TempSpace:
    """The temporary tablespaces of the connected user, with the files of the first."""
    first, *others = (
        TempSpace(
            str(name),
            bigfile == "YES",
            tuple(
                TempFile(str(file), int(size), int(most))
                for file, size, most in rows(connection, statements.TEMP_FILES, name=name)
            ),
        )
        for name, bigfile in rows(connection, statements.TEMP_TABLESPACES)
    )
    return replace(first, elsewhere=sum(each.own_bytes for each in others))


def _read(connection: oracledb.Connection) -> Instance:
    ((log_mode, flashback_on, force_logging, broker, cdb, container),) = rows(connection, statements.DATABASE)
    instances = tuple(
        OpenInstance(int(number), str(name), int(thread))
        for number, name, thread in rows(connection, statements.INSTANCES)
    )
    host = dict(rows(connection, statements.HOST))
    sga = dict(rows(connection, statements.SGA))
    in_pdb = cdb == "YES" and container != "CDB$ROOT"
    return Instance(
        identity=identify(connection),
        log_mode=str(log_mode),
        flashback_on=str(flashback_on),
        force_logging=str(force_logging),
        broker=str(broker),
        in_pdb=in_pdb,
        standby_destinations=tuple(
            str(name) for (name,) in rows(connection, statements.STANDBY_DESTINATIONS)
        ),
        standby_logs=int(scalar(connection, statements.STANDBY_LOGS)),
        guaranteed_restore_points=tuple(
            str(name) for (name,) in rows(connection, statements.GUARANTEED_RESTORE_POINTS)
        ),
        instances=instances,
        cpus=whole(host.get("NUM_CPUS")),
        memory=whole(host.get("PHYSICAL_MEMORY_BYTES")),
        sga=whole(sga.get("Maximum SGA Size")),
        granule=whole(sga.get("Granule Size")) or 0,
        local_undo=not in_pdb or scalar(connection, statements.LOCAL_UNDO) == "TRUE",
        parameters=_parameters(connection, instances),
        redo=read_redo(connection),
        undo=tuple(
            UndoTablespace(str(name), retention == "GUARANTEE", int(size), int(most), str(file))
            for name, retention, size, most, file in rows(connection, statements.UNDO_TABLESPACES)
        ),
        temp=read_temp(connection),
        privileges=tuple(sorted(str(name) for (name,) in rows(connection, statements.PRIVILEGES))),
    )


def _parameters(connection: oracledb.Connection, instances: tuple[OpenInstance, ...]) -> dict[str, Parameter]:
    names = {instance.number: instance.name for instance in instances}
    memory: dict[str, dict[str, str | None]] = defaultdict(dict)
    for number, name, value in rows(connection, statements.MEMORY_VALUES):
        memory[name][names[number]] = value
    spfile: dict[str, dict[str, str | None]] = defaultdict(dict)
    for name, sid, value in rows(connection, statements.SPFILE_VALUES):
        spfile[name][sid] = value
    valid: dict[str, list[str]] = defaultdict(list)
    for name, value in rows(connection, statements.VALID_VALUES):
        valid[name].append(str(value))
    return {
        name: Parameter(
            name=str(name),
            kind=int(kind),
            value=value,
            default=default == "TRUE",
            modifiable=str(modifiable),
            in_pdb=in_pdb == "TRUE",
            memory=memory[name],
            spfile=spfile[name],
            valid=tuple(valid[name]),
        )
        for name, kind, value, default, modifiable, in_pdb in rows(connection, statements.PARAMETERS)
    }
