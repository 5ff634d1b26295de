"""Handwritten requests, one file for each area.

`bases` has objects with the path of their kind. Each case changes one: `{of: pod, set: {spec/hostname: A_B}}` creates
the object with this value, as a dry run. With `first`, the object is created with those values, and `set` changes it in
an update. `part` names the subresource. `given` lists objects that exist before. `ask` is any other request. `fields`
lists rules or patterns of a definition, each for a field, and with `to` the values of the fields. A value `{repeat: 9,
value: "a#"}` is a list with nine texts, in which # is the number of each. With a `key`, it is a map. A value
`{long: 9}` is a text of nine letters; with `between: ["'", "'"]`, these are its first and last ones.
`release` names the server's release, if it is not the newest one. A given `{ask: {wait: 3}}` waits for informers.
"""

from __future__ import annotations

import hashlib
import json
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...conftest import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .replay import Case

HERE = Path(__file__).parent
DROP = "<drop>"
"""The value of a field that is removed."""
LENGTHS = {"LONG": 2**18 + 1, "BIG": 2**20 + 1, "BIGBYTES": 1_400_000}
"""The lengths of some values."""
DRY = "dryRun=All"
FIELDS = 1
"""The number of fields in one definition, if an object is validated by it."""
PROPERTIES = "spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"


def areas() -> list[str]:
    """The names of the files."""
    return sorted(file.stem for file in (HERE / "asked").glob("*.yaml"))


def cases(area: str) -> list[Case]:
    """The cases of one file, without responses."""
    found = read_yaml(HERE / "asked" / f"{area}.yaml")
    fields = [case for one in found.get("fields", ()) for case in _of_fields(one, found["bases"])]
    return [*({**_case(one, found["bases"]), **_labels(one)} for one in found.get("cases", ())), *fields]


def _case(one: Any, bases: Any) -> Case:
    given = [_before(each, bases) for each in one.get("given", ())]
    if "ask" in one:
        ask = {"method": "POST", **one["ask"]}
        if isinstance(ask.get("body"), dict) and ask["body"].keys() <= {"of", "set"} and "of" in ask["body"]:
            ask["body"] = _creation(ask["body"], bases)["body"]
        return {"given": given, "ask": ask}
    if "first" not in one and "part" not in one:
        create = _creation(one, bases)
        query = one.get("query", DRY)
        return {"given": given, "ask": {**create, "path": f"{create['path']}?{query}"}}
    create = _creation({"of": one["of"], "set": one.get("first") or {}}, bases)
    path = f"{create['path']}/{create['body']['metadata']['name']}"
    part = f"/{one['part']}" if "part" in one else ""
    ask = {"method": "PUT", "path": f"{path}{part}?{DRY}", "set": one["set"]}
    created = [] if "then" in one else [create]
    return {"given": [*given, *created], "ask": ask}


def _before(one: Any, bases: Any) -> Any:
    """A request before the compared one: a create, or with `part` an update of the created object."""
    if "ask" in one:
        return one["ask"]
    create = _creation(one, bases)
    if "part" not in one and "update" not in one:
        return create
    part = f"/{one['part']}" if "part" in one else ""
    path = f"{create['path']}/{bases[one['of']]['body']['metadata']['name']}{part}"
    return {"method": "PUT", "path": path, "set": one.get("set") or one["update"]}


def _of_fields(one: Any, bases: Any) -> Iterator[Case]:
    """Fields of a definition, a few in each case; with values, they are fields of an object."""
    count = FIELDS if "to" in one else 1
    for start in range(0, len(one["each"]), count):
        chosen = one["each"][start : start + count]
        fields = {f"f{index}": _schema(one, each) for index, each in enumerate(chosen)}
        create = _creation({"of": one["of"], "set": {PROPERTIES: fields}}, bases)
        if "to" not in one:
            yield {"given": [], "ask": {**create, "path": f"{create['path']}?{DRY}"}, **_labels(one)}
            continue
        values = {f"f{index}": each[1] for index, each in enumerate(chosen)}
        ask = _creation({"of": one["to"], "set": {"spec": values}}, bases)
        yield {"given": [create], "ask": {**ask, "path": f"{ask['path']}?{DRY}"}, **_labels(one)}


def _labels(one: Any) -> dict[str, str]:
    """The server's release, and the reason for a known difference."""
    return {word: one[word] for word in ("release", "differs") if word in one}


def _schema(one: Any, each: Any) -> Any:
    """The schema of a field: a text with a rule, or a schema in which a word has a value."""
    given = each[0] if "to" in one else each
    if isinstance(given, dict):
        return given
    if one.get("word") == "rule":
        return {"type": "string", "maxLength": 99, "x-kubernetes-validations": [{"rule": given}]}
    return {"type": "string", one["word"]: given}


def _creation(one: Any, bases: Any) -> Any:
    base = bases[one["of"]]
    body = changed(base["body"], one.get("set") or {})
    path = base["path"]
    if "namespace" in one:
        path = path.replace("/namespaces/default/", f"/namespaces/{one['namespace']}/")
    return {"method": "POST", "path": path, "body": body}


def changed(content: Any, changes: dict[str, Any]) -> Any:
    """A copy with other values at some paths; steps are separated by slashes, and `~1` is a slash."""
    found = deepcopy(content)
    for place, value in changes.items():
        *steps, last = [step.replace("~1", "/") for step in place.split("/")]
        owner = found
        for step in steps:
            if isinstance(owner, list):
                owner = owner[int(step)]
            else:
                if owner.get(step) is None:
                    owner[step] = {}
                owner = owner[step]
        _put(owner, last, _written_out(value))
    return found


def _written_out(value: Any) -> Any:
    """A value without its abbreviations."""
    if isinstance(value, str) and value in LENGTHS:
        return "x" * LENGTHS[value]
    if isinstance(value, list):
        return [_written_out(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "long" in value:
        before, after = value.get("between", ("", ""))
        return before + "x" * (value["long"] - len(before + after)) + after
    if "repeat" not in value:
        return {key: _written_out(one) for key, one in value.items()}
    if "key" in value:
        return {_numbered(value["key"], n): _numbered(value["value"], n) for n in range(value["repeat"])}
    return [_numbered(value["value"], n) for n in range(value["repeat"])]


def _numbered(value: Any, number: int) -> Any:
    return _written_out(json.loads(json.dumps(value).replace("#", str(number))))


def _put(owner: Any, last: str, value: Any) -> None:
    if isinstance(owner, list):
        if last == "-":
            owner.append(value)
        else:
            owner[int(last)] = value
    elif value == DROP:
        owner.pop(last, None)
    else:
        owner[last] = value


def digest(case: Case) -> str:
    asked = {word: case[word] for word in ("given", "ask", "release") if word in case}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:12]


def answered(area: str, answers: dict[str, Any]) -> Iterator[Case]:
    """The cases of an area with their responses, if recorded."""
    for case in cases(area):
        answer = answers.get(digest(case))
        if answer is not None:
            yield {**case, **answer}
