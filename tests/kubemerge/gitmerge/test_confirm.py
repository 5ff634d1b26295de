"""Clean line merges of git in place of conflicts: accepted only if the values of the result are a merge too."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from kubemerge.gitmerge.confirm import is_merge
from kubemerge.gitmerge.driver import Options, run

from .cases import LOOKUP

if TYPE_CHECKING:
    from pathlib import Path

STEPS = (
    "apiVersion: example.com/v1\nkind: Steps\nmetadata:\n  name: a\nsteps:\n- a: 1\n  b: 1\n  c: 1\n  d: 1\n- x: 1\n"
)
ROLE = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: a
rules:
- apiGroups: [apps]
  resources: [deployments]
  # needed
  # for the rollout
  verbs: [get]
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get]
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - name: app
    args:
    - one
    - two
    - three
    image: app:1
  - name: proxy
    image: proxy:1
"""
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    x: y\n    z: y\ndata:\n  a: '1'\n"
MOVED = "apiVersion: example.com/v1\nkind: Steps\nmetadata:\n  name: a\nsteps:\n- a\n- b\n- c\n- d\n- e\n"
JOB = "- apiGroups: [batch]\n  resources: [jobs]\n"
CASES = {
    "two fields of one element without a name": (STEPS, [("a: 1", "a: 2")], [("d: 1", "d: 2")], True),
    "a change in an element, and an element beside it": (
        ROLE,
        [("[deployments]", "[deployments, pods]")],
        [("  verbs: [get]\n- api", "  verbs: [list]\n- api"), (JOB, f"- apiGroups: [x]\n  verbs: [x]\n{JOB}")],
        True,
    ),
    "a renamed element and a change in it": (POD, [("- name: app", "- name: web")], [("app:1", "app:2")], True),
    "a renamed element beside a removed one": (
        POD,
        [("- two", "- zwei")],
        [("- name: app", "- name: web"), ("  - name: proxy\n    image: proxy:1\n", "")],
        True,
    ),
    "a renamed object and a change in it": (MAP, [("name: a", "name: b")], [("a: '1'", "a: '2'")], True),
    "an element that one side moved and the other removed": (
        MOVED,
        [("- b\n", ""), ("- e\n", "- e\n- b\n")],
        [("- b\n", "")],
        False,
    ),
    "the same key at two places": (
        MAP,
        [("  name: a\n", "  name: a\n  namespace: o\n")],
        [("    z: y\n", "    z: y\n  namespace: t\n")],
        False,
    ),
}


