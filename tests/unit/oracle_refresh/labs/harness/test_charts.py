from __future__ import annotations

import sys

import pytest
from airflow.sdk import BaseOperator

from oracle_refresh.operators.calibration import ChooseSample
from oracle_refresh.operators.cdc_trials import PlanCapture
from oracle_refresh.operators.data_load import PlanLoad
from oracle_refresh.operators.dbfs_calibration import PlanStoreCalibration
from oracle_refresh.operators.masking_benchmark import PlanTrials
from oracle_refresh.oracle.errors import PreflightError


@pytest.mark.parametrize(
    "first",
    [
        ChooseSample(task_id="first", definition="none", degrees=(1, 2)),
        PlanCapture(task_id="first", definition="none"),
        PlanLoad(task_id="first", definition="none"),
        PlanStoreCalibration(task_id="first", definition="none"),
        PlanTrials(task_id="first", definition="none"),
    ],
    ids=lambda first: type(first).__name__,
)
def test_first_task_of_a_study_without_charts_extra_names_the_extra(
    first: BaseOperator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(PreflightError, match=r"needs vl_convert,.*pip install '.*\[charts\]'"):
        first.execute({})
