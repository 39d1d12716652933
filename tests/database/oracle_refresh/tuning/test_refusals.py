"""A pluggable database and a primary with a standby, as the dictionary of a running database shows them."""

from __future__ import annotations

from collections.abc import Iterator

import oracledb
import pytest

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.changes import TempChange
from oracle_refresh.tuning.instance import read_instance, read_temp
from oracle_refresh.tuning.make import memory_value
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


@pytest.mark.slow
def test_what_the_pluggable_database_has_set_counts(pluggable: oracledb.Connection) -> None:
    """V$SYSTEM_PARAMETER has a row for the whole CDB and one for the container's own value."""
    with pluggable.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET open_cursors = 444 SCOPE = MEMORY")
        try:
            shown = "SELECT VALUE FROM V$SYSTEM_PARAMETER WHERE NAME = 'open_cursors' ORDER BY CON_ID"
            assert cursor.execute(shown).fetchall() == [("300",), ("444",)]
            parameter = read_instance(pluggable).parameters["open_cursors"]
            assert (parameter.value, parameter.default) == ("444", False)
            assert set(parameter.memory.values()) == {"444"}
            assert memory_value(pluggable, "open_cursors", "*") == "444"
        finally:
            cursor.execute("ALTER SYSTEM RESET open_cursors SCOPE = MEMORY")


def test_the_group_of_temporary_tablespaces(demo_target: DemoDatabase) -> None:
    """A user's temporary tablespace may be a group: files are added to a member, room is that of all."""
    with demo_target.connect() as connection:
        alone = read_temp(connection)
    with demo_target.server.connect() as system:
        cursor = system.cursor()
        cursor.execute("CREATE TEMPORARY TABLESPACE SECOND_TEMP TEMPFILE '/u01/second.dbf' SIZE 64M")
        for name in ("TEMP", "SECOND_TEMP"):
            cursor.execute(f"ALTER TABLESPACE {name} TABLESPACE GROUP TEMPS")
        cursor.execute(f"ALTER USER {demo_target.user} TEMPORARY TABLESPACE TEMPS")
    try:
        with demo_target.connect() as connection:
            grouped = read_temp(connection)
            assert (grouped.tablespace, len(grouped.files)) == ("SECOND_TEMP", 1)
            assert (grouped.own_bytes, grouped.elsewhere) == (64 << 20, alone.max_bytes)
            instance = read_instance(connection)
        size = alone.max_bytes + (64 << 20)
        enough = Phase.model_validate({"temp": {"size": str(size)}})
        assert plan_changes(enough, instance).dynamic == ()
        more = Phase.model_validate({"temp": {"size": str(size + (1 << 20))}})
        (change,) = plan_changes(more, instance).dynamic
        assert change == TempChange("SECOND_TEMP", "/u01/refresh_temp.dbf", 1 << 20)
    finally:
        with demo_target.server.connect() as system:
            cursor = system.cursor()
            cursor.execute(f"ALTER USER {demo_target.user} TEMPORARY TABLESPACE TEMP")
            cursor.execute("ALTER TABLESPACE TEMP TABLESPACE GROUP ''")
            cursor.execute("DROP TABLESPACE SECOND_TEMP INCLUDING CONTENTS AND DATAFILES")


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


def test_a_primary_with_a_standby(with_standby: oracledb.Connection) -> None:
    wanted = Phase.model_validate({"parameters": {"undo_retention": 1000}})
    with pytest.raises(TuningError, match="sends redo to a standby"):
        plan_changes(wanted, read_instance(with_standby))
