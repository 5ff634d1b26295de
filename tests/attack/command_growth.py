"""Commands and HTTP requests over one object of any shape, and over many objects, files, managers and definitions.

`growth` and `python -m benchmarks.growth` measure how their cost grows, and a fast test counts their calls.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch
from weakref import finalize

import codegen
import engine
from engine.serverside import managers
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.cli.main import run_words
from kubemerge.cluster import ClusterError, open_cluster
from kubemerge.diff import matching
from kubemerge.output.object_text import object_text
from kubemerge.repair import patches, reduction

from ..codegen.sample_specs import crd
from ..kubemerge.objects import applied, config_map, deployment
from .shapes import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Schema

    from .costs import Make

    Call = Callable[[], object]
    Function = Callable[[Case, Schema], Call]
    Object = dict[str, Any]

QUIET = {"KUBEMERGE_NO_CACHE": "1", "KUBEMERGE_CLUSTER": ":memory:", "GIT_CEILING_DIRECTORIES": "/"}
BUG = "this is a bug"
THING = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "x-kubernetes-preserve-unknown-fields": True,
            "properties": {
                "items": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "items": {
                        "type": "object",
                        "required": ["name"],
                        "properties": {"name": {"type": "string"}, "value": {"type": "integer"}},
                    },
                }
            },
        }
    },
}
"""The schema of the custom resources of the shapes."""


class Files(NamedTuple):
    """The input files of a command: the documents of a case, or many objects."""

    last: Sequence[Object]
    config: Sequence[Object]
    live: Sequence[Object]


COMMANDS = {
    "merge": "merge -f config.yaml --live live.yaml",
    "merge --server-side": "merge -f config.yaml --live live.yaml --server-side --force-conflicts",
    "merge -o patch": "merge -f config.yaml --live live.yaml -o patch",
    "merge --html": "merge -f config.yaml --live live.yaml --html page.html",
    "diff": "diff -f config.yaml --live live.yaml",
    "diff --server-side": "diff -f config.yaml --live live.yaml --server-side --force-conflicts",
    "diff -o json": "diff -f config.yaml --live live.yaml -o json",
    "diff --html": "diff -f config.yaml --live live.yaml --html page.html",
    "why": "why -f config.yaml --live live.yaml",
    "why --changed": "why -f config.yaml --live live.yaml --changed",
    "why --server-side": "why -f config.yaml --live live.yaml --server-side",
    "migrate": "migrate -f config.yaml --live live.yaml",
    "migrate --html": "migrate -f config.yaml --live live.yaml --html page.html",
    "migrate --by argocd": "migrate -f config.yaml --live live.yaml --by argocd -o patch",
    "owners": "owners -f live.yaml",
    "owners --html": "owners -f live.yaml --html page.html -o json",
    "lint": "lint config.yaml",
    "lint --live": "lint config.yaml --live live.yaml",
    "lint --server-side": "lint config.yaml --live live.yaml --server-side -o sarif",
    "lint --fix": "lint config.yaml --live live.yaml --fix",
    "compare": "compare --left 1.31 --right 1.32 -f config.yaml --live live.yaml",
    "compare --html": "compare --left 1.31 --right 1.32 -f config.yaml --live live.yaml --html page.html",
    "plan --as kubectl": "plan --as kubectl -f config.yaml --live live.yaml",
    "plan --as kubectl --html": "plan --as kubectl -f config.yaml --live live.yaml --html page.html",
    "plan --as helm": "plan --as helm -f config.yaml --live live.yaml --take-ownership --release-name web",
    "plan --as argocd": "plan --as argocd -f config.yaml --live live.yaml -o markdown",
    "plan --as flux": "plan --as flux -f config.yaml --live live.yaml -o json",
    "plan --repair": "plan --as kubectl -f config.yaml --live live.yaml --repair",
    "plan --repair --server-side": "plan --as kubectl --server-side true -f config.yaml --live live.yaml --repair",
    "git-merge": "git-merge last.yaml config.yaml live.yaml",
    "git-textconv": "git-textconv live.yaml",
    "overlay": "overlay -f live.yaml --patch-file config.yaml",
    "patch --local": 'patch --local -f live.yaml --type merge -p {"metadata":{"labels":{"a":"b"}}}',
    "last-applied view": "last-applied view -f live.yaml",
    "last-applied set": "last-applied set -f config.yaml --live live.yaml --create-annotation",
    "last-applied check": "last-applied check -f config.yaml --live live.yaml",
    "blame": "blame -f config.yaml --live live.yaml",
}
"""Commands over three files: the last applied config, the config and the live objects."""
WITHOUT_SCHEMA = ("git-", "compare", "last-applied view")
"""Commands that take no --schema."""


def run(words: str, folder: Path) -> str:
    """Run a command in this process, and return its output. Fail if it has a bug."""
    out, err, before = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, QUIET):
            run_words(words.split())
    finally:
        os.chdir(before)
    if BUG in err.getvalue():
        raise AssertionError(err.getvalue())
    return out.getvalue() + err.getvalue()


def write_files(files: Files) -> Path:
    """Write files to a new folder."""
    folder = Path(mkdtemp(prefix="growth-"))
    for name, objects in files._asdict().items():
        text = "---\n".join(object_text(one, "yaml") for one in objects)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def over(words: str, files: Files, schema: Object | None = None) -> Call:
    """A command over files."""
    folder = write_files(files)
    if schema is not None:
        (folder / "schema.yaml").write_text(json.dumps(schema), encoding="utf-8")
        if not words.startswith(WITHOUT_SCHEMA):
            words += " --schema schema.yaml"
    return in_folder(folder, words)


def in_folder(folder: Path, words: str) -> Call:
    """A command in a folder that is removed with it."""

    def call() -> str:
        return run(words, folder)

    finalize(call, shutil.rmtree, folder, ignore_errors=True)
    return call


def _owned(case: Case, schema: Schema) -> Object:
    """The live object, of which an update and a server-side apply own fields."""
    with suppress(engine.MergeError):
        created = engine.record_update(None, case.live, schema, manager="kubectl-client-side-apply")
        return engine.server_side_apply(case.last, created, schema, manager="me", force=True).merged or created
    return case.live


def _command(words: str) -> Function:
    def function(case: Case, schema: Schema) -> Call:
        definition = crd(THING) if case.kind == "Thing" else None
        return over(words, Files([case.last], [case.config], [_owned(case, schema)]), definition)

    return function


def everything(size: int) -> Case:
    """A Deployment in which parts of every sort change: lists with keys, in another order, and of other names."""

    def made(image: str, prefix: str, order: int) -> Object:
        env = [{"name": f"{prefix if n % 2 else 'N'}{n}", "value": image} for n in range(size)]
        web = {"name": "web", "image": image, "env": env[::order], "args": [f"--a{n}={image}" for n in range(size)]}
        others = [{"name": f"{prefix}{n}", "image": image} for n in range(size)]
        content = deployment("web", web, *others)
        volumes = [{"name": f"v{n}", "emptyDir": {}} for n in range(size)]
        content["spec"]["template"]["spec"]["volumes"] = volumes[::order]
        texts = {f"{prefix}{n}": image.replace(":", "-") for n in range(size)}
        content["metadata"] |= {"labels": texts, "finalizers": [f"a.example/{prefix}{n}" for n in range(size)]}
        return content

    last, config, live = made("a:1", "n", 1), made("a:2", "r", -1), made("a:3", "n", 1)
    live["metadata"]["annotations"] = applied(last)["metadata"]["annotations"]
    return Case(last, config, live, "apps/v1", "Deployment")


OVER_SHAPES: dict[str, Function] = {f"kubemerge {name}": _command(words) for name, words in COMMANDS.items()}


# ---- HTTP requests over one object -----------------------------------------------------------------------------------


class Server:
    """An API server in this process."""

    def __init__(self, *objects: Object) -> None:
        self.cluster = open_cluster(":memory:")
        self.application = Application(self.cluster)
        for one in objects:
            with suppress(ClusterError):
                self.cluster.load([one])
        self.send("GET", "/api")

    def send(self, method: str, path: str, body: Object | list[Object] | None = None, **headers: str) -> bytes:
        """The body of the response to a request."""
        path, _, query = path.partition("?")
        given = {"content_type": "application/json", "accept": "application/json", **headers}
        scope = {
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
        }
        found = self.application.answer(Request.of(scope, b"" if body is None else json.dumps(body).encode()))
        return found.body if isinstance(found.body, bytes) else b""


PATHS = {
    "ConfigMap": "/api/v1/namespaces/default/configmaps",
    "Service": "/api/v1/namespaces/default/services",
    "Deployment": "/apis/apps/v1/namespaces/default/deployments",
    "Thing": "/apis/test.example/v1/namespaces/default/things",
}
THINGS = {**crd(THING), "metadata": {"name": "things.test.example"}}
PATCHES = {
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}
APPLY = "?fieldManager=me&force=true"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
FORMS = {
    "as YAML": "application/yaml",
    "as a Table": TABLE,
}


def _in_server(call: Callable[[Server, str, Case], object]) -> Function:
    """A request to a server that contains the live object; `call` gets the path of its kind."""

    def function(case: Case, schema: Schema) -> Call:
        live = _owned(case, schema)
        objects = [{**live, "metadata": {**live["metadata"], "namespace": "default"}}]
        server = Server(*([THINGS] if case.kind == "Thing" else []), *objects)
        return lambda: call(server, PATHS[case.kind], case)

    return function


def _named(path: str, case: Case) -> str:
    return f"{path}/{case.live['metadata']['name']}"


def _patch_body(case: Case, kind: str) -> Object | list[Object]:
    if kind == "json":
        with suppress(engine.MergeError):
            return engine.apply(case.config, case.live, None).json_patch()
        return []
    if kind == "strategic":
        with suppress(engine.MergeError):
            return engine.three_way_patch(case.last, case.config, case.live, None)
    return case.config


REQUESTS: dict[str, Function] = {
    "POST": _in_server(
        lambda server, path, case: server.send(
            "POST", path, {**case.config, "metadata": {**case.config["metadata"], "name": "other"}}
        )
    ),
    "PUT": _in_server(lambda server, path, case: server.send("PUT", _named(path, case), case.config)),
    **{
        f"PATCH, {kind}": _in_server(
            lambda server, path, case, kind=kind, media=media: server.send(  # type: ignore[misc]
                "PATCH",
                _named(path, case) + (APPLY if kind == "apply" else ""),
                _patch_body(case, kind),
                content_type=media,
            )
        )
        for kind, media in PATCHES.items()
    },
    "GET": _in_server(lambda server, path, case: server.send("GET", _named(path, case))),
    "GET of a list": _in_server(lambda server, path, _: server.send("GET", path)),
    **{
        f"GET {form}": _in_server(
            lambda server, path, case, media=media: server.send("GET", _named(path, case), accept=media)  # type: ignore[misc]
        )
        for form, media in FORMS.items()
    },
    "DELETE": _in_server(lambda server, path, case: server.send("DELETE", _named(path, case))),
    "DELETE of a list": _in_server(lambda server, path, _: server.send("DELETE", path)),
}

# ---- many inputs -----------------------------------------------------------------------------------------------------


def many_objects(size: int) -> Files:
    """A ConfigMap and a Deployment in turn, each of which the config changes."""
    last = [config_map(f"m{n}", {"a": "b"}, namespace="default") if n % 2 else deployment(f"d{n}") for n in range(size)]
    config = [
        {**one, "metadata": {**one["metadata"], "labels": {"changed": "true"}}} if n % 3 else one
        for n, one in enumerate(last)
    ]
    return Files(last, config, [applied(one) for one in last])


def _of_objects(words: str) -> Make:
    return lambda size: over(words, many_objects(size))


def _in_folder(words: str) -> Make:
    """A command over a folder for each of its files, with one object a file."""

    def make(size: int) -> Call:
        folder = Path(mkdtemp(prefix="growth-"))
        for name, objects in many_objects(size)._asdict().items():
            (folder / f"{name}.yaml").mkdir()
            for number, one in enumerate(objects):
                text = object_text(one, "yaml")
                (folder / f"{name}.yaml" / f"{number}.yaml").write_text(text, encoding="utf-8")
        return in_folder(folder, words)

    return make


def many_managers(size: int) -> Files:
    """A ConfigMap with as many owners as keys, half of them by server-side apply."""
    config = config_map("m", {f"k{n}": "b" for n in range(size)})
    live = applied(config_map("m", {f"k{n}": "a" for n in range(size)}))
    entries: list[Object] = [
        {
            "manager": f"manager{n}",
            "operation": "Apply" if n % 2 else "Update",
            "apiVersion": "v1",
            "time": "2024-01-01T00:00:00Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {f"f:k{n}": {}}},
        }
        for n in range(size)
    ]
    return Files([config], [config], [{**live, "metadata": {**live["metadata"], "managedFields": entries}}])


def _of_managers(words: str) -> Make:
    return lambda size: over(words, many_managers(size))


def _definition(number: int, *versions: str) -> Object:
    """A CustomResourceDefinition with a rule and a pattern."""
    text = {"type": "string", "pattern": "^[a-z]+$", "maxLength": 20}
    spec = {
        "type": "object",
        "properties": {"name": text, "count": {"type": "integer", "minimum": 0}},
        "x-kubernetes-validations": [{"rule": "!has(self.count) || self.count < 9", "message": "too many"}],
    }
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    plural, kind, group = f"things{number}", f"Thing{number}", f"g{number % 10}.test.example"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
            "scope": "Namespaced",
            "versions": [
                {"name": name, "served": True, "storage": not at, "schema": schema}
                for at, name in enumerate(versions or ("v1",))
            ],
        },
    }


def thing_of(number: int) -> tuple[str, Object]:
    """The path and the body of a request that creates an object of a definition."""
    return f"/apis/g{number % 10}.test.example/v1/namespaces/default/things{number}", _custom(number)


def _custom(number: int) -> Object:
    head = {"apiVersion": f"g{number % 10}.test.example/v1", "kind": f"Thing{number}", "metadata": {"name": "t"}}
    return {**head, "spec": {"name": "abc", "count": 3}}


def definitions_of_things(size: int) -> list[Object]:
    return [_definition(number) for number in range(size)]


def _versions(size: int) -> list[Object]:
    return [_definition(0, *(f"v{n + 1}" for n in range(size)))]


def _of_definitions(words: str) -> Make:
    """A command over definitions and an object of each."""

    def make(size: int) -> Call:
        objects = [_custom(number) for number in range(size)]
        live = [applied(one) for one in objects]
        return over(words, Files(definitions_of_things(size), objects, live))

    return make


def policies(size: int) -> list[Object]:
    """Policies, each with a binding."""
    head: Object = {"apiVersion": "admissionregistration.k8s.io/v1"}
    rules = [
        {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["configmaps"]}
    ]
    found: list[Object] = []
    for number in range(size):
        validations = [{"expression": f"object.metadata.name != 'x{number}'"}]
        spec: Object = {"matchConstraints": {"resourceRules": rules}, "validations": validations}
        policy = {"kind": "ValidatingAdmissionPolicy", "metadata": {"name": f"p{number}"}, "spec": spec}
        bound = {"policyName": f"p{number}", "validationActions": ["Deny"]}
        binding = {"kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": f"b{number}"}, "spec": bound}
        found += [{**head, **policy}, {**head, **binding}]
    return found


def _of_policies(words: str) -> Make:
    files = many_objects(10)
    return lambda size: over(words, Files(policies(size), files.config, files.live))


def served(objects: Callable[[int], Sequence[Object]], call: Callable[[Server], object]) -> Make:
    """A call of a server with objects."""

    def make(size: int) -> Call:
        server = Server(*objects(size))
        return lambda: call(server)

    return make


def _reading(path: str) -> Callable[[Server], object]:
    return lambda server: server.send("GET", path)


MAPS = PATHS["ConfigMap"]
NEW = config_map("new", {"a": "b"})
OPENAPI = {
    "/openapi/v2": "/openapi/v2",
    "/openapi/v3": "/openapi/v3",
    "/openapi/v3 of a group": "/openapi/v3/apis/g0.test.example/v1",
    "the discovery of all groups": "/apis",
    "the discovery of a group": "/apis/g0.test.example/v1",
}


def _watched(size: int) -> Call:
    """A write, and its event for each watch."""
    server = Server()
    loop = asyncio.new_event_loop()

    async def opened() -> list[Any]:
        streams = []
        for _ in range(size):
            scope = {"method": "GET", "path": MAPS, "query_string": b"watch=true&timeoutSeconds=600", "headers": []}
            stream = server.application.answer(Request.of(scope, b"")).body
            await anext(stream)  # type: ignore[arg-type]
            streams.append(stream)
        return streams

    streams = loop.run_until_complete(opened())

    async def call() -> None:
        waiting = [asyncio.ensure_future(anext(stream)) for stream in streams]
        await asyncio.sleep(0)
        server.send("POST", MAPS, NEW)
        server.application.feed.poll()
        await asyncio.gather(*waiting)
        for stream in streams:
            await stream.aclose()

    def ended() -> None:
        loop.run_until_complete(call())
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    return ended


def named_objects(size: int) -> list[Object]:
    return [config_map(f"m{n}", {"a": "b"}, namespace="default") for n in range(size)]


MANY_INPUTS: dict[str, Make] = {
    **{f"kubemerge {name}, many objects": _of_objects(words) for name, words in COMMANDS.items()},
    **{
        f"kubemerge {name}, many files": _in_folder(words)
        for name, words in COMMANDS.items()
        if not name.startswith("git-")
    },
    **{
        f"kubemerge {name}, many managers": _of_managers(words)
        for name, words in COMMANDS.items()
        if not name.startswith("git-")
    },
    **{
        f"kubemerge {name}, many definitions": _of_definitions(f"{words} --schema last.yaml")
        for name, words in COMMANDS.items()
        if not name.startswith(("owners", *WITHOUT_SCHEMA))
    },
    "kubemerge lint of many definitions": _of_definitions("lint last.yaml config.yaml"),
    "kubemerge lint, many policies": _of_policies("lint config.yaml --policies last.yaml"),
    "kubemerge merge, many policies": _of_policies("merge -f config.yaml --live live.yaml --policies last.yaml"),
    "kubemerge diff, many policies": _of_policies("diff -f config.yaml --live live.yaml --policies last.yaml"),
    **{
        f"GET {name}, many definitions": served(definitions_of_things, _reading(path)) for name, path in OPENAPI.items()
    },
    **{f"GET {name}, many versions": served(_versions, _reading(path)) for name, path in OPENAPI.items()},
    "POST, many definitions": served(definitions_of_things, lambda server: server.send("POST", MAPS, NEW)),
    "POST, many policies": served(policies, lambda server: server.send("POST", MAPS, NEW)),
    "POST, many objects": served(named_objects, lambda server: server.send("POST", MAPS, NEW)),
    "GET of a list, many objects": served(named_objects, lambda server: server.send("GET", MAPS)),
    "GET of a list as a Table, many objects": served(
        named_objects, lambda server: server.send("GET", MAPS, accept=TABLE)
    ),
    "GET of a list of metadata, many objects": served(
        named_objects, lambda server: server.send("GET", MAPS, accept=METADATA)
    ),
    "DELETE of a list, many objects": served(named_objects, lambda server: server.send("DELETE", MAPS)),
    "PATCH, apply, many managers": served(
        lambda size: many_managers(size).live,
        lambda server: server.send("PATCH", f"{MAPS}/m{APPLY}", NEW, content_type=PATCHES["apply"]),
    ),
    "PUT, many managers": served(
        lambda size: many_managers(size).live,
        lambda server: server.send("PUT", f"{MAPS}/m", config_map("m", {"a": "c"})),
    ),
    "a write and its event, many watches": _watched,
}

# ---- all rows --------------------------------------------------------------------------------------------------------


@contextmanager
def limits_below_all_sizes() -> Iterator[None]:
    """Work that begins or ends at a size does so for small inputs: difflib, reductions and merged updates."""
    limits = (
        (managers, "MOST_UPDATES", 2),
        (matching, "MAX_DIFFLIB_LINES", 8),
        (reduction, "FEW", 2),
        (patches, "_LEAST_FOR_JSON", 0),
    )
    with ExitStack() as stack:
        for module, name, limit in limits:
            stack.enter_context(patch.object(module, name, limit))
        yield


def over_shape(function: Function, shape: Callable[[int], Case]) -> Make:
    """A command or a request over a shape."""

    def make(size: int) -> Call:
        case = shape(size)
        return function(case, _schema(case.api_version, case.kind))

    return make


@cache
def _schema(api_version: str, kind: str) -> Schema:
    return engine.load().overlay(codegen.read(crd(THING))).schema(api_version, kind)


FUNCTIONS = {**OVER_SHAPES, **REQUESTS}
