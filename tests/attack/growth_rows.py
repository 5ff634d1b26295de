"""All rows of the growth tests: those of `command_growth`, and rows for clusters, lists, editors, agents and fleets.

A row is a command or a request with one kind of input. It returns a call for each size of this input.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import engine
from kubemerge.apiserver.http.messages import Request
from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.config import ConfigFile
from kubemerge.fleet.checks.table import CheckSpec
from kubemerge.fleet.reading.items import Item
from kubemerge.lsp import actions, completions, hovers
from kubemerge.lsp.checking import Checker
from kubemerge.lsp.repository import Repository
from kubemerge.lsp.text import Change, Text
from kubemerge.mcpserver import workspace
from kubemerge.mcpserver.calls import call as call_tool
from kubemerge.mcpserver.workspace import Settings
from kubemerge.output.object_text import object_text

from ..kubemerge.objects import config_map, deployment
from .command_growth import (
    FUNCTIONS,
    MANY_INPUTS,
    MAPS,
    NEW,
    Files,
    Server,
    definitions_of_things,
    in_folder,
    many_managers,
    many_objects,
    named_objects,
    over_shape,
    policies,
    run,
    served,
    thing_of,
    write_files,
)
from .shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from .command_growth import Call, Object
    from .costs import Make

# ---- commands of a cluster -------------------------------------------------------------------------------------------

OF_CLUSTER = {
    "get": "get configmaps,deployments",
    "get -o yaml": "get configmaps,deployments -o yaml",
    "get -o wide": "get configmaps,deployments -o wide --show-labels --sort-by .metadata.name",
    "get -l": "get configmaps -l a!=b",
    "get -o jsonpath": "get configmaps -o jsonpath={.items[*].metadata.name}",
    "get -o custom-columns": "get configmaps -o custom-columns=NAME:.metadata.name",
    "describe": "describe configmaps",
    "apply": "apply -f config.yaml",
    "apply --server-side": "apply -f config.yaml --server-side --force-conflicts",
    "apply --prune": "apply -f last.yaml --prune --all",
    "create": "create -f new.yaml",
    "replace": "replace -f config.yaml",
    "patch": 'patch -f live.yaml --type merge -p {"metadata":{"labels":{"a":"b"}}}',
    "label": "label configmaps --all a=b",
    "annotate": "annotate deployments --all a=b",
    "scale": "scale deployments --all --replicas 2",
    "delete --all": "delete configmaps --all",
    "delete -f": "delete -f config.yaml",
    "wait": "wait configmaps --all --for=jsonpath={.data.a}=b",
    "cluster export": "cluster export",
    "merge": "merge -f config.yaml",
    "diff": "diff -f config.yaml",
    "why": "why -f config.yaml",
    "owners": "owners configmap/m1",
    "plan": "plan --as kubectl -f config.yaml",
    "last-applied set": "apply set-last-applied -f config.yaml --create-annotation",
}
"""Commands of the embedded cluster, which contains many objects."""
OVER_DEFINITIONS = {
    "kinds": "kinds --schema definitions.yaml",
    "explain": "explain thing1.spec --schema definitions.yaml",
}
"""Commands over many definitions."""
WITH_DEFINITIONS = {
    "apply": "apply -f all.yaml --cluster cluster.db",
    "create": "create -f all.yaml --cluster cluster.db",
    "import": "cluster import all.yaml --cluster cluster.db",
    "merge": "merge -f all.yaml --live all.yaml",
    "diff": "diff -f all.yaml --live all.yaml --server-side",
    "why": "why -f all.yaml --live all.yaml",
    "migrate": "migrate -f all.yaml --live all.yaml",
    "compare": "compare --left 1.31 --right 1.32 -f all.yaml",
    "plan --as kubectl": "plan --as kubectl -f all.yaml --live all.yaml",
    "plan --as helm": "plan --as helm -f all.yaml --live all.yaml --take-ownership --release-name web",
    "plan --as flux": "plan --as flux -f all.yaml --live all.yaml",
    "plan --as argocd": "plan --as argocd -f all.yaml --live all.yaml",
}
"""Commands over one file with many definitions, each followed by an object of its kind."""


def folder_with_cluster(size: int) -> Path:
    """A new folder with the files of many objects, one of new objects, and a cluster that contains the live ones."""
    files = many_objects(size)
    folder = write_files(files)
    new = [{**one, "metadata": {**one["metadata"], "name": f"new-{at}"}} for at, one in enumerate(files.config)]
    (folder / "new.yaml").write_text("---\n".join(object_text(one, "yaml") for one in new), encoding="utf-8")
    run("cluster import live.yaml --cluster cluster.db", folder)
    return folder


def _of_cluster(words: str) -> Make:
    return lambda size: in_folder(folder_with_cluster(size), f"{words} --cluster cluster.db")


def _over_definitions(words: str) -> Make:
    def make(size: int) -> Call:
        folder = Path(mkdtemp(prefix="growth-"))
        text = "---\n".join(object_text(one, "yaml") for one in definitions_of_things(size))
        (folder / "definitions.yaml").write_text(text, encoding="utf-8")
        return in_folder(folder, words)

    return make


def _with_definitions(words: str) -> Make:
    def make(size: int) -> Call:
        folder = Path(mkdtemp(prefix="growth-"))
        found = [one for at, each in enumerate(definitions_of_things(size)) for one in (each, thing_of(at)[1])]
        (folder / "all.yaml").write_text("---\n".join(object_text(one, "yaml") for one in found), encoding="utf-8")
        return in_folder(folder, words)

    return make


def _blame(size: int) -> Call:
    """`blame` in a git repository with many objects."""
    folder = write_files(many_objects(size))
    who = ("-c", "user.name=me", "-c", "user.email=me@example.com")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "all")):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return in_folder(folder, "blame -f config.yaml --live live.yaml")


def _chart(size: int) -> Call:
    """`lint` of output of `helm template`, which has a `# Source` comment for each object."""
    folder = Path(mkdtemp(prefix="growth-"))
    parts = [
        f"---\n# Source: web/templates/{at}.yaml\n{object_text(one, 'yaml')}"
        for at, one in enumerate(many_objects(size).config)
    ]
    (folder / "config.yaml").write_text("".join(parts), encoding="utf-8")
    return in_folder(folder, "lint config.yaml")


def _rejections(size: int) -> Call:
    """`lint` of containers with a limit that the server rejects."""
    limits = {"resources": {"limits": {"memory": "-1"}}}
    config = deployment("web", *({"name": f"c{n}", "image": "a:1", **limits} for n in range(size)))
    return in_folder(write_files(Files([], [config], [])), "lint config.yaml")


def _policies_and_namespaces(size: int) -> Call:
    """`lint` of objects with a policy that reads the namespace, in many namespaces."""
    names = [f"n{at}" for at in range(size)]
    spaces = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in names]
    policy, binding = policies(1)
    policy["spec"]["validations"] = [{"expression": "namespaceObject.metadata.name != 'x'"}]
    maps = [config_map("m", {"a": "b"}, namespace=name) for name in names]
    folder = write_files(Files([*spaces, policy, binding], maps, []))
    return in_folder(folder, "lint config.yaml --policies last.yaml")


def _writes(size: int) -> Call:
    """`writes` over a record in which each write takes a field of another manager."""
    folder = Path(mkdtemp(prefix="growth-"))
    lines = [
        {
            "manager": f"m{number % 10}",
            "verb": "update",
            "resource": "configmaps",
            "namespace": "default",
            "name": f"c{number // 10}",
            **dict.fromkeys(("subresource", "group"), ""),
            "owned": [f"data.k{number}"],
            "changed": [f"data.k{number}"],
            "respelled": [],
            "taken_from": {f"data.k{number}": ["other"]},
        }
        for number in range(size)
    ]
    (folder / "record").write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return in_folder(folder, "writes record")


# ---- requests to a server with many objects --------------------------------------------------------------------------

LABELLED = "labelSelector=app%3Dweb,tier+notin+(x,y)"
LISTS = {
    "GET of a list with a label selector": ("GET", f"{MAPS}?{LABELLED}"),
    "GET of a list with a field selector": ("GET", f"{MAPS}?fieldSelector=metadata.name!%3Dm0"),
    "GET of a list in all namespaces": ("GET", "/api/v1/configmaps"),
    "GET of one page": ("GET", f"{MAPS}?limit=10"),
    "GET of one object": ("GET", f"{MAPS}/m1"),
    "DELETE of a list with a label selector": ("DELETE", f"{MAPS}?{LABELLED}"),
    "DELETE of a list, dry run": ("DELETE", f"{MAPS}?dryRun=All"),
    "DELETE of one object": ("DELETE", f"{MAPS}/m1"),
}
"""Requests to a server with many ConfigMaps."""


def _in_namespace(size: int) -> list[Object]:
    """Objects of a namespace that can be deleted."""
    head: Object = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    return [head, *(config_map(f"m{n}", {"a": "b"}, namespace="team") for n in range(size))]


def _request(method: str, path: str) -> Callable[[Server], object]:
    return lambda server: server.send(method, path)


def _labelled(size: int) -> list[Object]:
    return [config_map(f"m{n}", {"a": "b"}, namespace="default", labels={"app": "web"}) for n in range(size)]


def _all_pages(server: Server) -> None:
    token = ""
    while True:
        page = json.loads(server.send("GET", f"{MAPS}?limit=10{token and f'&continue={token}'}"))
        token = page["metadata"].get("continue", "")
        if not token:
            return


def _many_writes(size: int) -> Call:
    """Writes of one object, one after the other."""
    server = Server(config_map("m", {"a": "b"}, namespace="default"))

    def call() -> None:
        for number in range(size):
            server.send("PUT", f"{MAPS}/m", config_map("m", {"a": str(number)}))

    return call


EVENTS_KEPT = 3_000
"""The number of events that a server keeps at least. Watches from before them end with `Expired`."""


def _old_watch(size: int) -> Call:
    """A watch from a resourceVersion before all events that a server keeps."""
    server = Server()
    versions = [json.loads(server.send("GET", MAPS))["metadata"]["resourceVersion"]]
    stored = (json.loads(server.send("POST", MAPS, one)) for one in named_objects(size))
    versions += [one["metadata"]["resourceVersion"] for one in stored]
    kept = min(size, EVENTS_KEPT)
    version = versions[-1 - kept]
    query = f"watch=true&timeoutSeconds=600&resourceVersion={version}"
    scope = {"method": "GET", "path": MAPS, "query_string": query.encode(), "headers": []}

    async def events() -> None:
        stream: Any = server.application.answer(Request.of(scope, b"")).body
        server.application.feed.poll()
        found = 0
        while found < kept:
            found += (await anext(stream)).count(b'"type"')
        await stream.aclose()

    return lambda: asyncio.run(events())


def _dependents(size: int) -> list[Object]:
    """Objects that depend on one owner."""
    owner = config_map("owner", {}, namespace="default", uid="u")
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "u"}
    return [owner, *(config_map(f"m{n}", {}, namespace="default", ownerReferences=[reference]) for n in range(size))]


def _quotas(size: int) -> list[Object]:
    hard = {"configmaps": "1000000", "count/secrets": "10"}
    return [
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": f"q{n}", "namespace": "default"},
            "spec": {"hard": hard},
        }
        for n in range(size)
    ]


def _webhooks(size: int) -> list[Object]:
    """Webhooks, each in its own configuration. A request for a ConfigMap calls none of them."""
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["secrets"]}
    webhook = {"clientConfig": {"url": "https://127.0.0.1:1/"}, "rules": [rule], "admissionReviewVersions": ["v1"]}
    webhook |= {"sideEffects": "None"}
    return [
        {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": f"{kind}WebhookConfiguration",
            "metadata": {"name": f"w{number}"},
            "webhooks": [{**webhook, "name": f"w{number}.test.example"}],
        }
        for number in range(size)
        for kind in ("Mutating", "Validating")
    ]


def _roles(size: int) -> list[Object]:
    """ClusterRoles, and one that aggregates them."""
    head: Object = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole"}
    rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]
    aggregation = {"clusterRoleSelectors": [{"matchLabels": {"part": "yes"}}]}
    return [
        {**head, "metadata": {"name": "whole"}, "aggregationRule": aggregation, "rules": []},
        *({**head, "metadata": {"name": f"r{n}", "labels": {"part": "yes"}}, "rules": rules} for n in range(size)),
    ]


ROLE = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRole",
    "metadata": {"name": "new", "labels": {"part": "yes"}},
    "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get"]}],
}
ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"

# ---- the language server, and agents ---------------------------------------------------------------------------------


def _manifest(size: int, *, documents: bool) -> str:
    """A file of many documents, or of one document with many containers, each with a finding."""
    if documents:
        return "---\n".join(object_text(deployment(f"d{n}", {"name": "a", "imge": "b"}), "yaml") for n in range(size))
    return object_text(deployment("d", *({"name": f"c{n}", "imge": "b"} for n in range(size))), "yaml")


def _checked(checker: Checker, text: str) -> object:
    return checker.check(text, {"a.yaml": text.encode()}, lambda: True, alone=False)


def _edited(text: str) -> Text:
    found = Text(text)
    for line in range(0, found.line_count, max(1, found.line_count // 10)):
        at = found.place(found.end_of(line))
        found = found.changed(Change(at, at, " "))
    return found


LSP: dict[str, Callable[[Checker, str], object]] = {
    "diagnostics": _checked,
    "diagnostics after an edit": lambda checker, text: _checked(checker, text.replace("imge", "imag", 1)),
    "fixes": lambda checker, text: actions.fix_all(text, checker),
    "actions": lambda checker, text: actions.actions(text, 0, len(text), checker),
    "hover": lambda checker, text: hovers.hover(text, text.rindex("name:"), checker.rules(), None),
    "completion": lambda checker, text: completions.complete(text, text.rindex("imge") + 2, "a.yaml", checker.rules()),
    "ten edits": lambda _, text: _edited(text),
}
"""Methods of the language server, for a text that it has already checked."""


def _in_editor(method: Callable[[Checker, str], object], *, documents: bool) -> Make:
    def make(size: int) -> Call:
        folder = mkdtemp(prefix="growth-")
        text = _manifest(size, documents=documents)
        Path(folder, "a.yaml").write_text(text, encoding="utf-8")
        before = Path.cwd()
        os.chdir(folder)
        try:
            checker = Checker("a.yaml", Repository(folder, print))
            _checked(checker, text)
        finally:
            os.chdir(before)

        def call() -> object:
            os.chdir(folder)
            try:
                return method(checker, text)
            finally:
                os.chdir(before)

        return call

    return make


TOOLS: dict[str, dict[str, Any]] = {
    "predict_apply": {},
    "predict_apply, server-side": {"method": "server-side"},
    "conflicts": {},
    "field_owners": {},
    "why": {},
    "lint": {},
    "plan": {"tool": "kubectl"},
    "compare_releases": {"left": "1.31", "right": "1.32"},
}
"""Tools of the MCP server, each with its arguments besides the documents."""


def _owned(live: Object) -> Object:
    """An object with managedFields."""
    if "managedFields" in live["metadata"]:
        return live
    schema = engine.load().schema(live["apiVersion"], live["kind"])
    return engine.record_update(None, live, schema, manager="kubectl-client-side-apply")


def _of_tool(name: str, inputs: Callable[[int], Files]) -> Make:
    def make(size: int) -> Call:
        files = inputs(size)
        files = files._replace(live=[_owned(one) for one in files.live])
        texts = {key: "---\n".join(object_text(one, "yaml") for one in found) for key, found in files._asdict().items()}
        tool = name.partition(",")[0]
        documents = ("live",) if tool == "field_owners" else ("config", "live")
        arguments = {**{key: texts[key] for key in documents}, **TOOLS[name]}

        def call() -> str:
            with patch.multiple(workspace, MOST_BYTES=1 << 30, MOST_OBJECTS=1 << 20):  # larger than all sizes
                found = call_tool(Settings("/"), tool, arguments)
            if found.result is None:
                raise AssertionError(found.error)
            return found.text

        return call

    return make


# ---- fleets ----------------------------------------------------------------------------------------------------------

CHECKS = ("lint", "upgrade", "drift", "owners", "migrate", "repair")


def _of_check(name: str, inputs: Callable[[int], Files]) -> Make:
    """A check of `fleet` over the objects of a dump."""

    def make(size: int) -> Call:
        files = inputs(size)
        text = "---\n".join(object_text(one, "yaml") for one in files.config)
        config = (("config", (ConfigFile("", "config.yaml", text.encode()),)),)
        options: dict[str, tuple[tuple[str, object], ...]] = {
            "drift": config,
            "repair": config,
            "upgrade": (("releases", "1.31..1.32"),),
        }
        check = CheckSpec(name, Rules(), options.get(name, ())).create()
        items = [Item("a", json.dumps(_owned(one)).encode(), "a.json") for one in files.live]

        def call() -> list[Any]:
            check.begin()
            return [row for item in items for row in check.rows(item)]

        return call

    return make


# ---- all rows --------------------------------------------------------------------------------------------------------

INPUTS: dict[str, Callable[[int], Files]] = {"many objects": many_objects, "many managers": many_managers}
FURTHER_INPUTS: dict[str, Make] = {
    **{f"kubemerge {name} of the cluster, many objects": _of_cluster(words) for name, words in OF_CLUSTER.items()},
    **{f"kubemerge {name}, many definitions": _over_definitions(words) for name, words in OVER_DEFINITIONS.items()},
    **{f"kubemerge {name} of many definitions": _with_definitions(words) for name, words in WITH_DEFINITIONS.items()},
    "kubemerge blame, many objects": _blame,
    "kubemerge lint of a chart, many objects": _chart,
    "kubemerge lint, many rejections": _rejections,
    "kubemerge lint with policies, many namespaces": _policies_and_namespaces,
    "kubemerge writes, many writes": _writes,
    **{f"{name}, many objects": served(_labelled, _request(*request)) for name, request in LISTS.items()},
    "GET of all pages, many objects": served(named_objects, _all_pages),
    "DELETE of a namespace, many objects": served(_in_namespace, _request("DELETE", "/api/v1/namespaces/team")),
    "DELETE, many dependents": served(_dependents, _request("DELETE", f"{MAPS}/owner")),
    "POST, many quotas": served(_quotas, lambda server: server.send("POST", MAPS, NEW)),
    "POST, many webhooks": served(_webhooks, lambda server: server.send("POST", MAPS, NEW)),
    "POST of a ClusterRole, many aggregated roles": served(_roles, lambda server: server.send("POST", ROLES, ROLE)),
    "POST of a custom resource, many definitions": served(
        definitions_of_things, lambda server: server.send("POST", *thing_of(1))
    ),
    "POST of an object of each kind, many definitions": lambda size: served(
        definitions_of_things, lambda server: [server.send("POST", *thing_of(at)) for at in range(size)]
    )(size),
    "PUT, many writes": _many_writes,
    "a watch from an old version, many events": _old_watch,
    **{
        f"lsp, {name}, {'many documents' if documents else 'one long document'}": _in_editor(
            method, documents=documents
        )
        for name, method in LSP.items()
        for documents in (True, False)
    },
    **{f"mcp {name}, {given}": _of_tool(name, inputs) for name in TOOLS for given, inputs in INPUTS.items()},
    **{f"fleet {name}, {given}": _of_check(name, inputs) for name in CHECKS for given, inputs in INPUTS.items()},
}
MANY: dict[str, Make] = {**MANY_INPUTS, **FURTHER_INPUTS}
ROWS: dict[str, Make] = {
    **{
        f"{name} of {shape.__name__}": over_shape(function, shape)
        for name, function in FUNCTIONS.items()
        for shape in SHAPES
    },
    **MANY,
}
"""The name of each command or request with its shape or kind of input -> a function that makes the call for a size."""
