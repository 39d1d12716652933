from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.oracle.error_codes import CODES, READ_ON
from oracle_refresh.oracle.errors import (
    DataPumpError,
    PreflightError,
    RefreshError,
    disposition,
    from_oracle,
    oracle_codes,
    overall_disposition,
    remedy_of,
)

STACK = (
    'ORA-31693: Table data object "APP"."ORDERS" failed to load/unload and is being skipped due to error:\n'
    "ORA-02354: error in exporting/importing data\nORA-01555: snapshot too old\nORA-01555: snapshot too old\n"
    "Help: https://docs.oracle.com/error-help/db/ora-31693/"
)


def test_codes_are_read_from_the_whole_stack_once_each() -> None:
    assert oracle_codes(Exception(STACK)) == ("ORA-31693", "ORA-02354", "ORA-01555")
    assert oracle_codes(Exception("DPY-6005: no\nORA-12541: no listener")) == (
        "DPY-6005",
        "ORA-12541",
    )
    assert oracle_codes(Exception("ORA-29400: data cartridge error\nKUP-11014: internal metadata")) == (
        "ORA-29400",
        "KUP-11014",
    )
    assert oracle_codes(ValueError("ORACLE-1 ORA-1 nothing")) == ()
    assert oracle_codes(DataPumpError("x", codes=["ORA-00054"])) == ("ORA-00054",)


def test_the_remedy_is_that_of_the_telling_code() -> None:
    error = from_oracle(Exception(STACK), "export", "APP.ORDERS")
    assert isinstance(error, DataPumpError)
    assert error.codes == ("ORA-31693", "ORA-02354", "ORA-01555")
    assert "UNDO_RETENTION" in (error.remedy or "")
    assert "export APP.ORDERS: ORA-31693" in str(error)
    assert "Help:" not in str(error)


def test_a_wrong_password_names_the_connection_as_the_place_to_look() -> None:
    error = from_oracle(Exception("ORA-01017: invalid"), "connect", "oracle_source", PreflightError)
    assert str(error).startswith("connect oracle_source: ORA-01017")
    assert "password of the Airflow connection" in str(error)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ORA-00054", "retry"),
        ("DPY-4011", "retry"),
        *((f"ORA-{number}", "retry") for number in ("01012", "04061", "04068", "12153", "25402", "25408")),
        ("ORA-31626", "retry"),
        ("ORA-31634", "attach"),
        ("ORA-00955", "rename"),
        ("ORA-01653", "space"),
        ("ORA-01017", "fatal"),
        ("ORA-00942", "fatal"),
        ("ORA-99999", "fatal"),
    ],
)
def test_dispositions(code: str, expected: str) -> None:
    assert disposition(code) == expected


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("ORA-04021", "DBA_DDL_LOCKS"),  # a library object: V$LOCKED_OBJECT holds DML locks only
        ("ORA-01623", "SWITCH LOGFILE"),
        ("ORA-01624", "CHECKPOINT"),
        ("ORA-39405", "or a later one"),
        ("ORA-00018", "raise SESSIONS"),
        ("ORA-00020", "raise PROCESSES"),
        ("ORA-01536", "raise the user's quota"),  # room in the tablespace is no quota
        ("ORA-04031", "SHARED_POOL_SIZE, LARGE_POOL_SIZE or STREAMS_POOL_SIZE"),
        ("ORA-19502", "see that the file can be written to"),
        ("ORA-27054", "NFS"),
        ("ORA-28353", "check its path"),
        ("ORA-30013", "an instance uses the undo tablespace"),
        ("ORA-31011", "value of a table"),
        ("ORA-39126", "Oracle Support"),
        ("ORA-39142", "with the release that exported it"),
        ("ORA-39143", "original export"),
        ("ORA-39165", "full-database role"),
        ("ORA-39166", "full-database role"),
        ("ORA-65040", "root container"),
        ("ORA-20005", "DBMS_STATS.UNLOCK_TABLE_STATS"),
        ("ORA-20005", "leave them to it"),
        ("ORA-27365", "has been told to stop"),
        ("ORA-27468", "held for moments"),
        ("ORA-27486", "grant the user of the target CREATE ANY JOB and MANAGE SCHEDULER"),
    ],
)
def test_remedies_say_what_the_error_messages_manual_says(code: str, told: str) -> None:
    assert told in (remedy_of([code]) or "")


