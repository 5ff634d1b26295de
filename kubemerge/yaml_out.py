"""YAML as kubectl prints it: keys sorted, lists not indented, and every string read back as the string it is."""

from __future__ import annotations

from typing import Any

import yaml

from codegen.yaml_text import YamlError, resolve

Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(Dumper):  # type: ignore[misc]
    """The dumper with our way of printing strings, and no aliases for parts that are equal."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the signature is PyYAML's
        return True


def _text(dumper: Any, text: str) -> Any:
    style = None
    if "\n" in text:
        style = "|"
    elif not _reads_as_itself(text):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _reads_as_itself(text: str) -> bool:
    try:
        return resolve(text) == text if text else False
    except YamlError:
        return False


_Dumper.add_representer(str, _text)


def dump(value: Any) -> str:
    """The text of one document."""
    text: str = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, default_flow_style=False, width=2**31 - 1)
    return text
