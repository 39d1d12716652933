"""Whose the schema of a calibration's sample is, when several runs have made one."""

from __future__ import annotations

import pytest

from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.session import scalar
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import RUNNING, Ledger, ensure_ledger
from oracle_refresh.target.sample_schema import SCHEMA, SCHEMAS, drop_sample
from oracle_refresh.transport.dump_files import declare_gone
from oracle_refresh.transport.statements import DUMPS
from support.demo import DemoDatabase

THERE = f"SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME = '{SCHEMA}'"


def test_only_the_run_that_has_made_it_last_drops_it(demo_target: DemoDatabase) -> None:
    with demo_target.connect() as target:
        killed, later = Documents(target, "killed"), Documents(target, "later")
        killed.ensure()
        assert not drop_sample(killed)
        SCHEMAS.make(killed, SCHEMA, "USERS")
        SCHEMAS.make(later, SCHEMA, "USERS")
        assert not drop_sample(killed)
        assert scalar(target, THERE) == 1
        assert drop_sample(later)
        assert scalar(target, THERE) == 0
        assert not drop_sample(later)


def test_what_is_somebody_elses_by_now_is_told_and_left(demo_target: DemoDatabase) -> None:
    """Dropped by hand, and made again: nobody knows what is in it."""
    with demo_target.connect() as target:
        documents = Documents(target, "overtaken")
        documents.ensure()
        SCHEMAS.make(documents, SCHEMA, "USERS")
        target.cursor().execute(f'DROP USER "{SCHEMA}" CASCADE')
        target.cursor().execute(f'CREATE USER "{SCHEMA}" NO AUTHENTICATION')
        with pytest.raises(PreflightError, match="not the calibration's own"):
            drop_sample(documents)
        target.cursor().execute(f'DROP USER "{SCHEMA}" CASCADE')
        assert not drop_sample(documents)


def test_who_declares_dump_files_gone_drops_the_sample_all_the_same(demo_target: DemoDatabase) -> None:
    with demo_target.connect() as target:
        documents, ledger = Documents(target, "away"), Ledger(target, "away")
        documents.ensure()
        ensure_ledger(target)
        ledger.record(DUMPS, "-", RUNNING)
        SCHEMAS.make(documents, SCHEMA, "USERS")
        assert declare_gone(ledger)
        assert scalar(target, THERE) == 0
