"""docker-compose.yml without Docker: the specification's schema, and everything it refers to exists."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from importlib import resources
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator, validators

from .compose import CELERY, FILE, ROOT, VARIABLE, Unset, documents, filled, variables

AIRFLOW = re.compile(r"AIRFLOW__([A-Z_]+?)__([A-Z0-9_]+)")


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """What `dev/docker/new_env.sh > .env` makes."""
    made = subprocess.run(
        [ROOT / "dev" / "docker" / "new_env.sh"], capture_output=True, text=True, check=True
    )
    lines = [line for line in made.stdout.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


@pytest.fixture(params=[False, True], ids=["local", "celery"])
def project(request: pytest.FixtureRequest, environment: dict[str, str]) -> dict[str, Any]:
    made: dict[str, Any] = filled(documents(celery=request.param), environment)
    return made


def services(project: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = project["services"]
    return found


@pytest.mark.parametrize("path", [FILE, CELERY], ids=lambda path: path.name)
def test_the_files_are_valid_by_the_compose_specification(path: Any) -> None:
    folder = resources.files("check_jsonschema.builtin_schemas.vendor")
    schema = json.loads(folder.joinpath("compose-spec.json").read_text())
    validator = validators.validator_for(schema, Draft202012Validator)(schema)
    problems = [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))]
    assert problems == []


def test_every_variable_is_in_the_example_and_every_secret_is_required() -> None:
    used = variables(FILE.read_text()) | variables(CELERY.read_text())
    lines = [line for line in (ROOT / ".env.example").read_text().splitlines() if "=" in line]
    example = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    assert used == set(example)
    for name in [name for name, value in example.items() if not value and name != "AIRFLOW_UID"]:
        rest = {other: "x" for other in example if other != name}
        with pytest.raises(Unset, match=name):
            filled(documents(celery=True), rest)


def test_a_new_env_has_fresh_secrets(environment: dict[str, str]) -> None:
    from cryptography.fernet import Fernet

    secrets = [value for name, value in environment.items() if re.search("PASSWORD|KEY|SECRET", name)]
    assert len(secrets) == len(set(secrets)) == 8
    assert all(len(value) >= 24 for value in secrets)
    assert Fernet(environment["AIRFLOW_FERNET_KEY"])
    assert int(environment["AIRFLOW_UID"]) >= 0
    again = subprocess.run(
        [ROOT / "dev" / "docker" / "new_env.sh"], capture_output=True, text=True, check=True
    )
    assert environment["MASKING_KEY"] not in again.stdout


def test_no_secret_stands_in_a_file_and_env_is_never_committed() -> None:
    text = VARIABLE.sub("<variable>", FILE.read_text() + CELERY.read_text())
    values = re.findall(r'(?i)(?:password|secret|_key)"?: *"?([^\s",]+)', text)
    assert set(values) == {"<variable>", ">-"}, "the JSON of a connection begins on the next line"
    assert ".env" in (ROOT / ".gitignore").read_text().split()


def test_no_secret_stands_in_the_arguments_of_a_process(
    project: dict[str, Any], environment: dict[str, str]
) -> None:
    secrets = [value for name, value in environment.items() if re.search("PASSWORD|KEY|SECRET", name)]
    for name, service in services(project).items():
        arguments = [service.get("entrypoint"), service.get("command"), service.get("healthcheck")]
        shown = json.dumps(arguments)
        assert not [secret for secret in secrets if secret in shown], (
            f"every user of the host reads it: {name}"
        )


def test_redis_gets_its_password_through_its_standard_input(
    environment: dict[str, str], tmp_path: Any
) -> None:
    """The command as the container runs it, with a redis-server that tells what it is given."""
    server = tmp_path / "redis-server"
    server.write_text('#!/bin/sh\necho "arguments: $*"\ncat\n')
    server.chmod(0o755)
    redis = filled(documents(celery=True), environment)["services"]["redis"]
    command = [word.replace("$$", "$") for word in redis["command"]]
    known = {**redis["environment"], "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    told = subprocess.run(command, env=known, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["arguments: -", f"requirepass {environment['REDIS_PASSWORD']}"]


def test_every_mount_and_build_file_exists(project: dict[str, Any]) -> None:
    for name, service in services(project).items():
        for mount in service.get("volumes", []):
            source, path = mount.split(":")[:2]
            assert path.startswith("/"), name
            known = (ROOT / source).exists() if source.startswith(".") else source in project["volumes"]
            assert known, f"{name} mounts {source}"
        if build := service.get("build"):
            context = ROOT / build["context"]
            dockerfile = context / build.get("dockerfile", "Dockerfile")
            assert dockerfile.is_file()
            for line in re.findall(r"^COPY (.*)$", dockerfile.read_text(), re.MULTILINE):
                assert all((context / source).exists() for source in line.split()[:-1]), line
        else:
            assert re.fullmatch(r"[\w./-]+:[\w.-]+", service["image"]), "an image is named with its version"


def test_the_build_context_holds_what_is_copied_and_no_more() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in lines if line.startswith("!")}
    dockerfile = (ROOT / "dev" / "docker" / "airflow" / "Dockerfile").read_text()
    copied = {
        source.removeprefix("./")
        for line in re.findall(r"^COPY (.*)$", dockerfile, re.MULTILINE)
        for source in line.split()[:-1]
    }
    assert "*" in lines
    folders = {name for name in kept if (ROOT / name).is_dir()}
    assert {
        next((folder for folder in folders if name.startswith(f"{folder}/")), name) for name in copied
    } == kept


def test_what_a_service_waits_for_can_come_true(project: dict[str, Any]) -> None:
    all_services = services(project)
    for name, service in all_services.items():
        for other, how in service.get("depends_on", {}).items():
            assert other in all_services, f"{name} waits for {other}"
            if how["condition"] == "service_healthy":
                assert "test" in all_services[other]["healthcheck"]
            else:
                assert how["condition"] == "service_completed_successfully"
                assert all_services[other]["restart"] == "no"


def test_the_settings_are_airflows_and_this_providers(project: dict[str, Any]) -> None:
    from airflow.configuration import conf

    known = conf.configuration_description
    for name, service in services(project).items():
        for variable in service.get("environment", {}):
            if not (found := AIRFLOW.fullmatch(variable)):
                continue
            section, option = (word.lower() for word in found.groups())
            assert section in known, f"{name}: {variable}"
            assert option in known[section]["options"], f"{name}: {variable}"


def test_the_commands_are_airflows(project: dict[str, Any]) -> None:
    from airflow.cli.cli_parser import get_parser

    commands = [
        part
        for service in services(project).values()
        for text in (service.get("command", []), service.get("healthcheck", {}).get("test", []))
        for part in _commands(text)
        if part[0] == "airflow"
    ]
    assert len(commands) > 6
    for words in commands:
        if words[1] != "celery":  # its parser is there where the executor is Celery's
            assert get_parser().parse_args(words[1:]).func


def _commands(text: list[str]) -> list[list[str]]:
    """The commands of a list form, those in a shell's argument too."""
    shell = text[:1] == ["CMD-SHELL"] or text[:2] == ["sh", "-c"]
    if not shell:
        return [text] if text else []
    return [shlex.split(part) for part in text[-1].split("&&")]


