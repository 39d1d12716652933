"""The errors of a refresh: one small tree, each error with its ORA codes, object, step and remedy.

What a code means for a repeated try is in `error_codes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.error_codes import Disposition, deciding, reaction, telling
from oracle_refresh.oracle.row_values import cleansed, without_rows

_CODE = re.compile(r"\b((?:ORA|PLS|DPY|DPI|TNS|LPX|KUP|UDE|UDI)-\d{4,5})\b")


class RefreshError(Exception):
    """Base of all errors of this provider.

    :param message: what went wrong, for the person who reads the task log. The values of rows that Oracle's
        texts quote are left out of it.
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
        self.message = without_rows(message)
        super().__init__(self.message)
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


class TablesFailed(RefreshError):
    """Tables of a work unit failed, each for a reason of its own; the others are done.

    :ivar failures: the error of each of them, by `OWNER.NAME`.
    """

    failures: Mapping[str, Exception] = {}

    @classmethod
    def of(cls, failures: Mapping[str, Exception], tables: int, unit: str) -> RefreshError:
        """The error of a unit of so many tables, with the first one's as its cause; that one itself where it
        stands alone and names its table."""
        first, error = next(iter(failures.items()))
        if len(failures) == 1 and isinstance(error, RefreshError) and error.object_name == first:
            return error
        texts = [f"{key}: {_in_short(each)}" for key, each in failures.items()]
        combined = cls(
            f"{len(failures)} of {counted(tables, 'table')} failed: {'; '.join(texts)}",
            codes=dict.fromkeys(code for each in failures.values() for code in oracle_codes(each)),
            object_name=unit,
            remedy=error.remedy if isinstance(error, RefreshError) else remedy_of(oracle_codes(error)),
        )
        combined.failures, combined.__cause__ = dict(failures), error
        return combined


def _in_short(error: Exception) -> str:
    """Its first line, and the codes that are not in it."""
    message = error.message if isinstance(error, RefreshError) else f"{type(error).__name__}: {error}"
    line = without_rows(message).partition("\n")[0]
    more = [code for code in oracle_codes(error) if code not in line]
    return f"{line} [{', '.join(more)}]" if more else line


class PreflightError(RefreshError):
    """The input does not permit a refresh: definition, connections, roles, grants, schemas."""


class PlanError(RefreshError):
    """No valid plan follows from the catalogue and the definition."""


class DataPumpError(RefreshError):
    """A Data Pump job failed, or its evidence does not prove that it succeeded."""


class TakenOverError(RefreshError):
    """Another try of the task has taken its Data Pump job over: this one may change nothing any more."""


class StagingError(RefreshError):
    """A dump file did not arrive unchanged on the target's side."""


class MaskingError(RefreshError):
    """A ruleset cannot be applied, or its statement failed."""


class ValidationError(RefreshError):
    """Source and target differ, or could not be compared."""


class QuarantineError(RefreshError):
    """Accounts of the target could not be locked or released, or were found open, or another run holds it."""


class DataLoadError(RefreshError):
    """Test data could not be loaded, or not all of it arrived."""


class TuningError(RefreshError):
    """Instance parameters could not be set or restored."""


def oracle_codes(error: BaseException) -> tuple[str, ...]:
    """The Oracle codes in an exception, in the order of their first mention, without repetition.

    Reads the text only, so it serves `oracledb` errors (whose message carries the whole error stack)
    and every other exception alike. An exception without codes gives an empty tuple.
    """
    if isinstance(error, RefreshError):
        return error.codes
    return codes_in(str(error))


def codes_in(text: str) -> tuple[str, ...]:
    """The Oracle codes of a text, likewise."""
    return tuple(dict.fromkeys(_CODE.findall(text)))


def at_database(error: BaseException, place: str) -> None:
    """Note with an error which database it came from. `from_oracle` passes the note of a driver's error on.

    :param place: `target oracle_target at db.example.com:1521/TEST`.
    """
    if isinstance(error, RefreshError):
        error.message = f"{error.message} ({place})"
    elif place not in databases_of(error):
        error.add_note(place)


def databases_of(error: BaseException) -> tuple[str, ...]:
    """Return what `at_database` has noted with a driver's error."""
    return tuple(getattr(error, "__notes__", ()))


def from_oracle(
    error: BaseException,
    step: str,
    object_name: str | None = None,
    kind: type[RefreshError] = DataPumpError,
) -> RefreshError:
    """The provider's error for a driver's error; raise it `from` the original, from which the values of rows
    are gone too: Airflow prints causes.

    The remedy is that of the most telling code of the stack (`error_codes.telling`).
    """
    codes = oracle_codes(error)
    message = str(cleansed(error)).split("\nHelp: ")[0].strip()
    places = [place for place in databases_of(error) if place != object_name]
    message += f" ({'; '.join(places)})" if places else ""
    return kind(message, codes=codes, object_name=object_name, step=step, remedy=remedy_of(codes))


def disposition(code: str) -> Disposition:
    """What a repeated try can do about one code (see `error_codes`); every unknown code is fatal."""
    entry = reaction(code)
    return "fatal" if entry is None else entry.disposition


def overall_disposition(codes: Iterable[str]) -> Disposition:
    """The disposition of an error stack (see `error_codes.deciding`); fatal where nothing is known of it."""
    entry = deciding(codes)
    return "fatal" if entry is None else entry.disposition


def remedy_of(codes: Iterable[str]) -> str | None:
    """The remedy for an error stack, or None where the table has none."""
    entry = telling(codes)
    return None if entry is None else entry.remedy
