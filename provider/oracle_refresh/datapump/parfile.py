"""Renders a job as the parameter file that expdp or impdp would take: for `explain`, and to run it by hand.

Source: "Data Pump Export" and "Data Pump Import" in Oracle Database Utilities 19c.
"""

from __future__ import annotations

from oracle_refresh.datapump.job import JobSpec
from oracle_refresh.identifiers import Identifier, qualified


def render(spec: JobSpec) -> str:
    """The text of the parameter file; a comment says what the clients have no parameter for."""
    export = spec.operation == "EXPORT"
    lines = [
        f"# {'expdp' if export else 'impdp'} <user> parfile=<this file>",
        f"job_name={spec.job_name}",
        f"directory={spec.directory}",
        f"dumpfile={','.join(spec.dump_files)}",
        f"logfile={spec.log_file}",
        "content=DATA_ONLY",
        "metrics=YES",
        "cluster=NO",
        *(f"tables={part}" for part in _tables(spec)),
    ]
    if spec.parallel > 1:
        lines.append(f"parallel={spec.parallel}")
    if spec.scn is not None:
        lines.append(f"flashback_scn={spec.scn}")
    for (owner, name), text in spec.subqueries:
        quoted = text.replace('"', '\\"')
        lines.append(f'query={qualified(owner, name)}:"{quoted}"')
    if export:
        lines.append("reuse_dumpfiles=YES")
    else:
        lines += ["table_exists_action=APPEND", "data_options=DISABLE_APPEND_HINT"]
    return "\n".join(lines) + "\n"


def _tables(spec: JobSpec) -> list[str]:
    """The tables of the job, each with its partitions where the job is confined to some."""
    partitions = dict(spec.partitions)
    return [
        f"{qualified(*table)}{part}"
        for table in spec.tables
        for part in [f":{Identifier(name).sql}" for name in partitions.get(table, ())] or [""]
    ]
