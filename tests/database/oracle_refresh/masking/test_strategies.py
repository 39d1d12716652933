"""Tables masked by chunks and by rewriting: each row once, whoever is killed when."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, chunked, control, mask_table, rewrite, run
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.masking.compiler import compile_table
from oracle_refresh.masking.run import Options
from oracle_refresh.masking.strategy import Strategy
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.objects.statistics import lock_statistics, statistics_locked
from support.between import Between
from support.masked_people import KEY, RULES, Database, expected, rows
from support.samples import key

KINDS = ["chunks", "rewrite"]
COUNT = 300


@pytest.fixture
def database(schema: Any) -> Database:
    return Database(schema)


class Killed(BaseException):
    """What a signal does to a task."""


class Case:
    """A filled table that is masked in four chunks."""

    def __init__(self, database: Database, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database, self.originals = database, rows(COUNT)
        self.patch = monkeypatch
        database.fill(self.originals)
        connection = database.connection
        with connection.cursor() as cursor:
            cursor.execute("SELECT CONSTRAINT_NAME FROM USER_CONSTRAINTS WHERE TABLE_NAME = 'PEOPLE'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'ALTER TABLE PEOPLE DROP CONSTRAINT "{name}"')
        self.kind = kind
        monkeypatch.setattr(run, "choose", lambda facts, kind: Strategy(kind, 4, facts.degree, "test"))

    def mask(
        self,
        degree: int = 1,
        rules: Any = RULES,
        key: MasterKey = KEY,
        run_id: str = "run",
        connection: Any = None,
    ) -> Any:
        table = self.database.table
        ruleset = Ruleset("test", {(table.owner, table.name): rules}, "f" + str(len(rules)))
        options = Options(degree, self.database.schema.connect, strategy=self.kind)
        connection = connection or self.database.connection
        return mask_table(table, ruleset, key, Ledger(connection, run_id), options=options)

    def change(self, assignment: str, where: str = "1 = 1") -> None:
        with self.database.connection.cursor() as cursor:
            cursor.execute(f"UPDATE PEOPLE SET {assignment} WHERE {where}")
        self.database.connection.commit()

    def require_masked(self) -> None:
        assert self.database.read() == [expected(row) for row in self.originals]
        left = self.database.read("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%'")
        assert left == [("REFRESH$LEDGER",)]


@pytest.fixture(params=KINDS)
def case(request: Any, database: Database, monkeypatch: pytest.MonkeyPatch) -> Case:
    return Case(database, request.param, monkeypatch)


@pytest.mark.parametrize("degree", [1, 2, 8])
def test_every_value_is_the_references(case: Case, degree: int) -> None:
    result = case.mask(degree)
    assert (result.rows, result.chunks, len(result.columns)) == (COUNT, 4, 9)
    case.require_masked()
    assert case.mask() == result
    case.require_masked()


@pytest.mark.parametrize(("degree", "killed"), [(1, False), (2, False), (2, True)])
def test_a_value_that_does_not_conform_stops_everything(case: Case, degree: int, killed: bool) -> None:
    """A copy meets it in the pass, an update before; either is as if nothing had begun, and the corrected
    data are masked in the same run, whoever was killed meanwhile and whatever is chosen then."""
    form = SegmentMapping(("999", "-", "9999", "K"))
    rule = ColumnRule("PHONE", "segment_mapping", "segments", form)
    case.change("PHONE = LPAD(MOD(ID * 37, 1000), 3, '0') || '-' || LPAD(ID, 4, '0') || 'x'")
    whole = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    case.change("PHONE = '00-00000'", f"ID = {COUNT - 1}")
    before = case.database.read()
    if killed and case.kind == "rewrite":
        with case.patch.context() as patch:
            kept, case.patch = case.patch, patch
            _kill_after(case, chunked, "require_conforming", 2, before=True)
            with pytest.raises(Killed):
                case.mask(degree, [rule])
            case.patch = kept
    with pytest.raises(MaskingError, match=r"PHONE: 1 .* in 1 rows do not conform: 99-99999 \(1 rows\)"):
        case.mask(degree, [rule])
    assert case.database.read() == before
    assert case.database.ledger.state(run.STEP, case.database.table.key) is None
    case.change(f"PHONE = '{whole[-1][0]}'", f"ID = {COUNT - 1}")
    case.patch.setattr(run, "choose", lambda facts, kind: Strategy(kind, 2, facts.degree, "fewer chunks"))
    result = case.mask(degree, [rule])
    assert (result.rows, result.chunks) == (COUNT, 2)
    masked = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    assert masked == [(form.mask(KEY.domain("segments"), phone),) for (phone,) in whole]
    assert case.database.control_tables() == []


@pytest.mark.parametrize(("policy", "stands"), [("null", None), ("redact", "redacted")])
def test_values_that_do_not_conform_are_told_whatever_the_way(case: Case, policy: Any, stands: Any) -> None:
    form = SegmentMapping(("999", "-", "9999"))
    rule = ColumnRule("PHONE", "segment_mapping", "segments", form, policy=policy)
    case.change("PHONE = LPAD(MOD(ID * 37, 1000), 3, '0') || '-' || LPAD(ID, 4, '0')")
    case.change("PHONE = '000-00001'", "ID < 2")
    before = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    [told] = case.mask(1, [rule]).non_conforming
    assert (told.column, told.rows, told.policy) == ("PHONE", 2, policy)
    masked = case.database.read("SELECT PHONE FROM PEOPLE ORDER BY ID")
    assert [value for (value,) in masked[2:]] == [form.mask(KEY.domain("segments"), p) for (p,) in before[2:]]
    assert all(
        value is None if stands is None else value not in (None, "000-00001") for (value,) in masked[:2]
    )


def _kill_after(case: Case, target: Any, name: str, calls: int, before: bool = False) -> list[int]:
    """Let the so-manyth call of a function be the last thing that happens."""
    inner, count = getattr(target, name), [0]

    def killed(*given: Any, **named: Any) -> Any:
        count[0] += 1
        if before and count[0] == calls:
            raise Killed
        result = inner(*given, **named)
        if count[0] == calls:
            raise Killed
        return result

    case.patch.setattr(target, name, killed)
    return count


@pytest.mark.parametrize("calls", [1, 2, 3, 4])
@pytest.mark.parametrize("inside", [True, False])
def test_killed_at_every_chunk(case: Case, calls: int, inside: bool) -> None:
    """Between the chunks, and between a chunk's change and its commit."""
    with case.patch.context() as patch:
        case.patch, whole = patch, case.patch
        if inside:
            inner, count = Ledger.record, [0]

            def record(ledger: Ledger, step: str, key: str, state: str, *more: Any, **named: Any) -> Any:
                if step == chunked.CHUNK and state == "done":
                    count[0] += 1
                    if count[0] == calls:
                        raise Killed
                return inner(ledger, step, key, state, *more, **named)

            patch.setattr(Ledger, "record", record)
        else:
            _kill_after(case, chunked.ChunkedMasking, "_chunk", calls)
        with pytest.raises(Killed):
            case.mask()
        case.patch = whole
    done = case.database.ledger.states(chunked.CHUNK)
    assert sum(state == "done" for state in done.values()) == calls - inside
    assert case.mask().rows == COUNT
    case.require_masked()


