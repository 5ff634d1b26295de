"""kubemerge's responses beside kubectl's, and the classes of differences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.directives import ANNOTATION

from .changes import brief, changes, escaped, general, same, words
from .drawn import DRAWN, DrawnValues
from .facts import facts_differ

if TYPE_CHECKING:
    from .batch import Case
    from .ours import Answers

Differences = dict[str, list[str]]
"""By command, the lines that describe the differences. Each line begins with its class."""
ANNOTATION_PATH = f"/metadata/annotations/{escaped(ANNOTATION)}"
CHOSEN_BY_SERVERS = ("/metadata/uid", "/metadata/resourceVersion", "/metadata/creationTimestamp", "/metadata/selfLink")
"""Fields that only a server chooses. `merge` may leave them out."""

STRICT = r"unknown field|strict decoding error"
"""Errors for which `kubectl apply` is rejected and `kubectl diff` is not, because it does not use strict validation."""

LISTED = {
    r"cannot unmarshal number \S+\.\S+ into Go struct field ObjectMeta": (
        "kubectl reads JSON files with Go's decoder, which takes 1.0 for no integer in metadata; in YAML it is one"
    ),
    r"is already marked as default. Only one default can exist": (
        "another pair made its PriorityClass the default one in the same server, after its live object was read"
    ),
}
"""Rejections by kubectl that are not compared, with the reasons."""


def listed(case: Case) -> str:
    """The reason why a case is not compared; empty if it is."""
    return next((why for words, why in LISTED.items() if re.search(words, case.get("refused", ""))), "")


def differences(case: Case, answers: Answers) -> Differences:
    """The differences for one case, by command."""
    number = case["id"]
    refused = answers.refused.get(number)
    if listed(case):
        return {}
    if "refused" in case:
        return {} if refused else {"diff": ["rejected by the API server only: " + brief(case["refused"])]}
    if refused and not re.search(STRICT, refused):
        return {"diff": ["refused by ours only: " + brief(refused)]}
    drawn = DrawnValues(case)
    before, after = drawn.marked(case["before"]), drawn.marked(case["merged"])
    found = {
        "diff": _diff(case, answers, drawn),
        "diff -o json": facts_differ(before, after, drawn.marked(answers.diff_facts.get(number, []))),
        "why --changed": facts_differ(before, after, drawn.marked(answers.why.get(number, []))),
        "merge": _merge(case, answers, drawn),
    }
    if answers.drift is not None:
        found["fleet drift"] = facts_differ(before, after, drawn.marked(answers.drift.get(number, [])))
    return {command: lines for command, lines in found.items() if lines}


def _diff(case: Case, answers: Answers, drawn: DrawnValues) -> list[str]:
    """Differences between both sides of `diff` and kubectl's. kubectl shows copies of a Secret in its annotation."""
    both = answers.diff.get(case["id"])
    if both is None:
        return ["failed: no answer"]
    ours = _by_path(drawn.marked(both.live), drawn.marked(both.merged))
    theirs = _by_path(drawn.marked(case["before"]), drawn.marked(case["merged"]))
    if case["kind"] == "Secret":
        ours.pop(ANNOTATION_PATH, None)
        theirs.pop(ANNOTATION_PATH, None)
    for path, (_, after) in [*theirs.items()]:
        if after == [DRAWN] and not ours.get(path, ([], []))[1]:  # a prediction leaves such values out
            ours.pop(path, None)
            theirs.pop(path)
    return contrast(ours, theirs)


def _merge(case: Case, answers: Answers, drawn: DrawnValues) -> list[str]:
    """Differences between the output of `merge` and the stored object, perhaps without server-chosen fields."""
    if case["stored"] is None:
        return []
    found = answers.merged.get(case["id"])
    if found is None:
        return ["failed: no answer"]
    ours = _by_path(case["live"], drawn.marked(found))
    theirs = _by_path(case["live"], drawn.marked(case["stored"]))
    return contrast_predicted(ours, theirs)


def _by_path(before: Any, after: Any) -> dict[str, tuple[list[Any], list[Any]]]:
    return {path: (old, new) for path, old, new in changes(before, after)}


def contrast_predicted(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """The same, where ours may leave out what only a server chooses."""
    for path in {*ours, *theirs}:
        chosen = path in CHOSEN_BY_SERVERS or theirs.get(path, ([], []))[1] == [DRAWN]
        if chosen and (path not in ours or not ours[path][1]):
            ours.pop(path, None)
            theirs.pop(path, None)
    return contrast(ours, theirs)


def contrast(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Lines about fields where two sets of changes differ."""
    lines = []
    for path in sorted({**ours, **theirs}):
        mine, real = ours.get(path), theirs.get(path)
        if mine is not None and real is not None and same(list(mine), list(real)):
            continue
        how = "only ours" if real is None else "only the server's" if mine is None else "another value"
        lines.append(f"{how} {general(path)}: {words(mine)} | {words(real)}")
    return lines


CAUSES = (
    ("rejected by the API server only", r"rejected by the API server only"),
    ("refused by ours only", r"refused by ours only"),
    ("no answer", r"failed"),
    ("generation is not raised", r"only the server's /metadata/generation"),
    ("generation is another one", r".* /metadata/generation:"),
    (
        "the server keeps its own metadata",
        r"only ours /metadata/(creationTimestamp|uid|resourceVersion|selfLink|deletion\S+)",
    ),
    ("status is not written", r"only ours /status"),
    ("stringData", r".*/(stringData|data)[/:]"),
    ("an empty value is dropped", r"only ours \S+: (nothing|None) -> (\{\}|\[\]|None|'')"),
    (
        "a default value is filled in",
        r"only the server's \S+: \S+( ->)? nothing -> |only the server's \S+: unchanged . nothing ->",
    ),
    ("a default value is kept", r"only ours \S+: .* -> (nothing|None)"),
    ("a default value takes the place of a value", r"another value \S+: .* -> nothing "),
    ("a value in another spelling", r"only ours \S+: .* -> "),
)
"""Classes of differences, each with the pattern of its lines; the first match counts."""


def cause(line: str) -> str:
    """The class of a difference."""
    for name, pattern in CAUSES:
        if re.match(pattern, line):
            return name
    return line.partition(": ")[0]
