"""Whether the way that the definition chooses for jobs and rows is there: database link, clients."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from oracle_refresh.catalog import DatabaseIdentity
from oracle_refresh.datapump.client import PROGRAMS, find
from oracle_refresh.definition import RefreshDefinition, Runner
from oracle_refresh.oracle.errors import DataPumpError, oracle_codes
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.preflight import statements

if TYPE_CHECKING:
    import oracledb

PUBLIC = "PUBLIC"
# The link works, but what is asked for may not be read through it.
UNTOLD = frozenset({"ORA-00942", "ORA-01031", "ORA-03001"})


def check_link(
    target: oracledb.Connection, source: DatabaseIdentity, definition: RefreshDefinition
) -> list[Finding]:
    """Whether the database link that rows or dump files take is there, works, and leads to the source."""
    return _check(target, source, definition.link) if definition.link else []


def _check(target: oracledb.Connection, source: DatabaseIdentity, link: str) -> list[Finding]:
    links = rows(target, statements.LINKS, link=link)
    owners = {owner for owner, name in links if name == link or name.startswith(f"{link}.")}
    create = f"CREATE DATABASE LINK {link} CONNECT TO <user> IDENTIFIED BY <password> USING '<dsn>'"
    if not owners:
        return [
            error(
                "UNKNOWN_LINK",
                f"the target's user has no database link {link}",
                "let the target's user create it, leading to the source with a user who may export",
                create,
            )
        ]
    if PUBLIC in owners:
        own = "" if owners - {PUBLIC} else f"; {create}"
        return [
            error(
                "PUBLIC_LINK",
                f"{link} is a public database link: every user of the target, who is to see masked rows"
                " only, could read the source through it",
                "let a DBA drop it, and the target's user create one of its own",
                f"DROP PUBLIC DATABASE LINK {link}{own}",
            )
        ]
    try:
        dbid = scalar(target, statements.IDENTITY_OVER_LINK.format(link=link))
    except Exception as problem:
        codes = oracle_codes(problem)
        if not codes:
            raise
        if UNTOLD.intersection(codes):
            return [
                warning(
                    "LINK_NOT_COMPARED",
                    f"whether {link} leads to the source cannot be told: {problem}",
                    "grant SELECT_CATALOG_ROLE to the link's user on the source",
                )
            ]
        return [error("BROKEN_LINK", f"the database link {link} does not work: {problem}", "mend it")]
    if dbid is not None and int(dbid) != source.con_dbid:
        return [
            error(
                "LINK_LEADS_ELSEWHERE",
                f"the database link {link} leads to the database with DBID {dbid}, not to the source"
                f" {source.db_unique_name} with DBID {source.con_dbid}",
                "name the link that leads to the source",
            )
        ]
    return []


def leads_to(target: oracledb.Connection, source: DatabaseIdentity, link: str) -> bool:
    """Whether a database link of the target's user works and is known to lead to the source."""
    return not _check(target, source, link)


def check_clients(definition: RefreshDefinition, directory: Path | None) -> list[Finding]:
    """Whether expdp and impdp are on this machine, where the definition has the jobs run by them."""
    if definition.datapump.runner is not Runner.CLIENT:
        return []
    findings = []
    for program in PROGRAMS.values():
        try:
            find(program, directory)
        except DataPumpError as problem:
            findings.append(error("CLIENT_MISSING", problem.message, str(problem.remedy)))
    return findings