@pytest.mark.parametrize(
    ("target", "name", "calls"),
    [
        (control, "create", 1),
        (chunked.ChunkedMasking, "_fill_maps", 1),
        (chunked.ChunkedMasking, "_list_chunks", 1),
        (chunked.ChunkedMasking, "prepare", 1),
        (chunked.ChunkedMasking, "finish", 1),
        (chunked.ChunkedMasking, "drop", 2),
    ],
)
def test_killed_between_the_steps(case: Case, target: Any, name: str, calls: int) -> None:
    with case.patch.context() as patch:
        whole, case.patch = case.patch, patch
        _kill_after(case, target, name, calls)
        with pytest.raises(Killed):
            case.mask()
        case.patch = whole
    assert case.mask().rows == COUNT
    case.require_masked()


@pytest.mark.parametrize("calls", range(1, 7))
def test_killed_while_the_copy_takes_the_name(
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    calls: int,
) -> None:
    """Before and after each of the renames, and before the old table is dropped."""
    case = Case(database, "rewrite", monkeypatch)
    with monkeypatch.context() as patch:
        case.patch = patch
        if calls < 6:
            count = _kill_after(case, rewrite.Copy, "_objects", calls + 1)
        else:
            count = _kill_after(case, rewrite.Copy, "_dress", 1)
        with pytest.raises(Killed):
            case.mask()
    assert count
    case.patch = monkeypatch
    assert case.mask().rows == COUNT
    case.require_masked()


