"""What GET_STATUS tells, as the documented object types (KU$_JOBSTATUS, KU$_JOBDESC, KU$_LOGENTRY)."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from localoracle.datapump.definition import SQL_FILE, File
from localoracle.datapump.job import Message
from localoracle.datapump.manager import Attachment

if TYPE_CHECKING:
    from localoracle.packages.registry import Call


def entries(call: Call, messages: list[Message]) -> Any:
    lines = [
        call.new("KU$_LOGLINE", loglinenumber=item.number, errornumber=item.code or None, logtext=item.text)
        for item in messages
    ]
    return call.collection("KU$_LOGENTRY", lines)


def failure_entries(call: Call, lines: list[str]) -> Any:
    if not lines:
        return None
    messages = [
        Message(number, int(text[4:9]) if text.startswith("ORA-") else 0, text, True)
        for number, text in enumerate(lines, 1)
    ]
    return entries(call, messages)


def description(call: Call, attachment: Attachment) -> Any:
    job, definition = attachment.job, attachment.job.definition
    params = [
        call.new(
            "KU$_PARAMVALUE",
            param_name=name,
            param_op="SET_PARAMETER",
            param_type="NUMBER" if isinstance(value, int) else "TEXT",
            param_value_n=value if isinstance(value, int) else None,
            param_value_t=None if isinstance(value, int) else value,
        )
        for name, value in definition.parameters.items()
    ]
    sql_file = definition.file(SQL_FILE)
    return call.new(
        "KU$_JOBDESC",
        job_name=definition.name,
        guid=bytes.fromhex(definition.guid),
        operation=definition.operation,
        job_mode=definition.mode,
        owner=definition.owner,
        instance=call.session.database.instance.service_name,
        scn=definition.parameter("FLASHBACK_SCN"),
        creator_privs="TRUE" if definition.privileged else "FALSE",
        start_time=job.started_at,
        term_reason=job.term_reason,
        max_degree=definition.degree,
        remote_link=definition.remote_link,
        charset="AL32UTF8",
        ncharset="AL16UTF16",
        endianness="Little",
        log_file=job.log_path,
        sql_file=sql_file.path if sql_file else None,
        params=call.collection("KU$_PARAMVALUES", params),
    )


async def job_status(call: Call, attachment: Attachment) -> Any:
    job, definition = attachment.job, attachment.job.definition
    done, total = await job.progress()
    moving = await job.pump.copy_progress([worker.backend for worker in job.workers if worker.row])
    workers = []
    for worker in job.workers:
        row = worker.row
        size = row.data.bytes if row is not None and row.data is not None else 0
        moved = moving.get(worker.backend, 0)
        workers.append(
            call.new(
                "KU$_WORKERSTATUS",
                worker_number=worker.number,
                process_name=worker.process,
                state=worker.state,
                schema=row.schema if row else None,
                name=row.name if row else None,
                object_type=row.path if row else None,
                partition=row.data.partition if row and row.data else None,
                completed_objects=worker.completed_objects,
                total_objects=sum(1 for item in job.rows if item.data is not None),
                completed_rows=worker.rows,
                completed_bytes=worker.bytes + moved,
                percent_done=min(100, moved * 100 // size) if size else 0,
                degree=1,
                instance_id=1,
                instance_name=call.session.database.instance.service_name,
                host_name="localhost",
                obj_start_time=worker.since.replace(microsecond=0),
                obj_status=datetime.now().replace(microsecond=0),
            )
        )
    dumps = [
        call.new(
            "KU$_DUMPFILE",
            file_name=item.path,
            file_type=0,
            file_size=item.size_limit or None,
            file_bytes_written=_written(item),
        )
        for item in definition.dump_files()
    ]
    return call.new(
        "KU$_JOBSTATUS",
        job_name=definition.name,
        operation=definition.operation,
        job_mode=definition.mode,
        bytes_processed=done,
        total_bytes=total,
        percent_done=done * 100 // total if total else (100 if job.state == "COMPLETED" else 0),
        degree=definition.degree,
        error_count=job.errors,
        state=job.state,
        phase=0,
        restart_count=job.restart_count,
        heartbeat=int(time.monotonic()),
        worker_status_list=call.collection("KU$_WORKERSTATUSLIST", workers),
        files=call.collection("KU$_DUMPFILESET", dumps),
    )


def _written(item: File) -> int:
    path = Path(item.path)
    return path.stat().st_size if path.exists() else 0
