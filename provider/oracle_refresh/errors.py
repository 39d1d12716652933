"""The errors of a refresh: one small tree, each error with its ORA codes, object, step and remedy.

Sources: Oracle Database Error Messages 19c; Utilities 19c, chapter "The Data Pump API". What a code
means for a repeated try (`disposition`) is this provider's reading of those pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Disposition = Literal["retry", "rename", "attach", "space", "fatal"]

_CODE = re.compile(r"\b((?:ORA|PLS|DPY|DPI|TNS|LPX|UDE|UDI)-\d{4,5})\b")


class RefreshError(Exception):
    """Base of all errors of this provider.

    :param message: what went wrong, for the person who reads the task log.
    :param codes: Oracle's codes, outermost first (`("ORA-31693", "ORA-01555")`).
    :param object_name: the table, job, file, user or connection concerned.
    :param step: the step of the refresh that failed.
    :param remedy: what to do about it.
    """

    def __init__(
        self,
        message: str,
        *,
        codes: Iterable[str] = (),
        object_name: str | None = None,
        step: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.codes = tuple(codes)
        self.object_name = object_name
        self.step = step
        self.remedy = remedy

    def __str__(self) -> str:
        where = " ".join(part for part in (self.step, self.object_name) if part)
        text = f"{where}: {self.message}" if where else self.message
        unseen = [code for code in self.codes if code not in text]
        if unseen:
            text += f" [{', '.join(unseen)}]"
        if self.remedy:
            text += f" Remedy: {self.remedy}"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are pickled by their positional arguments; the keywords would be lost on the way
        # from a task's process to its supervisor.
        state = {
            "codes": self.codes,
            "object_name": self.object_name,
            "step": self.step,
            "remedy": self.remedy,
        }
        return _rebuild, (type(self), self.message, state)


def _rebuild(kind: type[RefreshError], message: str, state: dict[str, object]) -> RefreshError:
    return kind(message, **state)  # type: ignore[arg-type]


class PreflightError(RefreshError):
    """The input does not permit a refresh: definition, connections, roles, grants, schemas."""


class PlanError(RefreshError):
    """No valid plan follows from the catalogue and the definition."""


class DataPumpError(RefreshError):
    """A Data Pump job failed, or its evidence does not prove that it succeeded."""


class StagingError(RefreshError):
    """A dump file did not arrive unchanged on the target's side."""


class MaskingError(RefreshError):
    """A ruleset cannot be applied, or its statement failed."""


class ValidationError(RefreshError):
    """Source and target differ, or could not be compared."""


class QuarantineError(RefreshError):
    """Accounts of the target could not be locked or released."""


class TuningError(RefreshError):
    """Instance parameters could not be set or restored."""


def oracle_codes(error: BaseException) -> tuple[str, ...]:
    """The Oracle codes in an exception, in the order of their first mention, without repetition.

    Reads the text only, so it serves `oracledb` errors (whose message carries the whole error stack)
    and every other exception alike. An exception without codes gives an empty tuple.
    """
    if isinstance(error, RefreshError):
        return error.codes
    return tuple(dict.fromkeys(_CODE.findall(str(error))))


def from_oracle(
    error: BaseException,
    step: str,
    object_name: str | None = None,
    kind: type[RefreshError] = DataPumpError,
) -> RefreshError:
    """The provider's error for a driver's error; raise it `from` the original.

    The remedy is that of the first code that has one and says more than "look at the next code".
    """
    codes = oracle_codes(error)
    lines = str(error).split("\nHelp: ")[0].strip().splitlines()
    message = "\n".join(line for line in lines if not line.startswith(REVEALING))
    return kind(message, codes=codes, object_name=object_name, step=step, remedy=remedy_of(codes))


def disposition(code: str) -> Disposition:
    """What a repeated try can do about one code.

    `retry`: may pass by itself, or a wrapper whose following code decides. `rename`: the name is taken.
    `attach`: the job is there already. `space`: goes on when a DBA has added space or undo. `fatal`:
    does not heal by waiting; every code that is not known here is fatal.
    """
    return _DISPOSITIONS.get(code, "fatal")


def overall_disposition(codes: Iterable[str]) -> Disposition:
    """The disposition of an error stack: that of its first code that is no mere wrapper.

    A stack of nothing but wrappers, or an empty one, is `retry` and `fatal` respectively.
    """
    known = tuple(codes)
    telling = [code for code in known if code not in WRAPPERS]
    if telling:
        return disposition(telling[0])
    return "retry" if known else "fatal"


def remedy_of(codes: Iterable[str]) -> str | None:
    """The remedy for an error stack, or None where the table has none."""
    known = tuple(codes)
    for code in (*(code for code in known if code not in WRAPPERS), *known):
        if code in REMEDIES:
            return REMEDIES[code]
    return None