class Interrupted(BaseException):
    """What a timeout of Airflow's raises in the main thread."""


def test_an_interrupted_masking_begins_no_further_chunk(case: Case) -> None:
    """The chunks at work are cancelled, and the next try finds each of them to do."""
    main = threading.main_thread().ident
    assert main is not None
    begun = threading.Barrier(2)

    def interrupt(*_: object) -> None:
        raise Interrupted

    def chunk(job: Any, connection: Any, number: int, *_: object) -> None:
        assert Ledger(connection, "run").claim(chunked.CHUNK, job._item(number))
        if begun.wait(120) == 0:
            signal.pthread_kill(main, signal.SIGUSR1)
        with connection.cursor() as cursor:
            cursor.callproc("DBMS_SESSION.SLEEP", [60])
        connection.commit()

    former = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with case.patch.context() as patch:
            patch.setattr(chunked.ChunkedMasking, "_chunk", chunk)
            with pytest.raises(Interrupted):
                case.mask(2)
    finally:
        signal.signal(signal.SIGUSR1, former)
    done = case.database.ledger.states(chunked.CHUNK)
    assert list(done.values()) == ["running"] * 4
    assert case.mask(2).rows == COUNT
    case.require_masked()


@pytest.mark.parametrize("name", ["read_facts", "_fill_maps", "_list_chunks"])
def test_a_try_that_stood_still_does_not_begin_anew(case: Case, name: str) -> None:
    """Its successor has masked half of the table by then: what it would list are masked rows."""
    owner: Any = run if name == "read_facts" else chunked.ChunkedMasking
    inner, chunk, calls = getattr(owner, name), chunked.ChunkedMasking._chunk, iter(range(9))

    def stand_still(*given: Any) -> Any:
        case.patch.setattr(owner, name, inner)
        with case.database.schema.connect() as other, pytest.raises(Killed):
            case.mask(connection=other)
        return inner(*given)

    def killed(*given: Any) -> None:
        if next(calls) == 2:
            raise Killed
        chunk(*given)

    with case.patch.context() as patch:
        whole, case.patch = case.patch, patch
        patch.setattr(owner, name, stand_still)
        patch.setattr(chunked.ChunkedMasking, "_chunk", killed)
        with pytest.raises(MaskingError):
            case.mask()
        case.patch = whole
    done = list(case.database.ledger.states(chunked.CHUNK).values())
    assert done.count("done") == 2
    assert case.mask().rows == COUNT
    case.require_masked()


def test_the_last_statement_of_a_killed_task_is_waited_for(case: Case) -> None:
    """Its session holds the control tables and the copy until it notices that nobody is there any more."""
    sent: list[str] = []
    case.database.connection = Between(case.database.connection, sent.append)
    case.mask()
    drops = [number for number, statement in enumerate(sent) if statement.startswith("DROP TABLE")]
    assert sent.index("ALTER SESSION SET DDL_LOCK_TIMEOUT = 600") < drops[0]


def _begin(case: Case) -> None:
    """Mask some chunks, and be killed."""
    with case.patch.context() as patch:
        whole, case.patch = case.patch, patch
        _kill_after(case, chunked.ChunkedMasking, "_chunk", 2)
        with pytest.raises(Killed):
            case.mask()
        case.patch = whole


