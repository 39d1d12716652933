"""Who and what could read unmasked rows in spite of the quarantine: owners, readers, jobs, queues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.identifiers import Identifier, ObjectName
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight import statements
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.preflight.others_jobs import Action, reaching
from oracle_refresh.target.quarantine import held_by_others
from oracle_refresh.target.quarantine.account_status import can_log_on
from oracle_refresh.target.quarantine.jobs import BREAK_JOBS, enabled_jobs, old_jobs, one_time_runs
from oracle_refresh.target.quarantine.others import RELEASE_OTHER
from oracle_refresh.target.quarantine.owners import LOCK_OWNER, at_work, guarded

PUBLIC = "PUBLIC"
#: Who has it may give all other privileges: no lock keeps a DBA out.
DBA = "DBA"


@dataclass(frozen=True)
class Account:
    """A user of the target. `authentication` is that of DBA_USERS: NONE has no password."""

    name: str
    status: str
    authentication: str | None
    maintained: bool = False
    proxies: tuple[str, ...] = ()
    """Users that may connect through to it."""
    jobs: bool = False
    """Whether it has jobs that are enabled."""

    @property
    def open(self) -> bool:
        """Whether anybody gets a session of it: also as a proxy, for one without a password."""
        return can_log_on(self.status, self.authentication, proxied=bool(self.proxies))


def readers(
    accounts: Iterable[Account],
    roles: Iterable[tuple[str, str]],
    privileges: Iterable[tuple[str, str]],
) -> dict[str, list[str]]:
    """What lets each account read the tables: privileges, with the role that has them.

    DBAs are left out, and what Oracle maintains.

    :param roles: (role, grantee), of roles and users.
    :param privileges: (grantee, privilege), of roles, users and PUBLIC.
    """
    granted, held = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for role, grantee in roles:
        granted[grantee].add(role)
    for grantee, privilege in privileges:
        held[grantee].add(privilege)
    found = {}
    for account in accounts:
        enabled = _closure(account.name, granted)
        if account.maintained or DBA in enabled or not (account.open or account.jobs):
            continue
        why = [*sorted(held[account.name])]
        why += [f"{each} by role {role}" for role in sorted(enabled) for each in sorted(held[role])]
        if why:
            found[account.name] = why
    return found


def _closure(name: str, granted: dict[str, set[str]]) -> set[str]:
    """The roles of a user, and those of its roles and of PUBLIC."""
    roles, left = set[str](), {name, PUBLIC}
    while left:
        each = left.pop()
        new = granted.get(each, set()) - roles
        roles |= new
        left |= new
    return roles


def read_accounts(both: Databases) -> list[Account]:
    target = both.target.connection
    proxies = defaultdict[str, list[str]](list)
    for proxy, client in rows(target, statements.PROXIES):
        proxies[client].append(proxy)
    jobs = {owner for (owner,) in rows(target, statements.JOB_OWNERS)}
    return [
        Account(name, status, kind, maintained == "Y", tuple(sorted(proxies[name])), name in jobs)
        for name, status, kind, maintained in rows(target, statements.ACCOUNTS)
    ]


def check_accounts(both: Databases) -> Iterator[Finding]:
    """Who can log on and read: of all users of the target, which are read once."""
    accounts = read_accounts(both)
    yield from _check_owners(both, accounts)
    yield from _check_readers(both, accounts)


def _check_owners(both: Databases, accounts: Iterable[Account]) -> Iterator[Finding]:
    """Whether the owners of the schemas are kept out as well: what they own, they read."""
    definition = both.definition
    for account in accounts:
        if (
            account.name in definition.schemas
            and account.name not in definition.application_accounts
            and account.open
            and not account.maintained
        ):
            written = Identifier(account.name).written
            through = f" through {', '.join(account.proxies)}" if account.authentication == "NONE" else ""
            yield error(
                "OWNER_CAN_LOG_ON",
                f"{written} owns a schema to refresh and can log on{through}, but is no application account:"
                " it would read unmasked rows",
                LOCK_OWNER,
                f"ALTER USER {Identifier(account.name).sql} ACCOUNT LOCK",
            )
    others = [name for name in definition.schemas if name not in definition.application_accounts]
    working = sorted(at_work(both.target.connection, list(guarded(both.target.connection, others))))
    if working:
        yield warning(
            "OWNER_AT_WORK",
            f"owners of schemas to refresh have sessions, which are ended: {', '.join(working)}",
            "let them log off before; who is locked does not come back",
        )


def _check_readers(both: Databases, accounts: Iterable[Account]) -> Iterator[Finding]:
    """Who else may read the tables: on the target now, or by grants that come with the refresh."""
    definition, schemas = both.definition, both.definition.schemas
    target = both.target.connection
    grants = {
        (grantee, f"{privilege} on objects of {owner}")
        for connection in (target, both.source.connection)
        for grantee, privilege, owner in rows(connection, statements.READERS, names=schemas)
    }
    for (view,) in rows(target, statements.SCHEMA_PRIVILEGES_VIEW):
        asked = statements.SCHEMA_PRIVILEGES.format(view=view)
        grants |= {
            (grantee, f"{privilege} on schema {schema}")
            for grantee, privilege, schema in rows(target, asked, names=schemas)
        }
    spared = {both.target.identity.user, *definition.application_accounts, *schemas}
    others = [account for account in accounts if account.name not in spared]
    privileges = [*rows(target, statements.ANY_TABLE), *grants]
    roles = list(rows(target, statements.ROLES_OF_ALL))
    for name, why in sorted(readers(others, roles, privileges).items()):
        yield warning(
            "READS_UNMASKED_ROWS",
            f"{Identifier(name).written} is no application account and can read unmasked rows during the"
            f" refresh: {'; '.join(why[:5])}",
            "add it to `application_accounts` of the definition, or revoke what it does not need",
        )
    public = sorted(privilege for grantee, privilege in privileges if grantee == PUBLIC)
    if public:
        yield warning(
            "PUBLIC_READS",
            f"PUBLIC, and so every account of the target, can read unmasked rows: {'; '.join(public[:5])}",
            "revoke it from PUBLIC; it is granted again where the source has it",
        )


def check_sample_readers(both: Databases) -> Iterator[Finding]:
    """Who may read what a calibration imports: rows that nobody masks, in a schema of its own, while nobody
    is locked. Application accounts count also where a refresh has locked them, since its end opens them."""
    target, applications = both.target.connection, both.definition.application_accounts
    accounts = [
        replace(account, status="OPEN") if account.name in applications else account
        for account in read_accounts(both)
        if account.name != both.target.identity.user
    ]
    privileges = list(rows(target, statements.ANY_TABLE))
    roles = list(rows(target, statements.ROLES_OF_ALL))
    for name, why in sorted(readers(accounts, roles, privileges).items()):
        judged = error if name in applications else warning
        yield judged(
            "READS_UNMASKED_ROWS",
            f"{Identifier(name).written} can read the sample, which is not masked: {'; '.join(why[:5])}",
            "revoke what it does not need, or measure exports only",
        )
    if public := sorted(privilege for grantee, privilege in privileges if grantee == PUBLIC):
        yield error(
            "PUBLIC_READS",
            f"PUBLIC, and so every account of the target, can read the sample: {'; '.join(public)}",
            "revoke it from PUBLIC, or measure exports only",
        )


def check_jobs(both: Databases) -> Iterator[Finding]:
    """What goes on without anybody logging on."""
    target, definition = both.target.connection, both.definition
    owners = tuple(dict.fromkeys((*definition.application_accounts, *definition.schemas)))
    jobs = [job.key for job in enabled_jobs(target, owners)]
    if jobs:
        yield warning(
            "JOBS_ARE_DISABLED",
            f"{len(jobs)} jobs are disabled and stopped until the target is released: {_first(jobs)}",
            "nothing is to be done; those that must go on cannot, beside unmasked rows",
        )
    once = [job.key for job in one_time_runs(target, owners)]
    if once:
        yield warning(
            "ONE_TIME_JOBS_RUN",
            f"jobs that run once are at work, and would be stopped in the middle: {_first(once)}",
            "let them end before the refresh: nobody takes up again what was stopped",
        )
    old = old_jobs(target, owners)
    if old:
        yield error(
            "OLD_JOBS",
            f"jobs of DBMS_JOB would go on while their owners are locked: {_first(old)}",
            BREAK_JOBS,
        )
    others = reaching(
        [
            Action(owner, name, kind, action, (program_owner, program))
            for owner, name, kind, action, program_owner, program in rows(
                target, statements.OTHERS_JOBS, names=owners
            )
        ],
        [Action(*row) for row in rows(target, statements.PROGRAMS)],
        rows(target, statements.CHAIN_STEPS),
        owners,
    )
    if others:
        yield warning(
            "JOBS_OF_OTHERS",
            f"jobs of other users run programs or procedures of the schemas and go on: {_first(others)}",
            "let a DBA disable them before the refresh (DBMS_SCHEDULER.DISABLE, and STOP_JOB where they run)"
            " and enable them after it, or add their owners to `application_accounts`; what PL/SQL blocks of"
            " jobs and programs read, and what synonyms lead to, is not looked at",
        )
    queues = [
        *(
            f"propagation of {ObjectName(*queue).key}"
            for queue in rows(target, statements.QUEUES, names=owners)
        ),
        *(f"apply process {name}" for (name,) in rows(target, statements.APPLIES, names=owners)),
    ]
    if queues:
        yield warning(
            "QUEUES_GO_ON",
            f"propagations and apply processes of locked accounts go on: {_first(queues)}",
            "let a DBA stop them for the time of the refresh (DBMS_AQADM, DBMS_APPLY_ADM)",
        )


def _first(names: Collection[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:10]) + (f" and {len(listed) - 10} more" if len(listed) > 10 else "")


def check_other_users(both: Databases) -> list[Finding]:
    """Whether a run of another refresh user holds the target."""
    return [
        error(
            "OTHER_REFRESH_USER",
            f"run {run_id} of another refresh user, {Identifier(owner).written}, holds the target",
            RELEASE_OTHER,
        )
        for owner, run_id in held_by_others(both.target.connection)
    ]


CHECKS = (check_accounts, check_jobs, check_other_users)
