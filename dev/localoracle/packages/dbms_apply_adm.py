"""DBMS_APPLY_ADM: apply processes that record captured changes (PL/SQL Packages and Types Reference)."""

from __future__ import annotations

from localoracle.capture import administration, tables
from localoracle.capture.administration import APPLY
from localoracle.errors import not_supported
from localoracle.packages.dbms_capture_adm import register_process
from localoracle.packages.registry import Call, subprogram

_PACKAGE = "DBMS_APPLY_ADM"


@subprogram(_PACKAGE, "CREATE_APPLY")
async def create_apply(call: Call) -> None:
    """Of captured messages of this database: APPLY_CAPTURED has to be TRUE."""
    session = call.session
    call.refuse(
        "rule_set_name",
        "negative_rule_set_name",
        "message_handler",
        "ddl_handler",
        "apply_database_link",
        "precommit_handler",
    )
    if call["apply_tag"] not in (None, b"\0"):
        raise not_supported("an APPLY_TAG other than 00")
    if not call.get("apply_captured", False):
        raise not_supported("apply of messages that users enqueue (APPLY_CAPTURED => FALSE)")
    if call["apply_user"] is not None and call["apply_user"].upper() != session.user:
        raise not_supported("an APPLY_USER other than the current user")
    source = call["source_database"]
    if source is not None and source.upper().partition(".")[0] != session.instance.service_name:
        raise not_supported(f"changes from another database: {source}")
    await administration.create_apply(session, call["queue_name"], call["apply_name"])


@subprogram(_PACKAGE, "SET_CHANGE_HANDLER")
async def set_change_handler(call: Call) -> None:
    await tables.set_change_handler(
        call.session,
        change_table=call["change_table_name"],
        source_table=call["source_table_name"],
        capture_values=call["capture_values"],
        process=call["apply_name"],
        operation=call["operation_name"],
        handler=call["change_handler_name"],
    )


@subprogram(_PACKAGE, "SET_TABLE_INSTANTIATION_SCN")
async def set_table_instantiation_scn(call: Call) -> None:
    if call["apply_database_link"] is not None:
        raise not_supported("apply over a database link")
    await tables.set_instantiation_scn(
        call.session, call["source_object_name"], call["source_database_name"], call["instantiation_scn"]
    )


register_process(_PACKAGE, APPLY)