#: Errors of a first connection by what the driver prints, and what their remedy has to name.
FIRST_CONNECTIONS = {
    "ORA-01017: invalid credential or not authorized; logon denied": "upper and lower case",
    "ORA-01017: invalid username/password": "SEC_CASE_SENSITIVE_LOGON",
    "ORA-01045: user R lacks CREATE SESSION privilege": "grant CREATE SESSION",
    "ORA-28000: The account is locked.": "ACCOUNT UNLOCK",
    "ORA-28001: the password has expired": "set a new password",
    "ORA-28002: the password will expire within 5 days": "before it expires",
    "ORA-28040: No matching authentication protocol": "ALLOWED_LOGON_VERSION_SERVER",
    "ORA-28150: proxy not authorized to connect as client": "GRANT CONNECT THROUGH",
    "ORA-12154: TNS:could not resolve the connect identifier specified": "connect identifier",
    "ORA-12162: TNS:net service name is incorrectly specified": "Easy Connect",
    "ORA-12170: TNS:Connect timeout occurred": "firewall",
    "ORA-12504: TNS:listener was not given the SERVICE_NAME in CONNECT_DATA": "add service_name",
    "ORA-12505: TNS:listener does not currently know of SID": "pluggable databases have no SID",
    "ORA-12514: TNS:listener does not currently know of service": "lsnrctl services",
    "ORA-12516: TNS:listener could not find available handler": "raise PROCESSES",
    "ORA-12518: TNS:listener could not hand off client connection": "memory",
    "ORA-12519: TNS:no appropriate service handler found": "raise PROCESSES",
    "ORA-12520: TNS:listener could not find available handler": "server_type",
    "ORA-12521: TNS:listener does not currently know of instance": "INSTANCE_NAME",
    "ORA-12526: TNS:listener: all appropriate instances are in restricted mode": "RESTRICTED SESSION",
    "ORA-12528: TNS:listener: all appropriate instances are blocking": "opened the database",
    "ORA-12533: TNS:illegal ADDRESS parameters": "connect descriptor",
    "ORA-12541: TNS:no listener": "listener to run",
    "TNS-12541: TNS:no listener": "listener to run",
    "ORA-12650: No common encryption or data integrity algorithm": "ENCRYPTION_TYPES_CLIENT",
    "ORA-12660: Encryption or crypto-checksumming parameters incompatible": "thick_mode",
    "ORA-29024: Certificate validation failure": "wallet_location",
    "DPI-1047: Cannot locate a 64-bit Oracle Client library": "thick_mode_lib_dir",
    "DPI-1072: the Oracle Client library version is unsupported": "thick_mode_lib_dir",
    "DPY-3001: Native Network Encryption is only supported in python-oracledb thick mode": "thick_mode",
    "DPY-3010: connections to this database server version are not supported": "12.1 or later",
    "DPY-3015: password verifier type 0x939 is not supported": "PASSWORD_VERSIONS",
    'DPY-4000: unable to find "H" in /etc/tnsnames.ora': "config_dir",
    "DPY-4001: no credentials specified": "login and password",
    "DPY-4011: the database or network closed the connection": "native network encryption",
    'DPY-4018: cannot parse connect string "h:1/s:1"': "Easy Connect",
    'DPY-4021: invalid protocol "udp"': "Easy Connect",
    "DPY-4027: no configuration directory specified": "config_dir",
    "DPY-6005: cannot connect to database.\n[Errno 111] Connection refused": "host and port",
    "DPY-6005: cannot connect to database.\nDPY-6000: Listener refused connection."
    " (Similar to ORA-12660)": "thick_mode",
    "DPY-6005: cannot connect to database.\nDPY-6000: Listener refused connection."
    " (Similar to ORA-12650)": "ENCRYPTION_TYPES_CLIENT",
    "DPY-6000: Listener refused connection. (Similar to ORA-12516)": "raise PROCESSES",
    "DPY-6000: Listener refused connection. (Similar to ORA-12528)": "opened the database",
    "DPY-6000: Listener refused connection. (Similar to ORA-12699)": "says why",
    'DPY-6005: cannot connect to database.\nDPY-6001: Service "X" is not registered'
    " (Similar to ORA-12514)": "service name",
    'DPY-6003: SID "X" is not registered (Similar to ORA-12505)': "pluggable databases have no SID",
    "DPY-6002: The distinguished name (DN) on the server certificate": "ssl_server_cert_dn",
    "DPY-6004: network proxy failed": "https_proxy",
    "DPY-6006: The name on the server certificate": "ssl_server_cert_dn",
    "ORA-31626: job does not exist": "without a log file it never started",
    "ORA-29913: error\nORA-29400: data cartridge error\nKUP-11014: internal metadata": "complete",
}
#: A retry may find another answer; all others fail at once.
MAY_PASS = {
    *("ORA-12170", "ORA-12505", "ORA-12514", "ORA-12516", "ORA-12518", "ORA-12519", "ORA-12520", "ORA-12521"),
    *("ORA-12526", "ORA-12528", "ORA-12541", "TNS-12541", "ORA-28002", "ORA-31626", "DPY-4011", "DPY-6005"),
    *("DPY-6000", "DPY-6001", "DPY-6003", "DPY-6004"),
}


