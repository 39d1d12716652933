"""Changes of a table arrive in its change table, whatever is spilled on the way."""

from __future__ import annotations

import datetime
import time

import oracledb
import pytest

from localoracle.instance.cluster import Cluster
from support.stand_in import Server

from .conftest import Flow

MEGABYTE = 1 << 20


def test_every_kind_of_change_is_recorded_with_its_values(flow: Flow) -> None:
    flow.start()
    at = datetime.datetime(2024, 2, 29, 13, 14, 15)
    large = "ü" * 20_000
    execute, source = flow.cursor.execute, flow.source
    execute(f"INSERT INTO {source} VALUES (1, 'one', :1, :2)", [at, large])
    flow.connection.commit()
    execute(f"UPDATE {source} SET text = NULL WHERE id = 1")
    flow.connection.commit()
    execute(f"DELETE FROM {source}")
    flow.connection.commit()
    execute(f"INSERT INTO {source} (id) VALUES (2)")
    flow.connection.rollback()
    flow.wait_for(4)
    flow.cursor.execute(
        "SELECT command_type$, value_type$, id, text, at, body, commit_scn$, transaction_id$ "
        f"FROM {flow.changes}"
    )
    found = [
        (*row[:5], row[5].read() if row[5] is not None else None, *row[6:]) for row in flow.cursor.fetchall()
    ]
    assert [row[:6] for row in found] == [
        ("INSERT", "NEW", 1, "one", at, large),
        ("UPDATE", "OLD", 1, "one", at, large),
        ("UPDATE", "NEW", 1, None, at, large),
        ("DELETE", "OLD", 1, None, at, large),
    ]
    numbers = [row[6] for row in found]
    assert numbers == sorted(numbers)
    assert [found[1][7] == found[2][7], len({row[7] for row in found})] == [True, 3]


def test_values_of_every_type_arrive_as_they_are(flow: Flow) -> None:
    columns = (
        "n NUMBER, f NUMBER(10,3), d BINARY_DOUBLE, v NVARCHAR2(20), c CHAR(5), r RAW(20), b BLOB, "
        "t TIMESTAMP(6), z TIMESTAMP WITH TIME ZONE, i INTERVAL DAY TO SECOND, l CLOB"
    )
    execute, name = flow.cursor.execute, flow.name
    execute(f"CREATE TABLE {name}.TYPES ({columns}) PARTITION BY HASH (n) PARTITIONS 2")
    execute(f"CREATE TABLE {name}.TYPES_CHANGES ({columns})")
    flow.call("dbms_xstream_adm.add_table_rules", f"{name}.TYPES", "capture", f"{name}_C", flow.queue)
    flow.call(
        "dbms_apply_adm.set_change_handler",
        f"{name}.TYPES_CHANGES",
        f"{name}.TYPES",
        "NEW",
        f"{name}_A",
        "DEFAULT",
        "H_TYPES",
    )
    flow.instantiate(f"{name}.TYPES")
    flow.start()
    for number, text in ((1, "ä'\\\t\n"), (2, " x ")):
        execute(
            f"INSERT INTO {name}.TYPES VALUES (:n, 0.125, 1e100, :v, 'a', HEXTORAW('00FF10'), :b, "
            "TIMESTAMP '2024-02-29 01:02:03.123456', TIMESTAMP '2024-02-29 01:02:03.5 +02:00', "
            "INTERVAL '3 04:05:06.7' DAY TO SECOND, :l)",
            n=number,
            v=text,
            b=bytes(range(256)) * 40,
            l=text * 3000,
        )
    execute(f"INSERT INTO {name}.TYPES (n) VALUES (3)")
    flow.connection.commit()
    execute(f"UPDATE {name}.TYPES SET f = 9 WHERE n = 3")
    flow.connection.commit()
    flow.until(lambda: flow.one(f"SELECT COUNT(*) FROM {name}.TYPES_CHANGES") == 4)
    found = []
    for table in (f"{name}.TYPES", f"{name}.TYPES_CHANGES"):
        execute(f"SELECT * FROM {table} WHERE n < 3 OR f IS NOT NULL ORDER BY n")
        found.append(
            [
                tuple(cell.read() if isinstance(cell, oracledb.LOB) else cell for cell in row)
                for row in flow.cursor
            ]
        )
    assert len(found[0]) == 3
    assert found[0] == found[1]


