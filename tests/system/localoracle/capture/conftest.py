"""A server in ARCHIVELOG mode, and a table whose changes are captured into another one."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from support.stand_in import Server, new_server

WAIT_SECONDS = 120
_numbers = itertools.count(1)


@dataclass
class Flow:
    """Queue, capture and apply of one table SRC into its change table CHG, in a schema of their own."""

    server: Server
    name: str = field(default_factory=lambda: f"FLOW{next(_numbers)}")

    def __post_init__(self) -> None:
        self.connection = self.server.connect()
        self.cursor = self.connection.cursor()

    @property
    def source(self) -> str:
        return f"{self.name}.SRC"

    @property
    def changes(self) -> str:
        return f"{self.name}.CHG"

    @property
    def queue(self) -> str:
        return f"{self.name}_Q"

    def set_up(self, *, handlers: str = "INSERT UPDATE DELETE", instantiate: bool = True) -> None:
        execute, name = self.cursor.execute, self.name
        execute(f"CREATE USER {name} IDENTIFIED BY x")
        execute(f"GRANT CREATE SESSION, UNLIMITED TABLESPACE TO {name}")
        execute(
            f"CREATE TABLE {self.source} (id NUMBER PRIMARY KEY, text VARCHAR2(4000), at DATE, body CLOB)"
        )
        execute(
            f"CREATE TABLE {self.changes} (command_type$ VARCHAR2(10), value_type$ VARCHAR2(3), "
            "commit_scn$ NUMBER, transaction_id$ VARCHAR2(50), "
            "id NUMBER, text VARCHAR2(4000), at DATE, body CLOB)"
        )
        self.call(
            "dbms_xstream_adm.set_up_queue", f"{name}_QT", self.queue, in_order="queue_table queue_name"
        )
        self.call("dbms_capture_adm.create_capture", self.queue, f"{name}_C")
        self.call(
            "dbms_xstream_adm.add_table_rules",
            self.source,
            "capture",
            f"{name}_C",
            self.queue,
        )
        self.call("dbms_capture_adm.prepare_table_instantiation", self.source)
        execute(
            "BEGIN dbms_apply_adm.create_apply(queue_name => :q, apply_name => :a, "
            "apply_captured => TRUE); END;",
            q=self.queue,
            a=f"{name}_A",
        )
        for operation in handlers.split():
            self.call(
                "dbms_apply_adm.set_change_handler",
                self.changes,
                self.source,
                "*",
                f"{name}_A",
                operation,
                f"H_{operation}",
            )
        if instantiate:
            self.instantiate()

    def instantiate(self, table: str | None = None) -> None:
        self.cursor.execute(
            "BEGIN dbms_apply_adm.set_table_instantiation_scn(:t, :d, "
            "dbms_flashback.get_system_change_number); END;",
            t=table or self.source,
            d=self.server.instance.service_name,
        )

    def call(self, procedure: str, *values: Any, in_order: str = "") -> None:
        """A procedure with these values, by position or by the names of `in_order`."""
        if in_order:
            self.cursor.callproc(
                procedure, keyword_parameters=dict(zip(in_order.split(), values, strict=True))
            )
        else:
            self.cursor.callproc(procedure, list(values))

    def start(self) -> None:
        self.call("dbms_apply_adm.start_apply", f"{self.name}_A")
        self.call("dbms_capture_adm.start_capture", f"{self.name}_C")

    def stop_apply(self) -> None:
        self.call("dbms_apply_adm.stop_apply", f"{self.name}_A")

    def parameter(self, name: str, value: str | None) -> None:
        self.call("dbms_apply_adm.set_parameter", f"{self.name}_A", name, value)

    def insert(self, first: int, count: int, *, width: int = 200) -> None:
        """One transaction."""
        rows = [(number, f"row {number} ".ljust(width, "x")) for number in range(first, first + count)]
        self.cursor.executemany(f"INSERT INTO {self.source} (id, text) VALUES (:1, :2)", rows)
        self.connection.commit()

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        self.cursor.execute(sql, list(values))
        found: list[tuple[Any, ...]] = self.cursor.fetchall()
        return found

    def one(self, sql: str, *values: Any) -> Any:
        return self.rows(sql, *values)[0][0]

    def recorded(self) -> int:
        return int(self.one(f"SELECT COUNT(*) FROM {self.changes}"))

    def until(self, condition: Callable[[], bool]) -> None:
        """Raises AssertionError with the state of the processes when it does not come true."""
        end = time.monotonic() + WAIT_SECONDS
        while not condition():
            assert time.monotonic() < end, self.rows(
                "SELECT a.status, a.error_message, c.status, c.error_message FROM dba_apply a "
                "JOIN dba_capture c ON c.queue_name = a.queue_name WHERE a.queue_name = :1",
                self.queue,
            )
            time.sleep(0.02)

    def wait_for(self, count: int) -> None:
        self.until(lambda: self.recorded() >= count)

    def at_rest(self) -> None:
        """Until the views show that every message is applied; a process begun anew shows no queue yet."""
        queued = "SELECT num_msgs + spill_msgs FROM v$buffered_queues WHERE queue_name = :1"
        self.until(lambda: self.rows(queued, self.queue) == [(0,)])

    def close(self) -> None:
        self.cursor.execute(
            "BEGIN FOR a IN (SELECT apply_name FROM dba_apply WHERE queue_name = :q) LOOP "
            "dbms_apply_adm.stop_apply(a.apply_name, force => TRUE); "
            "dbms_apply_adm.drop_apply(a.apply_name); END LOOP; "
            "FOR c IN (SELECT capture_name FROM dba_capture WHERE queue_name = :q) LOOP "
            "dbms_capture_adm.stop_capture(c.capture_name, force => TRUE); "
            "dbms_capture_adm.drop_capture(c.capture_name); END LOOP; END;",
            q=self.queue,
        )
        self.connection.close()


@pytest.fixture(scope="package")
def archiving() -> Iterator[Server]:
    server, end = new_server("archiving")
    done = server.command("control", "log-mode", "archivelog")
    assert done.returncode == 0, done.stderr
    with server.connect() as system:
        system.cursor().execute("ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = TRUE")
    yield server
    end()


@pytest.fixture(scope="module")
def unused(archiving: Server) -> Iterator[Flow]:
    """One whose processes are not started."""
    made = Flow(archiving)
    made.set_up()
    yield made
    made.close()


@pytest.fixture
def flow(archiving: Server) -> Iterator[Flow]:
    made = Flow(archiving)
    made.set_up()
    yield made
    made.close()
