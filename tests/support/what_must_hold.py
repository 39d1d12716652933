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
from support.both_ends import (
    READERS,
    READERS_OF_ANY,
    SESSIONS,
    Account,
    End,
    Ends,
    Left,
    accounts_of,
    roles_of,
    schedules_of,
)
from support.masked_source import Rows, SourceTable, masked, read_rows, read_source
from support.tuning import whole

#: The state of what depends on a table, which a refresh sets aside while it loads and masks.
DEPENDENTS = (
    "SELECT TABLE_NAME, CONSTRAINT_NAME, STATUS, VALIDATED FROM DBA_CONSTRAINTS"
    " WHERE OWNER = :owner AND CONSTRAINT_TYPE IN ('P', 'U', 'R', 'C')",
    # Those whose names the system made, such as of NOT NULL.
    "SELECT TABLE_NAME, SEARCH_CONDITION_VC, STATUS, VALIDATED FROM DBA_CONSTRAINTS"
    " WHERE OWNER = :owner AND CONSTRAINT_TYPE = 'C' AND CONSTRAINT_NAME LIKE 'SYS!_%' ESCAPE '!'",
    "SELECT TABLE_NAME, INDEX_NAME, STATUS FROM DBA_INDEXES WHERE OWNER = :owner AND INDEX_TYPE <> 'LOB'",
    # Of partitioned ones, whose own status is N/A; the system names partitions otherwise at each end.
    "SELECT I.TABLE_NAME, P.INDEX_NAME, P.STATUS FROM DBA_IND_PARTITIONS P JOIN DBA_INDEXES I"
    " ON I.OWNER = P.INDEX_OWNER AND I.INDEX_NAME = P.INDEX_NAME"
    " WHERE P.INDEX_OWNER = :owner AND I.INDEX_TYPE <> 'LOB'",
    "SELECT TABLE_NAME, TRIGGER_NAME, STATUS FROM DBA_TRIGGERS WHERE OWNER = :owner",
    "SELECT TABLE_NAME, OBJECT_TYPE, STATTYPE_LOCKED FROM DBA_TAB_STATISTICS"
    " WHERE OWNER = :owner AND STATTYPE_LOCKED IS NOT NULL",
    "SELECT TABLE_NAME, GRANTEE, PRIVILEGE, GRANTABLE FROM DBA_TAB_PRIVS"
    " WHERE OWNER = :owner AND TYPE = 'TABLE'",
)


@dataclass
class MustHold:
    """Both ends as they were before a refresh, and what has to be true of them afterwards."""

    ends: Ends
    definition: RefreshDefinition
    master: MasterKey = field(repr=False)
    left: tuple[Left, ...]
    accounts: dict[str, Account]
    schedules: dict[str, str]
    instance: dict[str, list[Any]]
    remembered: dict[int, tuple[SourceTable, ...]] = field(default_factory=dict, repr=False)
    expected: dict[tuple[int, str], Rows] = field(default_factory=dict, repr=False)

    @classmethod
    def before(cls, ends: Ends, definition: Path | RefreshDefinition, key: str) -> MustHold:
        """:param key: the masking key, as its Airflow connection has it for a password."""
        read = load_definition(definition) if isinstance(definition, Path) else definition
        with closing(ends.target.connect("SYSTEM")) as connection:
            instance = whole(connection)
        left, accounts = tuple(map(Left.at, ends)), accounts_of(ends.target)
        return cls(ends, read, MasterKey(key.encode()), left, accounts, schedules_of(ends.target), instance)

    # -- while the refresh is under way, or has failed

    def stay_locked(self) -> None:
        """The quarantine stands: nobody who can log in, but the refresh and Oracle's own accounts, may read a
        refreshed table, be it as its owner or by a privilege on it or on any table that they, a role of
        theirs or PUBLIC have."""
        target = self.ends.target
        accounts = accounts_of(target)
        closed = {*self.definition.application_accounts, *self.definition.schemas}
        for name in sorted(closed & accounts.keys()):
            account = accounts[name]
            if name in self.definition.application_accounts:
                assert account.locked, f"{name} is {account.status} while nothing is proven"
            assert not account.opens, f"{name} is {account.status} while nothing is proven"
            assert target.rows(SESSIONS, name=name) == [(0,)], f"{name} has sessions"
            with pytest.raises(oracledb.DatabaseError, match="ORA-28000" if account.locked else "ORA-01017"):
                target.connect(name)
        begun = [name for name, enabled in schedules_of(target).items() if enabled == "TRUE"]
        begun = [name for name in begun if name.partition(".")[0] in closed]
        assert not begun, f"{', '.join(begun)} would begin while nothing is proven"
        roles = roles_of(target)
        opened = {
            name: {name, *roles(name)}
            for name, account in accounts.items()
            if account.opens and name != target.refresh_user
        }
        of_any = {str(who) for (who,) in target.rows(READERS_OF_ANY)}
        for owner in sorted({*self.definition.schemas} - {target.refresh_user}):
            granted = target.rows(READERS, owner=owner)
            for (name,) in target.rows("SELECT TABLE_NAME FROM DBA_TABLES WHERE OWNER = :owner", owner=owner):
                readers = {owner, *of_any, *(str(who) for table, who in granted if table == name)}
                reaching = [who for who, identities in opened.items() if readers & identities]
                assert not reaching, f"{', '.join(reaching)} can read {owner}.{name} while nothing is proven"

    def leave_nothing_at_work(self) -> None:
        """Of a run that was given up, and has dropped its dumps: no job, master table, dump file, suspended
        statement or lock. What it has built, and its control tables, stay for a clear."""
        for end, before in zip(self.ends, self.left, strict=True):
            more = Left.at(end).beyond(before)
            more["tables"] = [name for name in more.get("tables", ()) if ".REFRESH$" not in name]
            kept = {kind: names for kind, names in more.items() if kind != "recycled" and names}
            assert not kept, f"left by a failed run where {end.refresh_user} works: {kept}"

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
        assert accounts_of(self.ends.target) == self.accounts, "accounts are not as they were"
        assert schedules_of(self.ends.target) == self.schedules, "scheduler jobs are not as they were"

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
                differing = sorted({*found} ^ {*expected})
                assert found == expected, f"{query}: {differing or found}"

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
