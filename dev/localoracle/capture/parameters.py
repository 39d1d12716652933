"""The parameters of capture and apply processes: defaults, permitted values, and which of them work here.

Sources: Oracle PL/SQL Packages and Types Reference 19c, DBMS_CAPTURE_ADM.SET_PARAMETER,
DBMS_APPLY_ADM.SET_PARAMETER.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from localoracle.capture.definitions import FULL, INFINITE
from localoracle.errors import OracleError, not_supported

_MOST_SERVERS = 50
"""Each apply server is a PostgreSQL connection; Oracle's max_parallelism has this default."""


@dataclass(frozen=True)
class ParameterRule:
    default: str
    permitted: Callable[[str], bool]
    works: bool = False
    """Whether a value other than the default has its effect here."""


def _yes_no(value: str) -> bool:
    return value in ("Y", "N")


def _number(value: str) -> bool:
    return value.isdecimal()


def _limit(value: str) -> bool:
    return value == INFINITE or (value.isdecimal() and int(value) > 0)


def _parallelism(value: str) -> bool:
    return value.isdecimal() and 1 <= int(value) <= _MOST_SERVERS


def _one_of(*values: str) -> Callable[[str], bool]:
    return lambda value: value in values


def _yes_no_rules(names: str, default: str) -> dict[str, ParameterRule]:
    return {name: ParameterRule(default, _yes_no) for name in names.split()}


def _infinite_rules(names: str) -> dict[str, ParameterRule]:
    return {name: ParameterRule(INFINITE, _limit) for name in names.split()}


CAPTURE_PARAMETERS = {
    **_yes_no_rules(
        "capture_idkey_objects capture_sequence_nextval disable_on_limit downstream_real_time_mine "
        "getreplicates inline_lob_optimization use_rac_service",
        "N",
    ),
    **_yes_no_rules("getapplops skip_autofiltered_table_ddl write_alert_log", "Y"),
    **_infinite_rules("max_sga_size maximum_scn message_limit time_limit"),
    "merge_threshold": ParameterRule("60", _number),
    "message_tracking_frequency": ParameterRule("2000000", _number),
    "parallelism": ParameterRule("1", _number),
    "split_threshold": ParameterRule("1800", _number),
    "startup_seconds": ParameterRule("0", _number),
    "trace_level": ParameterRule("0", _number),
}
APPLY_PARAMETERS = {
    **_yes_no_rules(
        "allow_duplicate_rows compare_key_only compute_lcr_dep_on_arrival disable_on_limit getreplicates "
        "handlecollisions",
        "N",
    ),
    **_yes_no_rules(
        "disable_on_error getapplops optimize_progress_table optimize_self_updates preserve_encryption "
        "rtrim_on_implicit_conversion suppresstriggers write_alert_log",
        "Y",
    ),
    **_infinite_rules("max_sga_size maximum_scn time_limit transaction_limit"),
    "commit_serialization": ParameterRule(
        "DEPENDENT_TRANSACTIONS", _one_of("DEPENDENT_TRANSACTIONS", FULL), works=True
    ),
    "eager_size": ParameterRule("9500", _number),
    "grouptransops": ParameterRule("250", _number),
    "max_parallelism": ParameterRule(str(_MOST_SERVERS), _number),
    "parallelism": ParameterRule("4", _parallelism, works=True),
    "parallelism_interval": ParameterRule("0", _number),
    "startup_seconds": ParameterRule("0", _number),
    "trace_level": ParameterRule("0", _number),
    "txn_age_spill_threshold": ParameterRule("900", _limit, works=True),
    "txn_lcr_spill_threshold": ParameterRule("10000", _limit, works=True),
}


def checked(rules: dict[str, ParameterRule], parameter: str | None, value: str | None) -> tuple[str, str]:
    """Name and value as they are kept; NULL is the default.

    Raises ORA-26667 for an unknown parameter, ORA-23605 for a value that it does not take, ORA-03001 for one
    that would have no effect here.
    """
    name = (parameter or "").strip().lower()
    rule = rules.get(name)
    if rule is None:
        raise OracleError(26667, f"invalid STREAMS parameter {(parameter or '').upper()}")
    if value is None:
        return name, rule.default
    given = value.strip().upper()
    if not rule.permitted(given):
        raise OracleError(23605, f'invalid value "{value}" for STREAMS parameter {name.upper()}')
    if given != rule.default and not rule.works:
        raise not_supported(f"{name.upper()} other than {rule.default}")
    return name, given
