"""What a task of a refresh works with: the definition, the run, and a session of each database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

from oracle_refresh.definition import CloneDefinition, require_refresh
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.remedies import of_clone
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    from types import TracebackType

    import oracledb

    from oracle_refresh.definition.model import RefreshDefinition, TargetDefinition

Open = Callable[[], AbstractContextManager["oracledb.Connection"]]


@dataclass
class RefreshRun:
    """One run as a task sees it. Each end is connected to when it is first used; the sessions are closed when
    the `with` block ends, and what they have not committed is rolled back. An error that leaves the block
    of a clone's run has the remedy that a clone permits.

    :ivar id: the DAG run's id: the first part of every name that the run leaves anywhere.
    :ivar open_source: opens a session of the source, where rows are as they were before they were masked: of
        a clone that is the target as of an SCN; `open_target` one of the target.
    """

    definition: TargetDefinition
    id: str
    open_source: Open
    open_target: Open
    progress: Progress = silent
    _opened: ExitStack = field(default_factory=ExitStack, init=False)
    _further: list[oracledb.Connection] = field(default_factory=list, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, RefreshError) and error.remedy and isinstance(self.definition, CloneDefinition):
            error.remedy = of_clone(error.remedy)
        self._opened.__exit__(kind, error, traceback)

    @property
    def refresh_definition(self) -> RefreshDefinition:
        """The definition of a run that copies rows.

        :raises PreflightError: where the run masks a clone.
        """
        return require_refresh(self.definition)

    @cached_property
    def source(self) -> oracledb.Connection:
        return self._opened.enter_context(self.open_source())

    @cached_property
    def target(self) -> oracledb.Connection:
        return self._opened.enter_context(self.open_target())

    def further_source(self) -> oracledb.Connection:
        """A session of the source beside the task's own, which ends with the block as that does."""
        return self._another(self.open_source)

    def further_target(self) -> oracledb.Connection:
        """The same of the target."""
        return self._another(self.open_target)

    def _another(self, opener: Open) -> oracledb.Connection:
        self._further.append(self._opened.enter_context(opener()))
        return self._further[-1]

    @contextmanager
    def open_both(self) -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        """Further sessions of source and target, for work beside that of the task's own."""
        with self.open_source() as source, self.open_target() as target:
            yield source, target

    @property
    def sessions(self) -> tuple[oracledb.Connection, ...]:
        """Those that are open."""
        own = (vars(self)[end] for end in ("source", "target") if end in vars(self))
        return *own, *self._further

    @cached_property
    def documents(self) -> Documents:
        return Documents(self.target, self.id)

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(self.target, self.id)
