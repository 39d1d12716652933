from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh.definition import (
    CloneDefinition,
    DataPump,
    Prepare,
    RefreshDefinition,
    load_definition,
    load_target_definition,
    require_refresh,
)
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import TableName

ROOT = Path(__file__).parents[4]
DEMO = ROOT / "include" / "refreshes" / "demo.yaml"
TEXT = """\
name: nightly
source: {conn_id: prod}
target: {conn_id: test}
schemas: [app, '"Mixed"']
exclude_tables: [APP.LOG]
staging:
  source_directory: DUMPS
  store: FS
  mount: /FS
  target_directory: STAGE
masking:
  ruleset: rules/one.yaml
  key_conn_id: key
"""
OVER_LINK = "datapump: {transport: network_link, database_link: L}\n"


def load(folder: Path, text: str, **overrides: Any) -> RefreshDefinition:
    path = folder / "nightly.yaml"
    path.write_text(text)
    return load_definition(path, overrides)


def test_a_definition_is_read_with_defaults(tmp_path: Path) -> None:
    definition = load(tmp_path, TEXT)
    assert definition.schemas == ("APP", "Mixed")
    assert definition.exclude_tables == (("APP", "LOG"),)
    assert definition.masking.ruleset == tmp_path / "rules" / "one.yaml"
    assert (definition.degree, definition.prepare) == (None, Prepare.REPLACE_OBJECTS)
    assert definition.expectations is None
    assert RefreshDefinition.from_json(definition.to_json()) == definition


def test_the_form_overrides_the_file_where_it_says_something(tmp_path: Path) -> None:
    assert load(tmp_path, TEXT + "degree: 2\n", degree=5).degree == 5
    assert load(tmp_path, TEXT + "degree: 2\n", degree=None).degree == 2


def test_data_pump_is_told_how(tmp_path: Path) -> None:
    assert load(tmp_path, TEXT).datapump == DataPump()
    section = """\
datapump:
  runner: client
  compression: all
  compression_algorithm: medium
  encryption_conn_id: dumps
  encryption_algorithm: AES192
  file_size: 4g
  logtime: all
  metrics: false
  keep_master: true
  trace: 1FF0300
"""
    found = load(tmp_path, TEXT + section)
    assert (found.datapump.file_size, found.datapump.trace) == ("4G", "1FF0300")
    assert found.datapump.keep_master
    assert not found.datapump.over_link
    assert RefreshDefinition.from_json(found.to_json()) == found
    found = load(tmp_path, TEXT + "datapump: {transport: network_link, database_link: prod.world}\n")
    assert found.datapump.over_link
    assert found.datapump.database_link == "PROD.WORLD"


