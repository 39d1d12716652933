"""What must hold when a fault has struck a refresh, however it ended: every scenario checks it by this.

    must = MustHold.before(ends, definition, MASKING_KEY)   # before the run touches anything
    must.remember(scn)                                      # where the source will not tell later
    ...                                                     # the fault, whatever it does
    must.stay_locked()                                      # while nothing is proven
    assert_named(error, "ORA-01652")                        # the code, and what to do about it
    ...                                                     # the cause is removed, failed tasks are cleared
    must.be_published(run_id)                               # rows right, nothing left, accounts as before

Rows, privileges, objects and files are read from the databases and from their folders, whatever the refresh
says of them. Of its own record two facts are taken: the SCN that a run has frozen, and which columns take
over the rule of a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.masking import MasterKey, load_ruleset
from oracle_refresh.masking.rules import INHERITED_RULES, Ruleset
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from support.demo import DemoDatabase, as_demo_user
from support.home import Home
from support.masked_source import Rows, SourceTable, masked, read_rows, read_source
from support.tuning import whole

#: Tables of the refresh's users that are meant to stay: its records, kept maps, the DBFS store.
LASTING = re.compile(r"REFRESH\$(LEDGER|RUN|TUNING|GRANT|K_.*)|T_FS_.*")
ACCOUNTS = "SELECT USERNAME, ACCOUNT_STATUS FROM DBA_USERS WHERE ORACLE_MAINTAINED = 'N'"
#: A refresh makes tables in its user's schema, and some beside the tables that it masks.
OWN_TABLES = """\
SELECT OWNER, TABLE_NAME FROM DBA_TABLES
WHERE OWNER = :owner OR TABLE_NAME LIKE 'REFRESH$%' OR OWNER LIKE 'REFRESH$%'"""
JOBS = "SELECT OWNER_NAME || '.' || JOB_NAME || ' (' || TRIM(STATE) || ')' FROM DBA_DATAPUMP_JOBS"
SUSPENDED = "SELECT NAME FROM DBA_RESUMABLE WHERE STATUS = 'SUSPENDED'"
LOCKS = """\
SELECT O.OWNER || '.' || O.OBJECT_NAME FROM V$LOCKED_OBJECT L JOIN DBA_OBJECTS O ON O.OBJECT_ID = L.OBJECT_ID
WHERE L.ORACLE_USERNAME = :owner"""
RECYCLED = "SELECT OWNER || '.' || ORIGINAL_NAME FROM DBA_RECYCLEBIN"
SESSIONS = "SELECT COUNT(*) FROM V$SESSION WHERE USERNAME = :name AND STATUS <> 'KILLED'"
#: Which users, roles and PUBLIC may read a table, besides its owner.
READERS = """\
SELECT GRANTEE FROM DBA_TAB_PRIVS
WHERE OWNER = :owner AND TABLE_NAME = :name AND PRIVILEGE IN ('SELECT', 'READ')
UNION SELECT GRANTEE FROM DBA_SYS_PRIVS WHERE PRIVILEGE IN ('SELECT ANY TABLE', 'READ ANY TABLE')"""
ROLES = "SELECT GRANTEE, GRANTED_ROLE FROM DBA_ROLE_PRIVS"
#: The state of what depends on a table, which a refresh sets aside while it loads and masks.
DEPENDENTS = (
    "SELECT TABLE_NAME, CONSTRAINT_NAME, STATUS, VALIDATED FROM DBA_CONSTRAINTS"
    " WHERE OWNER = :owner AND CONSTRAINT_TYPE IN ('P', 'U', 'R', 'C')",
    # Those whose names the system made, such as of NOT NULL.
    "SELECT TABLE_NAME, SEARCH_CONDITION_VC, STATUS, VALIDATED FROM DBA_CONSTRAINTS"
    " WHERE OWNER = :owner AND CONSTRAINT_TYPE = 'C' AND CONSTRAINT_NAME LIKE 'SYS!_%' ESCAPE '!'",
    "SELECT TABLE_NAME, INDEX_NAME, STATUS FROM DBA_INDEXES WHERE OWNER = :owner AND INDEX_TYPE <> 'LOB'",
    "SELECT TABLE_NAME, TRIGGER_NAME, STATUS FROM DBA_TRIGGERS WHERE OWNER = :owner",
)


@dataclass(frozen=True)
class End:
    """One database of a refresh: connections of SYSTEM and of others, folders where its dump files are."""

    connect: Callable[[str], oracledb.Connection]
    refresh_user: str
    folders: tuple[Path, ...]

    def rows(self, query: str, **binds: Any) -> list[tuple[Any, ...]]:
        with closing(self.connect("SYSTEM")) as connection, connection.cursor() as cursor:
            cursor.execute(query, binds, fetch_lobs=False)
            return cursor.fetchall()

    def dump_files(self) -> set[Path]:
        return {
            path
            for folder in self.folders
            for path in folder.rglob("*")
            if not path.is_dir() and path.suffix != ".log"
        }


@dataclass(frozen=True)
class Ends:
    source: End
    target: End

    @classmethod
    def of(cls, source: DemoDatabase, target: DemoDatabase) -> Ends:
        """Of two demo databases that a test runs itself."""

        def end(database: DemoDatabase) -> End:
            def connect(user: str) -> oracledb.Connection:
                return database.system() if user == "SYSTEM" else database.connect(user)

            instance = database.server.instance
            return End(connect, database.user, (instance.dump_directory, instance.dbfs_directory))

        return cls(end(source), end(target))

    @classmethod
    def of_home(cls, home: Home) -> Ends:
        """Of a home with an Airflow of its own."""

        def end(name: str) -> End:
            def connect(user: str) -> oracledb.Connection:
                if user == "SYSTEM":
                    return oracledb.connect(user=user, password="system_demo", dsn=home.dsn(name))
                return as_demo_user(user, home.dsn(name))

            folders = tuple(home.folder / name / folder for folder in ("dumps", "dbfs"))
            return End(connect, f"REFRESH_{name.upper()}", folders)

        return cls(end("source"), end("target"))

    def __iter__(self) -> Iterator[End]:
        return iter((self.source, self.target))


@dataclass(frozen=True)
class Left:
    """What of a refresh is there at one end beside the refreshed tables."""

    jobs: frozenset[str]
    tables: frozenset[str]
    files: frozenset[Path]
    locks: frozenset[str]
    suspended: frozenset[str]
    recycled: frozenset[str]

    @classmethod
    def at(cls, end: End) -> Left:
        def names(query: str, **binds: Any) -> frozenset[str]:
            return frozenset(str(name) for (name,) in end.rows(query, **binds))

        tables = end.rows(OWN_TABLES, owner=end.refresh_user)
        return cls(
            names(JOBS),
            frozenset(
                f"{owner}.{name}"
                for owner, name in tables
                if owner != end.refresh_user or not LASTING.fullmatch(name)
            ),
            frozenset(end.dump_files()),
            names(LOCKS, owner=end.refresh_user),
            names(SUSPENDED),
            names(RECYCLED),
        )

    def beyond(self, before: Left) -> dict[str, list[str]]:
        """What was not there before, by its kind."""
        more = {name: getattr(self, name) - getattr(before, name) for name in vars(self)}
        return {name: sorted(map(str, found)) for name, found in more.items() if found}


@dataclass
class MustHold:
    """Both ends as they were before a refresh, and what has to be true of them afterwards."""

    ends: Ends
    definition: RefreshDefinition
    master: MasterKey = field(repr=False)
    left: tuple[Left, ...]
    accounts: dict[str, str]
    instance: dict[str, list[Any]]
    remembered: dict[int, tuple[SourceTable, ...]] = field(default_factory=dict, repr=False)
    expected: dict[tuple[int, str], Rows] = field(default_factory=dict, repr=False)

    @classmethod
    def before(cls, ends: Ends, definition: Path | RefreshDefinition, key: str) -> MustHold:
        """:param key: the masking key, as its Airflow connection has it for a password."""
        read = load_definition(definition) if isinstance(definition, Path) else definition
        with closing(ends.target.connect("SYSTEM")) as connection:
            instance = whole(connection)
        accounts = _accounts(ends.target)
        return cls(ends, read, MasterKey(key.encode()), tuple(map(Left.at, ends)), accounts, instance)

    # -- while the refresh is under way, or has failed

    def stay_locked(self) -> None:
        """The quarantine stands: nobody who can log in, but the refresh and Oracle's own accounts, may read a
        refreshed table, be it as its owner or by a privilege on it or on any table that they, a role of
        theirs or PUBLIC have."""
        target = self.ends.target
        statuses = _accounts(target)
        for name in self.definition.application_accounts:
            assert "LOCKED" in statuses[name], f"{name} is {statuses[name]} while nothing is proven"
            assert target.rows(SESSIONS, name=name) == [(0,)], f"{name} has sessions"
            with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
                target.connect(name)
        tables = target.rows(
            "SELECT OWNER, TABLE_NAME FROM DBA_TABLES WHERE OWNER IN (SELECT USERNAME FROM DBA_USERS"
            " WHERE ORACLE_MAINTAINED = 'N') AND OWNER <> :owner",
            owner=target.refresh_user,
        )
        roles = _roles(target)
        opened = [
            name for name, status in statuses.items() if status == "OPEN" and name != target.refresh_user
        ]
        for owner, name in tables:
            if owner not in self.definition.schemas:
                continue
            readers = {str(who) for (who,) in target.rows(READERS, owner=owner, name=name)} | {owner}
            reaching = [who for who in opened if readers & {who, *roles(who)}]
            assert not reaching, f"{', '.join(reaching)} can read {owner}.{name} while nothing is proven"

    def hold_no_dumps_beside(self, *allowed: str) -> None:
        """No file of a dump set is there but those whose names begin so."""
        found = [path.name for end in self.ends for path in end.dump_files()]
        assert not [name for name in found if not name.startswith(tuple(allowed) or "\0")]

    # -- when it has been published

    def remember(self, scn: int) -> None:
        """Read the source as of the SCN of a run now: it is about to change in a way that it forgets."""
        ruleset = load_ruleset(self.definition.masking.ruleset)
        with closing(self.ends.source.connect("SYSTEM")) as connection:
            self.remembered[scn] = read_source(connection, self.definition, ruleset, scn)

    def be_published(self, run_id: str) -> None:
        """The target is the masked source as of the run's SCN, open as it was, and nothing else is left."""
        self.hold_the_masked_source(run_id)
        self.be_whole()
        self.leave_nothing()
        assert _accounts(self.ends.target) == self.accounts, "accounts are not as they were"

    def hold_the_masked_source(self, run_id: str) -> None:
        """No row lost, doubled, left unmasked or masked twice."""
        scn, ruleset = self._facts(run_id)
        if scn not in self.remembered:
            self.remember(scn)
        with closing(self.ends.target.connect("SYSTEM")) as connection:
            for source in self.remembered[scn]:
                table = source.table
                known = scn, table.key
                if known not in self.expected:
                    self.expected[known] = masked(source, ruleset.rules(*table.full_name), self.master)
                expected = self.expected[known]
                found = read_rows(connection, table)
                if found != expected:
                    raise AssertionError(
                        f"{table.key}: {sum(expected.values())} rows expected, {sum(found.values())} found;"
                        f" {sum((expected - found).values())} are missing, {sum((found - expected).values())}"
                        " should not be there"
                    )

    def be_whole(self) -> None:
        """What depends on the tables is there, and as it is on the source."""
        for owner in self.definition.schemas:
            for query in DEPENDENTS:
                expected, found = (self._dependents(end, query, owner) for end in self.ends)
                assert found == expected, query

    def leave_nothing(self) -> None:
        """No job, master table, dump file, lock, control table; the target's instance as it was."""
        for end, before in zip(self.ends, self.left, strict=True):
            more = Left.at(end).beyond(before)
            assert not more, f"left by the refresh where {end.refresh_user} works: {more}"
        with closing(self.ends.target.connect("SYSTEM")) as connection:
            assert whole(connection) == self.instance, "the target's instance is not as it was"

    def _dependents(self, end: End, query: str, owner: str) -> list[tuple[Any, ...]]:
        left_out = {table.name for table in self.definition.exclude_tables if table.owner == owner}
        found = [row for row in end.rows(query, owner=owner) if row[0] not in left_out]
        return sorted(row for row in found if not str(row[1]).startswith("SYS_"))

    def _facts(self, run_id: str) -> tuple[int, Ruleset]:
        ruleset = load_ruleset(self.definition.masking.ruleset)
        with closing(self.ends.target.connect(self.ends.target.refresh_user)) as connection:
            documents = Documents(connection, run_id)
            for inherited in documents.all(INHERITED_RULES):
                ruleset = ruleset.inheriting(inherited.items)
            return documents.get(FROZEN, WHOLE).scn, ruleset


def assert_named(error: BaseException | str, *codes: str, remedy: str = "") -> None:
    """The error, or what a log says of it, names the codes and what to do about them."""
    text = str(error)
    for code in codes:
        assert code in text, f"{code} is not named: {text}"
        if isinstance(error, RefreshError):
            assert code in error.codes, f"{code} is no code of the error: {error.codes}"
    told = text.partition("Remedy: ")[2]
    assert told, f"no remedy: {text}"
    assert remedy in told, f"another remedy: {told}"


def _accounts(end: End) -> dict[str, str]:
    return {str(name): str(status) for name, status in end.rows(ACCOUNTS)}


def _roles(end: End) -> Callable[[str], set[str]]:
    """Tells PUBLIC, and all roles that a user has directly or through others."""
    granted: dict[str, set[str]] = {}
    for grantee, role in end.rows(ROLES):
        granted.setdefault(str(grantee), set()).add(str(role))

    def of(user: str) -> set[str]:
        found, asked = set[str](), [user, "PUBLIC"]
        while asked:
            who = asked.pop()
            found.add(who)
            asked += granted.get(who, set()) - found
        return found - {user}

    return of
