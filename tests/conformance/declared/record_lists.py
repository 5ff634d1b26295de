"""Record upstream's lists of declared rules: the problems of each kind, by path, type of error and origin.

`validation-gen` prints them to `test/declarative_validation` of `k8s.io/kubernetes`, for upstream's coverage tests.

    python -m tests.conformance.declared.record_lists go:k8s.io/kubernetes@v1.37.1
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from codegen.sources.go_modules import module

FILE = Path(__file__).parent / "lists.txt"
_LIST = re.compile(r"test/declarative_validation/.*/zz_generated\.validations\.v\w+_test\.go")
_KIND = re.compile(
    r'Kind\{Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"\},\s*coverage\.FieldRules\{(.*?)\n\t\t\},',
    re.DOTALL,
)
_PATH = re.compile(r'\n\t\t\t("(?:[^"\\]|\\.)*"): \{(.*?)\n\t\t\t\},', re.DOTALL)
_RULE = re.compile(r'ErrorType: "(?:FieldValue)?(\w+)"(?:, Origin: "([^"]*)")?')


def lists_in(text: str) -> dict[str, set[str]]:
    """The rules in a Go file, as lines of `path type origin`, by apiVersion and kind."""
    return {
        f"{f'{group}/' if group else ''}{version} {kind}": {
            f"{json.loads(path)} {type_} {origin}".rstrip()
            for path, rules in _PATH.findall(body)
            for type_, origin in _RULE.findall(rules)
        }
        for group, version, kind, body in _KIND.findall(text)
    }


def read() -> dict[str, set[str]]:
    """The recorded lists."""
    lists: dict[str, set[str]] = {}
    rules: set[str] = set()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            rules.add(line[1:])
        elif line and not line.startswith("#"):
            rules = lists.setdefault(line, set())
    return lists


def main(source: str) -> None:
    """Write the lists of a release."""
    found: dict[str, set[str]] = {}
    for _, text in module(source).files(lambda name: bool(_LIST.fullmatch(name))):
        found |= lists_in(text)
    lines = [f"# Declared rules by apiVersion and kind: path, type of error, origin. From {source}."]
    for kind in sorted(found):
        lines += [kind, *(f" {rule}" for rule in sorted(found[kind]))]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(found)} lists, {sum(map(len, found.values()))} rules")


if __name__ == "__main__":
    main(sys.argv[1])
