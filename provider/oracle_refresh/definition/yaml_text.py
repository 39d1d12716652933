"""YAML as every file of this provider is read: a repeated key is an error, with its line.

YAML's own readers keep the last of two equal keys and say nothing, so a rule or an expectation that was
written twice would be lost.
"""

from __future__ import annotations

from typing import Any

import yaml

#: That of libyaml where PyYAML has it: some ten times as fast, and every masking task reads the ruleset.
_SafeLoader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _UniqueKeyLoader(_SafeLoader):  # type: ignore[misc, valid-type]
    """A safe loader that refuses a repeated key."""


def _construct_mapping(
    loader: _UniqueKeyLoader, node: yaml.MappingNode, deep: bool = False
) -> dict[Any, Any]:
    seen: set[tuple[str, str]] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if (key.tag, key.value) in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"key {key.value!r} appears twice", key.start_mark
            )
        seen.add((key.tag, key.value))
    mapping: dict[Any, Any] = _SafeLoader.construct_mapping(loader, node, deep)
    return mapping


_UniqueKeyLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)


def parse(text: str) -> tuple[yaml.Node | None, Any]:
    """The root node, which knows lines, and the data of a text; both None where it is empty.

    :raises ValueError: naming the line and what is wrong there.
    """
    try:
        loader = _UniqueKeyLoader(text)
        root = loader.get_single_node()
        return root, None if root is None else loader.construct_document(root)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ValueError(f"line {line}: not valid YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ValueError(f"not valid YAML: {error}") from error
