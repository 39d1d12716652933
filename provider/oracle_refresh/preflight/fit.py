"""Whether the two databases fit together, and whether there is room for the refresh. Pure.

Sources: Utilities 19c, "TIMESTAMP WITH TIME ZONE Considerations for Data Pump" and "Character Set and
Globalization Support Considerations"; Database Reference 19c, the parameters named; ORA-39405, ORA-39142,
ORA-00439, ORA-39357 in Error Messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.undo import Undo
from oracle_refresh.definition import Prepare, RefreshDefinition, StagingTransport
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.preflight.surroundings import Contents, Surroundings

#: Sessions of one Data Pump job: its control process, a worker, and those that start and watch it.
SESSIONS_PER_JOB = 4
#: Sessions of everything else that a refresh does at the same time.
OTHER_SESSIONS = 16
ADVANCED_COMPRESSION = "Advanced Compression"
ROOT_CONTAINER = "CDB$ROOT"
MEGABYTE = 1 << 20
WITHOUT_STORE = [
    each.value for each in StagingTransport if each is not StagingTransport.AUTO and each.writes_to != "store"
]


def check_fit(
    definition: RefreshDefinition, source: Surroundings, target: Surroundings, copied: Contents
) -> list[Finding]:
    """What stands between these two databases; `copied` is what the schemas hold in the source."""
    return [
        *_releases(source, target, copied),
        *_character_sets(source, target),
        *_options(definition, source, target, copied),
    ]


def _releases(source: Surroundings, target: Surroundings, copied: Contents) -> Iterator[Finding]:
    of_source, of_target = (end.settings.get("compatible") or "" for end in (source, target))
    if _release(of_target) < _release(of_source):
        yield error(
            "OLDER_COMPATIBLE",
            f"COMPATIBLE of the target is {of_target}, that of the source {of_source}: the target cannot load"
            " its dump sets (ORA-39142)",
            "raise COMPATIBLE of the target, of a pluggable database in its root; it cannot be lowered again",
            f"ALTER SYSTEM SET COMPATIBLE = '{of_source}' SCOPE = SPFILE",
        )
    if target.time_zone_file < source.time_zone_file:
        message = (
            f"the time zone file of the target has version {target.time_zone_file}, that of the source"
            f" {source.time_zone_file}; {copied.zoned_columns} columns hold time zones (ORA-39405)"
        )
        remedy = "upgrade the target's time zone file with DBMS_DST"
        if copied.zoned_columns:
            yield error("OLDER_TIME_ZONE_FILE", message, remedy)
        else:
            yield warning("OLDER_TIME_ZONE_FILE", message, remedy)
    small, large = target.number("db_block_size"), source.number("db_block_size")
    if small and large and small < large:
        yield warning(
            "SMALLER_BLOCKS",
            f"blocks of the target have {small} bytes, those of the source {large}:"
            " long index keys may not fit (ORA-01450)",
            "look at indexes with long keys, or use a tablespace of the source's block size",
        )


def _release(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _character_sets(source: Surroundings, target: Surroundings) -> Iterator[Finding]:
    if source.character_set not in (target.character_set, "US7ASCII"):
        message = f"the source's character set is {source.character_set}, the target's {target.character_set}"
        if target.character_set == "AL32UTF8":
            yield error(
                "TEXTS_NOT_COMPARABLE",
                f"{message}: rows are compared by hashes of their bytes (STANDARD_HASH), which differ for all"
                " letters that are not ASCII",
                "use a target of the source's character set; where rules have a key, a source of AL32UTF8",
            )
        else:
            yield error(
                "CHARACTERS_LOST",
                f"{message}: characters that it lacks are replaced when rows are loaded",
                "use a target of the source's character set or of AL32UTF8",
            )
    if source.national_character_set != target.national_character_set:
        yield warning(
            "CHARACTER_SETS_DIFFER",
            f"the source's national character set is {source.national_character_set},"
            f" the target's {target.national_character_set}",
            "check the columns of types NCHAR, NVARCHAR2 and NCLOB",
        )


def _options(
    definition: RefreshDefinition, source: Surroundings, target: Surroundings, copied: Contents
) -> Iterator[Finding]:
    if copied.partitioned_tables and not target.options.get("Partitioning", False):
        yield error(
            "OPTION_MISSING",
            f"{copied.partitioned_tables} tables are partitioned, and the target has no Partitioning"
            " (ORA-00439)",
            "exclude them, or use a target with the option",
        )
    if definition.datapump.compression in ("data_only", "all") and not source.options.get(
        ADVANCED_COMPRESSION, False
    ):
        yield error(
            "OPTION_MISSING",
            f"the definition compresses data, and the source has no {ADVANCED_COMPRESSION} (ORA-00439)",
            "set `datapump.compression` to none or metadata_only",
        )
    if copied.long_columns and target.settings.get("max_string_size") != "EXTENDED":
        yield error(
            "SHORTER_STRINGS",
            f"{copied.long_columns} columns are longer than 4000 bytes, and the target's MAX_STRING_SIZE is"
            f" {target.settings.get('max_string_size')} (ORA-00910)",
            "let a DBA migrate the target to MAX_STRING_SIZE = EXTENDED, which cannot be undone",
        )
    if definition.uses_store and not target.dbfs:
        yield error(
            "DBFS_MISSING",
            "the target has no package DBMS_DBFS_SFS, so dump files cannot be staged in its DBFS",
            f"choose `staging.transport` {', '.join(WITHOUT_STORE[:-1])} or {WITHOUT_STORE[-1]},"
            " or let a DBA install the DBFS",
        )


def check_instance(
    end: str,
    definition: RefreshDefinition,
    surroundings: Surroundings,
    limits: Limits,
    container: str | None,
) -> list[Finding]:
    """Whether the instance at one end can take a refresh of this degree."""
    degree = definition.degree or limits.wished_degree
    wanted = SESSIONS_PER_JOB * degree + OTHER_SESSIONS
    findings = [
        warning(
            "FEW_SESSIONS",
            f"the {end} may start {left} more {name}; a refresh with {degree} jobs at a time takes up to"
            f" {wanted}",
            f"raise {name.upper()} of the {end}{_in_root(name, container)}, or lower `degree` of the"
            " definition",
            f"ALTER SYSTEM SET {name.upper()} = {(surroundings.number(name) or 0) + wanted - left}"
            " SCOPE = SPFILE",
        )
        for name, left in surroundings.left.items()
        if left is not None and left < wanted
    ]
    if limits.jobs_at_once < degree:
        findings.append(
            warning(
                "FEW_JOBS",
                f"the {end} lets {limits.jobs_at_once} Data Pump jobs run at the same time,"
                f" fewer than the {degree} of the definition",
                f"raise MAX_DATAPUMP_JOBS_PER_PDB or STREAMS_POOL_SIZE of the {end}, or lower `degree`",
            )
        )
    if end == "target" and surroundings.number("parallel_max_servers") == 0:
        findings.append(
            warning(
                "NO_PARALLEL_SERVERS",
                "PARALLEL_MAX_SERVERS of the target is 0: indexes are built and statistics gathered serially",
                "set it to about twice the number of CPUs",
                f"ALTER SYSTEM SET PARALLEL_MAX_SERVERS = {2 * limits.cpus}",
            )
        )
    if container == ROOT_CONTAINER:
        findings.append(
            warning(
                "IN_THE_ROOT",
                f"the {end}'s connection leads to the root of a container database (ORA-39357)",
                "connect to the service of the pluggable database that holds the schemas",
            )
        )
    findings += [
        warning(
            "BROKEN_COMPONENT",
            f"component {component} of the {end} is not valid",
            "let a DBA recompile it",
            "BEGIN SYS.UTL_RECOMP.RECOMP_SERIAL; END",
        )
        for component in surroundings.broken_components
    ]
    return findings


def _in_root(limit: str, container: str | None) -> str:
    """PROCESSES, unlike SESSIONS, cannot be modified in a pluggable database (Database Reference 19c)."""
    return " in the root" if limit == "processes" and container not in (None, ROOT_CONTAINER) else ""


def check_room(definition: RefreshDefinition, copied: Contents, present: Contents) -> list[Finding]:
    """Whether the target's tablespaces can hold the schemas; `present` is what they hold there now. Beside it
    they need room of their own.

    Tables and LOBs go to the default tablespace of their owner, unless `storage.tablespaces` says otherwise,
    which is not taken into account. The room of the DIRECTORYs is unknown to the databases.
    """
    wanted: Counter[str] = Counter()
    beside = definition.prepare is Prepare.BESIDE
    for schema, size in copied.owned.items():
        if schema in present.tablespaces:
            replaced = definition.prepare in (Prepare.REPLACE_OBJECTS, Prepare.TRUNCATE)
            wanted[present.tablespaces[schema]] += size - replaced * present.owned.get(schema, 0)
    return [
        warning(
            "LITTLE_ROOM",
            f"tablespace {Identifier(name).written} of the target has room for {present.room.get(name, 0):,}"
            f" bytes, and {size:,} more are to be loaded into it"
            + (", beside the former tables, which stay until the new ones are proven" if beside else ""),
            "let a DBA give it room" + (", or let `prepare` replace the tables" if beside else ""),
            f"ALTER TABLESPACE {Identifier(name).sql} "
            + (
                "AUTOEXTEND ON MAXSIZE UNLIMITED"  # it has one file (ORA-32771)
                if name in present.bigfile
                else f"ADD DATAFILE SIZE {-(-(size - present.room.get(name, 0)) // MEGABYTE)}M AUTOEXTEND ON"
            ),
        )
        for name, size in wanted.items()
        if size > present.room.get(name, 0)
    ]


def check_undo(undo: Undo | None, seconds: float | None) -> list[Finding]:
    """Whether the source keeps its past for as long as the refresh is expected to look at it.

    :param seconds: from the SCN to the last look at the source, as the plan expects; None: not known.
    """
    if undo is None or seconds is None or undo.kept_seconds >= seconds:
        return []
    enough = int(2 * seconds)
    return [
        warning(
            "SHORT_UNDO",
            f"the source keeps undo for {undo.kept_seconds} s, and is expected to be read as of the SCN for"
            f" {seconds:.0f} s (ORA-01555)",
            "raise UNDO_RETENTION, with an undo tablespace that can hold it, or the degree",
            f"ALTER SYSTEM SET UNDO_RETENTION = {enough}",
        )
    ]
