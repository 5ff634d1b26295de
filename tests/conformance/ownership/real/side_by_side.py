"""Compare a real API server with `kubemerge serve`, response by response, on random sequences of writes.

`python -m tests.conformance.ownership.real.side_by_side --count 3000 --seed 1` counts sequences, and the texts of
rejections and warnings: message, reason, causes and the named object. The real server is the one of KUBECONFIG, and is
filled with objects. `kubemerge serve` is started for the run.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from engine.values.plain import has_floats

from ..compare import places
from .__main__ import prepared
from .draw import Drawer
from .kinds import RELEASE, kinds, versioned
from .sequences import MANAGERS, METHODS, drawn
from .server import CRASHED, Server, ServerUnavailable, path_of
from .variants import as_text, varied
from .words import masked, rejection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .kinds import Kind
    from .server import Answer

Step = dict[str, Any]
"""One write with both responses: number, kind, version, do, subresource, manager, force, body, before, theirs, ours."""
START = 60
"""Seconds to wait for `kubemerge serve` to start."""
VERSIONED = 5
"""The weight of kinds with several apiVersions, relative to others."""
REQUESTER = ("username", "extra")
"""Fields of a CertificateSigningRequest that come from the client's certificate."""
REQUESTER_IN_JSON = r'"extra":\{"authentication[^}]*\},|,"username":"[^"]*"'
"""The same fields in the annotation that kubectl keeps."""
GRACE = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}


@dataclass(frozen=True)
class Pair:
    """The two servers. `uids`: the real uids of the owners, with kubemerge's."""

    real: Server
    ours: Server
    uids: dict[str, str]

    def ask(self, method: str, path: str, body: Any = None, kind: str = "", **query: str) -> tuple[Answer, Answer]:
        """Both responses to one request, in the order real, ours."""
        return self.real.ask(method, path, body, kind, **query), self.ours.ask(method, path, body, kind, **query)


@contextmanager
def embedded(release: str = RELEASE) -> Iterator[Server]:
    """A `kubemerge serve` with an empty cluster."""
    with TemporaryDirectory() as folder:
        config = Path(folder) / "kubeconfig"
        command = [sys.executable, "-m", "kubemerge", "serve", "-q", "--port", "0", "--cluster", ":memory:"]
        command += ["--release", release, "--controllers", "-*"]  # as the real server has none
        process = subprocess.Popen([*command, "--kubeconfig", str(config)], stdout=subprocess.DEVNULL)
        try:
            for _ in range(START * 10):
                if config.is_file():
                    break
                time.sleep(0.1)
            yield Server(str(config))
        finally:
            process.terminate()
            process.wait()


OWNERS = "/apis/scheduling.k8s.io/v1/priorityclasses"
"""Cluster-scoped objects that can own all others. Objects with a missing owner would be collected."""


def paired(real: Server, ours: Server) -> Pair:
    """Both servers with the owner objects."""
    uids: dict[str, list[str]] = {}
    for server in (real, ours):
        prepared(server)
        for name in ("o", "p"):
            body = {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": name},
                "value": 1,
            }
            server.ask("POST", OWNERS, body)
            uids.setdefault(name, []).append(server.ask("GET", f"{OWNERS}/{name}").body["metadata"]["uid"])
    return Pair(real, ours, dict(uids.values()))


class _Drawer(Drawer):
    """Draws objects whose owners exist."""

    def __init__(self, random: Random, kind: Kind, name: str, owners: Iterable[str]) -> None:
        super().__init__(random, kind, name)
        references = [
            {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "name": owner, "uid": uid}
            for owner, uid in zip("op", owners, strict=True)
        ]
        first = {**references[0], "controller": True}
        self.metadatas = (*self.metadatas[:2], {"labels": {}, "ownerReferences": [first, references[1]]})


