"""What speaks against tuning this database at all. Pure.

Source: Data Guard Concepts and Administration 19c, "Enable Forced Logging" and "Configuring Redo Transport";
Database Reference 19c, V$DATABASE, V$ARCHIVE_DEST, V$STANDBY_LOG.
"""

from __future__ import annotations

from collections.abc import Collection

from oracle_refresh.catalog.identity import DatabaseIdentity
from oracle_refresh.tuning.instance import Instance
from oracle_refresh.tuning.profile import Phase


def refusals(phase: Phase, instance: Instance, denied: Collection[str] = ()) -> list[str]:
    """One sentence per reason; none for a database that may be tuned.

    :param denied: names of databases that are never a target, whatever their case.
    """
    reasons = [*identity_refusals(instance.identity, denied), *_data_guard(instance)]
    if instance.force_logging == "YES" and phase.force_logging is None and not phase.empty:
        reasons.append(
            "it is in FORCE LOGGING mode, which somebody has set for a standby or a replication: say"
            " force_logging: true in the profile to leave it on, or false to have it off meanwhile"
        )
    return reasons


def identity_refusals(identity: DatabaseIdentity, denied: Collection[str] = ()) -> list[str]:
    """What speaks against changing anything in this database.

    :param denied: names of databases that are never a target, whatever their case.
    """
    reasons = []
    forbidden = {name.upper() for name in denied}
    for name in identity.names:
        if name.upper() in forbidden or name.upper().split(".")[0] in forbidden:
            reasons.append(f"the database answers to {name!r}, which is on the deny list")
    if identity.database_role != "PRIMARY":
        reasons.append(f"its role is {identity.database_role}")
    if identity.open_mode != "READ WRITE":
        reasons.append(f"it is open {identity.open_mode}")
    return reasons


def _data_guard(instance: Instance) -> list[str]:
    reasons = []
    if instance.broker == "ENABLED":
        reasons.append("it belongs to a Data Guard broker configuration")
    if instance.standby_destinations:
        reasons.append(f"it sends redo to a standby ({', '.join(instance.standby_destinations)})")
    if instance.standby_logs:
        reasons.append(f"it has {instance.standby_logs} standby redo logs")
    if instance.force_logging not in ("YES", "NO"):
        reasons.append(f"its logging mode is {instance.force_logging}, which serves a standby")
    return reasons