@pytest.mark.parametrize(("printed", "told"), FIRST_CONNECTIONS.items())
def test_errors_of_a_first_connection_have_a_remedy(printed: str, told: str) -> None:
    error = from_oracle(Exception(printed), "connect", "oracle_target", PreflightError)
    assert told in (error.remedy or "")
    known = {"ORA-12650", "ORA-12660", "ORA-12699"}.isdisjoint(error.codes)
    expected = "retry" if error.codes[0] in MAY_PASS and known else "fatal"
    assert overall_disposition(error.codes) == expected


@pytest.mark.parametrize("code", ["KUP-11009", "KUP-04040"])
def test_unknown_code_of_the_access_driver_does_not_decide(code: str) -> None:
    assert overall_disposition(["ORA-29913", "ORA-29400", code]) == "retry"
    assert overall_disposition(["ORA-29913", code, "ORA-01653"]) == "space"


@pytest.mark.parametrize("code", ["ORA-25405", "ORA-25408"])
def test_what_became_of_a_statement_is_found_out_by_the_next_try(code: str) -> None:
    """The manual leaves it to the user; each try asks the ledger first, and scripts refuse."""
    assert overall_disposition([code]) == "retry"
    assert "looks before it repeats" in (remedy_of([code]) or "")


@pytest.mark.parametrize("code", ["ORA-04088", "ORA-06512"])
def test_what_is_written_behind_an_error_points_back(code: str) -> None:
    assert "before this one" in (remedy_of([code]) or "")


def test_a_wrapper_leaves_the_decision_to_the_next_code() -> None:
    assert overall_disposition(["ORA-31633", "ORA-00955"]) == "rename"
    assert overall_disposition(["ORA-31633", "ORA-01950"]) == "fatal"
    assert overall_disposition(["ORA-31693", "ORA-02354"]) == "retry"
    assert overall_disposition([]) == "fatal"


@pytest.mark.parametrize("kind", [RefreshError, *RefreshError.__subclasses__()])
def test_errors_survive_the_way_between_processes(kind: type[RefreshError]) -> None:
    error = kind("broken", codes=["ORA-00054"], object_name="APP.T", step="load", remedy="wait")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error) == "load APP.T: broken [ORA-00054] Remedy: wait"
    assert (copy.codes, copy.object_name, copy.step, copy.remedy) == (("ORA-00054",), "APP.T", "load", "wait")


def test_every_remedy_is_one_clause_for_a_known_code() -> None:
    for code, known in CODES.items():
        assert oracle_codes(Exception(code)) == (code,)
        assert known.remedy is None or not known.remedy.endswith(".")


REACTIONS = {
    "retry": "01092 02391 02396 02399 04036 08103 12518 12545 12609"
    " 27365 27468 00054 04021 31626 31627 31633 31693 02354 12801 39125 39126 39127 31684 39111 39152",
    "rename": "00955",
    "attach": "31634 31623 39014 39029 39065",
    "space": "00257 30036 19502 29285 01652 01653 01654 01658 01688 01691 39095 39171",
    "fatal": "20005 27486"
    " 01950 01031 01647 16000 31631 39161 39122 39001 39002 39005 39006 39004 39070 29283 39087"
    " 39000 31640 31619 27037 01555 22924 01466 39166 39165 31655 39170 39151 39083 39117 39181 31011"
    " 01410 02085 39094 39142 39149 39405"
    " 28009 00942 27038 27040 27041 31617 31641 28365 02019 12154 12838 02095 02096 65040 30926 38104 12899",
}