def test_the_demo_definition_is_valid() -> None:
    definition = load_definition(DEMO)
    assert definition.schemas == ("APP", "DOCS", "TEST")
    assert definition.masking.ruleset == ROOT / "include" / "rulesets" / "demo.yaml"
    assert definition.masking.ruleset.exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: [unclosed", r"line \d+: not valid YAML"),
        ("a: 1\n\tb: 2", "line 2: not valid YAML"),
        ("", "line 1: a mapping of fields is expected"),
        ("- a\n- b", "line 1: a mapping of fields is expected"),
        (TEXT + "name: again\n", "line 14: not valid YAML: key 'name' appears twice"),
        (TEXT + "degre: 4\n", "line 14: degre: no such field, did you mean degree?"),
        (TEXT.replace("store:", "stor:"), "line 8: staging.stor: no such field, did you mean store?"),
        (TEXT.replace("schemas: ", "# "), "line 1: schemas: this field is missing"),
        (TEXT.replace("  mount: /FS\n", ""), "line 6: staging.mount: this field is missing"),
        (TEXT.replace("/FS", "FS"), "line 9: staging.mount: a mount is one folder below the root"),
        (TEXT.replace("/FS", "/../etc"), "line 9: staging.mount"),
        (TEXT + "degree: 0\n", "line 14: degree: Input should be greater than or equal to 1"),
        (TEXT + "degree: many\n", "line 14: degree: Input should be a valid integer"),
        (TEXT + "prepare: wipe\n", "line 14: prepare: .*replace_objects.*truncate"),
        (TEXT.replace("[app, '\"Mixed\"']", "[]"), "line 4: schemas: at least"),
        (TEXT.replace("app,", "SYS,"), "line 4: schemas: maintained by Oracle"),
        (TEXT.replace("app,", "Mixed, mixed,"), "line 4: schemas: named more than once: MIXED"),
        (
            TEXT.replace("app,", "'\"; DROP TABLE x --',"),
            r"line 4: schemas.0: invalid identifier '\"; DROP TABLE x --'",
        ),
        (TEXT.replace("APP.LOG", "LOG"), "line 5: exclude_tables.0: invalid identifier 'LOG': OWNER.NAME"),
        (
            TEXT.replace("APP.LOG", "HR.LOG"),
            "line 1: .* tables outside the schemas: HR.LOG",
        ),
        (TEXT + "datapump: {transport: network_link}\n", "datapump: .*network_link needs a database_link"),
        (
            TEXT + "datapump: {transport: network_link, database_link: L, file_size: 4G}\n",
            "datapump: .*writes no dump files",
        ),
        (TEXT + "datapump: {database_link: 'a b'}\n", "datapump.database_link: String should match"),
        (TEXT + "datapump: {compression_algorithm: low}\n", "compression_algorithm needs compression"),
        (
            TEXT + "datapump: {compression: metadata_only, compression_algorithm: low}\n",
            "compression_algorithm needs compression",
        ),
        (TEXT + "datapump: {encryption_algorithm: AES128}\n", "needs an encryption_conn_id"),
        (TEXT + "datapump: {trace: '1FF0300'}\n", "trace needs the runner client"),
        (TEXT + "datapump: {runner: client, trace: 480300}\n", "datapump.trace: .*valid string"),
        (TEXT + "datapump: {file_size: 4 GB}\n", "datapump.file_size: String should match"),
        (TEXT + "datapump: {file_size: 39K}\n", "datapump.file_size: .* 40 KB"),
        (TEXT + "tables: {APP.T: {}}\n", "line 14: tables.APP.T: nothing is chosen"),
        (TEXT + "tables: {APP.T: {shards: 0}}\n", "tables.APP.T.shards: .*greater than or equal to 1"),
        (TEXT + "tables: {APP.T: {shards: 1, scheme: ntile}}\n", "shards apart; shards is 1"),
        (TEXT + "tables: {APP.T: {scheme: bulk}}\n", "tables.APP.T.scheme: .*'partition'"),
        (TEXT + "tables: {APP.T: {access_method: fast}}\n", "tables.APP.T.access_method: .*'direct_path'"),
        (TEXT + "tables: {T: {shards: 2}}\n", "invalid identifier 'T': OWNER.NAME"),
        (TEXT + "tables: {HR.T: {shards: 2}}\n", "tables names HR.T: it is outside the schemas"),
        (TEXT + "tables: {APP.LOG: {shards: 2}}\n", "tables names APP.LOG: exclude_tables leaves it out"),
        (TEXT + "tables: {APP.T: {trace: '480300'}}\n", "tables names APP.T: trace needs the runner client"),
        (TEXT + OVER_LINK + "tables: {APP.T: {access_method: automatic}}\n", "names APP.T: .*dump files"),
        (TEXT + OVER_LINK + "tables: {APP.T: {scheme: rowid_block_modulo}}\n", "executed on the target"),
        (TEXT + OVER_LINK + "tables: {APP.T: {scheme: ntile}}\n", "subquery of ntile would be executed"),
        (TEXT + "datapump: {runner: sqlplus}\n", "line 14: datapump.runner: .*'api' or 'client'"),
        (TEXT.replace("conn_id: test", "conn_id: prod"), "source and target are the same connection 'prod'"),
    ],
)
def test_bad_input_is_refused_with_its_place(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(PreflightError, match=complaint) as caught:
        load(tmp_path, text)
    assert "nightly.yaml" in str(caught.value)
    assert caught.value.step == "definition"


def test_a_table_has_choices_of_its_own(tmp_path: Path) -> None:
    chosen = {"shards": 12, "scheme": "ora_hash", "metrics": False}
    text = TEXT + yaml.safe_dump({"tables": {"app.t": chosen, 'app."u"': {"shards": 40}}})
    definition = load(tmp_path, text)
    assert RefreshDefinition.from_json(definition.to_json()) == definition
    one, other = TableName("APP", "T"), TableName("APP", "OTHER")
    assert definition.choice(one).scheme == "ora_hash"
    assert definition.choice(TableName("APP", "u")).shards == definition.most_shards == 40
    assert definition.choice(other).shards is None
    assert definition.datapump_of((one,)) == definition.datapump.model_copy(update={"metrics": False})
    assert definition.datapump_of((other,)) == definition.datapump_of((one, other)) == definition.datapump
    assert load(tmp_path, TEXT).most_shards == 16


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(PreflightError) as caught:
        load(tmp_path, TEXT.replace("app,", "a b,") + "degree: 0\nprepare: wipe\n")
    assert all(part in str(caught.value) for part in ("schemas.0", "degree", "prepare"))
    assert "at least one" not in str(caught.value)


def test_a_wrong_form_field_is_told_from_a_wrong_line(tmp_path: Path) -> None:
    with pytest.raises(PreflightError, match="form field degree: Input should be less than or equal to 256"):
        load(tmp_path, TEXT, degree=1000)


def test_a_missing_or_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PreflightError, match="cannot be read: No such file"):
        load_definition(tmp_path / "absent.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PreflightError, match="not UTF-8"):
        load_definition(tmp_path / "binary.yaml")
    (tmp_path / "control.yaml").write_bytes(b"name: \x01")
    with pytest.raises(PreflightError, match="not valid YAML"):
        load_definition(tmp_path / "control.yaml")


def test_yaml_cannot_construct_objects(tmp_path: Path) -> None:
    with pytest.raises(PreflightError, match="not valid YAML"):
        load(tmp_path, TEXT + "degree: !!python/object/apply:os.getpid []\n")


def fields(model: Any, prefix: str = "") -> set[str]:
    names = set()
    for name, field in model.model_fields.items():
        nested = [
            t
            for t in (field.annotation, *getattr(field.annotation, "__args__", ()))
            if hasattr(t, "model_fields")
        ]
        names |= fields(nested[0], f"{prefix}{name}.") if nested else {prefix + name}
    return names


def test_the_reference_describes_every_field_and_nothing_else() -> None:
    text = (ROOT / "docs" / "reference" / "definition.md").read_text()
    table = text.split("| field |")[1].split("\n\n")[0]
    described = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert described == fields(RefreshDefinition)


def test_the_demo_is_what_yaml_says() -> None:
    assert set(yaml.safe_load(DEMO.read_text())) <= set(RefreshDefinition.model_fields)


CLONE = """\
name: clone
target: {conn_id: test}
database: CLONE
schemas: [app]
masking:
  ruleset: rules/one.yaml
  key_conn_id: key
"""


def load_target(folder: Path, text: str) -> Any:
    path = folder / "any.yaml"
    path.write_text(text)
    return load_target_definition(path)


def test_what_copies_nothing_is_a_clone(tmp_path: Path) -> None:
    clone, refresh = load_target(tmp_path, CLONE), load_target(tmp_path, TEXT)
    assert isinstance(clone, CloneDefinition)
    assert not clone.purge_statistics_history
    assert (clone.origin, clone.origin_role) == (clone.target, "target")
    assert CloneDefinition.from_json(clone.to_json()) == clone
    assert require_refresh(refresh) == load(tmp_path, TEXT)
    assert (refresh.origin, refresh.origin_role) == (refresh.source, "source")
    with pytest.raises(PreflightError, match="no source and no staging: it is that of a clone"):
        require_refresh(clone)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CLONE + "max_shards: 3\n", "line 8: max_shards"),
        (CLONE + "prepare: truncate\n", "line 8: prepare"),
        (CLONE + "source: {conn_id: prod}\n", "staging"),
        (TEXT.replace("source: {conn_id: prod}\n", ""), "source"),
        (TEXT + "purge_statistics_history: true\n", "purge_statistics_history"),
        (CLONE + "exclude_tables: [OTHER.T]\n", "outside the schemas"),
    ],
)
def test_half_a_refresh_is_neither(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PreflightError, match=message):
        load_target(tmp_path, text)
