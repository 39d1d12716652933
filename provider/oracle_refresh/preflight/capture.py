"""Whether the capture and apply processes that the definition names are there, and can be set as it says.

Sources: PL/SQL Packages and Types Reference 19c, DBMS_APPLY_ADM and DBMS_CAPTURE_ADM ("Security Model",
SET_PARAMETER); Database Reference 19c, ALL_APPLY_PARAMETERS and ALL_CAPTURE_PARAMETERS.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from oracle_refresh.definition import Capture
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.preflight.contents import near
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.preflight.grants import check_grants
from oracle_refresh.preflight.requirements import ObjectRequirement
from oracle_refresh.tuning.cdc.change import APPLY, CAPTURE, read_values
from oracle_refresh.tuning.cdc.reader import read_picture

if TYPE_CHECKING:
    from oracle_refresh.tuning.cdc.picture import Picture

PACKAGES = {APPLY: "DBMS_APPLY_ADM", CAPTURE: "DBMS_CAPTURE_ADM"}
ENABLED = "ENABLED"
_NOT_THERE = "ORA-00942"


def check_capture(databases: Databases) -> list[Finding]:
    """Nothing where the definition names none. Reads only."""
    section = databases.definition.capture
    if section is None:
        return []
    database = databases.source if section.end == "source" else databases.target
    try:
        picture = read_picture(database.connection, **section.names)
    except TuningError as problem:
        message = f"`capture` of the definition, at the {section.end}: {problem.message}"
        if problem.object_name:
            message += f" ({problem.object_name})"
        remedy = problem.remedy or "correct `capture` of the definition"
        if _NOT_THERE in problem.codes:
            return [error("MISSING_GRANT", message, remedy)]
        return [error("UNKNOWN_CAPTURE", message, remedy)]
    known = read_values(database.connection, picture.apply_name, picture.capture_name)
    used = [end for end in PACKAGES if section.recommended or getattr(section.parameters, end)]
    needed = [
        ObjectRequirement("EXECUTE", PACKAGES[end], f"SYS.{PACKAGES[end]}", f"to set parameters of {end}")
        for end in used
    ]
    return [
        *_stopped(picture),
        *_parameters(section, picture, known),
        *(check_grants(section.end, database.connection, database.privileges, (), needed) if needed else ()),
        *_clients(section, picture),
    ]


def _stopped(picture: Picture) -> Iterator[Finding]:
    ends = {picture.capture_name: picture.capture_status, picture.apply_name: picture.status}
    for name, status in ends.items():
        if name and status not in (None, ENABLED):
            yield warning(
                "CAPTURE_STOPPED",
                f"{name} is {status}: nothing moves through it, so that a diagnosis has nothing to go by",
                "start it, or take `capture` out of the definition",
            )


def _parameters(section: Capture, picture: Picture, known: Collection[str]) -> Iterator[Finding]:
    """Every parameter of a process is in the views, set or not."""
    names = {APPLY: picture.apply_name, CAPTURE: picture.capture_name}
    for given in section.given:
        end, _, parameter = given.partition(".")
        name = names[end]
        if name is None:
            yield error(
                "UNKNOWN_CAPTURE_PARAMETER",
                f"{parameter} is to be set, and no {end} process of this database belongs to {picture.name}",
                f"name it as capture.{end}_name, or take capture.parameters.{end} out of the definition",
            )
        elif given not in known:
            of_end = [each.removeprefix(f"{end}.") for each in known if each.startswith(f"{end}.")]
            yield error(
                "UNKNOWN_CAPTURE_PARAMETER",
                f"{name} has no parameter {parameter}{near(parameter, of_end)}",
                f"look at the view DBA_{end.upper()}_PARAMETERS",
            )


def _clients(section: Capture, picture: Picture) -> Iterator[Finding]:
    """An apply process is stopped while its parameters are set, whoever is attached to it."""
    tuned = section.recommended or section.parameters.apply
    if tuned and picture.apply_name and picture.family in ("GG", "XSTREAM") and picture.status == ENABLED:
        yield warning(
            "CLIENT_DETACHED",
            f"{picture.apply_name} is stopped for a moment before the load, when its parameters are set, and"
            " after it: its client, a Replicat or an application of XStream, has to attach again by itself",
            "see that it does (AUTORESTART of GoldenGate's manager), or set its parameters by hand",
        )