@pytest.mark.parametrize(
    ("number", "expected"),
    [(number, kind) for kind, numbers in REACTIONS.items() for number in numbers.split()],
)
def test_the_codes_of_data_pump_have_a_class_and_a_remedy(number: str, expected: str) -> None:
    code = f"ORA-{number}"
    assert disposition(code) == expected
    assert overall_disposition([code]) == expected
    assert remedy_of([code])


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ("31626 31633 06512 00955", "rename"),
        ("31633 01950", "fatal"),
        ("31633 01658", "fatal"),  # no job waits for space without its master table
        ("31633 16000", "fatal"),
        ("31693 02354 01555 22924", "fatal"),
        ("31693 02354 01466", "fatal"),
        ("31693 29913 01653", "space"),
        ("31693", "retry"),
        ("12801 30036", "space"),
        ("12801 99999", "fatal"),
        ("39014 39029 31671", "attach"),
        ("39126 06502 06512", "retry"),
        ("04068 04061 04065 06508 06512", "retry"),
        ("25408 03113", "retry"),
        ("39002 39149", "fatal"),
        ("39126 31011", "fatal"),
        ("39126 01653", "space"),
        ("39097 39065 03113", "attach"),
        ("39083 00942", "fatal"),
        ("39083 54321", "fatal"),
        ("03113 01031", "fatal"),
    ],
)
def test_stacks(stack: str, expected: str) -> None:
    codes = [f"ORA-{number}" for number in stack.split()]
    assert overall_disposition(codes) == expected


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ("39001 39000 31641 27038", "a file of that name"),
        ("39001 39000 31641 27040", "path is there on the database's host"),
        ("39002 39070 29283 06512 29283", "check the DIRECTORY"),
        ("39001 39000 31640 19505 27037", "the file is not there"),
        ("39001 39000 31640 99999", "dump file is there and complete"),
        ("31693 02354 31617 19502 27063", "make room on the file system"),
        ("31693 02354 31617 27072", "operating system's error"),
        ("31693 29913 01653", "add space"),
        ("39002 31631", "grant the missing privilege"),
        ("31693 02354", "rows of the table named"),
        ("31693 02354 99999", "rows of the table named"),
        ("31626 31633 06512", "master table cannot be made"),
        ("39001", "GET_STATUS"),
        ("39006 39065 28365", "keystore"),
        ("12801 00060", "the code after this one"),
        ("99999", None),
    ],
)
def test_the_remedy_of_a_stack_is_that_of_its_cause(stack: str, expected: str | None) -> None:
    found = remedy_of([f"ORA-{number}" for number in stack.split()])
    assert found is None if expected is None else expected in (found or "")


def test_a_package_that_is_not_granted_is_told_as_such() -> None:
    error = from_oracle(
        Exception(
            "ORA-06550: line 2, column 3:\nPLS-00201: identifier 'DBMS_DBFS_CONTENT' must be declared\n"
            "ORA-06550: line 2, column 3:\nPL/SQL: Statement ignored"
        ),
        "stage",
    )
    assert error.codes == ("ORA-06550", "PLS-00201")
    assert "grant the missing privilege" in (error.remedy or "")
    assert overall_disposition(error.codes) == "fatal"


@given(st.lists(st.sampled_from([*CODES, "ORA-54321"])))
def test_a_remedy_that_only_points_on_is_the_last_resort(codes: list[str]) -> None:
    found = remedy_of(codes)
    telling = [CODES[code] for code in codes if code in CODES and CODES[code].remedy]
    assert (found is None) == (not telling)
    if any(not one.wrapper for one in telling):
        assert found not in READ_ON or any(one.remedy == found and not one.wrapper for one in telling)


def test_what_the_clients_pass_on_is_the_databases_code() -> None:
    assert disposition("UDE-28009") == disposition("UDI-28009") == "fatal"
    assert overall_disposition(["UDE-31626", "ORA-31626", "ORA-03113"]) == "retry"


@pytest.mark.parametrize("code", ["ORA-01555", "ORA-22924", "ORA-01466"])
def test_a_snapshot_that_is_gone_needs_a_new_run(code: str) -> None:
    assert "tart a new run" in (remedy_of(["ORA-31693", "ORA-02354", code]) or "")


@given(st.lists(st.sampled_from([*CODES, "ORA-54321"])))
def test_any_stack_is_classed(codes: list[str]) -> None:
    kind = overall_disposition(codes)
    assert kind in ("retry", "rename", "attach", "space", "fatal")
    telling = [code for code in codes if code in CODES and not CODES[code].wrapper]
    if any(disposition(code) == "fatal" for code in telling):
        assert kind == "fatal"
    elif kind != "fatal":
        assert kind in {disposition(code) for code in codes}


def test_values_that_oracle_quotes_are_not_passed_on() -> None:
    quoted = Exception(
        "ORA-00001: unique constraint (APP.MAIL_UK) violated on table APP.CUSTOMERS columns (EMAIL)\n"
        "ORA-03301: (ORA-00001 details) row with column values (EMAIL:'peter@example.com') already exists"
    )
    error = from_oracle(quoted, step="indexes")
    assert "peter" not in str(error)
    assert "APP.MAIL_UK" in str(error)
