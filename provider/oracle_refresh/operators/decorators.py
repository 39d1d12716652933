"""`@task.refresh_target`: a Python function as a step of a refresh, with an open session of the target.

For what no SQL script can say, such as test users made by a service, or a check of one's own:

```python
@task.refresh_target(definition="demo")
def add_testers(target=None):
    with target.cursor() as cursor:
        cursor.execute("INSERT INTO APP.TESTERS SELECT ...")
    target.commit()
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk.bases.decorator import DecoratedOperator, task_decorator_factory

from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.target.quarantine import require_quarantine

if TYPE_CHECKING:
    from airflow.sdk import Context
    from airflow.sdk.bases.decorator import TaskDecorator


class TargetTask(DecoratedOperator, RefreshOperator):
    """Calls the function with the target as its argument `target`, an open `oracledb` connection.

    Only while this run holds the quarantine, as scripts of the definition: nobody sees the target meanwhile.
    What the function has not committed is rolled back. It may be run again, after a kill in its middle too:
    that it may be is up to the function.
    """

    template_fields: Sequence[str] = (*DecoratedOperator.template_fields, *RefreshOperator.template_fields)
    template_fields_renderers: ClassVar[dict[str, str]] = {
        **DecoratedOperator.template_fields_renderers,
        **RefreshOperator.template_fields_renderers,
    }
    custom_operator_name = "@task.refresh_target"

    def execute(self, context: Context) -> Any:
        with self.refresh_run(context) as run:
            require_quarantine(run.target, run.id)
            return self.python_callable(*self.op_args, **{**self.op_kwargs, "target": run.target})


def refresh_target_task(
    python_callable: Callable[..., Any] | None = None,
    multiple_outputs: bool | None = None,
    **kwargs: Any,
) -> TaskDecorator:
    """Make a task of a function whose argument `target` is the open target of a refresh.

    :param definition: name or path of the refresh definition. Templated.
    """
    return task_decorator_factory(
        python_callable=python_callable,
        multiple_outputs=multiple_outputs,
        decorated_operator_class=TargetTask,
        **kwargs,
    )
