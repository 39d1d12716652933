"""The two databases of a refresh as one finds them: what is left there, who may log in, what is scheduled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import oracledb

from support.demo import DemoDatabase, as_demo_user
from support.home import Home

#: Tables of the refresh's users that are meant to stay: its records, kept maps, the DBFS store.
LASTING = re.compile(r"REFRESH\$(LEDGER|RUN|TUNING|GRANT|K_.*)|T_FS_.*")
ACCOUNTS = """\
SELECT U.USERNAME, U.ACCOUNT_STATUS, U.AUTHENTICATION_TYPE,
  (SELECT COUNT(*) FROM DBA_PROXIES P WHERE P.CLIENT = U.USERNAME)
FROM DBA_USERS U WHERE U.ORACLE_MAINTAINED = 'N'"""
#: Whose schedules DBMS_SCHEDULER keeps, and whether it begins them.
SCHEDULED = "SELECT OWNER, JOB_NAME, ENABLED FROM DBA_SCHEDULER_JOBS"
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
#: Users, roles and PUBLIC that may read a table of an owner, and those that may read any table.
READERS = """\
SELECT TABLE_NAME, GRANTEE FROM DBA_TAB_PRIVS WHERE OWNER = :owner AND PRIVILEGE IN ('SELECT', 'READ')"""
READERS_OF_ANY = """\
SELECT GRANTEE FROM DBA_SYS_PRIVS WHERE PRIVILEGE IN ('SELECT ANY TABLE', 'READ ANY TABLE')"""
ROLES = "SELECT GRANTEE, GRANTED_ROLE FROM DBA_ROLE_PRIVS"
#: A schedule of an application's own, for a target to have one.
NIGHTLY = """\
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'APP.NIGHTLY', job_type => 'PLSQL_BLOCK', job_action => 'NULL;',
    repeat_interval => 'FREQ=DAILY', enabled => TRUE);
END;"""


@dataclass(frozen=True)
class Account:
    """How a user stands."""

    status: str
    #: NONE where there is no password.
    authentication: str
    #: How many users may connect through it.
    proxies: int

    @property
    def locked(self) -> bool:
        """By somebody: what wrong passwords have locked opens by itself."""
        return self.status.split(" & ")[-1] == "LOCKED"

    @property
    def opens(self) -> bool:
        """Whether anybody may get a session of it, be it by choosing a new password."""
        return not self.locked and (self.authentication != "NONE" or self.proxies > 0)


@dataclass(frozen=True)
class End:
    """One database of a refresh: connections of SYSTEM and of others, folders where its dump files are."""

    connect: Callable[[str], oracledb.Connection]
    refresh_user: str
    folders: tuple[Path, ...]
    _sessions: list[oracledb.Connection] = field(default_factory=list, init=False, repr=False)

    def rows(self, query: str, **binds: Any) -> list[tuple[Any, ...]]:
        """Query in a session of SYSTEM that stays open: a login takes longer than most queries."""
        session = self._session()
        with session.cursor() as cursor:
            cursor.execute(query, binds, fetch_lobs=False)
            found = cursor.fetchall()
        session.rollback()
        return found

    def _session(self) -> oracledb.Connection:
        """Replace one that ended with its server."""
        try:
            self._sessions[0].ping()
        except (IndexError, oracledb.Error):
            self._sessions[:] = [self.connect("SYSTEM")]
        return self._sessions[0]

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


def accounts_of(end: End) -> dict[str, Account]:
    return {str(name): Account(*facts) for name, *facts in end.rows(ACCOUNTS)}


def schedules_of(end: End) -> dict[str, str]:
    """Whether each job of DBMS_SCHEDULER is enabled."""
    return {f"{owner}.{name}": str(enabled) for owner, name, enabled in end.rows(SCHEDULED)}


def roles_of(end: End) -> Callable[[str], set[str]]:
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
