"""Views that are lost end the task that should have made them; what routines an expression calls."""

from __future__ import annotations

import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import ObjectName
from oracle_refresh.target.objects.dependents import DependentsResult, require_views
from oracle_refresh.target.objects.units import called
from support.transfer import demo

MADE = DependentsResult(
    0,
    0,
    0,
    (),
    (),
    (),
    ("view APP.SALES: ORA-00942, ORA-04063", "synonym APP.S: ORA-00942"),
    ("APP.SALES",),
)


def test_a_lost_view_is_told_where_it_is_lost() -> None:
    with pytest.raises(PlanError, match=r"1 views could not be made: view APP\.SALES: ORA-00942") as caught:
        require_views(MADE, demo())
    assert caught.value.codes == ("ORA-00942", "ORA-04063")
    assert caught.value.object_name == "APP.SALES"
    assert "grant" in (caught.value.remedy or "")


@pytest.mark.parametrize("accepted", [{"accept": ["view"]}, {"accept_objects": ["APP.SALES"]}])
def test_an_accepted_view_may_be_lost(accepted: dict[str, list[str]]) -> None:
    require_views(MADE, demo(inventory=accepted))


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ('"APP"."TWICE"("ID")', {("APP", "TWICE")}),
        ("TWICE(ID)", {("APP", "TWICE")}),
        ('"LIB"."MATHS"."TWICE"("ID") || \'F(\'', {("LIB", "MATHS"), ("APP", "TWICE")}),
        ("UPPER(\"NAME\") || 'TWICE'", set()),
        ("MATHS(1)", set()),
    ],
)
def test_what_an_expression_may_call(expression: str, found: set[tuple[str, str]]) -> None:
    """Made too early does no harm, made too late is ORA-00904: so a name is enough."""
    routines = {ObjectName.parse(key) for key in ("APP.TWICE", "LIB.MATHS", "LIB.TWICE_AS")}
    assert called(expression, "APP", routines) == found
