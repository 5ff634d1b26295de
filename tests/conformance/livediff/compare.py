"""The answers of kubemerge beside those of kubectl, and the classes of what differs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.directives import ANNOTATION
from engine.paths import parse

from .changes import changes, escaped, same

if TYPE_CHECKING:
    from .batch import Case
    from .ours import Answers

Found = dict[str, list[str]]
"""By command, the lines that describe what differs. Each line begins with its class."""
ANNOTATION_PATH = f"/metadata/annotations/{escaped(ANNOTATION)}"
CHOSEN_BY_SERVERS = ("/metadata/uid", "/metadata/resourceVersion", "/metadata/creationTimestamp", "/metadata/selfLink")
"""Places of an object that only a server chooses. `merge` may leave them out."""

STRICT = r"unknown field|strict decoding error"
"""Why `kubectl apply` is rejected and `kubectl diff` is not, which does not ask for strict validation of fields."""


def differences(case: Case, answers: Answers) -> Found:
    """What differs for one case, by command."""
    number = case["id"]
    refused = answers.refused.get(number)
    if "refused" in case:
        return {} if refused else {"diff": ["refused by the server only: " + _brief(case["refused"])]}
    if refused and not re.search(STRICT, refused):
        return {"diff": ["refused by ours only: " + _brief(refused)]}
    found = {
        "diff": _diff(case, answers),
        "diff -o json": _facts(case, answers.diff_facts.get(number, [])),
        "why --changed": _facts(case, answers.why.get(number, [])),
        "fleet drift": _facts(case, answers.drift.get(number, [])),
        "merge": _merge(case, answers),
    }
    return {command: lines for command, lines in found.items() if lines}


def _diff(case: Case, answers: Answers) -> list[str]:
    both = answers.diff.get(case["id"])
    if both is None:
        return ["failed: no answer"]
    theirs = _listed(case, changes(case["before"], case["merged"]))
    return contrast(_listed(case, changes(both.live, both.merged)), theirs)


def _merge(case: Case, answers: Answers) -> list[str]:
    found = answers.merged.get(case["id"])
    if case["stored"] is None:
        return []
    if found is None:
        return ["failed: no answer"]
    live = case["live"]
    theirs = _listed(case, changes(live, case["stored"]))
    ours = {path: one for path, one in _listed(case, changes(live, found)).items() if not _left_out(path, one)}
    left = [path for path in theirs if path in CHOSEN_BY_SERVERS]
    return contrast(ours, {path: one for path, one in theirs.items() if path not in left})


def _left_out(path: str, change: tuple[list[Any], list[Any]]) -> bool:
    """Whether the place is one that only a server chooses, and the object lacks it."""
    return path in CHOSEN_BY_SERVERS and not change[1]


def _listed(case: Case, found: list[Any]) -> dict[str, tuple[list[Any], list[Any]]]:
    """Changes by their paths; of Secrets, without the annotation, which kubectl shows with its values."""
    is_secret = case["kind"] == "Secret"
    return {path: (before, after) for path, before, after in found if not (is_secret and path == ANNOTATION_PATH)}


def contrast(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """The lines about places where two sets of changes differ."""
    lines = []
    for path in sorted({**ours, **theirs}):
        mine, real = ours.get(path), theirs.get(path)
        if mine is not None and real is not None and same(list(mine), list(real)):
            continue
        how = "only ours" if real is None else "only the server's" if mine is None else "another value"
        lines.append(f"{how} {general(path)}: {_words(mine)} | {_words(real)}")
    return lines


def _words(change: Any) -> str:
    if change is None:
        return "unchanged"
    return " -> ".join(_brief(repr(side[0])) if side else "nothing" for side in change)


def _brief(text: str) -> str:
    return text if len(text) < 160 else text[:150] + " ..."


def general(path: str) -> str:
    """A path without positions in lists."""
    return re.sub(r"/\d+(?=/|$)", "/*", path)


CAUSES = (
    ("refused by the server only", r"refused by the server only"),
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
"""Classes of differences, each with the pattern of its lines; the first one that matches counts."""


def cause(line: str) -> str:
    """The class of a difference."""
    for name, pattern in CAUSES:
        if re.match(pattern, line):
            return name
    return line.partition(": ")[0]


# ---- lists of fields -------------------------------------------------------------------------------------------------


def _facts(case: Case, facts: list[dict[str, Any]]) -> list[str]:
    """Whether the listed fields are those that differ between both sides, with their values."""
    before, after = _comparable(case["before"]), _comparable(case["merged"])
    lines = []
    for fact in facts:
        steps = parse(fact["path"]) if fact["path"] else ()
        if not _counts(steps):
            continue
        left, right = _at(before, steps), _at(after, steps)
        if fact["action"] == "reordered":
            if same(left, right):
                lines.append(f"only ours {_general(steps)}: reordered")
        elif same(left, right):
            lines.append(
                f"only ours {_general(steps)}: {_brief(repr(fact['before']))} -> {_brief(repr(fact['after']))}"
            )
        elif not (same(fact["before"], left) and same(fact["after"], right)):
            told, real = ((side["before"], side["after"]) for side in (fact, {"before": left, "after": right}))
            lines.append(f"another value {_general(steps)}: {_brief(repr(told))} | {_brief(repr(real))}")
    for document in (before, after):
        _remove(document, facts)
    rest = changes(_sorted(before), _sorted(after))
    return lines + [f"only the server's {general(path)}: {_words(values)}" for path, *values in rest]


def _comparable(document: Any) -> Any:
    """A copy without what lists of fields leave out: the generation and the annotation of apply."""
    import copy

    found = copy.deepcopy(document)
    metadata = found["metadata"]
    for name in ("generation", "managedFields"):
        metadata.pop(name, None)
    annotations = metadata.get("annotations")
    if isinstance(annotations, dict):
        annotations.pop(ANNOTATION, None)
        if not annotations:
            del metadata["annotations"]
    return found


def _counts(steps: tuple[Any, ...]) -> bool:
    return steps[:2] not in (("metadata", "generation"), ("metadata", "managedFields")) and ANNOTATION not in steps


def _general(steps: tuple[Any, ...]) -> str:
    return "/" + "/".join(escaped(step) if isinstance(step, str) else "*" for step in steps)


def _at(document: Any, steps: tuple[Any, ...]) -> Any:
    for step in steps:
        if isinstance(step, str):
            document = document.get(step) if isinstance(document, dict) else None
        else:
            index = _index(document, step)
            document = None if index is None else document[index]
    return document


def _index(document: Any, step: Any) -> int | None:
    if not isinstance(document, list):
        return None
    if isinstance(step, int):
        return step if step < len(document) else None
    return next((index for index, item in enumerate(document) if _is_at(item, step)), None)


def _is_at(item: Any, step: Any) -> bool:
    if len(step) == 1 and step[0][0] == "":
        return same(item, step[0][1])
    defaults = {"protocol": "TCP"}
    return isinstance(item, dict) and all(same(item.get(key, defaults.get(key)), value) for key, value in step)


def _remove(document: Any, facts: list[dict[str, Any]]) -> None:
    """Remove the places of all facts; sort lists in another order. Places are found before anything is removed."""
    found: list[tuple[Any, Any]] = []
    for fact in facts:
        steps = parse(fact["path"]) if fact["path"] else ()
        if fact["action"] == "reordered":
            found.append((_at(document, steps), None))
        elif steps:
            owner = _at(document, steps[:-1])
            found.append((owner, steps[-1] if isinstance(owner, dict) else _index(owner, steps[-1])))
    for owner, key in found:
        if isinstance(owner, dict):
            owner.pop(key, None)
        elif isinstance(owner, list) and key is not None:
            owner[key] = _REMOVED
    for owner, key in found:
        if isinstance(owner, list) and key is None:
            owner.sort(key=repr)


_REMOVED = "removed"


def _sorted(value: Any) -> Any:
    """A value without removed elements, and without maps and lists that are empty, perhaps since then."""
    if isinstance(value, dict):
        found = {key: _sorted(item) for key, item in value.items()}
        return {key: item for key, item in found.items() if item not in ({}, [], None)}
    if isinstance(value, list):
        items = [_sorted(item) for item in value if item is not _REMOVED]
        return [item for item in items if item not in ({}, [], None)]
    return value