def test_a_table_without_a_key_that_is_altered_meanwhile(flow: Flow) -> None:
    execute, name = flow.cursor.execute, flow.name
    execute(f"ALTER TABLE {flow.source} DROP PRIMARY KEY")
    flow.start()
    flow.insert(1, 2)
    execute(f"ALTER TABLE {flow.source} ADD (more VARCHAR2(10) DEFAULT 'm')")
    execute(f"UPDATE {flow.source} SET more = 'n', text = 'changed' WHERE id = 2")
    flow.connection.commit()
    execute(f"DELETE FROM {flow.source} WHERE id = 1")
    flow.connection.commit()
    flow.wait_for(5)
    found = flow.rows(
        f"SELECT command_type$, value_type$, id, TRIM(text) FROM {name}.CHG ORDER BY commit_scn$"
    )
    assert ("UPDATE", "NEW", 2, "changed") in found
    assert found[-1][:3] == ("DELETE", "OLD", 1)


def test_what_other_tables_do_is_not_captured(flow: Flow) -> None:
    flow.start()
    flow.cursor.execute(f"CREATE TABLE {flow.name}.OTHER AS SELECT * FROM {flow.source}")
    flow.cursor.executemany(
        f"INSERT INTO {flow.name}.OTHER (id, text) VALUES (:1, :2)", [(n, "x" * 100) for n in range(2000)]
    )
    flow.insert(1, 1)
    flow.wait_for(1)
    flow.at_rest()
    assert flow.one("SELECT cnum_msgs FROM v$buffered_queues WHERE queue_name = :1", flow.queue) == 1


def test_two_queues_work_side_by_side(flow: Flow) -> None:
    other = Flow(flow.server)
    other.set_up()
    try:
        for one in (flow, other):
            one.start()
        for one in (flow, other):
            one.insert(1, 300)
        for one in (flow, other):
            one.wait_for(300)
            one.at_rest()
        other.stop_apply()
        flow.insert(301, 10)
        flow.wait_for(310)
        flow.at_rest()
        assert other.recorded() == 300
        assert flow.one("SELECT total_memory_allocated FROM v$streams_pool_statistics") == 0
    finally:
        other.close()