#: Lines of an error stack that quote rows: 23ai explains ORA-00001 with the values. They are left out of the
#: provider's message; the driver's error, which is chained as the cause, still has them.
REVEALING = ("ORA-03301",)

#: Codes that only say "see the next code".
WRAPPERS = frozenset(
    {"ORA-31626", "ORA-31633", "ORA-12801", "ORA-31693", "ORA-06512", "ORA-02354", "ORA-39097"}
)

_RETRY = (
    *WRAPPERS,
    *("ORA-00054", "ORA-04021", "ORA-00060", "ORA-08177"),  # locks
    *("ORA-00018", "ORA-00020", "ORA-00028", "ORA-01013", "ORA-03113", "ORA-03114", "ORA-03135"),  # sessions
    *("ORA-01033", "ORA-01034", "ORA-01089", "ORA-12170", "ORA-12514", "ORA-12516", "ORA-12519"),  # instance
    *("ORA-12520", "ORA-12528", "ORA-12537", "ORA-12541", "ORA-12547", "ORA-12570", "ORA-12571"),
    *("ORA-31623", "ORA-31627", "ORA-39014", "ORA-39029", "ORA-39065", "ORA-39126"),  # Data Pump processes
    *("DPY-1001", "DPY-4011", "DPY-4024", "DPY-6000", "DPY-6001", "DPY-6003", "DPY-6005"),
)
_SPACE = (
    *("ORA-01536", "ORA-01652", "ORA-01653", "ORA-01654", "ORA-01658", "ORA-01688", "ORA-01691"),
    *("ORA-30036", "ORA-39095", "ORA-39171"),
)
_DISPOSITIONS: dict[str, Disposition] = {
    **dict.fromkeys(_RETRY, "retry"),
    **dict.fromkeys(_SPACE, "space"),
    "ORA-31634": "attach",
    "ORA-00955": "rename",
}

_ADD_SPACE = "add space to the tablespace, or raise the user's quota; a waiting job then goes on by itself"
_NEW_SCN = "start a new run: all shards and the validation need one new SCN"
_DIRECTORY = "check the DIRECTORY, the grants on it, and that the database can write to its path"
_GRANT = "grant the missing privilege; the preflight lists the statements"

REMEDIES: dict[str, str] = {
    "ORA-00054": "somebody holds a lock on the object; wait, or find the session in V$LOCKED_OBJECT",
    "ORA-00942": _GRANT,
    "ORA-01017": "correct user name and password of the Airflow connection",
    "ORA-01031": _GRANT,
    "ORA-01466": "the table's definition changed after the SCN. " + _NEW_SCN[0].upper() + _NEW_SCN[1:],
    "ORA-01536": _ADD_SPACE,
    "ORA-01555": "raise UNDO_RETENTION (and RETENTION or PCTVERSION of the LOBs), then " + _NEW_SCN,
    "ORA-01652": _ADD_SPACE,
    "ORA-01653": _ADD_SPACE,
    "ORA-01654": _ADD_SPACE,
    "ORA-01658": _ADD_SPACE,
    "ORA-01688": _ADD_SPACE,
    "ORA-01691": _ADD_SPACE,
    "ORA-01918": "create the user, or correct its name in the refresh definition",
    "ORA-01950": "grant the user a quota on its default tablespace, or UNLIMITED TABLESPACE",
    "ORA-12514": "check the service name of the Airflow connection and that the database is open",
    "ORA-12541": "check host and port of the Airflow connection and that the listener runs",
    "ORA-12899": "a value is longer than its column; check the rule's length and the length semantics",
    "ORA-22924": "raise RETENTION or PCTVERSION of the LOB, then " + _NEW_SCN,
    "ORA-28000": "unlock the account of the Airflow connection (ALTER USER ... ACCOUNT UNLOCK)",
    "ORA-28001": "set a new password for the account and put it into the Airflow connection",
    "ORA-28009": "use an ordinary user; SYS is not meant for Data Pump",
    "ORA-29283": _DIRECTORY,
    "ORA-30036": "enlarge the undo tablespace",
    "ORA-31631": _GRANT,
    "ORA-31640": "check that the dump file is there and complete under the DIRECTORY's path",
    "ORA-39002": "read the codes after this one; GET_STATUS and the log file name the argument",
    "ORA-39070": _DIRECTORY,
    "ORA-39087": _DIRECTORY,
    "ORA-39095": "add a dump file with a wildcard to the job and start it again",
    "ORA-39122": _GRANT,
    "ORA-39161": _GRANT,
    "ORA-39171": _ADD_SPACE,
    "ORA-39181": "rows were hidden by a security policy: grant EXEMPT ACCESS POLICY to the exporting user",
    "DPY-4011": "the connection was closed; look into the database's alert log if it happens again",
    "DPY-6001": "check the service name of the Airflow connection and that the database is open",
    "DPY-6005": "check host and port of the Airflow connection and that the listener runs",
}
