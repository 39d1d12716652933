"""What a phase changes on an instance, and what it is refused for: pure, on made-up instances."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.changes import (
    Changes,
    ModeChange,
    ParameterChange,
    RedoChange,
    TempChange,
    UndoChange,
    packed,
    unpacked,
)
from oracle_refresh.tuning.instance import OpenInstance, RedoGroup
from oracle_refresh.tuning.plan import plan_changes, propose
from oracle_refresh.tuning.profile import Phase
from support.tuning import GIGABYTE, an_instance, parameter


def phase(**fields: Any) -> Phase:
    return Phase.model_validate(fields)


def planned(wanted: Phase, **changes: Any) -> Changes:
    return plan_changes(wanted, an_instance(**changes))


def test_nothing_wanted_nothing_changed() -> None:
    assert planned(phase()) == Changes()
    assert planned(phase(parameters={"undo_retention": 900, "db_block_checking": "FALSE"})) == Changes()


def test_values_formulas_and_the_order() -> None:
    wanted = phase(
        parameters={
            "commit_wait": "nowait",
            "undo_retention": "= max(current, 24 * 3600)",
            "pga_aggregate_target": "= min(memory / 8, 6G)",
            "recyclebin": "OFF",
        },
        undo={},
        redo={"size": "1G"},
    )
    changes = planned(wanted).dynamic
    assert [change.kind for change in changes] == ["redo", "undo"] + ["parameter"] * 4
    parameters = [change for change in changes if isinstance(change, ParameterChange)]
    assert [(one.name, one.value, one.former) for one in parameters] == [
        ("pga_aggregate_target", str(6 * GIGABYTE), str(GIGABYTE)),
        ("recyclebin", "OFF", "on"),
        ("undo_retention", "86400", "900"),
        ("commit_wait", "NOWAIT", None),
    ]
    assert [one.deferred for one in parameters] == [False, True, False, False]


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"pga_agregate_target": 1}, "no parameter pga_agregate_target, did you mean pga_aggregate_target"),
        ({"pga_aggregate_target": "1M"}, "1048576 is out of range"),
        ({"pga_aggregate_target": "lots"}, "'lots' is no number"),
        ({"pga_aggregate_target": "= memory * 1000"}, "out of range"),
        ({"pga_aggregate_target": "9G"}, "above pga_aggregate_limit 8589934592: raise that as well"),
        ({"undo_retention": "-1"}, "'-1' is no number"),
        ({"commit_wait": "PERHAPS"}, "none of NOWAIT, WAIT, FORCE_WAIT"),
        ({"commit_wait": "= cpus"}, "a formula gives a number"),
        ({"db_block_checking": "SOME"}, "none of OFF, LOW, MEDIUM, FULL, FALSE"),
        ({"deferred_segment_creation": "maybe"}, "neither 'TRUE' nor 'FALSE'"),
        ({"undo_tablespace": "U"}, "use the field undo"),
    ],
)
def test_wrong_parameters(parameters: dict[str, object], complaint: str) -> None:
    with pytest.raises(TuningError, match=complaint) as caught:
        planned(phase(parameters=parameters))
    assert "nothing was changed" in str(caught.value)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(TuningError) as caught:
        planned(
            phase(parameters={"nonsense": 1, "undo_retention": "x"}, redo={"size": "1M"}, undo={}),
            privileges=("ALTER SYSTEM",),
        )
    for part in ("nonsense", "'x' is no number", "4194304 bytes", "lacks CREATE TABLESPACE"):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"broker": "ENABLED"}, "Data Guard broker"),
        ({"standby_destinations": ("LOG_ARCHIVE_DEST_2",)}, "sends redo to a standby .LOG_ARCHIVE_DEST_2"),
        ({"standby_logs": 4}, "4 standby redo logs"),
        ({"force_logging": "STANDBY NOLOGGING FOR LOAD PERFORMANCE"}, "serves a standby"),
        ({"force_logging": "YES"}, "FORCE LOGGING mode, which somebody has set"),
    ],
)
def test_databases_with_a_standby_are_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(TuningError, match=reason):
        planned(phase(parameters={"undo_retention": 1000}), **changes)


def test_roles_modes_and_names_are_refused() -> None:
    wanted = phase(parameters={"undo_retention": 1000})
    identity = an_instance().identity
    for field, value in (("database_role", "PHYSICAL STANDBY"), ("open_mode", "READ ONLY")):
        with pytest.raises(TuningError, match=value):
            planned(wanted, identity=replace(identity, **{field: value}))  # type: ignore[arg-type]
    with pytest.raises(TuningError, match="deny list"):
        plan_changes(wanted, an_instance(), ["one"])


def test_force_logging_is_changed_only_when_it_is_said() -> None:
    (change,) = planned(phase(force_logging=False), force_logging="YES").dynamic
    assert change == ModeChange("force logging", False, True)
    assert planned(phase(force_logging=True), force_logging="YES") == Changes()


def test_a_limit_is_raised_before_its_target_and_0_is_no_limit() -> None:
    wanted = phase(parameters={"pga_aggregate_target": "9G", "pga_aggregate_limit": "18G"})
    names = [change.item for change in planned(wanted).dynamic]
    assert names == ["parameter pga_aggregate_limit", "parameter pga_aggregate_target"]
    wanted = phase(parameters={"pga_aggregate_target": "9G", "pga_aggregate_limit": 0})
    assert len(planned(wanted).dynamic) == 2


def test_static_parameters_are_for_a_dba() -> None:
    (step,) = planned(phase(parameters={"log_buffer": "64M"})).runbook
    assert "ALTER SYSTEM SET log_buffer = 67108864 SCOPE = SPFILE SID = '*';" in step.commands
    assert "ALTER SYSTEM SET log_buffer = 8388608 SCOPE = SPFILE SID = '*';" in step.undo
    assert "SHUTDOWN IMMEDIATE" in step.commands


def test_root_parameters_in_a_pluggable_database() -> None:
    wanted = {"streams_pool_size": "128M"}
    with pytest.raises(TuningError, match="ORA-65040"):
        planned(phase(parameters=wanted), in_pdb=True)
    changes = planned(phase(parameters=wanted, root_parameters="runbook"), in_pdb=True)
    assert changes.dynamic == ()
    assert "ALTER SESSION SET CONTAINER = CDB$ROOT;" in changes.runbook[0].commands
    assert len(planned(phase(parameters=wanted)).dynamic) == 1


def test_what_concerns_the_whole_container_database_is_for_a_dba() -> None:
    wanted = phase(redo={}, force_logging=True, flashback=False, undo={})
    changes = planned(wanted, in_pdb=True, flashback_on="YES", local_undo=False)
    assert changes.dynamic == ()
    assert len(changes.runbook) == 4
    assert all("ALTER SESSION SET CONTAINER = CDB$ROOT;" in step.commands for step in changes.runbook)
    assert isinstance(planned(phase(undo={}), in_pdb=True).dynamic[0], UndoChange)


def test_log_mode_is_always_for_a_dba() -> None:
    (step,) = planned(
        phase(log_mode="noarchivelog"),
        log_mode="ARCHIVELOG",
        flashback_on="YES",
        guaranteed_restore_points=("BEFORE_TEST",),
    ).runbook
    wanted = ["ALTER DATABASE FLASHBACK OFF;", "DROP RESTORE POINT BEFORE_TEST;", "STARTUP MOUNT"]
    places = [step.commands.index(command) for command in (*wanted, "ALTER DATABASE NOARCHIVELOG;")]
    assert places == sorted(places)
    assert step.undo.index("ALTER DATABASE ARCHIVELOG;") < step.undo.index("ALTER DATABASE FLASHBACK ON;")
    assert planned(phase(log_mode="noarchivelog")) == Changes()


def test_flashback() -> None:
    assert planned(phase(flashback=False), flashback_on="YES", log_mode="ARCHIVELOG").dynamic == (
        ModeChange("flashback", False, True),
    )
    with pytest.raises(TuningError, match="ORA-38707"):
        planned(phase(flashback=True))
    points = planned(
        phase(flashback=True),
        flashback_on="RESTORE POINT ONLY",
        log_mode="ARCHIVELOG",
        guaranteed_restore_points=("P",),
    )
    assert points.dynamic == ()


def test_redo_groups() -> None:
    (change,) = planned(phase(redo={"size": "1G"})).dynamic
    assert isinstance(change, RedoChange)
    assert [group.number for group in change.add] == [4, 5, 6]
    assert change.add[0].members == ("/u01/refresh_redo_1_4_1.log",)
    assert [group.number for group in change.drop] == [1, 2, 3]
    assert planned(phase(redo={"size": "50M"})) == Changes()
    (smaller,) = planned(phase(redo={"size": "16M", "exact": True})).dynamic
    assert isinstance(smaller, RedoChange)
    assert len(smaller.add) == len(smaller.drop) == 3


def test_each_thread_gets_its_own_groups_beside_the_present_ones() -> None:
    redo = (
        RedoGroup(1, 1, GIGABYTE, ("+DATA/ONE/ONLINELOG/group_1.261.1", "+RECO/ONE/ONLINELOG/group_1.2.3")),
        RedoGroup(2, 1, 50 << 20, ("+DATA/ONE/ONLINELOG/group_2.261.1", "+RECO/ONE/ONLINELOG/group_2.2.3")),
        RedoGroup(3, 2, 50 << 20, ("C:\\redo\\three.log",)),
        RedoGroup(4, 2, 50 << 20, ("C:\\redo\\four.log",)),
    )
    wanted = phase(redo={"size": "1G", "groups": 3})
    assert planned(wanted, redo=redo).dynamic == (), "in NOARCHIVELOG an instance switches its own log only"
    assert len(planned(wanted, redo=redo).runbook) == 2
    first, second = planned(wanted, redo=redo, log_mode="ARCHIVELOG").dynamic
    assert isinstance(first, RedoChange)
    assert isinstance(second, RedoChange)
    assert [group.number for group in (*first.add, *second.add)] == [5, 6, 7, 8, 9]
    assert first.add[0].members == ("+DATA/refresh_redo_1_5_1.log", "+RECO/refresh_redo_1_5_2.log")
    assert second.add[0].members == ("C:\\redo\\refresh_redo_2_7_1.log",)
    assert [group.number for group in first.drop] == [2]


def two_instances(**spfile: str) -> dict[str, Any]:
    facts = an_instance()
    memory: dict[str, dict[str, str | None]] = {
        "undo_tablespace": {"ONE1": "UNDOTBS1", "ONE2": "UNDOTBS2"},
        "undo_retention": {"ONE1": "900", "ONE2": "1800"},
    }
    parameters = {
        name: replace(one, memory=memory.get(name, {"ONE1": one.value, "ONE2": one.value}))
        for name, one in facts.parameters.items()
    }
    parameters["undo_retention"] = replace(parameters["undo_retention"], spfile=spfile)
    return {
        "instances": (OpenInstance(1, "ONE1", 1), OpenInstance(2, "ONE2", 2)),
        "parameters": parameters,
    }


def test_every_instance_of_a_cluster_is_changed_by_itself() -> None:
    wanted = phase(parameters={"undo_retention": 1800}, undo={}, scope="both")
    changes = planned(wanted, **two_instances(ONE1="900")).dynamic
    undo = [change for change in changes if isinstance(change, UndoChange)]
    assert [(one.sid, one.tablespace, one.former) for one in undo] == [
        ("ONE1", "REFRESH_UNDO_1", "UNDOTBS1"),
        ("ONE2", "REFRESH_UNDO_2", "UNDOTBS2"),
    ]
    (retention,) = [change for change in changes if isinstance(change, ParameterChange)]
    assert (retention.sid, retention.former, retention.in_spfile, retention.former_spfile) == (
        *("ONE1", "900"),
        *(True, "900"),
    )


def test_an_undo_tablespace_that_is_as_wanted_stays() -> None:
    good = replace(an_instance().undo[0], guarantee=True, max_bytes=1 << 40)
    assert planned(phase(undo={}), undo=(good,)) == Changes()
    (change,) = planned(phase(undo={})).dynamic
    assert isinstance(change, UndoChange)
    assert change.file == "/u01/refresh_undo_1.dbf"
    with pytest.raises(TuningError, match="max_size is less than size"):
        planned(phase(undo={"size": "2T"}))


def test_temporary_space() -> None:
    assert planned(phase(temp={"size": "32G"})) == Changes()
    assert planned(phase(temp={"size": "40G"})).dynamic == (
        TempChange("TEMP", "/u01/refresh_temp.dbf", 8 * GIGABYTE),
    )
    bigfile = replace(an_instance().temp, bigfile=True)
    assert len(planned(phase(temp={"size": "40G"}), temp=bigfile).runbook) == 1


def test_the_temporary_tablespaces_of_a_group_grow_by_what_all_lack() -> None:
    group = replace(an_instance().temp, elsewhere=4 * GIGABYTE)
    assert planned(phase(temp={"size": "36G"}), temp=group) == Changes()
    assert planned(phase(temp={"size": "40G"}), temp=group).dynamic == (
        TempChange("TEMP", "/u01/refresh_temp.dbf", 4 * GIGABYTE),
    )
    (step,) = planned(phase(temp={"size": "40G"}), temp=replace(group, bigfile=True)).runbook
    assert f"MAXSIZE {36 * GIGABYTE};" in str(step)
    assert f"MAXSIZE {32 * GIGABYTE};" in str(step)


def test_both_scopes_need_a_server_parameter_file() -> None:
    wanted = phase(parameters={"undo_retention": 1000}, scope="both")
    without = {**an_instance().parameters, "spfile": parameter("spfile", 2, None)}
    without["log_buffer"] = replace(without["log_buffer"], spfile={})
    with pytest.raises(TuningError, match="ORA-32001"):
        planned(wanted, parameters=without)


def test_changes_survive_the_record() -> None:
    wanted = phase(
        parameters={"undo_retention": 1000}, redo={}, undo={}, temp={"size": "40G"}, force_logging=True
    )
    changes = planned(wanted).dynamic
    assert len(changes) == 5
    assert tuple(unpacked(packed(change)) for change in changes) == changes
    for change in changes:
        assert change.merged(change).item == change.item  # type: ignore[arg-type]


def test_a_second_phase_keeps_the_first_former_state() -> None:
    first = planned(phase(parameters={"undo_retention": 1000})).dynamic[0]
    second = replace(first, value="2000", former="1000")  # type: ignore[arg-type]
    merged = first.merged(second)  # type: ignore[arg-type]
    assert isinstance(merged, ParameterChange)
    assert merged.former == "900"
    assert merged.is_own("1000")
    assert merged.is_own("2000")
    assert not merged.is_own("3000")


def test_sizes_may_be_rounded_up_to_a_granule() -> None:
    (change,) = planned(phase(parameters={"streams_pool_size": "100M"})).dynamic
    assert isinstance(change, ParameterChange)
    assert change.is_own(str(112 << 20))
    assert not change.is_own(str(128 << 20))


def test_the_source_is_only_proposed_to() -> None:
    steps = propose(phase(parameters={"pga_aggregate_target": "4G", "log_buffer": "64M"}), an_instance())
    assert len(steps) == 2
    with pytest.raises(TuningError, match="no parameter nonsense"):
        propose(phase(parameters={"nonsense": "1"}), an_instance())