def test_what_the_pool_cannot_hold_is_spilled_from_the_queue_and_read_back(flow: Flow) -> None:
    count = 6000
    flow.parameter("txn_lcr_spill_threshold", "100000")
    flow.start()
    flow.insert(1, count, width=1000)
    flow.wait_for(count)
    flow.at_rest()
    spilled, total = flow.rows(
        "SELECT cspill_msgs, cnum_msgs FROM v$buffered_queues WHERE queue_name = :1", flow.queue
    )[0]
    assert total == count
    pool = flow.one("SELECT current_size FROM v$streams_pool_statistics")
    assert pool == 4 * MEGABYTE
    assert count - pool // 1000 < spilled < count
    assert (
        flow.one(
            "SELECT total_messages_spilled FROM v$streams_apply_reader WHERE apply_name = :1",
            f"{flow.name}_A",
        )
        == 0
    )
    assert flow.rows(f"SELECT COUNT(*), COUNT(DISTINCT id), SUM(id) FROM {flow.changes}") == [
        (count, count, count * (count + 1) // 2)
    ]
    same = f"SELECT COUNT(*) FROM {flow.changes} c JOIN {flow.source} s ON s.id = c.id AND s.text = c.text"
    assert flow.one(same) == count
    advice = flow.rows(
        "SELECT streams_pool_size_factor, estd_spill_count FROM v$streams_pool_advice ORDER BY 1"
    )
    counts = [row[1] for row in advice]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[9] >= spilled > counts[-1]


def test_the_reader_spills_a_transaction_beyond_its_threshold_and_the_queue_does_not(flow: Flow) -> None:
    count = 5000
    flow.parameter("txn_lcr_spill_threshold", "1000")
    flow.start()
    flow.insert(1, count, width=1000)
    flow.insert(count + 1, 1000)
    flow.wait_for(count + 1000)
    flow.at_rest()
    reader = flow.rows(
        "SELECT total_messages_dequeued, total_messages_spilled FROM v$streams_apply_reader "
        "WHERE apply_name = :1",
        f"{flow.name}_A",
    )
    assert reader == [(count + 1000, count)]
    assert flow.one("SELECT cspill_msgs FROM v$buffered_queues WHERE queue_name = :1", flow.queue) == 0
    assert flow.rows("SELECT * FROM dba_apply_spill_txn") == []
    same = f"SELECT COUNT(*) FROM {flow.changes} c JOIN {flow.source} s ON s.id = c.id AND s.text = c.text"
    assert flow.one(same) == count + 1000


@pytest.mark.parametrize("serialization", ["DEPENDENT_TRANSACTIONS", "FULL"])
def test_changes_of_a_row_are_applied_in_their_order(flow: Flow, serialization: str) -> None:
    """Many small transactions on few rows, several servers: the last recorded values are the source's."""
    flow.parameter("parallelism", "4")
    flow.parameter("commit_serialization", serialization)
    flow.insert(1, 5)
    for number in range(120):
        flow.cursor.execute(
            f"UPDATE {flow.source} SET text = :1 WHERE id = :2", [f"{number}", number % 5 + 1]
        )
        flow.connection.commit()
    flow.start()
    flow.wait_for(5 + 2 * 120)
    flow.at_rest()
    with Cluster(flow.server.instance).connect() as connection:
        # One that waits for another begins after that has ended, so PostgreSQL numbers them in their order.
        applied_in_order = connection.execute(
            f'SELECT "ID"::int, "TEXT"::text::int FROM "{flow.name}"."CHG" '
            "WHERE \"VALUE_TYPE$\" = 'NEW' AND \"COMMAND_TYPE$\" = 'UPDATE' ORDER BY xmin::text::bigint"
        ).fetchall()
    for row in range(1, 6):
        assert [text for key, text in applied_in_order if key == row] == list(range(row - 1, 120, 5))
    received, applied, servers = flow.rows(
        "SELECT c.total_received, c.total_applied, (SELECT COUNT(*) FROM v$streams_apply_server s "
        "WHERE s.apply_name = c.apply_name AND s.total_assigned > 0) FROM v$streams_apply_coordinator c "
        "WHERE c.apply_name = :1",
        f"{flow.name}_A",
    )[0]
    assert received == applied == 121
    assert servers > 1


def test_an_apply_that_was_stopped_goes_on_where_it_was(flow: Flow) -> None:
    flow.start()
    flow.insert(1, 100)
    flow.wait_for(100)
    flow.stop_apply()
    flow.stop_apply()
    assert flow.one("SELECT status FROM dba_apply WHERE apply_name = :1", f"{flow.name}_A") == "DISABLED"
    assert flow.rows("SELECT 1 FROM v$streams_apply_reader WHERE apply_name = :1", f"{flow.name}_A") == []
    flow.insert(101, 100)
    state = "SELECT state FROM v$streams_capture WHERE capture_name = :1"
    flow.until(lambda: flow.one(state, f"{flow.name}_C") == "WAITING FOR INACTIVE DEQUEUERS")
    assert flow.recorded() == 100
    flow.start()
    flow.wait_for(200)
    flow.at_rest()
    time.sleep(0.3)
    assert flow.recorded() == 200
    progress = "SELECT COUNT(*) FROM dba_apply_progress WHERE apply_name = :1 AND applied_message_number > 0"
    flow.until(lambda: flow.one(progress, f"{flow.name}_A") == 1)


def test_what_the_instantiated_table_has_already_is_not_applied(archiving: Server) -> None:
    flow = Flow(archiving)
    flow.set_up(instantiate=False)
    try:
        flow.insert(1, 10)
        flow.instantiate()
        flow.insert(11, 10)
        flow.start()
        flow.wait_for(10)
        assert flow.rows(f"SELECT MIN(id), MAX(id), COUNT(*) FROM {flow.changes}") == [(11, 20, 10)]
    finally:
        flow.close()


def test_an_error_aborts_apply_and_a_repaired_one_goes_on(flow: Flow) -> None:
    flow.cursor.execute(f"ALTER TABLE {flow.changes} ADD CONSTRAINT small CHECK (id < 5)")
    flow.start()
    flow.insert(1, 10)
    status = "SELECT status FROM dba_apply WHERE apply_name = :1"
    flow.until(lambda: flow.one(status, f"{flow.name}_A") == "ABORTED")
    number, message = flow.rows(
        "SELECT error_number, error_message FROM dba_apply WHERE apply_name = :1", f"{flow.name}_A"
    )[0]
    assert number == 26714
    assert "ORA-02290" in message
    assert flow.recorded() == 0
    flow.cursor.execute(f"ALTER TABLE {flow.changes} DROP CONSTRAINT small")
    flow.call("dbms_apply_adm.start_apply", f"{flow.name}_A")
    flow.wait_for(10)
    assert flow.rows(
        "SELECT status, error_number FROM dba_apply WHERE apply_name = :1", f"{flow.name}_A"
    ) == [("ENABLED", None)]


@pytest.mark.parametrize(
    ("handlers", "instantiate", "code"), [("INSERT", True, 3001), ("INSERT UPDATE", False, 26687)]
)
def test_what_cannot_be_applied_aborts(
    archiving: Server, handlers: str, instantiate: bool, code: int
) -> None:
    flow = Flow(archiving)
    flow.set_up(handlers=handlers, instantiate=instantiate)
    try:
        flow.start()
        flow.insert(1, 1)
        flow.cursor.execute(f"UPDATE {flow.source} SET text = 'x'")
        flow.connection.commit()
        error = "SELECT error_number FROM dba_apply WHERE apply_name = :1"
        flow.until(lambda: flow.one(error, f"{flow.name}_A") == code)
    finally:
        flow.close()


def test_dropping_leaves_nothing(flow: Flow) -> None:
    flow.start()
    with pytest.raises(oracledb.DatabaseError, match="ORA-26666"):
        flow.call("dbms_apply_adm.drop_apply", f"{flow.name}_A")
    with pytest.raises(oracledb.DatabaseError, match="ORA-26668"):
        flow.call("dbms_xstream_adm.remove_queue", flow.queue)
    flow.cursor.execute("BEGIN dbms_xstream_adm.remove_queue(:1, cascade => TRUE); END;", [flow.queue])
    for view, column in (
        ("dba_apply", "queue_name"),
        ("dba_capture", "queue_name"),
        ("dba_queues", "name"),
        ("v$buffered_queues", "queue_name"),
    ):
        assert flow.rows(f"SELECT 1 FROM {view} WHERE {column} = :1", flow.queue) == []
    with pytest.raises(oracledb.DatabaseError, match="ORA-26701"):
        flow.call("dbms_apply_adm.drop_apply", f"{flow.name}_A")


def test_noarchivelog_refuses_a_capture(oracle: Server) -> None:
    with oracle.connect() as connection, connection.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = TRUE")
        cursor.callproc("dbms_xstream_adm.set_up_queue", ["plain_qt", None, "plain_q"])
        cursor.callproc("dbms_xstream_adm.set_up_queue", ["plain_qt", None, "plain_q"])
        with pytest.raises(oracledb.DatabaseError, match="ORA-01325"):
            cursor.callproc("dbms_capture_adm.create_capture", ["plain_q", "plain_c"])
        with pytest.raises(oracledb.DatabaseError, match="ORA-24010"):
            cursor.callproc("dbms_capture_adm.create_capture", ["no_q", "plain_c"])
        assert cursor.execute("SELECT COUNT(*) FROM dba_capture").fetchone() == (0,)
        cursor.callproc("dbms_xstream_adm.remove_queue", ["plain_q"])
        with pytest.raises(oracledb.DatabaseError, match="ORA-24010"):
            cursor.callproc("dbms_xstream_adm.remove_queue", ["plain_q"])
        cursor.execute("ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = FALSE")


@pytest.mark.parametrize(
    ("parameter", "value", "code"),
    [
        ("txn_threshold", "1", "ORA-26667"),
        (None, "1", "ORA-26667"),
        ("parallelism", "0", "ORA-23605"),
        ("parallelism", "four", "ORA-23605"),
        ("txn_lcr_spill_threshold", "-1", "ORA-23605"),
        ("commit_serialization", "NONE", "ORA-23605"),
        ("disable_on_error", "N", "ORA-03001"),
    ],
)
def test_bad_parameters_change_nothing(unused: Flow, parameter: str | None, value: str, code: str) -> None:
    kept = "SELECT parameter, value, set_by_user FROM dba_apply_parameters WHERE apply_name = :1 ORDER BY 1"
    before = unused.rows(kept, f"{unused.name}_A")
    with pytest.raises(oracledb.DatabaseError, match=code):
        unused.call("dbms_apply_adm.set_parameter", f"{unused.name}_A", parameter, value)
    assert unused.rows(kept, f"{unused.name}_A") == before
    assert ("TXN_LCR_SPILL_THRESHOLD", "10000", "NO") in before


def test_null_brings_back_the_default(unused: Flow) -> None:
    shown = (
        "SELECT value, set_by_user FROM dba_apply_parameters "
        "WHERE apply_name = :1 AND parameter = 'PARALLELISM'"
    )
    unused.parameter("parallelism", "2")
    assert unused.rows(shown, f"{unused.name}_A") == [("2", "YES")]
    unused.parameter("PARALLELISM", None)
    assert unused.rows(shown, f"{unused.name}_A") == [("4", "NO")]
