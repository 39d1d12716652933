"""DBMS_XSTREAM_ADM: queues, and table rules of processes (PL/SQL Packages and Types Reference)."""

from __future__ import annotations

from localoracle.capture import administration, tables
from localoracle.capture.administration import CAPTURE, KINDS, Kind
from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram

_PACKAGE = "DBMS_XSTREAM_ADM"
_QUEUE_TABLE, _QUEUE = "streams_queue_table", "streams_queue"


@subprogram(_PACKAGE, "SET_UP_QUEUE")
async def set_up_queue(call: Call) -> None:
    call.refuse("storage_clause", "queue_user")
    await administration.set_up_queue(
        call.session,
        call.get("queue_table") or _QUEUE_TABLE,
        call.get("queue_name") or _QUEUE,
        call["comment"],
    )


@subprogram(_PACKAGE, "REMOVE_QUEUE")
async def remove_queue(call: Call) -> None:
    await administration.remove_queue(call.session, call["queue_name"], cascade=bool(call["cascade"]))


@subprogram(_PACKAGE, "ADD_TABLE_RULES")
async def add_table_rules(call: Call) -> None:
    """A rule for the DML of one table; a process that does not exist is made, as documented."""
    kind = _kind(call["streams_type"])
    call.refuse("and_condition", "source_root_name", "source_container_name")
    if call["include_ddl"] or call["include_tagged_lcr"] or not call.get("inclusion_rule", True):
        raise not_supported("rules for DDL or tagged LCRs, or negative rules")
    if not call.get("include_dml", True):
        raise not_supported("rules without DML")
    source = call["source_database"]
    if source is not None and source.upper().partition(".")[0] != call.session.instance.service_name:
        raise not_supported(f"changes from another database: {source}")
    await tables.existing_table(call.session, call["table_name"])
    queue = call.get("queue_name") or _QUEUE
    try:
        await administration.find_process(call.session, kind, call["streams_name"])
    except OracleError as error:
        if error.code != 26701:
            raise
        create = administration.create_capture if kind is CAPTURE else administration.create_apply
        await create(call.session, queue, call["streams_name"])
    name = await tables.add_table_rule(call.session, kind, call["streams_name"], call["table_name"])
    if call.given("dml_rule_name"):
        call.set("dml_rule_name", name)


def _kind(text: str | None) -> Kind:
    wanted = (text or "").lower()
    if wanted in ("propagation", "sync_capture", "dequeue"):
        raise not_supported(f"STREAMS_TYPE {wanted}")
    if wanted not in KINDS:
        raise OracleError(23605, f'invalid value "{text}" for STREAMS parameter STREAMS_TYPE')
    return KINDS[wanted]


@subprogram(_PACKAGE, "SET_PARAMETER")
async def set_parameter(call: Call) -> None:
    call.refuse("source_database")
    await administration.set_parameter(
        call.session, _kind(call["streams_type"]), call["streams_name"], call["parameter"], call["value"]
    )
