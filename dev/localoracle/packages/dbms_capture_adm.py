"""DBMS_CAPTURE_ADM: capture processes of this database (PL/SQL Packages and Types Reference)."""

from __future__ import annotations

from localoracle.capture import administration, tables
from localoracle.capture.administration import CAPTURE, Kind
from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram

_PACKAGE = "DBMS_CAPTURE_ADM"
_INFINITE_RETENTION = 4294967295


@subprogram(_PACKAGE, "CREATE_CAPTURE")
async def create_capture(call: Call) -> None:
    """Captures from now on; the local database, with rules of ADD_TABLE_RULES."""
    session = call.session
    call.refuse(
        "rule_set_name", "negative_rule_set_name", "start_scn", "first_scn", "start_time", "source_root_name"
    )
    if call["use_database_link"]:
        raise not_supported("downstream capture")
    source = call["source_database"]
    if source is not None and source.upper().partition(".")[0] != session.instance.service_name:
        raise not_supported("downstream capture")
    if call["capture_user"] is not None and call["capture_user"].upper() != session.user:
        raise not_supported("a CAPTURE_USER other than the current user")
    if (call.get("logfile_assignment") or "implicit").lower() != "implicit":
        raise not_supported("LOGFILE_ASSIGNMENT other than IMPLICIT")
    if (call.get("capture_class") or "STREAMS").upper() != "STREAMS":
        raise not_supported("CAPTURE_CLASS other than STREAMS")
    retention = call["checkpoint_retention_time"]
    if retention is not None and not 0 <= retention <= _INFINITE_RETENTION:
        raise OracleError(
            23605, f'invalid value "{retention}" for STREAMS parameter CHECKPOINT_RETENTION_TIME'
        )
    await administration.create_capture(session, call["queue_name"], call["capture_name"])


def register_process(package: str, kind: Kind) -> None:
    """What capture and apply processes have alike."""
    process, suffix = f"{kind.name}_name", kind.name.upper()

    @subprogram(package, "SET_PARAMETER")
    async def set_parameter(call: Call) -> None:
        await administration.set_parameter(
            call.session, kind, call[process], call["parameter"], call["value"]
        )

    @subprogram(package, f"START_{suffix}")
    async def start(call: Call) -> None:
        await administration.start(call.session, kind, call[process])

    @subprogram(package, f"STOP_{suffix}")
    async def stop(call: Call) -> None:
        await administration.stop(call.session, kind, call[process], force=bool(call["force"]))

    @subprogram(package, f"DROP_{suffix}")
    async def drop(call: Call) -> None:
        """Rules belong to one process here, so its rule sets are always unused afterwards."""
        await administration.drop(call.session, kind, call[process])


register_process(_PACKAGE, CAPTURE)


@subprogram(_PACKAGE, "PREPARE_TABLE_INSTANTIATION")
async def prepare_table_instantiation(call: Call) -> None:
    if (call.get("container") or "CURRENT").upper() != "CURRENT":
        raise not_supported("CONTAINER other than CURRENT")
    logging = call.get("supplemental_logging", "keys")
    await tables.prepare_table(call.session, call["table_name"], logging)