def replaced(text: str, pairs: list[tuple[str, str]]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize("name", CASES)
def test_where_git_is_clean(name: str, tmp_path: Path) -> None:
    base, ours, theirs, is_right = CASES[name]
    files = [tmp_path / side for side in ("base", "ours", "theirs")]
    for text, file in zip((base, replaced(base, ours), replaced(base, theirs)), files, strict=True):
        file.write_text(text, encoding="utf-8")
    words = ["git", "merge-file", "-p", str(files[1]), str(files[0]), str(files[2])]
    done = subprocess.run(words, check=False, capture_output=True)
    assert done.returncode == 0
    assert run([*map(str, files)], Options("x.yaml"), lambda _: None) == (0 if is_right else 1)
    assert (files[1].read_bytes() == done.stdout) == is_right


def test_other_yaml_has_no_more_conflicts_than_in_git(tmp_path: Path) -> None:
    files = [tmp_path / side for side in ("base", "ours", "theirs")]
    base = MOVED.partition("steps:")[1] + MOVED.partition("steps:")[2]
    for text, file in zip(
        (base, replaced(base, [("- b\n", "")]) + "- b\n", base.replace("- b\n", "")), files, strict=True
    ):
        file.write_text(text, encoding="utf-8")
    assert run([*map(str, files)], Options("x.yaml"), lambda _: None) == 0


TEXT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: |\n    1\n    2\n    3\n"
LISTS = MOVED.replace("- a\n- b\n- c\n- d\n- e\n", "- - a\n  - x\n- - b\n  - x\n")
TWICE = MAP.replace("z: y", "z: z\n    z: z").replace("'1'", "'2'")
APPS = (ROLE.replace("[apps]", "[apps, x]"), ROLE.replace("[batch]", "[batch, x]"))
ONE_POD = (POD.replace("app:1", "app:2"), POD.replace("proxy:1", "proxy:2"))
WRONG = {
    "a change in another element": (ROLE, *APPS, APPS[0].replace("[apps, x]", "[apps]").replace("[jobs]", "[jobs, x]")),
    "a change of theirs in another element": (ROLE, *APPS, ROLE.replace("[apps]", "[apps, x, x]")),
    "an element twice": (ROLE, *APPS, APPS[0].replace("[batch]", "[batch, x]") + ROLE.partition("rules:\n")[2]),
    "other lists in a list": (
        LISTS,
        LISTS.replace("- a", "- c"),
        LISTS.replace("- b", "- d"),
        LISTS.replace("- a", "- d").replace("- b", "- c"),
    ),
    "scalars in another order": (
        MOVED,
        MOVED.replace("- b", "- x"),
        MOVED.replace("- d", "- y"),
        MOVED.replace("- b", "- y").replace("- d", "- x"),
    ),
    "a lost change": (POD, *ONE_POD, ONE_POD[1]),
    "a lost change of theirs": (POD, *ONE_POD, ONE_POD[0]),
    "a lost line of text": (
        TEXT,
        TEXT.replace("    1", "    one"),
        TEXT.replace("    3", "    three"),
        TEXT.replace("    1", "    one").replace("    2\n", "").replace("    3", "    three"),
    ),
    "a lost document": (POD, *ONE_POD, ""),
    "a document more": (POD, *ONE_POD, f"{ONE_POD[0].replace('proxy:1', 'proxy:2')}---\n{MAP}"),
    "a key twice": (MAP, MAP.replace("z: y", "z: z"), MAP.replace("'1'", "'2'"), TWICE),
    "no identity": ("a: 1\n---\na: 2\n", "a: 1\n---\na: 3\n", "a: 4\n---\na: 2\n", "a: 4\n---\na: 3\n"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_result(name: str) -> None:
    """The last text is no merge of the three."""
    *versions, found = (text.encode() for text in WRONG[name])
    assert not is_merge(found, versions, LOOKUP)


def _role(*rules: str) -> str:
    """A Role with a rule for each resource. A sign behind the name is the last verb."""
    found = ROLE.partition("rules:\n")[0] + "rules:\n"
    for rule in rules:
        name, _, verb = rule.partition(":")
        found += f"- apiGroups: [apps]\n  resources: [{name}]\n  verbs:\n  - get\n  - list\n  - {verb or 'x1'}\n"
    return found


RULES = _role("aa", "bb", "cc")
RULES_OF_OURS = _role("aa", "bb:x2", "cc")
OTHER_RULES = {
    "swapped": (_role("bb", "aa", "cc"), _role("bb", "aa:x2", "cc"), _role("bb:x2", "aa", "cc")),
    "removed and added": (_role("bb", "cc", "dd"), _role("bb", "cc:x2", "dd"), None),
    "replaced": (_role("aa", "zz", "cc"), _role("aa", "zz:x2", "cc"), None),
    "swapped and added": (_role("bb", "aa", "cc", "dd"), _role("bb", "aa:x2", "cc", "dd"), None),
    "added in front": (_role("zz", "aa", "bb", "cc"), _role("zz", "aa:x2", "bb", "cc"), None),
}


@pytest.mark.parametrize("name", OTHER_RULES)
def test_a_change_in_another_rule(name: str) -> None:
    """Ours changed a rule, and theirs moved, removed or replaced rules. The change is not accepted in another one."""
    theirs, wrong, moved = OTHER_RULES[name]
    versions = [text.encode() for text in (RULES, RULES_OF_OURS, theirs)]
    for found in (wrong, moved):
        if found is not None:
            assert not is_merge(found.encode(), versions, LOOKUP)
            assert not is_merge(found.encode(), [versions[0], versions[2], versions[1]], LOOKUP)


def test_a_change_beside_other_rules() -> None:
    """Changes in the rule that they were made in are accepted, with additions and removals of other rules."""
    ours, theirs = _role("aa", "bb:x2", "cc"), _role("aa", "bb, more", "dd")
    versions = [text.encode() for text in (RULES, ours, theirs)]
    assert is_merge(_role("aa", "bb, more:x2", "dd").encode(), versions, LOOKUP)
    assert not is_merge(_role("aa", "dd", "bb, more:x2").encode(), versions, LOOKUP)


def test_text_of_both_sides() -> None:
    three = [TEXT, TEXT.replace("    1", "    one"), TEXT.replace("    3", "    three")]
    versions = [text.encode() for text in three]
    assert is_merge(three[1].replace("    3", "    three").encode(), versions, LOOKUP)
    assert not is_merge(three[1].replace("    3", "    three\n    four").encode(), versions, LOOKUP)
    assert not is_merge(three[1].encode(), versions, LOOKUP)
