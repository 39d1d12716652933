"""A pluggable database and a primary with a standby, as the dictionary of a running database shows them."""

from __future__ import annotations

from collections.abc import Iterator

import oracledb
import pytest

from oracle_refresh.errors import TuningError
from oracle_refresh.tuning import make, statements
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from support.demo import DemoDatabase
from support.tuning import whole


@pytest.fixture
def pluggable(demo_target: DemoDatabase) -> Iterator[oracledb.Connection]:
    assert demo_target.server.command("control", "container", "pdb").returncode == 0
    with demo_target.connect() as connection:
        yield connection
    assert demo_target.server.command("control", "container", "none").returncode == 0


@pytest.fixture
def with_standby(demo_target: DemoDatabase) -> Iterator[oracledb.Connection]:
    assert demo_target.server.command("control", "role", "primary-with-standby").returncode == 0
    with demo_target.connect() as connection:
        yield connection
    assert demo_target.server.command("control", "role", "primary").returncode == 0


def test_a_pluggable_database(pluggable: oracledb.Connection) -> None:
    """Oracle agrees: what is refused here is refused there, and nothing is changed by either."""
    before = whole(pluggable)
    instance = read_instance(pluggable)
    assert instance.in_pdb
    pool = {"parameters": {"streams_pool_size": "64M"}}
    with pytest.raises(TuningError, match="streams_pool_size cannot be changed in a pluggable database"):
        plan_changes(Phase.model_validate(pool), instance)
    with pytest.raises(oracledb.DatabaseError, match="ORA-65040"), pluggable.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET streams_pool_size = 67108864 SCOPE = MEMORY")
    changes = plan_changes(
        Phase.model_validate(
            {**pool, "root_parameters": "runbook", "redo": {"size": "1G"}, "force_logging": True}
        ),
        instance,
    )
    assert changes.dynamic == ()
    assert len(changes.runbook) == 3
    assert whole(pluggable) == before


#: Database Reference 19c, V$SYSTEM_PARAMETER: a row for the CDB (0), one for each container that has its own.
OVERRIDDEN = """(
  SELECT P.INST_ID, P.NAME, P.TYPE, C.VALUE, P.ISDEFAULT, P.ISSYS_MODIFIABLE, P.ISPDB_MODIFIABLE, C.CON_ID
  FROM GV$SYSTEM_PARAMETER P JOIN (
    SELECT 3 AS CON_ID, 'of this one' AS VALUE FROM DUAL UNION ALL
    SELECT 4, 'of another one' FROM DUAL UNION ALL
    SELECT 0, 'of all' FROM DUAL) C ON P.NAME = 'undo_retention' OR C.CON_ID = 0)"""


def test_a_containers_own_value_is_the_one_that_holds(
    pluggable: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PARAMETERS", "MEMORY_VALUES", "MEMORY_VALUE"):
        text = getattr(statements, name).replace("GV$SYSTEM_PARAMETER", OVERRIDDEN)
        monkeypatch.setattr(statements, name, text.replace("FROM V$SYSTEM_PARAMETER", f"FROM {OVERRIDDEN}"))
    instance = read_instance(pluggable)
    assert instance.value("undo_retention") == "of this one"
    assert set(instance.parameters["undo_retention"].memory.values()) == {"of this one"}
    assert instance.value("open_cursors") == "of all"
    assert make.memory_value(pluggable, "undo_retention", "*") == "of this one"


def test_a_primary_with_a_standby(with_standby: oracledb.Connection) -> None:
    wanted = Phase.model_validate({"parameters": {"undo_retention": 1000}})
    with pytest.raises(TuningError, match="sends redo to a standby"):
        plan_changes(wanted, read_instance(with_standby))