def sequence(servers: Pair, seed: int) -> Iterator[Step]:
    """The writes of one sequence, up to the first difference between the servers that is not one of words."""
    random = Random(seed)
    release = servers.real.release
    kind = random.choice((*kinds(release), *versioned(release) * VERSIONED))
    name = f"s{seed}-{time.time_ns() // 1000}"
    drawer = _Drawer(random, kind, name, servers.uids)
    managers = random.sample(MANAGERS, random.randint(2, 4))
    for number in range(random.randint(3, 9)):
        version = random.choice([kind.apiVersion, *kind.also])
        path = path_of(kind, version, name)
        theirs, ours = servers.ask("GET", path)
        before = theirs.body if theirs.done else None
        write = drawn(random, drawer, kind, version, before, deletes=True)
        write = varied(random, drawer, kind, write, before)
        minor = int(release.partition(".")[2])
        step: Step = {"number": number, "minor": minor, **write, "manager": random.choice(managers), "before": before}
        _answer(servers, kind, step, name, ours.body if ours.done else None)
        yield step
        if not _differs_in_words(step) and _text(step["ours"]) != _text(step["theirs"]):
            break
    for server in (servers.real, servers.ours):
        server.ask("PATCH", path_of(kind, kind.apiVersion, name), {"metadata": {"finalizers": None}}, kind="merge")
        server.ask("DELETE", path_of(kind, kind.apiVersion, name), GRACE)


def _answer(servers: Pair, kind: Kind, step: Step, name: str, mine: Any) -> None:
    """Send a write to both servers, and note both responses."""
    way = "put" if step["do"] in ("clear", "older") else step["do"]
    path = path_of(kind, step["version"], "" if way == "create" else name, step["subresource"])
    for server, side in ((servers.real, "theirs"), (servers.ours, "ours")):
        body = step["body"] if side == "theirs" else _as_ours(step["body"], step["before"], mine, servers.uids)
        query = {} if way == "delete" else {"fieldManager": step["manager"], "force": "true" if step["force"] else ""}
        body = as_text(body, step["text"])
        answer = server.ask(METHODS.get(way, "PATCH"), path, body, kind=way, **query, **step["query"])
        found: Step = {"code": answer.code, "warnings": masked(answer.warnings), **_comparable(answer, kind)}
        stored = server.ask("GET", path_of(kind, step["version"], name))
        old = step["before"] if side == "theirs" else mine
        found["stored"] = _comparable(stored, kind).get("object")
        found["moved"] = stored.done and old is not None and _version(stored.body) != _version(old)
        back = {mine: theirs for theirs, mine in servers.uids.items()} if side == "ours" else {}
        step[side] = json.loads(_replaced(json.dumps(found), back))


def _version(document: Any) -> Any:
    return document["metadata"]["resourceVersion"]