def test_a_begun_masking_tells_another_key_and_ruleset_apart(case: Case) -> None:
    _begin(case)
    with pytest.raises(MaskingError, match=r"has begun to mask the table already, with key \S+; now it is"):
        case.mask(key=MasterKey(b"another key of bytes"))
    with pytest.raises(MaskingError, match=r"has begun to mask the table already, with ruleset f9 and"):
        case.mask(rules=RULES[:3])
    assert case.mask().rows == COUNT
    case.require_masked()


def test_another_run_does_not_mask_masked_rows(case: Case) -> None:
    case.mask()
    with pytest.raises(MaskingError, match="has masked the table with the same key and ruleset"):
        case.mask(run_id="next")
    with pytest.raises(MaskingError, match="with another key"):
        case.mask(run_id="next", key=MasterKey(b"another key of bytes"))
    case.require_masked()
    Ledger(case.database.connection, "next").record("build_table", case.database.table.key, "done")
    assert case.mask(run_id="next").rows == COUNT


def test_another_run_does_not_go_on_where_one_was_given_up(case: Case) -> None:
    """Some chunks are masked, and only the run that was given up knows which."""
    _begin(case)
    before = case.database.read()
    with pytest.raises(MaskingError, match="has begun to mask the table and nothing says that it was loaded"):
        case.mask(run_id="next")
    assert case.database.read() == before
    assert case.mask().rows == COUNT
    case.require_masked()


def test_a_key_of_several_columns_is_proven_before_anything_is_committed(case: Case) -> None:
    """A lookup gives several people one name: their key would come more than once."""
    table = case.database.table
    two = key("U", "PEOPLE_UK", "FIRST_NAME", "RATING")
    case.database.table = replace(table, constraints=(*table.constraints, two))
    with case.database.connection.cursor() as cursor:
        cursor.execute("UPDATE PEOPLE SET RATING = 1, FIRST_NAME = FIRST_NAME || ID")
    case.database.connection.commit()
    before = case.database.read()
    with pytest.raises(MaskingError, match=r"values of the key PEOPLE_UK would come more than once"):
        case.mask()
    assert case.database.read() == before