def test_airflow_is_told_of_both_ends_and_the_databases_make_these_users(project: dict[str, Any]) -> None:
    found = services(project)
    scheduler = found["scheduler"]["environment"]
    for end in ("source", "target"):
        connection = json.loads(scheduler[f"AIRFLOW_CONN_ORACLE_{end.upper()}"])
        database = found[end]["environment"]
        assert connection["host"] == end
        assert connection["extra"] == {"service_name": database["ORACLE_DATABASE"], "refresh_role": end}
        assert connection["login"] == f"REFRESH_{database['REFRESH_END']}"
        assert connection["password"] == database["REFRESH_PASSWORD"]
    shared = {mount for mount in found["source"]["volumes"] if not mount.startswith(".")}
    assert not shared.intersection(found["target"]["volumes"]), "the databases share no storage"
    assert json.loads(scheduler["AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST"])[0]["name"] == "refresh"


def test_every_port_is_published_on_the_loopback_address(project: dict[str, Any]) -> None:
    ports = [port for service in services(project).values() for port in service.get("ports", [])]
    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_with_celery_all_of_airflow_knows_the_executor(environment: dict[str, str]) -> None:
    found = filled(documents(celery=True), environment)["services"]
    parts = ("api-server", "scheduler", "triggerer", "dag-processor", "worker")
    assert {found[name]["environment"]["AIRFLOW__CORE__EXECUTOR"] for name in parts} == {"CeleryExecutor"}
    assert found["worker"]["command"] == ["airflow", "celery", "worker"]
    assert set(found["worker"]["depends_on"]) >= {"redis", "migrate"}
    assert "container_name" not in found["worker"], "it could not be scaled"


def test_the_database_scripts_run_the_grants_of_their_end(tmp_path: Any) -> None:
    """The init script, with a sqlplus that prints what it is given."""
    told = tmp_path / "sqlplus"
    told.write_text("#!/usr/bin/env bash\nsed -E 's/^@(.*\\.sql)$/cat \\1/e'\n")
    told.chmod(0o755)
    script = (ROOT / "dev" / "docker" / "oracle" / "init" / "10_refresh_user.sh").read_text()
    script = script.replace("/opt/refresh/grants.sql", str(ROOT / "include" / "sql" / "grants.sql"))
    script = script.replace("/opt/refresh/users.sql", str(ROOT / "dev/localoracle/demo/users.sql"))
    script = script.replace("/opt/oracle/oradata", str(tmp_path))
    for end in ("SOURCE", "TARGET"):
        environment = {
            **os.environ,
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "ORACLE_DATABASE": end,
            "REFRESH_END": end,
            "REFRESH_PASSWORD": "Pa55",
            "REFRESH_FOLDER": str(tmp_path / "dumps"),
        }
        done = subprocess.run(
            ["bash", "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        other = "TARGET" if end == "SOURCE" else "SOURCE"
        assert f"CREATE USER REFRESH_{end} " in done.stdout
        assert f"REFRESH_{other}" not in done.stdout
        assert "CREATE USER APP_READER" in done.stdout
        defined = dict(re.findall(r'^DEFINE (\w+) = "(.*)"$', done.stdout, re.MULTILINE))
        assert set(re.findall(r"&(\w+)", done.stdout)) == set(defined)
        assert f"CONTAINER = {end};" in done.stdout
        assert (tmp_path / "refresh_user_is_made").exists()
        assert done.stderr == ""