def _as_ours(body: Any, theirs: Any, ours: Any, uids: dict[str, str]) -> Any:
    """A request to the real server as a request to kubemerge: with its uid, version and times of the object."""
    sent, body = body, json.loads(_replaced(json.dumps(body), {**uids, **_drawn_words(theirs, ours)}))
    if not (isinstance(body, dict) and theirs and ours):
        return body
    spec = body.get("spec")
    if body.get("kind") == "CertificateSigningRequest" and isinstance(spec, dict):
        mine = {field: ours["spec"][field] for field in REQUESTER if field in spec and field in ours["spec"]}
        body["spec"] = {**{field: value for field, value in spec.items() if field not in REQUESTER}, **mine}
    given = body.get("metadata")
    if not isinstance(given, dict):
        return body
    own = {
        field: ours["metadata"].get(field)
        for field in ("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "managedFields")
        if field in given and sent["metadata"][field] == theirs["metadata"].get(field)
    }
    return {**body, "metadata": {**given, **own}}


def _drawn_words(theirs: Any, ours: Any) -> dict[str, str]:
    """The values that each server has drawn for the object and repeats in it: real ones with ours."""
    if not (theirs and ours):
        return {}
    words = {theirs["metadata"]["uid"]: ours["metadata"]["uid"]}
    words[f'"resourceVersion": "{_version(theirs)}"'] = f'"resourceVersion": "{_version(ours)}"'
    for field in ("clusterIP", "healthCheckNodePort"):
        their, mine = (str((one.get("spec") or {}).get(field)) for one in (theirs, ours))
        if "None" not in (their, mine):
            words[their] = mine
    ports = [((one.get("spec") or {}).get("ports") or []) for one in (theirs, ours)]
    for their, mine in zip(*ports, strict=False) if theirs["kind"] == "Service" else ():
        if "nodePort" in their and "nodePort" in mine:
            words[f'"nodePort": {their["nodePort"]}'] = f'"nodePort": {mine["nodePort"]}'
    return words


def _comparable(answer: Answer, kind: Kind) -> dict[str, Any]:
    """The comparable part of a response."""
    if answer.done:
        if answer.body.get("kind") == "Status":
            answer.body.get("details", {}).pop("uid", None)
        if answer.body.get("kind") == "CertificateSigningRequest":
            for field in REQUESTER:
                answer.body["spec"].pop(field, None)
        return {"object": _object(answer.body)}
    return rejection(answer, kind)


def _replaced(text: str, words: dict[str, str]) -> str:
    for word, other in words.items():
        text = text.replace(word, other)
    return text


DRAWN = {
    "clusterIP",
    "clusterIPs",
    "nodePort",
    "healthCheckNodePort",
    "controller-uid",
    "batch.kubernetes.io/controller-uid",
}
TIMES = {"lastPhaseTransitionTime", "lastTransitionTime", "deletionTimestamp", "lastUpdateTime", "timeAdded"}
NAMES = {"uid", "resourceVersion", "creationTimestamp"}


def _object(document: Any) -> Any:
    """An object without server-drawn values."""
    if isinstance(document, list):
        return [_object(one) for one in document]
    if not isinstance(document, dict):
        is_json = isinstance(document, str) and document.startswith("{")
        return re.sub(REQUESTER_IN_JSON, "", masked(document)) if is_json else document
    found = {}
    for field, value in document.items():
        if field in DRAWN or field in TIMES:
            found[field] = value is not None
        elif field == "metadata" and isinstance(value, dict):
            kept = {key: inner for key, inner in value.items() if key not in NAMES}
            if isinstance(kept.get("managedFields"), list):
                kept["managedFields"] = _entries(kept["managedFields"])
            found[field] = _object(kept)
        else:
            found[field] = _object(value) if field != "managedFields" else value
    return found


def _entries(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    timeless = [{**entry, "time": "time" in entry} for entry in entries]
    return sorted(
        timeless, key=lambda one: [str(one.get(name)) for name in ("operation", "manager", "apiVersion", "subresource")]
    )


def _text(found: Step) -> str:
    """A response as text, in which 1.0 is not 1."""
    return json.dumps(found, sort_keys=True)


OBJECT = 'patch: Invalid value: "{'
CUSTOM = frozenset(kind.kind for kind in (*kinds(), *versioned()) if kind.custom)
RAISED = {"/moved", "/object/metadata/generation", "/stored/metadata/generation"}
RESTORED = ("/object/spec/", "/stored/spec/", "/object/status/conditions/", "/stored/status/conditions/")
RESTORING = ("Double", "HorizontalPodAutoscaler")
EMPTY_MAPS = {"/object/metadata/annotations", "/object/metadata/labels"}
WORDS = {"/message", *(f"/causes/{number}/message" for number in range(20))}
STATUS_PRUNED_UNTIL = 20
EMPTY_IS_NULL, EMPTY_IS_NULL_UNTIL = 'in body must be of type string: "null"', 20
TEMPLATE, STRUCTS_UNTIL = "Invalid value: core.PodTemplateSpec{ObjectMeta:", 33
METRICS_TWICE_UNTIL, RENAMED_IN = 25, 25
RAW = {"ControllerRevision", "DeviceClass", "ResourceClaim", "ResourceClaimTemplate"}
"""Kinds with values of any type."""
LISTED: dict[str, tuple[str, Callable[[Step], bool]]] = {
    "an empty map in the metadata of a custom resource": (
        "a server stores one that was applied, so that the next write, even of nothing, changes the stored object",
        lambda step: (
            step["kind"] in CUSTOM
            and (
                (_places(step) == {"/moved"} and not step["ours"]["moved"])
                or (
                    _places(step) <= RAISED | EMPTY_MAPS
                    and step["do"] == "apply"
                    and {} in step["body"]["metadata"].values()
                )
            )
        ),
    ),
    "another uid in a patch of a Job": (
        "a server compares the labels of its template with the new uid",
        lambda step: (
            step["kind"] == "Job"
            and step["ours"]["code"] == step["theirs"]["code"] == 422
            and "metadata.uid" in str(step["ours"].get("causes"))
        ),
    ),
    "a fraction of zero in a custom resource": (
        "a server takes 1.0 that is sent as JSON for another number than the 1 that it has stored, and for no integer",
        lambda step: (
            step["kind"] in CUSTOM
            and has_floats(step["body"])
            and (_places(step) <= RAISED or "is of the type float64, expected int64" in str(step["theirs"]))
        ),
    ),
    "a raw value": (
        "a server keeps its text, in which 1.0 is not 1 and null is a value, and compares texts",
        lambda step: step["kind"] in RAW and (has_floats(step["body"]) or ": null" in json.dumps(step["body"])),
    ),
    "a null among bytes": (
        "a server stores no bytes for it and reads empty ones, so that the next write changes the stored object",
        lambda step: (
            _places(step) == {"/moved"} and not step["ours"]["moved"] and '": ""' in json.dumps(_data(step["before"]))
        ),
    ),
    "labels of a job that come from its template": (
        "a server stores none and reads those, so that the next write, even of nothing, changes the stored object",
        lambda step: step["kind"] == "Job" and _places(step) == {"/moved"} and not step["ours"]["moved"],
    ),
    "metrics of an autoscaler that is written through both versions": (
        "a server stores them in the order of its first version after a write through that, and counts it",
        lambda step: (
            step["kind"] == "HorizontalPodAutoscaler"
            and all(place in RAISED or "/spec/metrics/" in place for place in _places(step))
        ),
    ),
    "metrics of 512Mi or 64Mi right after another write": (
        "a server whose cache is late reads the live object again, and then has not printed its quantities",
        lambda step: (
            step["kind"] == "HorizontalPodAutoscaler"
            and re.search('"(512|64)Mi"', json.dumps(step["before"])) is not None
            and all("/metadata/managedFields" in place for place in _places(step))
        ),
    ),
    "metrics of 512Mi in an apply through another version": (
        "a server compares them in memory, too, if it had to convert the result, from which fields of v1 are gone",
        lambda step: (
            step["kind"] == "HorizontalPodAutoscaler"
            and step["do"] == "apply"
            and '"512Mi"' in json.dumps(step["before"])
            and [one.get("field") for one in step["theirs"].get("conflicts") or ()] == [".spec.metrics"]
        ),
    ),
    "a time that a request leaves out, of an autoscaler with conditions": (
        "a server compares its annotations, empty without those that stand for fields, with none, and stores it",
        lambda step: (
            step["kind"] == "HorizontalPodAutoscaler"
            and step["version"] == "autoscaling/v1"
            and "autoscaling.alpha.kubernetes.io/" in str(step["before"])
            and "/moved" in _places(step)
            and all(place == "/moved" or place.endswith("/time") for place in _places(step))
        ),
    ),
    "the metrics of an autoscaler in a dry run": (
        "until 1.25, a server adds them to those of the object that it has read, and shows them twice",
        lambda step: (
            step["minor"] <= METRICS_TWICE_UNTIL
            and step["kind"] == "HorizontalPodAutoscaler"
            and step["query"].get("dryRun") == "All"
            and all("/metrics" in place for place in _places(step))
        ),
    ),
    "the group of an Ingress or a NetworkPolicy in a message": (
        "a server of 1.25 that a later Go compiles registers the types of extensions first, and names this group",
        lambda step: (
            step["minor"] == RENAMED_IN
            and step["theirs"].get("about", {}).get("group") == "extensions"
            and step["theirs"]["message"].replace(".extensions ", ".networking.k8s.io ", 1) == step["ours"]["message"]
            and all(place in ("/about/group", "/message") or "/causes" in place for place in _places(step))
            and _causes(step["ours"]) == _causes(step["theirs"])
        ),
    ),
    "an apply to an object with owners in several versions": (
        "a server restores owned elements version by version, in Go's random order, and the results differ",
        lambda step: (
            step["do"] == "apply"
            and len({step["version"], *(entry["apiVersion"] for entry in _entries_of(step["before"]))}) > 1
            and (
                (step["kind"] in RESTORING and all(place.startswith(RESTORED) for place in _places(step)))
                or (_places(step) == {"/message"} and _fails_to_prune(step["theirs"]) and _fails_to_prune(step["ours"]))
            )
        ),
    ),
    "a time that every write sets": (
        "a write within the same second as the one before changes nothing, and both servers have their own clock",
        lambda step: (
            step["kind"] in ("CertificateSigningRequest", "Namespace")
            and step["do"] != "delete"
            and _places(step) == {"/moved"}
        ),
    ),
    "another uid in a Scale": (
        "a server ignores it in a patch, and names only the kind when it refuses a replacement",
        lambda step: step["subresource"] == "scale" and "Precondition failed: UID" in str(step["ours"].get("message")),
    ),
    "the allocatable resources of a node": (
        "a server fills them in after it has noted who owns which field of the status",
        lambda step: step["kind"] == "Node" and all("f:status/f:allocatable" in place for place in _places(step)),
    ),
    "an empty map or list in a text": (
        "a server shows it where ours shows null",
        lambda step: _places(step) <= WORDS and _without_empties(step["theirs"]) == _without_empties(step["ours"]),
    ),
    "a list key named on": (
        "until 1.26, a server reads the schema as YAML 1.1, where this name is true, and ignores the key",
        lambda step: (
            step["minor"] <= 26
            and (
                all("/f:switches/k:" in place for place in _places(step))
                or "duplicate entries for key [level=" in str(step["theirs"].get("message"))
            )
        ),
    ),
    "an empty text in a custom resource": (
        "a server of 1.20 that a later Go compiles takes it for null, which the schema rejects",
        lambda step: step["minor"] <= EMPTY_IS_NULL_UNTIL and EMPTY_IS_NULL in str(step["theirs"].get("causes")),
    ),
    "a status that an apply removes from a custom resource": (
        "until 1.20, a server restores it after the defaults of the version, which the storage version may lack",
        lambda step: (
            step["minor"] <= STATUS_PRUNED_UNTIL
            and step["kind"] in CUSTOM
            and step["do"] == "apply"
            and _places(step) <= RAISED
            and any("f:status" in entry["fieldsV1"] for entry in _entries_of(step["before"]))
        ),
    ),
    "a template in a text": (
        "until 1.33, a server prints a Pod template as its internal Go struct, ours is the JSON of later releases",
        lambda step: step["minor"] <= STRUCTS_UNTIL and TEMPLATE in str(step["theirs"].get("message")),
    ),
    "a crashed handler": (
        "until 1.21, a server crashes at an apply of a Scale to a custom resource, which ours rejects",
        lambda step: step["theirs"].get("message") == CRASHED and step["ours"]["code"] == 500,
    ),
    "a Secret in a text": (
        "a server shows the patch, ours does not",
        lambda step: (
            step["kind"] == "Secret"
            and _places(step) <= {"/message", "/causes/0/message"}
            and "{...}" in str(step["ours"])
        ),
    ),
    "a repeated cause": (
        "a server lists a problem that two checks report twice in the causes, and once in the message",
        lambda step: (
            step["ours"].get("message") == step["theirs"].get("message")
            and _causes(step["ours"]) == _causes(step["theirs"])
            and all("/causes" in place for place in _places(step))
        ),
    ),
    "the order of fields in a text": (
        "a server shows an object with its fields in the order of its types, ours are sorted",
        lambda step: (
            _places(step) <= {"/message", "/causes/0/message"} and 'patch: Invalid value: "{' in str(step["theirs"])
        ),
    ),
}
"""The known differences, by name: the reason, and a predicate for their writes."""


def _fails_to_prune(answer: Step) -> bool:
    return str(answer.get("message")).startswith("failed to prune fields: ")


def _entries_of(before: Any) -> list[Step]:
    return ((before or {}).get("metadata") or {}).get("managedFields") or []


def _data(before: Any) -> Any:
    return [(before or {}).get(field) for field in ("data", "binaryData")]


def _causes(answer: Step) -> set[str]:
    return {json.dumps(one, sort_keys=True) for one in answer.get("causes") or ()}


def _without_empties(answer: Step) -> str:
    return str(answer.get("message")).replace("string(nil)", "string{}").replace("{}", "null").replace("[]", "null")


def _places(step: Step) -> set[str]:
    return {place.partition(": ours ")[0] for place in places(step["ours"], step["theirs"])}


TEXTS = ("/message", "/reason", "/causes", "/about", "/warnings")
"""What is counted as words."""


def _differs_in_words(step: Step) -> bool:
    """True if the responses differ, and only in words."""
    found = _places(step)
    return bool(found) and all(place.startswith(TEXTS) for place in found)


def listed(step: Step) -> str | None:
    """The name of the known difference for a write."""
    return next((name for name, (_, is_about) in LISTED.items() if is_about(step)), None)


class Tally:
    """Counts of the outcomes."""

    def __init__(self, show: int, keep: str | None) -> None:
        self.show, self.keep = show, keep
        self.codes: Counter[int] = Counter()
        self.writes = self.conflicts = self.texts = 0
        self.different: Counter[str] = Counter()
        self.worded: Counter[str] = Counter()
        self.listed: Counter[str] = Counter()

    def add(self, step: Step) -> bool:
        """Count one write; return True if the responses differ."""
        ours, theirs = step["ours"], step["theirs"]
        self.codes[theirs["code"]] += 1
        self.writes, self.conflicts = self.writes + 1, self.conflicts + ("conflicts" in theirs)
        self.texts += "message" in theirs or bool(theirs["warnings"])
        if _text(ours) == _text(theirs):
            return False
        step["listed"] = listed(step)
        if step["listed"]:
            self.listed[step["listed"]] += 1
        elif _differs_in_words(step):
            self.worded[step["kind"]] += 1
            step["worded"] = True
        else:
            self.different[step["kind"]] += 1
        if self.keep:
            with Path(self.keep).open("a", encoding="utf-8") as file:
                file.write(json.dumps(step) + "\n")
        return True

    def shows(self, step: Step) -> bool:
        """True if a difference is printed in full."""
        return not step["listed"] and sum((self.different + self.worded).values()) <= self.show


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, write, compare and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.ownership.real.side_by_side", description=__doc__
    )
    parser.add_argument("--count", type=int, default=200, help="number of sequences")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="number of differences to print in full")
    parser.add_argument("--keep", help="file for the writes that differ")
    chosen = parser.parse_args(arguments)
    try:
        real = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    tally = Tally(chosen.show, chosen.keep)
    with embedded(real.release) as ours:
        servers = paired(real, ours)
        for number in range(chosen.count):
            for step in sequence(servers, chosen.seed * 1_000_000 + number):
                if tally.add(step) and tally.shows(step):
                    print(
                        number,
                        *[
                            f"{name}={step[name]}"
                            for name in ("kind", "version", "do", "subresource", "manager", "force")
                        ],
                    )
                    print("\n".join(places(step["ours"], step["theirs"])[:12]), flush=True)
    print(f"{tally.writes} writes, {tally.conflicts} conflicts, {dict(tally.codes)}")
    for name, times in tally.listed.items():
        print(f"{times} listed differences: {name}, because {LISTED[name][0]}")
    print(f"{tally.texts} texts, {sum(tally.worded.values())} differ {dict(tally.worded) or ''}")
    print(f"{chosen.count} sequences, {sum(tally.different.values())} differences {dict(tally.different) or ''}")
    return 1 if tally.different or tally.worded else 0


if __name__ == "__main__":
    sys.exit(main())
