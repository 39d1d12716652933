"""What rooms send about objects of their own: the store, tuning, change capture, test data, benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue
from oracle_refresh.dbfs import statements as dbfs
from oracle_refresh.definition.store import StoreTablespace
from oracle_refresh.first_contact.exotic_tables import EXOTIC_TABLES
from oracle_refresh.first_contact.kinds import KINDS
from oracle_refresh.first_contact.parsing import NEVER
from oracle_refresh.labs.change_capture import objects
from oracle_refresh.labs.data_load import statements as data_load
from oracle_refresh.labs.data_load.model import Work
from oracle_refresh.labs.data_load.profiles import PROFILES
from oracle_refresh.labs.masking import workload as benchmark
from oracle_refresh.labs.masking.model import Workload
from oracle_refresh.labs.masking.undo import UndoRecipe
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.target.quarantine import statements as quarantine
from oracle_refresh.tuning import statements as tuning
from oracle_refresh.tuning.cdc import calls
from oracle_refresh.tuning.cdc import statements as capture
from support.generated.columns import NAMES, OWNERS
from support.generated.recording import Recording
from support.generated.sent import Sent

_PATHS = ("/u01/oradata/it's one.dbf", "+DATA", "/u01/app/oracle/refresh.dbf")
_VALUES = ("TRUE", "4294967296", "it's", "PRIMARY, ALL", "", "0")
_PREFIXES = st.from_regex(r"[A-Z][A-Z0-9_]{0,9}", fullmatch=True)


def own(draw: st.DrawFn) -> Iterator[Sent]:
    """All statements about names that are drawn, without regard to a catalogue."""
    for one in (_quarantine, _store, _tuning, _capture, _data_load, _benchmark, _first_contact):
        yield from one(draw)


def _target(room: str, sql: str, *binds: str) -> Sent:
    return Sent(room, "target", sql, frozenset(binds))


def _quarantine(draw: st.DrawFn) -> Iterator[Sent]:
    account = draw(OWNERS)
    yield _target("quarantine", quarantine.lock(account))
    yield _target("quarantine", quarantine.unlock(account))
    yield _target("quarantine", quarantine.kill(*(draw(st.integers(1, 2**31)) for _ in range(3))))
    yield _target("quarantine", quarantine.held(account))
    stops = (quarantine.STOP_JOB, quarantine.STOP_JOB_BY_FORCE)
    for block in (quarantine.DISABLE_JOB, quarantine.ENABLE_JOB, *stops):
        yield _target("quarantine", block, "name")


def _store(draw: st.DrawFn) -> Iterator[Sent]:
    grows = draw(st.sampled_from([None, "1G"]))
    wanted = StoreTablespace(
        file=draw(st.sampled_from([None, "+DATA", "/u01/oradata/refresh.dbf"])),
        bigfile=draw(st.booleans()),
        autoextend=grows,
        max_size=draw(st.sampled_from(["32G", "unlimited"])) if grows else "unlimited",
    )
    yield _target("dbfs", dbfs.create_tablespace(draw(NAMES), wanted, draw(st.integers(1, 2**50))))
    yield _target("dbfs", dbfs.set_pctfree(TableName(draw(OWNERS), draw(NAMES)), draw(st.integers(0, 99))))


def _tuning(draw: st.DrawFn) -> Iterator[Sent]:
    name = draw(st.sampled_from(["db_cache_size", "db_recovery_file_dest", "parallel_max_servers"]))
    sid = draw(st.sampled_from(["*", "ORCL1"]))
    for scope in ("MEMORY", "SPFILE", "BOTH"):
        value = draw(st.sampled_from(_VALUES))
        yield _target("tuning", tuning.set_parameter(name, value, scope, sid, draw(st.booleans())))
    yield _target("tuning", tuning.reset_parameter(name, draw(st.sampled_from(["MEMORY", "SPFILE"])), sid))
    members = draw(st.lists(st.sampled_from(_PATHS), max_size=2, unique=True))
    yield _target("tuning", tuning.add_redo(1, draw(st.integers(1, 255)), members, 2**30))
    yield _target("tuning", tuning.drop_redo(draw(st.integers(1, 255))))
    tablespace, file = draw(NAMES), draw(st.sampled_from(_PATHS))
    yield _target("tuning", tuning.create_undo(tablespace, file, 2**30, 2**20, 2**40, draw(st.booleans())))
    yield _target("tuning", tuning.drop_tablespace(tablespace))
    yield _target("tuning", tuning.add_temp_file(tablespace, file, 2**30))
    yield _target("tuning", tuning.drop_temp_file(file))
    for on in (True, False):
        yield _target("tuning", tuning.force_logging(on))
        yield _target("tuning", tuning.flashback(on))


def _capture(draw: st.DrawFn) -> Iterator[Sent]:
    """The trials' own tables, queue, capture and apply, made anew where those of a killed trial are left."""
    owner = draw(OWNERS.filter(lambda name: Identifier(name).written == name))
    names = objects.TrialObjects(owner, draw(_PREFIXES.filter(lambda name: Identifier(name).written == name)))
    left = draw(st.booleans())
    tables: list[Any] = [(table.name,) for table in (names.source, names.changes, names.unrelated)]
    instance: Any = Recording(
        Catalogue((owner,), ()),
        answers={
            objects.LOG_MODE: [("ARCHIVELOG",)],
            objects.BEGINNING: [("ORCL", 4711)],
            objects.TABLES: tables if left else [],
            objects.CAPTURE: [("ENABLED",)] if left else [],
            objects.APPLY: [("ENABLED",)] if left else [],
            objects.QUEUE: [(names.queue.name,)] if left else [],
        },
    )
    objects.set_up(instance, names)
    yield from (Sent("labs.change_capture", "target", *each) for each in instance.sent)
    yield _target("tuning.cdc", calls.set_streams_pool(draw(st.integers(0, 2**40))))
    for family in capture.FAMILIES:
        for view in family.views:
            yield _target("tuning.cdc", capture.probe(view))
        for view in (family.capture, family.support, family.not_unique):
            yield _target("tuning.cdc", capture.probe(view))
        yield _target("tuning.cdc", capture.capture(family), "capture_name")
        yield _target("tuning.cdc", capture.session_waits(family.capture, "CAPTURE_NAME"), "capture_name")
        for of_apply in (capture.reader, capture.coordinator, capture.servers):
            yield _target("tuning.cdc", of_apply(family), "apply_name")
        for view in family.views:
            yield _target("tuning.cdc", capture.session_waits(view, "APPLY_NAME"), "apply_name")
        yield _target("tuning.cdc", capture.unsupported(family))
        yield _target("tuning.cdc", capture.not_unique(family))
        if family.transaction is not None:
            yield _target("tuning.cdc", capture.transactions(family.transaction), "capture_name")
    server = capture.session_waits("V$XSTREAM_OUTBOUND_SERVER", "SERVER_NAME")
    yield _target("tuning.cdc", server, "apply_name")
    extract = ("V$GOLDENGATE_CAPTURE", "CAPTURE_NAME", "SERVER_SID", "SERVER_SERIAL#")
    yield _target("tuning.cdc", capture.session_waits(*extract), "capture_name")


