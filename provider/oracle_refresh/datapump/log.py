"""`python -m oracle_refresh.datapump.log FILE`: print what a Data Pump log says as JSON on standard output.

Text is printed only where its form has no place for the value of a row; other lines are counted. The exit
code is 0 for every file that could be read, however its job ended, and 2 for one that could not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oracle_refresh.datapump.logencoding import decoded
from oracle_refresh.datapump.logerrors import written
from oracle_refresh.datapump.logfile import DataPumpLog, LoggedRows, parse_logs

OUTCOMES = {
    "completed": "success",
    "completed_with_errors": "errors",
    "stopped": "stopped",
    None: "unfinished",
}


def as_json(log: DataPumpLog) -> dict[str, Any]:
    """Return one job's log as a document of plain values; `docs/reference/datapump.md` describes its keys."""
    errors = [
        {
            "code": error.code,
            "message": error.text,
            "codes": list(error.codes),
            "object": error.object,
            "details": list(error.details),
        }
        for error in log.errors
    ]
    ended_by_itself = log.ending in ("completed", "completed_with_errors")
    return {
        "operation": log.operation,
        "version": log.version,
        "job": None if log.job is None else written(*log.job),
        "started": None if log.started is None else log.started.isoformat(),
        "ended": None if log.ended is None else log.ended.isoformat(),
        "elapsed_seconds": log.elapsed_seconds,
        "outcome": OUTCOMES[log.ending],
        "error_count": log.error_count if ended_by_itself else len(errors),
        "objects": [_rows(line) for line in log.rows],
        "errors": errors,
        "object_types": [
            {"path": kind.path, "count": kind.count, "seconds": kind.seconds} for kind in log.object_types
        ],
        "unparsed": list(log.unparsed),
    }


def document(logs: Sequence[DataPumpLog]) -> dict[str, Any]:
    """Return the log of the last job, and the others as `earlier_jobs` if the file has several."""
    earlier = [as_json(log) for log in logs[:-1]]
    return as_json(logs[-1]) | ({"earlier_jobs": earlier} if earlier else {})


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m oracle_refresh.datapump.log",
        description="Print as JSON what the log of a Data Pump job says.",
    )
    parser.add_argument("file", metavar="FILE", help="log of expdp, impdp or DBMS_DATAPUMP, 10g to 23ai")
    parser.add_argument("--encoding", help="such as gb18030; by default UTF-8, else by its words")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """:returns: the exit code."""
    parser = arguments()
    options = parser.parse_args(words)
    if options.file == "-":
        parser.error("standard input is not read; give the name of a log file")
    try:
        content = Path(options.file).read_bytes()
        text = content.decode(options.encoding, "replace") if options.encoding else decoded(content)
    except OSError as error:
        parser.error(f"{options.file} cannot be read: {error.strerror or error}")
    except LookupError:
        parser.error(f"there is no encoding {options.encoding}")
    json.dump(document(parse_logs(text)), sys.stdout, indent=2)
    sys.stdout.write("\n")
    return 0


def _rows(line: LoggedRows) -> dict[str, Any]:
    """Of subpartitions and of rows left out there is a key only where the log has one."""
    fields: dict[str, Any] = {"owner": line.owner, "table": line.name, "partition": line.partition}
    if line.subpartition is not None:
        fields["subpartition"] = line.subpartition
    fields |= {"rows": line.rows, "bytes": line.bytes}
    if line.total is not None:
        fields["rows_in_dump"] = line.total
    return fields | {"seconds": line.seconds, "method": line.method, "worker": line.worker}


if __name__ == "__main__":
    sys.exit(main())