def test_a_copy_keeps_comments_grants_defaults_storage(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(database, "rewrite", monkeypatch)
    questions = (
        "SELECT COMMENTS FROM USER_TAB_COMMENTS WHERE TABLE_NAME = 'PEOPLE'",
        "SELECT COLUMN_NAME, COMMENTS FROM USER_COL_COMMENTS WHERE TABLE_NAME = 'PEOPLE' ORDER BY 1",
        "SELECT GRANTEE, PRIVILEGE, GRANTABLE FROM USER_TAB_PRIVS WHERE TABLE_NAME = 'PEOPLE' ORDER BY 1, 2",
        "SELECT COLUMN_NAME, PRIVILEGE FROM USER_COL_PRIVS WHERE TABLE_NAME = 'PEOPLE' ORDER BY 1, 2",
        "SELECT COLUMN_NAME, DATA_TYPE, DATA_LENGTH, CHAR_USED, DATA_DEFAULT FROM USER_TAB_COLUMNS "
        "WHERE TABLE_NAME = 'PEOPLE' ORDER BY COLUMN_ID",
        "SELECT PCT_FREE, BUFFER_POOL FROM USER_TABLES WHERE TABLE_NAME = 'PEOPLE'",
    )
    with database.connection.cursor() as cursor:
        for statement in (
            "ALTER TABLE PEOPLE PCTFREE 30 STORAGE (BUFFER_POOL KEEP)",
            "ALTER TABLE PEOPLE MODIFY (EMAIL DEFAULT 'nobody@example.test')",
            "COMMENT ON TABLE PEOPLE IS 'who''s who'",
            "COMMENT ON COLUMN PEOPLE.EMAIL IS 'address'",
            "GRANT SELECT, INSERT ON PEOPLE TO PUBLIC",
            "GRANT UPDATE (EMAIL) ON PEOPLE TO SYSTEM WITH GRANT OPTION",
        ):
            cursor.execute(statement)
    before = [database.read(question) for question in questions]
    case.mask()
    assert [database.read(question) for question in questions] == before
    case.require_masked()


@pytest.mark.parametrize("locked", [True, False])
def test_a_copy_has_the_lock_of_statistics_that_the_table_has(
    locked: bool, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(database, "rewrite", monkeypatch)
    if locked:
        lock_statistics(database.connection, [database.table.full_name])
    case.mask()
    case.require_masked()
    assert statistics_locked(database.connection, database.table.full_name) is locked


def test_a_changed_table_is_not_swapped(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(database, "rewrite", monkeypatch)
    inner = chunked.ChunkedMasking.work

    def work(job: chunked.ChunkedMasking) -> None:
        inner(job)
        with database.schema.connect() as other:
            other.cursor().execute("INSERT INTO PEOPLE (ID, FIRST_NAME) VALUES (99999, 'New')")
            other.commit()

    monkeypatch.setattr(chunked.ChunkedMasking, "work", work)
    with pytest.raises(MaskingError, match="300 rows were copied, the table has 301"):
        case.mask()


def test_what_hangs_on_a_table_forbids_a_copy(database: Database) -> None:
    from oracle_refresh.masking.facts import obstacles

    database.fill(rows(3))
    found = obstacles(database.connection, database.table)
    assert any(each.startswith("constraint ") for each in found)
    assert any(each.startswith("index ") for each in found)
    assert not any(each.startswith("view ") for each in found)
    with database.connection.cursor() as cursor:
        cursor.execute("CREATE VIEW NAMES AS SELECT ID FROM PEOPLE")
        assert "view NAMES" in obstacles(database.connection, database.table)
        cursor.execute("DROP VIEW NAMES")
    with database.schema.server.connect() as system:  # who masks the tables of others may hold grants on them
        assert not any(each.startswith("grant") for each in obstacles(system, database.table))
        with database.connection.cursor() as cursor:
            cursor.execute("GRANT SELECT, UPDATE (EMAIL) ON PEOPLE TO SYSTEM")
        assert "grant to SYSTEM" in obstacles(system, database.table), "ORA-01749"
    other = replace(database.table, name="PARTS")
    with database.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE PARTS (ID NUMBER) PARTITION BY HASH (ID) PARTITIONS 2")
    assert "partitioned" in obstacles(database.connection, other)


def test_what_hangs_on_a_small_table_is_looked_for_where_a_copy_is_asked_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it decides nothing, and of a thousand small tables each question counts."""
    from oracle_refresh.masking import facts

    database.fill(rows(3))
    asked: list[Table] = []

    def obstacles(_: Any, table: Table) -> tuple[str, ...]:
        asked.append(table)
        return ()

    monkeypatch.setattr(facts, "obstacles", obstacles)
    plan = compile_table(database.table, tuple(RULES), "run", {})

    def read(options: Options) -> None:
        facts.read_facts(database.connection, database.table, tuple(RULES), plan, options)

    read(Options())
    assert asked == []
    read(Options(strategy="rewrite"))
    monkeypatch.setattr(facts, "SMALL_ROWS", 3)
    read(Options())
    assert asked == [database.table] * 2


def test_rowids_are_those_of_the_targets_own_kind_of_tablespace(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The catalogue is the source's: there the table is in a bigfile tablespace."""
    case, asked = Case(database, "rewrite", monkeypatch), []
    inner = chunked.statements.ranges
    monkeypatch.setattr(
        chunked.statements, "ranges", lambda table, bigfile: asked.append(bigfile) or inner(table, bigfile)
    )
    with database.connection.cursor() as cursor:
        cursor.execute(
            "SELECT S.BIGFILE FROM USER_TABLES T JOIN USER_TABLESPACES S"
            " ON S.TABLESPACE_NAME = T.TABLESPACE_NAME WHERE T.TABLE_NAME = 'PEOPLE'"
        )
        (kind,) = cursor.fetchone() or ("",)
    other = replace(database.table, bigfile_tablespace=kind == "NO")
    database.table = other
    case.mask()
    assert asked == [kind == "YES"]
    case.require_masked()
