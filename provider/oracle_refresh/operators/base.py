"""What all operators of a refresh share: the definition, the run that their task is of, progress."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import BaseOperator

from oracle_refresh.definition.form import RefreshForm, definition_by_form, read_form
from oracle_refresh.definition.load import load_target_definition, require_refresh
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import run_files, settings
from oracle_refresh.integration.compat import HAS_RETRY_POLICY, AirflowException
from oracle_refresh.integration.retries import fail_at_once
from oracle_refresh.run.progress import LogProgress, Meter
from oracle_refresh.run.refresh_run import RefreshRun

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.definition.model import RefreshDefinition, TargetDefinition

log = logging.getLogger(__name__)


#: Methods through which Airflow enters an operator.
ENTRIES = frozenset({"execute", "execute_complete", "resume"})


class ProviderOperator(BaseOperator):
    """Base of the provider's operators. Each task leaves its result, and what failed, in the run's folder.

    Airflow passes results to no hook of an operator (`post_execute` gets the context only), so the methods
    that Airflow enters are wrapped.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in ENTRIES & vars(cls).keys():
            setattr(cls, name, _recorded(vars(cls)[name]))

    def pre_execute(self, context: Context) -> None:
        if not any(issubclass(_class_of(task), ProviderOperator) for task in self.get_flat_relatives(True)):
            run_files.keep_dag(context)
        run_files.keep_lost_attempt(context)


def _recorded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def entered(self: ProviderOperator, context: Context, *args: Any, **kwargs: Any) -> Any:
        try:
            result = method(self, context, *args, **kwargs)
        except AirflowException:  # also raised for tasks that are skipped or rescheduled
            raise
        except Exception as error:
            if not HAS_RETRY_POLICY:
                fail_at_once(context, error)
            raise
        run_files.keep_result(context, result)
        return result

    return entered


def _class_of(task: Any) -> type[Any]:
    return getattr(task, "operator_class", type(task))


def is_template(value: object) -> bool:
    """Return whether the author of a DAG leaves a value to the run: a template, or a result of a task."""
    return not isinstance(value, str) or "{{" in value or "{%" in value


class RefreshOperator(ProviderOperator):
    """Base of the provider's operators.

    :param definition: name of a refresh definition in `[oracle_refresh] definitions_directory`. The author of
        a DAG may write a path that ends in .yaml; a template renders a name, because a trigger form or a
        request supplies its value. Templated.
    :param form: JSON of the run's trigger form (`{{ params | tojson }}`), whose fields replace those of the
        definition; empty: the definition as it is written. All tasks of a run need the same. Templated.
    """

    template_fields: Sequence[str] = ("definition", "form")
    template_fields_renderers: ClassVar[dict[str, str]] = {"form": "json"}
    ui_color = "#e8f0fb"

    def __init__(self, *, definition: str, form: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.definition = definition
        self.form = form
        self._named = is_template(definition)

    def read_definition(self) -> TargetDefinition:
        """Read the definition with the changes of the form.

        :raises PreflightError: if it does not exist, is invalid, or a template renders a path.
        """
        # Rendered natively, a definition named `2026` arrives as a number.
        name = str(self.definition)
        path = settings.definition_by_name(name) if self._named else settings.definition_path(name)
        return definition_by_form(path, self.read_form()) if self.form else load_target_definition(path)

    def read_refresh(self) -> RefreshDefinition:
        """The same where something is copied.

        :raises PreflightError: where the definition is that of a clone.
        """
        return require_refresh(self.read_definition())

    def read_form(self) -> RefreshForm:
        """The trigger form of the run; where there is none, one that changes nothing."""
        return read_form(self.form) if self.form else RefreshForm(definition=str(self.definition))

    def refresh_run(self, context: Context) -> RefreshRun:
        """The run that this task is of: `with self.refresh_run(context) as run`."""
        definition = self.read_definition()
        source, target = (
            OracleRefreshHook(oracle_conn_id=end.conn_id) for end in (definition.origin, definition.target)
        )
        return RefreshRun(
            definition,
            run_id(context),
            partial(source.session, definition.origin_role, self.task_id, run_id(context)),
            partial(target.session, "target", self.task_id, run_id(context)),
            self.progress(context),
        )

    def rest_of_the_run(self) -> list[Any]:
        """All tasks after this one, to be skipped if nothing is to follow; teardowns go by their setups."""
        return [
            task
            for task in self.get_flat_relatives(upstream=False)
            if not (task.is_teardown and any(other.is_setup for other in task.upstream_list))
        ]

    def progress(self, context: Context) -> TaskProgress:
        return TaskProgress(LogProgress(log), context.get("task_state_store"))


#: Seconds between two notes of progress in a task's state store, each of which is a request to Airflow.
NOTED_EVERY = 2.0


class TaskProgress:
    """Reports to the task's log, and every `NOTED_EVERY` seconds to its state store, which the UI shows.

    The state store's entry `progress` has percent, rate (units per second) and the estimated seconds left; of
    a task with several tables also which of them are done, and the percent is that of all together. A task
    that ends before the first note is due leaves none: nobody could have seen it.
    """

    def __init__(self, log: LogProgress, store: Any) -> None:
        self._log, self._store = log, store
        self._meter = Meter(log.clock)
        self._noted = False
        self._due = time.monotonic() + NOTED_EVERY
        self._number, self._count, self._done = 0, 1, tuple[str, ...]()

    def begin(self, number: int, count: int, done: tuple[str, ...]) -> None:
        """What is reported from now on is about table `number` (from 0) of so many; `done` are finished."""
        self._number, self._count, self._done = number, count, done

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        measured = self._meter.measure(done, total, unit, what)
        self._log.note(measured)
        now = time.monotonic()
        over = measured.finished and self._number == self._count - 1
        if self._store is not None and (now >= self._due or (over and self._noted)):
            self._noted, self._due = True, now + NOTED_EVERY
            try:
                self._store.set("progress", measured.to_json() | self._of_all(measured.percent))
            except Exception as error:  # nobody loses hours of work because the UI could not be told
                log.warning("the progress could not be shown: %s", error)

    def _of_all(self, percent: float | None) -> dict[str, Any]:
        """How far all tables are, where there are several: each counts the same."""
        if self._count == 1:
            return {}
        tables = {"number": self._number + 1, "count": self._count, "done": list(self._done)}
        all_percent = round((100.0 * self._number + (percent or 0.0)) / self._count, 1)
        return {"percent": all_percent, "eta_seconds": None, "tables": tables}


def run_id(context: Context) -> str:
    """The DAG run's id: the first part of every name that the run leaves anywhere."""
    return str(context["run_id"])