def _data_load(draw: st.DrawFn) -> Iterator[Sent]:
    profile = draw(st.sampled_from(sorted(PROFILES)))
    work = Work(
        draw(_PREFIXES), draw(NAMES), 2, draw(st.integers(1, 10**9)), 0, profile, draw(st.booleans()), 10, 4
    )
    schema = work.all_schemas[0]
    yield _target(
        "labs.data_load", data_load.create_seed(work, draw(st.integers(1, 64)), draw(st.integers(1, 10**6)))
    )
    yield _target("labs.data_load", data_load.create_table(work, schema))
    yield _target("labs.data_load", data_load.create_index(work, schema))


def _benchmark(draw: st.DrawFn) -> Iterator[Sent]:
    workload = Workload(draw(_PREFIXES), 1, 1, draw(st.integers(1, 10**9)), 1000)
    instance: Any = Recording(
        Catalogue((workload.schema,), ()),
        answers={benchmark.LEFT: [(name,) for name in workload.all_names]},
    )
    benchmark.fill_originals(instance, workload)
    benchmark.reset(instance, workload)
    yield from (Sent("labs.masking", "target", *each) for each in instance.sent)
    written = draw(st.sampled_from([None, 1.0, 1e9]))
    for text in UndoRecipe(draw(st.floats(0, 1e6)), written).statements:
        yield _target("labs.masking", text)


def _first_contact(draw: st.DrawFn) -> Iterator[Sent]:
    schema = Identifier(draw(OWNERS)).sql
    for kind in KINDS:
        for text in filter(None, (kind.create, kind.insert)):
            yield _target("first_contact", text.format(schema=schema))
    for exotic in EXOTIC_TABLES:
        for text in exotic.creates:
            yield _target("first_contact", text.format(schema=schema))
    for block in (dbfs.CREATE_FILE, dbfs.HASH_PIECE):
        yield Sent("first_contact", "target", NEVER.format(block=block))
