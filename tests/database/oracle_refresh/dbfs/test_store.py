"""The staging store on a running database."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.dbfs import store
from oracle_refresh.definition.store import Store
from oracle_refresh.oracle.errors import StagingError
from support.transfer import demo


def test_the_store_is_made_once(target: oracledb.Connection) -> None:
    store.ensure_store(target, demo())
    assert not store.ensure_store(target, demo())


def test_a_mount_of_another_store_is_refused(target: oracledb.Connection) -> None:
    definition = demo()
    store.ensure_store(target, definition)
    other = definition.staging.model_copy(update={"store": Store(name="FS_OTHER")})
    with pytest.raises(StagingError, match="belongs to the store FS_REFRESH"):
        store.ensure_store(target, definition.model_copy(update={"staging": other}))


def test_a_store_and_a_mount_of_another_user_are_not_ours(
    target: oracledb.Connection, demo_target: Any
) -> None:
    definition = demo()
    staging = definition.staging.model_copy(update={"store": Store(name="FS_BOTH"), "mount": "/BOTH"})
    ours = definition.model_copy(update={"staging": staging})
    with demo_target.system() as other:
        assert store.ensure_store(other, ours)
    assert store.ensure_store(target, ours)
    assert not store.ensure_store(target, ours)
    store.ensure_directory(target, "/BOTH/here")
    target.commit()


def test_without_the_role_nothing_is_made(demo_target: Any) -> None:
    definition = demo()
    other = definition.staging.model_copy(update={"store": Store(name="FS_NOBODY"), "mount": "/NOBODY"})
    with demo_target.connect("TEST") as connection, pytest.raises(StagingError) as caught:
        store.ensure_store(connection, definition.model_copy(update={"staging": other}))
    assert caught.value.codes


def test_directories_and_files_come_and_go(target: oracledb.Connection) -> None:
    definition = demo()
    store.ensure_store(target, definition)
    path = store.job_directory(definition, "some run", "JOB")
    for _ in range(2):
        store.ensure_directory(target, path)
    target.commit()
    assert store.file_bytes(target, path) is None  # a directory is no file
    assert store.file_bytes(target, f"{path}/nothing") is None
    for _ in range(2):
        store.drop_file(target, f"{path}/nothing")
        store.clean_run(target, definition, "some run", ["job_%L.dmp"])
